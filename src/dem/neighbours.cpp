// Who may touch whom: a search, and how long its list may be used.

#include <algorithm>

#include "core/make_room.hpp"
#include "core/runs.hpp"
#include "core/widened.hpp"
#include "dem/found_pairs.hpp"
#include "dem/simulation_state.hpp"

namespace abut {

template <std::size_t D>
void Simulation<D>::State::put_in_order() {
  const double size = particles.size() == 0 ? 1 : 2 * particles.place.back().w;
  move_particles(spatial_order(particles, 2 * size), particles.size());
  list_is_valid = false;
}

template <std::size_t D>
void Simulation<D>::State::renew() {
  choose_skin();
  search();
  shifts.resize(contacts.images().size());
  for (std::size_t k = 0; k < shifts.size() && model.domain; ++k)
    for (std::size_t d = 0; d < D; ++d)
      shifts[k].*record_axes[d] =
          contacts.images()[k][d] * (model.domain->max[d] - model.domain->min[d]);
  for (auto* sums : {&push, &twist}) {
    const std::size_t count =
        sums == &push || rough ? particles.size() + contacts.slots() : std::size_t{0};
    if (sums->capacity() < count)
      std::vector<Record>().swap(*sums);  // before there is a larger one
    make_room(*sums, count);
    sums->assign(count, Record{});
  }
  list_is_valid = true;
  has_list = true;
  listed_ids = next_id;
  travelled = 0;
  steps_since_search = 0;
  ++times.searches;
}

// For somebody who asks for contacts before the first step after a restart, which needs the forces
// that are there.
template <std::size_t D>
void Simulation<D>::State::look() {
  const std::vector<Record> pushed = push;
  const std::vector<Record> twisted = twist;
  renew();
  std::copy(pushed.begin(), pushed.end(), push.begin());
  if (rough) std::copy(twisted.begin(), twisted.end(), twist.begin());
}

// Where particles are, as detectors want to see it: in the memory of the forces, which are 0 when
// a search is due and will be set to 0 after it. So are torques, whose memory serves the search,
// too.
template <std::size_t D>
Spheres<D> Simulation<D>::State::places() {
  const std::size_t count = particles.size();
  push.resize(count);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): a record is four of them
  const std::span<double> numbers(reinterpret_cast<double*>(push.data()), 4 * count);
  const Runs runs(count, 4096);
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    for (std::size_t i = runs.first(run); i < runs.last(run); ++i) {
      const Record& at = particles.place[i];
      for (std::size_t k = 0; k < D; ++k) numbers[k * count + i] = at.*record_axes[k];
      numbers[D * count + i] = at.w;
    }
  });
  std::array<std::span<const double>, D> views;
  for (std::size_t k = 0; k < D; ++k) views[k] = numbers.subspan(k * count, count);
  return {views, numbers.subspan(D * count, count)};
}

template <std::size_t D>
void Simulation<D>::State::search() {
  const Spheres<D> all = places();
  if (searched_domain && widened(*searched_domain, model.periodic, all) != *searched_domain)
    detector.reset();  // somebody is on the way out
  if (!detector) {
    const Options<D> options = search_options(all);
    searched_domain = options.domain;
    detector = Detector<D>(options, threads);
  }
  walls.move_to(static_cast<double>(step) * time_step);
  walls.find_near(all, particles.fixed, wall_options(reach + skin));
  detector->update(all);
  if (std::none_of(model.periodic.begin(), model.periodic.end(), [](bool p) { return p; })) {
    FoundPairs found(twist, push);
    detector->for_each_pair([&](Pair pair) { found.put(pair); });
    detector->forget();  // particles have moved too far by the next time
    contacts.renew(
        {found.in_order(particles.size(), pool, first_of), {}, particles.size(), spring_axes()},
        pool, twist);
    return;
  }
  pairs.clear();
  images.clear();
  for (const PeriodicPair<D>& pair : detector->periodic_pairs()) {
    pairs.push_back({pair.a, pair.b});
    ContactList::Image image{};
    for (std::size_t k = 0; k < D; ++k) image[k] = pair.image[k];
    images.push_back(image);
  }
  contacts.renew({pairs, images, particles.size(), spring_axes()}, pool, twist);
}

// So wide that a search pays: some dozens of steps between two. No result depends on it.
template <std::size_t D>
void Simulation<D>::State::choose_skin() {
  double mean = 0;
  for (const Record& at : particles.place) mean += at.w;
  mean = particles.size() == 0 ? 1 : mean / static_cast<double>(particles.size());
  const double before = skin;
  if (skin == 0)
    skin = 0.1 * mean;
  else if (steps_since_search < 10)
    skin = std::min(2 * skin, 0.4 * mean);
  else if (steps_since_search > 200)
    skin = std::max(skin / 2, 0.02 * mean);
  if (skin != before) detector.reset();
}

template class Simulation<2>::State;
template class Simulation<3>::State;

}  // namespace abut
