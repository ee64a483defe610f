#pragma once

#include <abut/simulation.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/periodic_domain.hpp"
#include "core/vec4.hpp"
#include "dem/particles.hpp"

namespace abut {

/// Where particles may be, and where they are removed: the domain, its periodic axes, and the
/// sinks. Counts the particles that were removed.
template <std::size_t D>
class SimulationDomain {
 public:
  SimulationDomain(const std::optional<Box<D>>& domain, const std::array<bool, D>& periodic,
                   bool allow_outflow);

  [[nodiscard]] bool may_remove() const { return allow_outflow_ || !sinks_.empty(); }
  [[nodiscard]] const PeriodicDomain<D>& periodic() const { return periodic_; }

  /// Bounds (m) of positions: the domain, or the searchable range along periodic axes.
  [[nodiscard]] const Box<D>& bounds() const { return bounds_; }

  std::size_t add(Sink<D> sink);
  [[nodiscard]] const std::vector<Sink<D>>& sinks() const { return sinks_; }

  /// Throws `Error` if a moving particle is outside the bounds or its position is not finite, with
  /// its velocity and a likely cause. With outflow allowed, only if it is not searchable. O(n).
  void check_positions(const Particles& particles, std::uint64_t step, double time_step) const;

  /// Memory indices of the particles to be removed, ascending. They are counted as removed.
  [[nodiscard]] std::vector<std::size_t> count_departed(const Particles& particles);

  [[nodiscard]] std::uint64_t removed() const { return removed_; }
  [[nodiscard]] double removed_mass() const { return removed_mass_; }  ///< kg

  void save(SavedState& saved) const;
  void restore(const SavedState& saved);

 private:
  [[nodiscard]] bool should_remove(const Vec4& position, double mass);
  [[noreturn]] void throw_lost(const Particles& particles, std::size_t particle, std::uint64_t step,
                               double time_step) const;

  PeriodicDomain<D> periodic_;
  bool allow_outflow_;
  Box<D> searchable_;  ///< coordinates beyond these bounds are not searched
  Box<D> bounds_;
  std::vector<Sink<D>> sinks_;
  std::uint64_t removed_ = 0;
  double removed_mass_ = 0;
};

extern template class SimulationDomain<2>;
extern template class SimulationDomain<3>;

}  // namespace abut
