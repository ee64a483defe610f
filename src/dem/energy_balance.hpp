#pragma once

#include <abut/simulation.hpp>
#include <algorithm>
#include <span>

#include "core/vec4.hpp"
#include "dem/kernels.hpp"
#include "dem/particles.hpp"

namespace abut {

/// Elastic energy of the contacts, and the energies dissipated and put in since the start.
class EnergyBalance {
 public:
  /// After an evaluation of all forces: the energies of its chunks, summed in their order.
  void add_step(std::span<const ContactEnergy> chunks);

  /// Energy (J) from outside: work of walls, added and removed particles, changed velocities.
  void add_input(double energy) { totals_.input += energy; }
  [[nodiscard]] double& input() { return totals_.input; }

  /// A change (J) of the elastic energy that is not due to motion.
  void add_elastic(double energy) { totals_.elastic += energy; }

  /// The largest energy (J) that was available so far for motion, contacts and dissipation, given
  /// the present one: input minus potential energy.
  double update_largest_available(double available) {
    largest_available_ = std::max(largest_available_, available);
    return largest_available_;
  }

  /// With the energies of motion and in gravity (m/s²) of the particles. `period` (m) is that of a
  /// periodic domain along each axis, or 0. O(n).
  [[nodiscard]] Energy energy(const Particles& particles, const Vec4& gravity,
                              const Vec4& period) const;

  void save(SavedState& saved, double removed_mass) const;
  void restore(const SavedState& saved);

 private:
  Energy totals_;                 ///< elastic, dissipated, input; the others are 0
  double tangential_energy_ = 0;  ///< the part of the elastic energy in tangential springs
  double largest_available_ = 0;
};

}  // namespace abut
