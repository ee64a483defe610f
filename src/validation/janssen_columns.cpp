#include "validation/janssen_columns.hpp"

#include <algorithm>
#include <cmath>

#include "core/machine.hpp"
#include "validation/silo_setup.hpp"

namespace abut {
namespace {

constexpr double slice_height = 1;
constexpr int samples = 60;  // in time, averaged

SiloSetup silo_of(const JanssenSetup& setup, double fill) {
  SiloSetup silo{
      .diameter = setup.diameter, .count = fill > 0 ? setup.count(fill) : 0, .law = setup.law};
  silo.motion.velocity = {0, 0, setup.speed};
  silo.motion.end_time = silo.pouring_time() + setup.settling_time + setup.measured_time;
  return silo;
}

// The lid closes the outlet in the floor; together they carry the floor load.
double floor_load(const Simulation3& simulation) {
  return -simulation.wall_force(silo_lid)[2] - simulation.wall_force(silo_floor)[2];
}

// Adds one sample, scaled by `sample_weight`, to the slices.
void sample_slices(const Simulation3& simulation, double sample_weight,
                   std::vector<SiloSlice>& slices) {
  // Null above the highest slice.
  const auto slice_at = [&](double z) -> SiloSlice* {
    const auto k = static_cast<std::size_t>(std::max(0.0, z) / slice_height);
    return k < slices.size() ? &slices[k] : nullptr;
  };
  for (std::size_t i = 0; i < simulation.particle_count(); ++i) {
    const auto grain = simulation.particle(ParticleIndex{i});
    if (SiloSlice* slice = slice_at(grain.position[2])) slice->weight += sample_weight * grain.mass;
  }
  for (const auto& contact : simulation.contacts()) {
    if (!contact.is_wall || contact.wall != silo_cylinder) continue;
    SiloSlice* slice = slice_at(contact.point[2]);
    if (slice == nullptr) continue;
    slice->support += sample_weight * contact.force[2];
    slice->normal -= sample_weight *
                     (contact.force[0] * contact.normal[0] + contact.force[1] * contact.normal[1]);
  }
}

SiloColumn measure_column(const JanssenSetup& setup, double fill, SharedProgress& progress) {
  const SiloSetup silo = silo_of(setup, fill);
  Simulation3 simulation = empty_silo(silo);
  pour(simulation, silo, progress);
  advance(simulation, setup.settling_time, progress);
  SiloColumn column;
  column.weight = particle_mass(simulation);
  column.solid_fraction = solid_fraction(simulation, 1, silo.height() - 2, setup.base());
  for (double z = slice_height / 2; z < 1.2 * silo.height() + 2; z += slice_height)
    column.slices.push_back({z, 0, 0, 0});
  for (int k = 0; k < samples; ++k) {
    advance(simulation, setup.measured_time / samples, progress);
    column.floor += floor_load(simulation) / samples;
    column.cylinder -= simulation.wall_force(silo_cylinder)[2] / samples;
    sample_slices(simulation, 1.0 / samples, column.slices);
  }
  advance(simulation, setup.resting_time, progress);
  column.floor_at_rest = floor_load(simulation);
  column.cylinder_at_rest = -simulation.wall_force(silo_cylinder)[2];
  column.kinetic_at_rest = simulation.energy().kinetic + simulation.energy().rotational;
  return column;
}

}  // namespace

std::size_t JanssenSetup::count(double fill) const {
  const SiloSetup single{.diameter = diameter, .count = 1};
  return static_cast<std::size_t>(fill * diameter / single.height());
}

double JanssenSetup::base() const { return SiloSetup{.diameter = diameter, .count = 0}.base(); }

double JanssenSetup::work() const {
  double sum = 0;
  for (const double fill : fills)
    sum += static_cast<double>(count(fill)) *
           (silo_of(*this, fill).pouring_time() / 2 + settling_time + measured_time + resting_time);
  return sum;
}

std::vector<SiloColumn> janssen_columns(const JanssenSetup& setup,
                                        const ProgressCallback& callback) {
  SharedProgress progress(callback, setup.work());
  std::vector<SiloColumn> columns(setup.fills.size());
  ThreadPool(0).run(columns.size(), [&](std::size_t task, unsigned) {
    const std::size_t k = columns.size() - 1 - task;  // the tallest first: it takes longest
    columns[k] = measure_column(setup, setup.fills[k], progress);
  });
  return columns;
}

}  // namespace abut
