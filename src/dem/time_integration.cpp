#include "dem/time_integration.hpp"

#include <algorithm>

#include "core/buffers.hpp"

namespace abut {

IntegrationResult TimeIntegration::integrate(StepPhase phase, std::size_t first, std::size_t last,
                                             double time_step, Particles& particles,
                                             ForceSums& sums, DisplacementBounds* displacements) {
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

void TimeIntegration::resize(std::size_t particles) {
  if (options_.scheme != Integrator::predictor_corrector) return;
  for (auto* accelerations : {&acceleration_, &angular_acceleration_}) {
    reserve_with_slack(*accelerations, particles);
    accelerations->resize(particles);
  }
}

void TimeIntegration::renumber(std::span<const std::uint32_t> new_index, std::size_t remaining) {
  for (auto* accelerations : {&acceleration_, &angular_acceleration_})
    if (!accelerations->empty()) permute_in_place(*accelerations, new_index, remaining);
}

void TimeIntegration::save(SavedState& saved, std::size_t particles) const {
  saved.acceleration = flatten(acceleration_, particles);
  saved.angular_acceleration = flatten(angular_acceleration_, particles);
}

void TimeIntegration::restore(const SavedState& saved) {
  acceleration_.clear();
  angular_acceleration_.clear();
  if (options_.scheme != Integrator::predictor_corrector) return;
  acceleration_ = unflatten(saved.acceleration);
  angular_acceleration_ = unflatten(saved.angular_acceleration);
  resize(saved.id.size());
}

}  // namespace abut
