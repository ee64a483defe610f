#include "validation/outflow.hpp"

#include <cmath>

#include "core/ball_volume.hpp"
#include "papers/judge.hpp"
#include "validation/silo_plan.hpp"

namespace abut {
namespace {

constexpr double look_every = 0.25;

// Glass beads: C falls with friction, to 0.545 for µ = 0.3.
SiloPlan silo_of(const OutflowPlan& plan, double outlet) {
  SiloPlan silo{.diameter = plan.diameter, .count = plan.count, .outlet = outlet};
  silo.law.friction = OutflowPlan::friction;
  silo.law.wall_friction = OutflowPlan::friction;
  return silo;
}

// What Beverloo's law lets expect, to plan with: grains a unit of time.
double expected_rate(double outlet) {
  return 0.58 * 0.58 * std::pow(outlet - 1.4, 2.5) / ball_volume<3>(0.5);
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
double OutflowPlan::duration(double outlet) const {
  const double widest = outlets.back();
  const double share = part * std::pow(outlet / widest, 1.5);
  return 2 + share * static_cast<double>(count) / expected_rate(outlet);
}

double OutflowPlan::work() const {
  double time = settling_time(silo_of(*this, 1));
  for (const double outlet : outlets) time += duration(outlet);
  return static_cast<double>(count * fills) * time;
}

FilledSilo fill_silo(const OutflowPlan& plan, std::size_t fill, Workload& work) {
  const SiloPlan silo = silo_of(plan, 1);
  Simulation3 run = empty_silo(silo);
  settle(run, silo, fill + 1, work);
  return {silo.height(), solid_fraction(run, 1, silo.height() - 2, silo.base()), run.save()};
}

Outflow open_outlet(const OutflowPlan& plan, double outlet, const FilledSilo& filled,
                    Workload& work) {
  Simulation3 run = empty_silo(silo_of(plan, outlet));
  run.restore(filled.state);
  run.open(silo_lid);
  Points mass;
  for (double t = 0; t < plan.duration(outlet); t += look_every) {
    advance(run, look_every, work);
    mass.push_back({run.time(), run.sinks()[0].mass});
  }
  return {outlet, rate_between(mass, 0.2, 0.8), rate_between(mass, 0.2, 0.5),
          rate_between(mass, 0.5, 0.8)};
}

}  // namespace abut
