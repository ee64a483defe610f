#pragma once

#include <abut/simulation.hpp>
#include <cstddef>
#include <vector>

#include "dem/contact_coefficients.hpp"
#include "dem/kernels.hpp"

namespace abut {

/// The contact law of a simulation, with the coefficients of all pairs of materials and the kernels
/// that evaluate it. Does not change during a simulation.
class ContactModel {
 public:
  /// Throws `Error` with the invalid parameter.
  ContactModel(ContactLaw law, const std::vector<Material>& materials,
               const std::vector<MaterialPair>& contact_parameters, bool track_energy);

  [[nodiscard]] const StepKernels& kernels() const { return kernels_; }

  /// Springs advance by `spring_time_step` (s); 0: they are used as they are.
  [[nodiscard]] ForceParameters parameters(double spring_time_step) const {
    return {&coefficients_, spring_time_step, coefficients_.range, coefficients_.has_friction,
            coefficients_.has_rolling};
  }

  [[nodiscard]] ContactLaw law() const { return law_; }

  /// Whether torques act on particles.
  [[nodiscard]] bool has_rotation() const { return coefficients_.has_friction; }

  /// Largest gap (m) at which forces act.
  [[nodiscard]] double range() const { return coefficients_.range; }

  /// Springs per contact: 0; 1 with friction; 2 with rolling friction.
  [[nodiscard]] std::size_t spring_count() const {
    return coefficients_.has_rolling ? 2 : coefficients_.has_friction ? 1 : 0;
  }

  [[nodiscard]] const CoefficientTable& coefficients() const { return coefficients_; }

  /// Elastic energy (J) of an overlap (m) of particles of two materials; `radius` (m) is reduced.
  [[nodiscard]] double overlap_energy(std::size_t a, std::size_t b, double radius,
                                      double overlap) const {
    return abut::overlap_energy(law_, coefficients_.between(a, b), radius, overlap);
  }

 private:
  ContactLaw law_;
  CoefficientTable coefficients_;
  StepKernels kernels_;
};

/// Mass (kg) of a sphere, or of a disk of thickness 1 m in 2D.
template <std::size_t D>
[[nodiscard]] double particle_mass(double density, double radius);

/// Inverse moment of inertia, 1/(kg m²), about the center.
template <std::size_t D>
[[nodiscard]] double inverse_inertia(double mass, double radius) {
  return (D == 2 ? 2 : 2.5) / (mass * radius * radius);
}

/// The largest time steps at which two particles in contact, or a particle and a wall, are stable;
/// ∞ if no particle can touch anything. `min_radius` (m) is that of each material, ∞ if it has no
/// particle that moves.
template <std::size_t D>
[[nodiscard]] TimeStepLimits time_step_limits(const Model<D>& model,
                                              const ContactModel& contact_model,
                                              const std::vector<double>& min_radius);

}  // namespace abut
