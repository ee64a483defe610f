// Critical time step, and choice of the time step.

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/message.hpp"
#include "dem/simulation_state.hpp"

namespace abut {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Travel time (s) of a Rayleigh wave around half a sphere, T = π R √(ρ/G) / (0.1631 ν + 0.8766).
/// The stiffness of a Hertzian contact grows with the overlap, so it gives no bound of the time
/// step; T/2 is used instead. With a time step of T, an elastic sphere can rebound at three times
/// its impact speed.
double rayleigh_time(const Material& material, double radius) {
  const double shear_modulus = material.young / (2 * (1 + material.poisson));
  return std::numbers::pi * radius * std::sqrt(material.density / shear_modulus) /
         (0.1631 * material.poisson + 0.8766);
}

}  // namespace

template <std::size_t D>
std::vector<double> Simulation<D>::State::min_radii() const {
  std::vector<double> min_radius(model.materials.size(), unbounded);
  for (std::size_t i = particles.fixed_count; i < particles.size(); ++i) {
    double& radius = min_radius[particles.material[i]];
    radius = std::min(radius, particles.position[i].w);
  }
  for (std::size_t m = 0; m < std::min(min_radius.size(), model.min_radius.size()); ++m)
    if (model.min_radius[m] > 0) min_radius[m] = std::min(min_radius[m], model.min_radius[m]);
  return min_radius;
}

/// The critical time step (s) of the smallest particle of material `a` in contact with the smallest
/// particle, or a wall, of any material.
template <std::size_t D>
double Simulation<D>::State::critical_time_step_of(std::size_t a,
                                                   const std::vector<double>& min_radius) const {
  const double mass = mass_of(min_radius[a], a);
  double critical = unbounded;
  for (std::size_t b = 0; b < min_radius.size(); ++b) {
    const ContactCoefficients& pair = coefficients.between(a, b);
    if (pair.stiffness == 0) continue;
    const double reduced_mass =
        min_radius[b] == unbounded ? mass : 1 / (1 / mass + 1 / mass_of(min_radius[b], b));
    critical = std::min(critical, critical_pair_time_step(pair, reduced_mass));
  }
  return critical;
}

template <std::size_t D>
void Simulation<D>::State::choose_time_step() {
  if (time_step_checked) return;
  const std::vector<double> min_radius = min_radii();
  critical_time_step = unbounded;
  for (std::size_t m = 0; m < min_radius.size(); ++m) {
    if (min_radius[m] == unbounded) continue;
    const double bound = model.law == ContactLaw::hertz
                             ? rayleigh_time(model.materials[m], min_radius[m]) / 2
                             : critical_time_step_of(m, min_radius);
    critical_time_step = std::min(critical_time_step, bound);
  }
  if (model.integrator == Integrator::predictor_corrector) critical_time_step *= 0.6;
  const double fraction = model.law == ContactLaw::hertz ? 0.2 : 0.1;
  if (time_step == 0)
    time_step = model.time_step > 0 ? model.time_step : fraction * critical_time_step;
  if (time_step > critical_time_step)
    throw Error(ErrorCode::invalid_argument, {.key = "time_step", .value = message(time_step)},
                message("must be at most ", critical_time_step, " to be stable"));
  if (!std::isfinite(time_step))
    throw Error("time_step: must be given if no particle can touch anything");
  time_step_checked = true;
}

template class Simulation<2>::State;
template class Simulation<3>::State;

}  // namespace abut
