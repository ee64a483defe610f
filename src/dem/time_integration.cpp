#include "dem/time_integration.hpp"

#include "core/buffers.hpp"

namespace abut {

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
