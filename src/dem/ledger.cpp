// Where energy is, and what of it comes and goes with particles and walls.

#include <abut/case.hpp>
#include <cmath>

#include "dem/simulation_state.hpp"

namespace abut {
namespace {

// The particles as searches want to see them, in memory of their own.
template <std::size_t D>
Places<D> places_of(const ParticleStore& particles) {
  Places<D> places;
  for (const Record& at : particles.place) {
    for (std::size_t k = 0; k < D; ++k) places.axes[k].push_back(at.*record_axes[k]);
    places.radius.push_back(at.w);
  }
  return places;
}

}  // namespace

template <std::size_t D>
Energy Simulation<D>::State::energy() const {
  Energy sum = account;
  const std::array<double, 3> gravity{model.gravity[0], model.gravity[1],
                                      D == 2 ? 0 : model.gravity[D - 1]};
  for (std::size_t i = particles.fixed; i < particles.size(); ++i) {
    const Record& at = particles.place[i];
    const Record& v = particles.velocity[i];
    const Record& w = particles.spin[i];
    const double mass = 1 / v.w;
    sum.moving += mass / 2 * (v.x * v.x + v.y * v.y + v.z * v.z);
    sum.turning += (w.x * w.x + w.y * w.y + w.z * w.z) / (2 * w.w);
    sum.height -= mass * (gravity[0] * at.x + gravity[1] * at.y + gravity[2] * at.z);
  }
  return sum;
}

template <std::size_t D>
double Simulation<D>::State::energy_of_overlaps() const {
  const Places<D> places = places_of<D>(particles);
  const Spheres<D> all = places.particles();
  Options<D> options = search_options(all);
  options.margin = 0;
  Detector<D> search(options, threads);
  search.update(all);
  double sum = 0;
  for (const PeriodicPair<D>& pair : search.periodic_pairs()) {
    const Record& a = particles.place[pair.a];
    const Record& b = particles.place[pair.b];
    double squares = 0;
    for (std::size_t k = 0; k < D; ++k) {
      const double period = model.periodic[k] ? model.domain->max[k] - model.domain->min[k] : 0;
      const double apart = a.*record_axes[k] - b.*record_axes[k] - pair.image[k] * period;
      squares += apart * apart;
    }
    sum += overlap_energy(model.law,
                          laws.between(particles.material[pair.a], particles.material[pair.b]),
                          a.w * b.w / (a.w + b.w), a.w + b.w - std::sqrt(squares));
  }
  for (const WallContact<D>& contact : walls.walls().contacts(all, wall_options(0))) {
    const std::uint8_t material = walls.bodies()[walls.body_of(contact.wall)].material;
    if (contact.particle >= particles.fixed)
      sum += overlap_energy(model.law, laws.between(particles.material[contact.particle], material),
                            particles.place[contact.particle].w, -contact.gap);
  }
  return sum;
}

template <std::size_t D>
void Simulation<D>::State::put_in(const std::function<void()>& change) {
  if (!model.ledger) return change();
  const auto of_motion = [&] {
    const Energy now = energy();
    return now.moving + now.turning + now.height;
  };
  const double motion = of_motion();
  const double overlaps = energy_of_overlaps();
  change();
  const double more = energy_of_overlaps() - overlaps;
  account.stored += more;
  account.input += more + of_motion() - motion;
}

template class Simulation<2>::State;
template class Simulation<3>::State;

}  // namespace abut
