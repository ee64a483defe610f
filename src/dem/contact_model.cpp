#include "dem/contact_model.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

namespace abut {
namespace {

constexpr double no_particle = std::numeric_limits<double>::infinity();  // as a radius

/// The critical time step (s) of the smallest particle of material `a`, alone and in contact with
/// the smallest particle, or a wall, of any material.
template <std::size_t D>
double critical_time_step_of(std::size_t a, const Model<D>& model,
                             const ContactModel& contact_model,
                             const std::vector<double>& min_radius) {
  const CoefficientTable& coefficients = contact_model.coefficients();
  const ContactLaw law = contact_model.law();
  const double mass = particle_mass<D>(model.materials[a].density, min_radius[a]);
  double critical = critical_particle_time_step(law, model.materials[a], min_radius[a]);
  for (std::size_t b = 0; b < min_radius.size(); ++b) {
    if (!coefficients.has_parameters(a, b)) continue;
    const double reduced_mass =
        min_radius[b] == no_particle
            ? mass
            : 1 / (1 / mass + 1 / particle_mass<D>(model.materials[b].density, min_radius[b]));
    critical =
        std::min(critical, critical_pair_time_step(law, coefficients.between(a, b), reduced_mass));
  }
  return critical;
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
double critical_time_step(const Model<D>& model, const ContactModel& contact_model,
                          const std::vector<double>& min_radius) {
  double critical = std::numeric_limits<double>::infinity();
  for (std::size_t m = 0; m < min_radius.size(); ++m)
    if (min_radius[m] != no_particle)
      critical = std::min(critical, critical_time_step_of(m, model, contact_model, min_radius));
  return model.integrator == Integrator::predictor_corrector ? 0.6 * critical : critical;
}

template double particle_mass<2>(double, double);
template double particle_mass<3>(double, double);
template double critical_time_step(const Model<2>&, const ContactModel&,
                                   const std::vector<double>&);
template double critical_time_step(const Model<3>&, const ContactModel&,
                                   const std::vector<double>&);

}  // namespace abut
