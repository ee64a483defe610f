#include "validation/discharge.hpp"

#include <cmath>

#include "core/vec.hpp"
#include "report/verdicts.hpp"
#include "validation/silo_setup.hpp"

namespace abut {
namespace {

constexpr double sample_interval = 0.25;

// Glass beads: C falls with friction, to 0.545 for µ = 0.3.
SiloSetup silo_of(const DischargeSetup& plan, double outlet) {
  SiloSetup silo{.diameter = plan.diameter, .count = plan.count, .outlet = outlet};
  silo.law.friction = DischargeSetup::friction;
  silo.law.wall_friction = DischargeSetup::friction;
  return silo;
}

// What Beverloo's law lets expect, to plan with: grains a unit of time.
double expected_rate(double outlet) {
  return 0.58 * 0.58 * std::pow(outlet - 1.4, 2.5) / sphere_volume<3>(0.5);
}

// The slope of mass over time while it grows from one part of the end to another.
double rate_between(const Points& mass, double from, double to) {
  Points steady;
  for (const auto& point : mass)
    if (point[1] >= from * mass.back()[1] && point[1] <= to * mass.back()[1])
      steady.push_back(point);
  return fitted_line(steady).slope;
}

}  // namespace

// Narrow ones need not let out as much.
double DischargeSetup::duration(double outlet) const {
  const double widest = outlets.back();
  const double share = discharged_fraction * std::pow(outlet / widest, 1.5);
  return 2 + share * static_cast<double>(count) / expected_rate(outlet);
}

double DischargeSetup::work() const {
  double time = settling_time(silo_of(*this, 1));
  for (const double outlet : outlets) time += duration(outlet);
  return static_cast<double>(count * fills) * time;
}

FilledSilo fill_silo(const DischargeSetup& plan, std::size_t fill, SharedProgress& work) {
  const SiloSetup silo = silo_of(plan, 1);
  Simulation3 run = empty_silo(silo);
  settle(run, silo, fill + 1, work);
  return {silo.height(), solid_fraction(run, 1, silo.height() - 2, silo.base()), run.save()};
}

Discharge open_outlet(const DischargeSetup& plan, double outlet, const FilledSilo& filled,
                      SharedProgress& work) {
  Simulation3 run = empty_silo(silo_of(plan, outlet));
  run.restore(filled.state);
  run.set_open(silo_lid);
  Points mass;
  for (double t = 0; t < plan.duration(outlet); t += sample_interval) {
    advance(run, sample_interval, work);
    mass.push_back({run.time(), run.sinks()[0].mass});
  }
  return {outlet, rate_between(mass, 0.2, 0.8), rate_between(mass, 0.2, 0.5),
          rate_between(mass, 0.5, 0.8)};
}

}  // namespace abut
