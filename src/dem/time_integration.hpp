#pragma once

#include <abut/simulation.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/vec4.hpp"
#include "dem/contact_forces.hpp"
#include "dem/kernels.hpp"
#include "dem/particles.hpp"

namespace abut {

/// Integrates the equations of motion of the particles; see `IntegrationKernel` for the schemes.
/// Owns the accelerations of the previous step, which predictor-corrector needs.
class TimeIntegration {
 public:
  struct Options {
    Integrator scheme;
    Vec4 gravity;     ///< m/s²
    Vec4 domain_min;  ///< positions outside these bounds (m) are reported
    Vec4 domain_max;
    bool has_rotation;
    IntegrationKernel kernel;
  };

  explicit TimeIntegration(const Options& options) : options_(options) {}

  /// Integrates the moving ones of particles first … last − 1 by a part of the time step (s);
  /// `first` must be a multiple of the block size of `DisplacementBounds`. Sums of forces are set
  /// to 0 at the beginning of a step; displacements are added to `displacements`. Returns whether
  /// all positions are finite and inside the bounds.
  IntegrationResult integrate(StepPhase phase, std::size_t first, std::size_t last,
                              double time_step, Particles& particles, ForceSums& sums,
                              DisplacementBounds* displacements) {
    const std::size_t moving = std::clamp(particles.fixed_count(), first, last);
    if (phase != StepPhase::end) {
      std::ranges::fill(sums.force().subspan(first, moving - first), Vec4{});
      if (options_.has_rotation)
        std::ranges::fill(sums.torque().subspan(first, moving - first), Vec4{});
    }
    const Particles::Motion motion = particles.motion();
    return options_.kernel(
        options_.scheme, phase,
        {motion.position, motion.velocity, motion.angular_velocity, sums.force().data(),
         sums.torque().data(), acceleration_.data(), angular_acceleration_.data(), displacements,
         moving, last, options_.gravity, options_.domain_min, options_.domain_max, time_step,
         options_.has_rotation});
  }

  /// Kinetic energy (J) of translation and rotation at the end of a step (s), as ½ m v₋·v₊ with the
  /// velocities half a step before and after. With it, and with linear springs, the first two
  /// schemes conserve the energy exactly; ½ m v² fluctuates during contacts.
  [[nodiscard]] double kinetic_energy(double time_step, const Particles& particles,
                                      const ForceSums& sums) const;

  /// Adds particles at the end, without acceleration.
  void resize(std::size_t particles);

  void renumber(std::span<const std::uint32_t> new_index, std::size_t remaining);

  void save(SavedState& saved, std::size_t particles) const;
  void restore(const SavedState& saved);

 private:
  Options options_;
  std::vector<Vec4> acceleration_;  ///< of the previous step; predictor-corrector only
  std::vector<Vec4> angular_acceleration_;
};

}  // namespace abut
