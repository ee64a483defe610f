#include "dem/contact_model.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

namespace abut {
namespace {

constexpr double no_particle = std::numeric_limits<double>::infinity();  // as a radius

TimeStepLimits smaller(const TimeStepLimits& a, const TimeStepLimits& b) {
  return {std::min(a.complete, b.complete), std::min(a.normal, b.normal)};
}

template <std::size_t D>
ContactBody body_of(const Material& material, double radius) {
  if (radius == no_particle) return {};
  const double mass = particle_mass<D>(material.density, radius);
  return {mass, 1 / inverse_inertia<D>(mass, radius), radius};
}

/// The limits of the smallest particle of material `a`, alone and in contact with the smallest
/// particle and with a wall of any material. Rolling resistance can make the contact with a large
/// particle less stable than that with a small one; the wall is the limit of large particles.
template <std::size_t D>
TimeStepLimits time_step_limits_of(std::size_t a, const Model<D>& model,
                                   const ContactModel& contact_model,
                                   const std::vector<double>& min_radius) {
  const CoefficientTable& coefficients = contact_model.coefficients();
  const ContactLaw law = contact_model.law();
  const double alone = particle_time_step(law, model.integrator, model.materials[a], min_radius[a]);
  TimeStepLimits limits{alone, alone};
  const ContactBody body = body_of<D>(model.materials[a], min_radius[a]);
  for (std::size_t b = 0; b < min_radius.size(); ++b) {
    if (!coefficients.has_parameters(a, b)) continue;
    for (const double radius : {min_radius[b], no_particle})
      limits = smaller(limits, contact_time_step(law, model.integrator, coefficients.between(a, b),
                                                 body, body_of<D>(model.materials[b], radius)));
  }
  return limits;
}

}  // namespace

ContactModel::ContactModel(ContactLaw law, const std::vector<Material>& materials,
                           const std::vector<MaterialPair>& contact_parameters, bool track_energy)
    : law_(law),
      coefficients_(coefficient_table(law, materials, contact_parameters)),
      kernels_(step_kernels(law, coefficients_.has_friction, track_energy)) {}

template <std::size_t D>
double particle_mass(double density, double radius) {
  const double volume = D == 2 ? std::numbers::pi * radius * radius
                               : 4.0 / 3 * std::numbers::pi * radius * radius * radius;
  return density * volume;
}

template <std::size_t D>
TimeStepLimits time_step_limits(const Model<D>& model, const ContactModel& contact_model,
                                const std::vector<double>& min_radius) {
  TimeStepLimits limits;
  for (std::size_t m = 0; m < min_radius.size(); ++m)
    if (min_radius[m] != no_particle)
      limits = smaller(limits, time_step_limits_of(m, model, contact_model, min_radius));
  return limits;
}

template double particle_mass<2>(double, double);
template double particle_mass<3>(double, double);
template TimeStepLimits time_step_limits(const Model<2>&, const ContactModel&,
                                         const std::vector<double>&);
template TimeStepLimits time_step_limits(const Model<3>&, const ContactModel&,
                                         const std::vector<double>&);

}  // namespace abut
