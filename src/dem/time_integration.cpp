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

double TimeIntegration::kinetic_energy(double time_step, const Particles& particles,
                                       const ForceSums& sums) const {
  const auto product = [](const Vec4& a, const Vec4& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
  };
  // Of a velocity, or angular velocity, and the change of it in a time step.
  const auto square = [&](const Vec4& velocity, const Vec4& change) {
    switch (options_.scheme) {
      case Integrator::central_difference:
        return product(velocity, velocity) + product(velocity, change);
      case Integrator::velocity_verlet:
        return product(velocity, velocity) - product(change, change) / 4;
      case Integrator::predictor_corrector:
        break;
    }
    return product(velocity, velocity);
  };
  const auto scaled = [](double factor, const Vec4& v) {
    return Vec4{factor * v.x, factor * v.y, factor * v.z, 0};
  };
  const auto sum_of = [](const Vec4& a, const Vec4& b) {
    return Vec4{a.x + b.x, a.y + b.y, a.z + b.z, 0};
  };
  double sum = 0;
  for (std::size_t i = particles.fixed_count(); i < particles.size(); ++i) {
    const Vec4& velocity = particles.velocity()[i];
    const Vec4 acceleration = sum_of(scaled(velocity.w, sums.force()[i]), options_.gravity);
    sum += square(velocity, scaled(time_step, acceleration)) / (2 * velocity.w);
    const Vec4& rotation = particles.angular_velocity()[i];
    const Vec4 torque = options_.has_rotation ? sums.torque()[i] : Vec4{};
    sum += square(rotation, scaled(time_step * rotation.w, torque)) / (2 * rotation.w);
  }
  return sum;
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
