// Who may touch whom: a search, and how long its list may be used.

#include <algorithm>

#include "core/arrays.hpp"
#include "core/periodic_domain.hpp"
#include "core/thread_pool.hpp"
#include "dem/neighbor_list.hpp"
#include "dem/simulation_state.hpp"

namespace abut {

template <std::size_t D>
void Simulation<D>::State::sort_spatially() {
  const double size = particles.size() == 0 ? 1 : 2 * particles.position.back().w;
  permute_particles(spatial_order(particles, 2 * size), particles.size());
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
    if (sums->capacity() < count) std::vector<Vec4>().swap(*sums);  // before there is a larger one
    reserve_with_slack(*sums, count);
    sums->assign(count, Vec4{});
  }
  neighbor_list_valid = true;
  has_neighbor_list = true;
  listed_id_end = next_id;
  max_travel = 0;
  steps_since_rebuild = 0;
  ++timings.neighbor_builds;
}

// For somebody who asks for contacts before the first step after a restart, which needs the forces
// that are there.
template <std::size_t D>
void Simulation<D>::State::rebuild_for_query() {
  const std::vector<Vec4> pushed = force_sum;
  const std::vector<Vec4> twisted = torque_sum;
  rebuild_neighbor_list();
  std::copy(pushed.begin(), pushed.end(), force_sum.begin());
  if (has_friction) std::copy(twisted.begin(), twisted.end(), torque_sum.begin());
}

// Where particles are, as detectors want to see it: in the memory of the forces, which are 0 when
// a search is due and will be set to 0 after it. So are torques, whose memory serves the search,
// too.
template <std::size_t D>
Spheres<D> Simulation<D>::State::search_spheres() {
  const std::size_t count = particles.size();
  force_sum.resize(count);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): a record is four of them
  const std::span<double> numbers(reinterpret_cast<double*>(force_sum.data()), 4 * count);
  const Chunks runs(count, 4096);
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    for (std::size_t i = runs.first(run); i < runs.last(run); ++i) {
      const Vec4& at = particles.position[i];
      for (std::size_t k = 0; k < D; ++k) numbers[k * count + i] = at.*vec4_axes[k];
      numbers[D * count + i] = at.w;
    }
  });
  std::array<std::span<const double>, D> views;
  for (std::size_t k = 0; k < D; ++k) views[k] = numbers.subspan(k * count, count);
  return {views, numbers.subspan(D * count, count)};
}

template <std::size_t D>
void Simulation<D>::State::search_neighbors() {
  const Spheres<D> all = search_spheres();
  if (search_domain && enclosing_domain(*search_domain, model.periodic, all) != *search_domain)
    detector.reset();  // somebody is on the way out
  if (!detector) {
    const DetectorOptions<D> options = search_options(all);
    search_domain = options.domain;
    detector = Detector<D>(options, threads);
  }
  wall_contacts.move_to(static_cast<double>(step) * time_step);
  wall_contacts.update_candidates(all, particles.fixed_count, wall_options(cohesion_range + skin));
  detector->update(all);
  if (std::none_of(model.periodic.begin(), model.periodic.end(), [](bool p) { return p; })) {
    PairCollector found(torque_sum, force_sum);
    detector->for_each_pair([&](Pair pair) { found.add(pair); });
    detector->reset();  // particles have moved too far by the next time
    neighbor_list.rebuild({found.sorted(particles.size(), pool, first_pair_of),
                           {},
                           particles.size(),
                           spring_component_count()},
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
  neighbor_list.rebuild({found_pairs, found_images, particles.size(), spring_component_count()},
                        pool, torque_sum);
}

// So wide that a search pays: some dozens of steps between two. No result depends on it.
template <std::size_t D>
void Simulation<D>::State::choose_skin() {
  double mean = 0;
  for (const Vec4& at : particles.position) mean += at.w;
  mean = particles.size() == 0 ? 1 : mean / static_cast<double>(particles.size());
  const double before = skin;
  if (skin == 0)
    skin = 0.1 * mean;
  else if (steps_since_rebuild < 10)
    skin = std::min(2 * skin, 0.4 * mean);
  else if (steps_since_rebuild > 200)
    skin = std::max(skin / 2, 0.02 * mean);
  if (skin != before) detector.reset();
}

template class Simulation<2>::State;
template class Simulation<3>::State;

}  // namespace abut
