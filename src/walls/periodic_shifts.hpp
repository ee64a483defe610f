#pragma once

#include <abut/walls.hpp>
#include <vector>

#include "core/periodic_domain.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// Periodic axes: where a particle is in the domain, and by which whole periods it must be moved to
/// come near a body.
template <std::size_t D>
class PeriodicShifts {
 public:
  /// Throws `Error` if an axis is periodic and there is no domain.
  explicit PeriodicShifts(const WallOptions<D>& options);

  [[nodiscard]] bool is_periodic() const { return period_.any_periodic(); }

  /// Into the domain along periodic axes.
  [[nodiscard]] double wrap(std::size_t axis, double x) const;

  /// The shifts that can bring a particle in the domain within `cutoff` of the box of a body; none
  /// is the first if it is among them. Throws `Error` with the number of the body if there are too
  /// many, or if it is endless and cannot repeat.
  [[nodiscard]] std::vector<Point<D>> shifts(const PlacedBody<D>& body, double cutoff,
                                             std::size_t number) const;

 private:
  void reject_oblique_plane(const PlacedBody<D>& body, const Box<D>& box, std::size_t number) const;
  [[nodiscard]] std::vector<double> shifts_along(std::size_t axis, const Box<D>& box, double cutoff,
                                                 std::size_t body) const;

  PeriodicDomain<D> period_;
};

extern template class PeriodicShifts<2>;
extern template class PeriodicShifts<3>;

}  // namespace abut
