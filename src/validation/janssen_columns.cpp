#include "validation/janssen_columns.hpp"

#include <algorithm>
#include <cmath>

#include "core/thread_pool.hpp"
#include "validation/silo_setup.hpp"

namespace abut {
namespace {

constexpr double slice_height = 1;
constexpr int samples = 60;  // that are averaged

SiloSetup silo_of(const JanssenSetup& plan, double fill) {
  SiloSetup silo{
      .diameter = plan.diameter, .count = fill > 0 ? plan.count(fill) : 0, .law = plan.law};
  silo.motion.velocity = {0, 0, plan.speed};
  silo.motion.end_time = silo.pouring_time() + plan.settling_time + plan.measured_time;
  return silo;
}

// The lid and the floor are one, and share what they hold.
double floor_load(const Simulation3& run) {
  return -run.wall_force(silo_lid)[2] - run.wall_force(silo_floor)[2];
}

void sample_slices(const Simulation3& run, double share, std::vector<SiloSlice>& slices) {
  const auto slice_at = [&](double z) -> SiloSlice* {
    const auto k = static_cast<std::size_t>(std::max(0.0, z) / slice_height);
    return k < slices.size() ? &slices[k] : nullptr;
  };
  for (std::size_t i = 0; i < run.particle_count(); ++i) {
    const auto grain = run.particle(ParticleIndex{i});
    if (SiloSlice* slice = slice_at(grain.position[2])) slice->weight += share * grain.mass;
  }
  for (const auto& contact : run.contacts()) {
    if (!contact.is_wall || contact.wall != silo_cylinder) continue;
    SiloSlice* slice = slice_at(contact.point[2]);
    if (slice == nullptr) continue;
    slice->support += share * contact.force[2];
    slice->normal +=
        share * (contact.force[0] * contact.normal[0] + contact.force[1] * contact.normal[1]);
  }
}

SiloColumn measure_column(const JanssenSetup& plan, double fill, SharedProgress& work) {
  const SiloSetup silo = silo_of(plan, fill);
  Simulation3 run = empty_silo(silo);
  pour(run, silo, work);
  advance(run, plan.settling_time, work);
  SiloColumn column;
  column.weight = particle_mass(run);
  column.solid_fraction = solid_fraction(run, 1, silo.height() - 2, plan.base());
  for (double z = slice_height / 2; z < 1.2 * silo.height() + 2; z += slice_height)
    column.slices.push_back({z, 0, 0, 0});
  for (int k = 0; k < samples; ++k) {
    advance(run, plan.measured_time / samples, work);
    column.floor += floor_load(run) / samples;
    column.cylinder -= run.wall_force(silo_cylinder)[2] / samples;
    sample_slices(run, 1.0 / samples, column.slices);
  }
  advance(run, plan.resting_time, work);
  column.floor_at_rest = floor_load(run);
  column.cylinder_at_rest = -run.wall_force(silo_cylinder)[2];
  column.kinetic_at_rest = run.energy().kinetic + run.energy().rotational;
  return column;
}

}  // namespace

std::size_t JanssenSetup::count(double fill) const {
  const SiloSetup one{.diameter = diameter, .count = 1};
  return static_cast<std::size_t>(fill * diameter / one.height());
}

double JanssenSetup::base() const { return SiloSetup{.diameter = diameter, .count = 0}.base(); }

double JanssenSetup::work() const {
  double sum = 0;
  for (const double fill : fills)
    sum += static_cast<double>(count(fill)) *
           (silo_of(*this, fill).pouring_time() / 2 + settling_time + measured_time + resting_time);
  return sum;
}

std::vector<SiloColumn> janssen_columns(const JanssenSetup& plan, const ProgressCallback& done) {
  SharedProgress work(done, plan.work());
  std::vector<SiloColumn> columns(plan.fills.size());
  ThreadPool(0).run(columns.size(), [&](std::size_t task, unsigned) {
    const std::size_t k = columns.size() - 1 - task;  // the tallest first, so that none waits long
    columns[k] = measure_column(plan, plan.fills[k], work);
  });
  return columns;
}

}  // namespace abut
