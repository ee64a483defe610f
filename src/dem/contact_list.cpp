#include "dem/contact_list.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/make_room.hpp"
#include "core/message.hpp"
#include "core/runs.hpp"
#include "dem/found_pairs.hpp"
#include "dem/particle_store.hpp"

namespace abut {
namespace {

// Eight runs or more keep some threads busy; short ones put too much aside. Only the last are
// short, so that threads end at the same time.
std::vector<std::size_t> runs_of(std::size_t particles) {
  const std::size_t length = std::clamp<std::size_t>(std::bit_floor(particles / 8 + 1), 256, 8192);
  std::vector<std::size_t> first{0};
  for (std::size_t at = 0; at < particles; first.push_back(at)) {
    const std::size_t left = particles - at;
    at += std::min(left, left > 2 * length ? length : left > length ? length / 2 : length / 4);
  }
  return first;
}

ContactList::Image opposite(const ContactList::Image& image) {
  return {-image[0], -image[1], -image[2]};
}

}  // namespace

void ContactList::renew(const NewPairs& found, ThreadPool& pool, std::vector<Record>& scratch) {
  Images images;
  new_image_.resize(found.images.size());
  for (std::size_t k = 0; k < found.images.size(); ++k)
    new_image_[k] = images.number_of(found.images[k]);
  carry_springs(keys(), {found.pairs, new_image_, images.all()}, found.spring_axes, pool, scratch);
  make_room(pairs_, found.pairs.size());
  pairs_.assign(found.pairs.begin(), found.pairs.end());
  std::swap(image_, new_image_);
  images_ = std::move(images);
  share_out(found.particles, pool);
}

std::weak_ordering ContactList::compare(const Keys& x, std::size_t i, const Keys& y,
                                        std::size_t k) {
  if (const auto order = x.pairs[i] <=> y.pairs[k]; order != 0) return order;
  return x.image(i) <=> y.image(k);
}

// Both lists are sorted: where one begins that a thread looks at, it finds the other by halves.
void ContactList::carry_springs(const Keys& before, const Keys& now, std::size_t axes,
                                ThreadPool& pool, std::vector<Record>& scratch) {
  const std::size_t springs = spring_[0].size();
  for (std::size_t axis = axes; axis < spring_.size(); ++axis) spring_[axis].clear();
  if (axes == 0) return;
  const std::span<float> old = borrowed<float>(scratch, axes * springs);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    std::copy(spring_[axis].begin(), spring_[axis].end(),
              old.subspan(axis * springs, springs).begin());
    make_room(spring_[axis], now.pairs.size());
    spring_[axis].resize(now.pairs.size());
  }
  const Runs runs(now.pairs.size(), 16384);
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    const std::span<const Pair> old_pairs = before.pairs.first(springs);
    auto at = static_cast<std::size_t>(
        std::ranges::lower_bound(old_pairs, now.pairs[runs.first(run)]) - old_pairs.begin());
    for (std::size_t k = runs.first(run); k < runs.last(run); ++k) {
      while (at < springs && compare(before, at, now, k) < 0) ++at;
      const bool was_there = at < springs && compare(before, at, now, k) == 0;
      for (std::size_t axis = 0; axis < axes; ++axis)
        spring_[axis][k] = was_there ? old[axis * springs + at] : 0;
    }
  });
}

std::vector<ContactList::Kept> ContactList::kept() const {
  std::vector<Kept> kept;
  for (std::size_t k = 0; k < spring_[0].size(); ++k)
    if (spring(k) != Spring{}) kept.push_back({pairs_[k], image(k), spring(k)});
  return kept;
}

void ContactList::restore(std::span<const Kept> kept) {
  pairs_.clear();
  image_.clear();
  images_ = {};
  for (auto& axis : spring_) axis.clear();
  for (const Kept& one : kept) {
    pairs_.push_back(one.pair);
    image_.push_back(images_.number_of(one.image));
    for (std::size_t axis = 0; axis < one.spring.size(); ++axis)
      spring_[axis].push_back(one.spring[axis]);
  }
}

void ContactList::relabel(std::span<const std::uint32_t> to) {
  std::vector<Index> stay;
  stay.reserve(pairs_.size());
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    auto& [a, b] = pairs_[k];
    a = to[a];
    b = to[b];
    if (a == ParticleStore::gone || b == ParticleStore::gone) continue;
    stay.push_back(static_cast<Index>(k));
    if (a <= b) continue;
    std::swap(a, b);
    if (!image_.empty()) image_[k] = images_.number_of(opposite(image(k)));
    for (auto& axis : spring_)
      if (!axis.empty()) axis[k] = -axis[k];
  }
  const Keys all = keys();
  std::sort(stay.begin(), stay.end(),
            [&](Index x, Index y) { return compare(all, x, all, y) < 0; });
  const auto put_in_order = [&](auto& values) {
    if (values.empty()) return;
    std::decay_t<decltype(values)> ordered(stay.size());
    for (std::size_t k = 0; k < stay.size(); ++k) ordered[k] = values[stay[k]];
    std::swap(values, ordered);
  };
  put_in_order(pairs_);
  put_in_order(image_);
  for (auto& axis : spring_) put_in_order(axis);
}

std::size_t ContactList::first_particle(std::size_t run) const { return first_particle_[run]; }

std::size_t ContactList::last_particle(std::size_t run) const { return first_particle_[run + 1]; }

// All but the last runs are equally long.
std::size_t ContactList::run_of(Index particle) const {
  const std::size_t guess = particle / first_particle_[1];
  if (guess + 1 < first_particle_.size() && particle >= first_particle_[guess] &&
      particle < first_particle_[guess + 1])
    return guess;
  const auto after = std::ranges::upper_bound(first_particle_, particle);
  return static_cast<std::size_t>(after - first_particle_.begin()) - 1;
}

PairRun ContactList::run(std::size_t run, const Record* shifts) {
  const std::size_t first = first_pair_[run];
  PairRun result{pairs_.data() + first,
                 first_pair_[run + 1] - first,
                 {},
                 image_.empty() ? nullptr : image_.data() + first,
                 shifts,
                 static_cast<Index>(last_particle(run)),
                 static_cast<Index>(particles_ + first_slot_[run])};
  for (std::size_t axis = 0; axis < spring_.size(); ++axis)
    if (!spring_[axis].empty()) result.spring[axis] = spring_[axis].data() + first;
  return result;
}

std::span<const ContactList::Handed> ContactList::handed(std::size_t run) const {
  return std::span(handed_).subspan(first_handed_[run],
                                    first_handed_[run + 1] - first_handed_[run]);
}

ContactList::Image ContactList::image(std::size_t pair) const { return keys().image(pair); }

Spring ContactList::spring(std::size_t pair) const {
  Spring spring{};
  for (std::size_t axis = 0; axis < spring.size(); ++axis)
    if (!spring_[axis].empty()) spring[axis] = spring_[axis][pair];
  return spring;
}

ImageNumber ContactList::Images::number_of(const Image& image) {
  const auto [found, is_new] = numbers_.try_emplace(image, static_cast<ImageNumber>(all_.size()));
  if (!is_new) return found->second;
  if (all_.size() > std::numeric_limits<ImageNumber>::max())
    throw Error(message("particles touch ", all_.size(),
                        " images of each other and more; bring them back by a new run"));
  all_.push_back(image);
  return found->second;
}

void ContactList::share_out(std::size_t particles, ThreadPool& pool) {
  particles_ = particles;
  first_particle_ = runs_of(particles);
  const std::size_t count = first_particle_.size() - 1;
  first_pair_.assign(1, 0);
  first_slot_.assign(1, 0);
  after_.resize(count);
  for (auto& runs : after_) runs.clear();
  first_handed_.assign(count + 1, 0);
  Index slot = 0;
  for (std::size_t run = 0, k = 0; run < count; ++run) {
    const std::size_t end = last_particle(run);
    for (; k < pairs_.size() && pairs_[k].a < end; ++k) {
      if (pairs_[k].b < end) continue;
      ++slot;
      const std::size_t other = run_of(pairs_[k].b);
      ++first_handed_[other + 1];
      if (after_[other].empty() || after_[other].back() != run)
        after_[other].push_back(static_cast<std::uint32_t>(run));
    }
    first_pair_.push_back(k);
    first_slot_.push_back(slot);
  }
  for (std::size_t run = 0; run < count; ++run) first_handed_[run + 1] += first_handed_[run];
  hand_out(pool);
}

// To the runs that they are handed to; each of these is then sorted.
void ContactList::hand_out(ThreadPool& pool) {
  make_room(handed_, slots());
  handed_.resize(slots());
  std::vector<std::size_t> place = first_handed_;
  auto slot = static_cast<Index>(particles_);
  for (std::size_t run = 0; run < runs(); ++run)
    for (std::size_t k = first_pair_[run]; k < first_pair_[run + 1]; ++k)
      if (pairs_[k].b >= last_particle(run))
        handed_[place[run_of(pairs_[k].b)]++] = {pairs_[k].b, slot++};
  pool.run(runs(), [&](std::size_t run, unsigned) {
    std::sort(handed_.begin() + static_cast<std::ptrdiff_t>(first_handed_[run]),
              handed_.begin() + static_cast<std::ptrdiff_t>(first_handed_[run + 1]));
  });
}

}  // namespace abut
