// Search for neighbors, and the choice of the skin.

#include <algorithm>

#include "core/buffers.hpp"
#include "core/machine.hpp"
#include "core/periodic_domain.hpp"
#include "dem/neighbor_list.hpp"
#include "dem/simulation_state.hpp"

namespace abut {

template <std::size_t D>
void Simulation<D>::State::sort_spatially() {
  const double diameter = particles.size() == 0 ? 1 : 2 * particles.position.back().w;
  permute_particles(spatial_order(particles, 2 * diameter), particles.size());
  neighbor_list_valid = false;
}

template <std::size_t D>
void Simulation<D>::State::rebuild_neighbor_list() {
  choose_skin();
  search_neighbors();
  image_shifts.resize(neighbor_list.images().size());
  for (std::size_t k = 0; k < image_shifts.size() && model.domain; ++k)
    for (std::size_t d = 0; d < D; ++d)
      image_shifts[k].*vec4_axes[d] =
          neighbor_list.images()[k][d] * (model.domain->max[d] - model.domain->min[d]);
  for (auto* sums : {&force_sum, &torque_sum}) {
    const std::size_t count = sums == &force_sum || has_friction
                                  ? particles.size() + neighbor_list.slot_count()
                                  : std::size_t{0};
    if (sums->capacity() < count) std::vector<Vec4>().swap(*sums);  // frees memory first
    reserve_with_slack(*sums, count);
    sums->assign(count, Vec4{});
  }
  neighbor_list_valid = true;
  has_neighbor_list = true;
  listed_id_end = next_id;
  wall_travel = 0;
  displacements.assign(block_count(), {});
  steps_since_rebuild = 0;
  ++timings.neighbor_builds;
}

// For a query of contacts between a restart and the first step. Keeps the restored forces, which
// that step needs.
template <std::size_t D>
void Simulation<D>::State::rebuild_for_query() {
  const std::vector<Vec4> force = force_sum;
  const std::vector<Vec4> torque = torque_sum;
  rebuild_neighbor_list();
  std::copy(force.begin(), force.end(), force_sum.begin());
  if (has_friction) std::copy(torque.begin(), torque.end(), torque_sum.begin());
}

// The particles as separate coordinate arrays, in the memory of the forces. Forces and torques are
// 0 when a search is due and are set to 0 after it; the search uses the memory of both.
template <std::size_t D>
Spheres<D> Simulation<D>::State::search_spheres() {
  const std::size_t count = particles.size();
  force_sum.resize(count);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): a Vec4 is four doubles
  const std::span<double> values(reinterpret_cast<double*>(force_sum.data()), 4 * count);
  const Chunks chunks(count, 4096);
  pool.run(chunks.size(), [&](std::size_t chunk, unsigned) {
    for (std::size_t i = chunks.first(chunk); i < chunks.last(chunk); ++i) {
      const Vec4& center = particles.position[i];
      for (std::size_t k = 0; k < D; ++k) values[k * count + i] = center.*vec4_axes[k];
      values[D * count + i] = center.w;
    }
  });
  std::array<std::span<const double>, D> views;
  for (std::size_t k = 0; k < D; ++k) views[k] = values.subspan(k * count, count);
  return {views, values.subspan(D * count, count)};
}

template <std::size_t D>
void Simulation<D>::State::search_neighbors() {
  const Spheres<D> spheres = search_spheres();
  if (search_domain && enclosing_domain(*search_domain, model.periodic, spheres) != *search_domain)
    detector.reset();  // a particle is outside the search domain
  if (!detector) {
    const DetectorOptions<D> options = search_options(spheres);
    search_domain = options.domain;
    detector = Detector<D>(options, threads);
  }
  wall_contacts.move_to(static_cast<double>(step) * time_step);
  wall_contacts.update_candidates(spheres, particles.fixed_count,
                                  wall_options(cohesion_range + skin));
  detector->update(spheres);
  if (std::none_of(model.periodic.begin(), model.periodic.end(), [](bool p) { return p; })) {
    PairCollector found(torque_sum, force_sum);
    detector->for_each_pair([&](Pair pair) { found.add(pair); });
    detector->reset();  // too much motion until the next search to reuse its data
    neighbor_list.rebuild(
        {found.sorted(particles.size(), pool, first_pair_of), {}, particles.size(), spring_count()},
        pool, torque_sum);
    return;
  }
  found_pairs.clear();
  found_images.clear();
  for (const PeriodicPair<D>& pair : detector->periodic_pairs()) {
    found_pairs.push_back({pair.a, pair.b});
    NeighborList::Image image{};
    for (std::size_t k = 0; k < D; ++k) image[k] = pair.image[k];
    found_images.push_back(image);
  }
  neighbor_list.rebuild({found_pairs, found_images, particles.size(), spring_count()}, pool,
                        torque_sum);
}

// Doubles or halves the skin to keep 10 to 200 steps between searches. Results do not depend on it.
template <std::size_t D>
void Simulation<D>::State::choose_skin() {
  double mean_radius = 0;
  for (const Vec4& center : particles.position) mean_radius += center.w;
  mean_radius = particles.size() == 0 ? 1 : mean_radius / static_cast<double>(particles.size());
  const double previous_skin = skin;
  if (skin == 0)
    skin = 0.1 * mean_radius;
  else if (steps_since_rebuild < 10)
    skin = std::min(2 * skin, 0.4 * mean_radius);
  else if (steps_since_rebuild > 200)
    skin = std::max(skin / 2, 0.02 * mean_radius);
  if (skin != previous_skin) detector.reset();
}

template class Simulation<2>::State;
template class Simulation<3>::State;

}  // namespace abut
