// The largest step that is stable, and the one that is taken.

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

/// How long Rayleigh's waves take across a sphere. Hertz's contact grows stiffer with every impact,
/// so a spring's bound will not do. Half of that time serves: with all of it an elastic ball may
/// come back three times as fast.
double rayleigh_time(const Material& material, double radius) {
  const double shear = material.young / (2 * (1 + material.poisson));
  return std::numbers::pi * radius * std::sqrt(material.density / shear) /
         (0.1631 * material.poisson + 0.8766);
}

}  // namespace

template <std::size_t D>
std::vector<double> Simulation<D>::State::min_radii() const {
  std::vector<double> smallest(model.materials.size(), unbounded);
  for (std::size_t i = particles.fixed_count; i < particles.size(); ++i) {
    double& radius = smallest[particles.material[i]];
    radius = std::min(radius, particles.position[i].w);
  }
  for (std::size_t m = 0; m < std::min(smallest.size(), model.min_radius.size()); ++m)
    if (model.min_radius[m] > 0) smallest[m] = std::min(smallest[m], model.min_radius[m]);
  return smallest;
}

/// Of the smallest particle of a material against the smallest of every other, or a wall of it.
template <std::size_t D>
double Simulation<D>::State::critical_time_step_of(std::size_t a,
                                                   const std::vector<double>& smallest) const {
  const double mass = mass_of(smallest[a], a);
  double least = unbounded;
  for (std::size_t b = 0; b < smallest.size(); ++b) {
    const ContactCoefficients& pair = coefficients.between(a, b);
    if (pair.stiffness == 0) continue;
    const double reduced =
        smallest[b] == unbounded ? mass : 1 / (1 / mass + 1 / mass_of(smallest[b], b));
    least = std::min(least, critical_pair_time_step(pair, reduced));
  }
  return least;
}

template <std::size_t D>
void Simulation<D>::State::choose_time_step() {
  if (time_step_checked) return;
  const std::vector<double> smallest = min_radii();
  critical_time_step = unbounded;
  for (std::size_t m = 0; m < smallest.size(); ++m) {
    if (smallest[m] == unbounded) continue;
    const double bound = model.law == ContactLaw::hertz
                             ? rayleigh_time(model.materials[m], smallest[m]) / 2
                             : critical_time_step_of(m, smallest);
    critical_time_step = std::min(critical_time_step, bound);
  }
  if (model.integrator == Integrator::predictor_corrector) critical_time_step *= 0.6;
  const double part = model.law == ContactLaw::hertz ? 0.2 : 0.1;
  if (time_step == 0) time_step = model.time_step > 0 ? model.time_step : part * critical_time_step;
  if (time_step > critical_time_step)
    throw Error(message("time_step = ", time_step, " is not stable; at most ", critical_time_step));
  if (!std::isfinite(time_step))
    throw Error("time_step: where nothing can touch there is no bound; give one");
  time_step_checked = true;
}

template class Simulation<2>::State;
template class Simulation<3>::State;

}  // namespace abut
