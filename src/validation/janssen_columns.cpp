#include "validation/janssen_columns.hpp"

#include <algorithm>
#include <cmath>

#include "core/thread_pool.hpp"
#include "validation/silo_plan.hpp"

namespace abut {
namespace {

constexpr double slice_height = 1;
constexpr int looks = 60;  // that are averaged

SiloPlan silo_of(const JanssenPlan& plan, double fill) {
  SiloPlan silo{
      .diameter = plan.diameter, .count = fill > 0 ? plan.count(fill) : 0, .law = plan.law};
  silo.motion.velocity = {0, 0, plan.speed};
  silo.motion.until = silo.pouring_time() + plan.settling_time + plan.measured_time;
  return silo;
}

// The lid and the floor are one, and share what they hold.
double downwards_on_floor(const Simulation3& run) {
  return -run.force_on(silo_lid)[2] - run.force_on(silo_floor)[2];
}

void look_at_slices(const Simulation3& run, double share, std::vector<SiloSlice>& slices) {
  const auto slice_at = [&](double z) -> SiloSlice* {
    const auto k = static_cast<std::size_t>(std::max(0.0, z) / slice_height);
    return k < slices.size() ? &slices[k] : nullptr;
  };
  for (std::size_t i = 0; i < run.size(); ++i) {
    const auto grain = run.particle(i);
    if (SiloSlice* slice = slice_at(grain.place[2])) slice->weight += share * grain.mass;
  }
  for (const auto& contact : run.contacts()) {
    if (!contact.wall || contact.b != silo_cylinder) continue;
    SiloSlice* slice = slice_at(contact.point[2]);
    if (slice == nullptr) continue;
    slice->support += share * contact.force[2];
    slice->normal +=
        share * (contact.force[0] * contact.normal[0] + contact.force[1] * contact.normal[1]);
  }
}

SiloColumn measure_column(const JanssenPlan& plan, double fill, Workload& work) {
  const SiloPlan silo = silo_of(plan, fill);
  Simulation3 run = empty_silo(silo);
  pour(run, silo, work);
  advance(run, plan.settling_time, work);
  SiloColumn column;
  column.weight = mass_of_grains(run);
  column.solid_fraction = solid_fraction(run, 1, silo.height() - 2, plan.base());
  for (double z = slice_height / 2; z < 1.2 * silo.height() + 2; z += slice_height)
    column.slices.push_back({z, 0, 0, 0});
  for (int k = 0; k < looks; ++k) {
    advance(run, plan.measured_time / looks, work);
    column.floor += downwards_on_floor(run) / looks;
    column.cylinder -= run.force_on(silo_cylinder)[2] / looks;
    look_at_slices(run, 1.0 / looks, column.slices);
  }
  advance(run, plan.resting_time, work);
  column.floor_at_rest = downwards_on_floor(run);
  column.cylinder_at_rest = -run.force_on(silo_cylinder)[2];
  column.kinetic_at_rest = run.energy().moving + run.energy().turning;
  return column;
}

}  // namespace

std::size_t JanssenPlan::count(double fill) const {
  const SiloPlan one{.diameter = diameter, .count = 1};
  return static_cast<std::size_t>(fill * diameter / one.height());
}

double JanssenPlan::base() const { return SiloPlan{.diameter = diameter, .count = 0}.base(); }

double JanssenPlan::work() const {
  double sum = 0;
  for (const double fill : fills)
    sum += static_cast<double>(count(fill)) *
           (silo_of(*this, fill).pouring_time() / 2 + settling_time + measured_time + resting_time);
  return sum;
}

std::vector<SiloColumn> janssen_columns(const JanssenPlan& plan, const WorkDone& done) {
  Workload work(done, plan.work());
  std::vector<SiloColumn> columns(plan.fills.size());
  ThreadPool(0).run(columns.size(), [&](std::size_t task, unsigned) {
    const std::size_t k = columns.size() - 1 - task;  // the tallest first, so that none waits long
    columns[k] = measure_column(plan, plan.fills[k], work);
  });
  return columns;
}

}  // namespace abut
