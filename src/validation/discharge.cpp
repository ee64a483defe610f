#include "validation/discharge.hpp"

#include <cmath>

#include "core/vec.hpp"
#include "report/verdicts.hpp"
#include "validation/silo_setup.hpp"

namespace abut {
namespace {

constexpr double sample_interval = 0.25;

// Friction of glass beads: Beverloo's C decreases with friction, to 0.545 for µ = 0.3.
SiloSetup silo_of(const DischargeSetup& setup, double outlet) {
  SiloSetup silo{.diameter = setup.diameter, .count = setup.count, .outlet = outlet};
  silo.law.friction = DischargeSetup::friction;
  silo.law.wall_friction = DischargeSetup::friction;
  return silo;
}

// Rate expected from Beverloo's law, in grains per unit of time. It determines the durations.
double expected_rate(double outlet) {
  return 0.58 * 0.58 * std::pow(outlet - 1.4, 2.5) / sphere_volume<3>(0.5);
}

// Slope of mass over time while the mass grows between two fractions of its final value.
double rate_between(const Points& mass, double from, double to) {
  Points steady;
  for (const auto& point : mass)
    if (point[1] >= from * mass.back()[1] && point[1] <= to * mass.back()[1])
      steady.push_back(point);
  return fitted_line(steady).slope;
}

}  // namespace

// Narrow outlets discharge a smaller fraction, to limit the time.
double DischargeSetup::duration(double outlet) const {
  const double widest = outlets.back();
  const double fraction = discharged_fraction * std::pow(outlet / widest, 1.5);
  return 2 + fraction * static_cast<double>(count) / expected_rate(outlet);
}

double DischargeSetup::work() const {
  double time = settling_time(silo_of(*this, 1));
  for (const double outlet : outlets) time += duration(outlet);
  return static_cast<double>(count * fills) * time;
}

FilledSilo fill_silo(const DischargeSetup& setup, std::size_t fill, SharedProgress& progress) {
  const SiloSetup silo = silo_of(setup, 1);
  Simulation3 simulation = empty_silo(silo);
  settle(simulation, silo, fill + 1, progress);
  return {silo.height(), solid_fraction(simulation, 1, silo.height() - 2, silo.base()),
          simulation.save()};
}

Discharge open_outlet(const DischargeSetup& setup, double outlet, const FilledSilo& filled,
                      SharedProgress& progress) {
  Simulation3 simulation = empty_silo(silo_of(setup, outlet));
  simulation.restore(filled.state);
  simulation.set_open(silo_lid);
  Points mass;
  for (double t = 0; t < setup.duration(outlet); t += sample_interval) {
    advance(simulation, sample_interval, progress);
    mass.push_back({simulation.time(), simulation.sinks()[0].mass});
  }
  return {outlet, rate_between(mass, 0.2, 0.8), rate_between(mass, 0.2, 0.5),
          rate_between(mass, 0.5, 0.8)};
}

}  // namespace abut
