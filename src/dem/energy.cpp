// Energy of the particles, and the energy input by adding and removing particles and walls.

#include <abut/case.hpp>
#include <cmath>

#include "dem/simulation_state.hpp"

namespace abut {
namespace {

template <std::size_t D>
SphereArrays<D> sphere_arrays(const ParticleStore& particles) {
  SphereArrays<D> spheres;
  for (const Vec4& center : particles.position) {
    for (std::size_t k = 0; k < D; ++k) spheres.coordinates[k].push_back(center.*vec4_axes[k]);
    spheres.radii.push_back(center.w);
  }
  return spheres;
}

}  // namespace

template <std::size_t D>
Energy Simulation<D>::State::energy() const {
  Energy sum = energy_totals;
  const std::array<double, 3> gravity{model.gravity[0], model.gravity[1],
                                      D == 2 ? 0 : model.gravity[D - 1]};
  for (std::size_t i = particles.fixed_count; i < particles.size(); ++i) {
    const Vec4& x = particles.position[i];
    const Vec4& v = particles.velocity[i];
    const Vec4& w = particles.angular_velocity[i];
    const double mass = 1 / v.w;
    sum.kinetic += mass / 2 * (v.x * v.x + v.y * v.y + v.z * v.z);
    sum.rotational += (w.x * w.x + w.y * w.y + w.z * w.z) / (2 * w.w);
    sum.potential -= mass * (gravity[0] * x.x + gravity[1] * x.y + gravity[2] * x.z);
  }
  return sum;
}

template <std::size_t D>
double Simulation<D>::State::total_overlap_energy() const {
  const SphereArrays<D> arrays = sphere_arrays<D>(particles);
  const Spheres<D> spheres = arrays.view();
  DetectorOptions<D> options = search_options(spheres);
  options.margin = 0;
  Detector<D> search(options, threads);
  search.update(spheres);
  double sum = 0;
  for (const PeriodicPair<D>& pair : search.periodic_pairs()) {
    const Vec4& a = particles.position[pair.a];
    const Vec4& b = particles.position[pair.b];
    double distance_squared = 0;
    for (std::size_t k = 0; k < D; ++k) {
      const double period = model.periodic[k] ? model.domain->max[k] - model.domain->min[k] : 0;
      const double difference = a.*vec4_axes[k] - b.*vec4_axes[k] - pair.image[k] * period;
      distance_squared += difference * difference;
    }
    sum += overlap_energy(
        model.law, coefficients.between(particles.material[pair.a], particles.material[pair.b]),
        a.w * b.w / (a.w + b.w), a.w + b.w - std::sqrt(distance_squared));
  }
  for (const WallContact<D>& contact :
       wall_contacts.geometry().contacts(spheres, wall_options(0))) {
    const std::uint8_t material =
        wall_contacts.wall_states()[wall_contacts.wall_of(contact.element)].material;
    if (contact.particle >= particles.fixed_count)
      sum += overlap_energy(model.law,
                            coefficients.between(particles.material[contact.particle], material),
                            particles.position[contact.particle].w, -contact.gap);
  }
  return sum;
}

template <std::size_t D>
void Simulation<D>::State::track_input(const std::function<void()>& change) {
  if (!model.track_energy) return change();
  const auto kinetic_and_potential = [&] {
    const Energy now = energy();
    return now.kinetic + now.rotational + now.potential;
  };
  const double previous = kinetic_and_potential();
  const double previous_elastic = total_overlap_energy();
  change();
  const double elastic_input = total_overlap_energy() - previous_elastic;
  energy_totals.elastic += elastic_input;
  energy_totals.input += elastic_input + kinetic_and_potential() - previous;
}

template class Simulation<2>::State;
template class Simulation<3>::State;

}  // namespace abut
