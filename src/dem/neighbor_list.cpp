#include "dem/neighbor_list.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/arrays.hpp"
#include "core/message.hpp"
#include "core/pair_buffer.hpp"
#include "core/thread_pool.hpp"
#include "dem/particle_store.hpp"

namespace abut {

// All the memory there is, or half as much again; pairs are bytes that move along.
void PairCollector::grow() {
  std::size_t records = unsorted_.capacity();
  if (records * sizeof(Vec4) / sizeof(Pair) <= capacity_) {
    records += records / 2 + 256;
    unsorted_.reserve(records);
  }
  unsorted_.resize(records);
  capacity_ = records * sizeof(Vec4) / sizeof(Pair);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): put to another use, see `borrowed`
  pairs_ = reinterpret_cast<Pair*>(unsorted_.data());
}

std::span<const Pair> PairCollector::sorted(std::size_t particles, ThreadPool& pool,
                                            std::vector<Index>& first) {
  const std::span<const Pair> pairs(pairs_, count_);
  const std::span<Pair> sorted = reuse_memory<Pair>(sorted_, count_);
  // Counted one further up, so that filling leaves the first places where they belong.
  reserve_with_slack(first, particles + 2);
  first.assign(particles + 2, 0);
  for (const Pair& pair : pairs) ++first[pair.a + 2];
  for (std::size_t a = 1; a < first.size(); ++a) first[a] += first[a - 1];
  for (const Pair& pair : pairs) sorted[first[pair.a + 1]++] = pair;
  const Chunks runs(particles, 4096);
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    for (std::size_t a = runs.first(run); a < runs.last(run); ++a)
      sort_neighbors(sorted.subspan(first[a], first[a + 1] - first[a]));
  });
  return sorted;
}

namespace {

// Eight runs or more keep some threads busy; short ones put too much aside. Only the last are
// short, so that threads end at the same time.
std::vector<std::size_t> chunk_boundaries(std::size_t particles) {
  const std::size_t length = std::clamp<std::size_t>(std::bit_floor(particles / 8 + 1), 256, 8192);
  std::vector<std::size_t> first{0};
  for (std::size_t at = 0; at < particles; first.push_back(at)) {
    const std::size_t left = particles - at;
    at += std::min(left, left > 2 * length ? length : left > length ? length / 2 : length / 4);
  }
  return first;
}

NeighborList::Image opposite_image(const NeighborList::Image& image) {
  return {-image[0], -image[1], -image[2]};
}

}  // namespace

void NeighborList::rebuild(const NewPairs& found, ThreadPool& pool, std::vector<Vec4>& scratch) {
  ImageTable images;
  new_image_index_.resize(found.images.size());
  for (std::size_t k = 0; k < found.images.size(); ++k)
    new_image_index_[k] = images.index_of(found.images[k]);
  transfer_history(keys(), {found.pairs, new_image_index_, images.all()},
                   found.spring_component_count, pool, scratch);
  reserve_with_slack(pairs_, found.pairs.size());
  pairs_.assign(found.pairs.begin(), found.pairs.end());
  std::swap(image_index_, new_image_index_);
  image_table_ = std::move(images);
  partition(found.particle_count, pool);
}

std::weak_ordering NeighborList::compare(const Keys& x, std::size_t i, const Keys& y,
                                         std::size_t k) {
  if (const auto order = x.pairs[i] <=> y.pairs[k]; order != 0) return order;
  return x.image(i) <=> y.image(k);
}

// Both lists are sorted: where one begins that a thread looks at, it finds the other by halves.
void NeighborList::transfer_history(const Keys& before, const Keys& now, std::size_t axes,
                                    ThreadPool& pool, std::vector<Vec4>& scratch) {
  const std::size_t springs = spring_[0].size();
  for (std::size_t axis = axes; axis < spring_.size(); ++axis) spring_[axis].clear();
  if (axes == 0) return;
  const std::span<float> old = reuse_memory<float>(scratch, axes * springs);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    std::copy(spring_[axis].begin(), spring_[axis].end(),
              old.subspan(axis * springs, springs).begin());
    reserve_with_slack(spring_[axis], now.pairs.size());
    spring_[axis].resize(now.pairs.size());
  }
  const Chunks runs(now.pairs.size(), 16384);
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

std::vector<NeighborList::PairHistory> NeighborList::history() const {
  std::vector<PairHistory> kept;
  for (std::size_t k = 0; k < spring_[0].size(); ++k)
    if (spring(k) != Spring{}) kept.push_back({pairs_[k], image(k), spring(k)});
  return kept;
}

void NeighborList::restore(std::span<const PairHistory> kept) {
  pairs_.clear();
  image_index_.clear();
  image_table_ = {};
  for (auto& axis : spring_) axis.clear();
  for (const PairHistory& one : kept) {
    pairs_.push_back(one.pair);
    image_index_.push_back(image_table_.index_of(one.image));
    for (std::size_t axis = 0; axis < one.spring.size(); ++axis)
      spring_[axis].push_back(one.spring[axis]);
  }
}

void NeighborList::renumber(std::span<const std::uint32_t> to) {
  std::vector<Index> stay;
  stay.reserve(pairs_.size());
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    auto& [a, b] = pairs_[k];
    a = to[a];
    b = to[b];
    if (a == ParticleStore::removed || b == ParticleStore::removed) continue;
    stay.push_back(static_cast<Index>(k));
    if (a <= b) continue;
    std::swap(a, b);
    if (!image_index_.empty()) image_index_[k] = image_table_.index_of(opposite_image(image(k)));
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
  put_in_order(image_index_);
  for (auto& axis : spring_) put_in_order(axis);
}

std::size_t NeighborList::first_particle(std::size_t run) const { return first_particle_[run]; }

std::size_t NeighborList::last_particle(std::size_t run) const { return first_particle_[run + 1]; }

// All but the last runs are equally long.
std::size_t NeighborList::chunk_of(Index particle) const {
  const std::size_t guess = particle / first_particle_[1];
  if (guess + 1 < first_particle_.size() && particle >= first_particle_[guess] &&
      particle < first_particle_[guess + 1])
    return guess;
  const auto after = std::ranges::upper_bound(first_particle_, particle);
  return static_cast<std::size_t>(after - first_particle_.begin()) - 1;
}

PairChunk NeighborList::chunk(std::size_t run, const Vec4* shifts) {
  const std::size_t first = first_pair_[run];
  PairChunk result{pairs_.data() + first,
                   first_pair_[run + 1] - first,
                   {},
                   image_index_.empty() ? nullptr : image_index_.data() + first,
                   shifts,
                   static_cast<Index>(last_particle(run)),
                   static_cast<Index>(particle_count_ + first_slot_[run])};
  for (std::size_t axis = 0; axis < spring_.size(); ++axis)
    if (!spring_[axis].empty()) result.spring[axis] = spring_[axis].data() + first;
  return result;
}

std::span<const NeighborList::Transfer> NeighborList::transfers(std::size_t run) const {
  return std::span(transfers_)
      .subspan(first_transfer_[run], first_transfer_[run + 1] - first_transfer_[run]);
}

NeighborList::Image NeighborList::image(std::size_t pair) const { return keys().image(pair); }

Spring NeighborList::spring(std::size_t pair) const {
  Spring spring{};
  for (std::size_t axis = 0; axis < spring.size(); ++axis)
    if (!spring_[axis].empty()) spring[axis] = spring_[axis][pair];
  return spring;
}

ImageIndex NeighborList::ImageTable::index_of(const Image& image) {
  const auto [found, is_new] = indices_.try_emplace(image, static_cast<ImageIndex>(images_.size()));
  if (!is_new) return found->second;
  if (images_.size() > std::numeric_limits<ImageIndex>::max())
    throw Error(message("particles touch ", images_.size(),
                        " images of each other and more; bring them back by a new run"));
  images_.push_back(image);
  return found->second;
}

void NeighborList::partition(std::size_t particles, ThreadPool& pool) {
  particle_count_ = particles;
  first_particle_ = chunk_boundaries(particles);
  const std::size_t count = first_particle_.size() - 1;
  first_pair_.assign(1, 0);
  first_slot_.assign(1, 0);
  dependencies_.resize(count);
  for (auto& runs : dependencies_) runs.clear();
  first_transfer_.assign(count + 1, 0);
  Index slot = 0;
  for (std::size_t run = 0, k = 0; run < count; ++run) {
    const std::size_t end = last_particle(run);
    for (; k < pairs_.size() && pairs_[k].a < end; ++k) {
      if (pairs_[k].b < end) continue;
      ++slot;
      const std::size_t other = chunk_of(pairs_[k].b);
      ++first_transfer_[other + 1];
      if (dependencies_[other].empty() || dependencies_[other].back() != run)
        dependencies_[other].push_back(static_cast<std::uint32_t>(run));
    }
    first_pair_.push_back(k);
    first_slot_.push_back(slot);
  }
  for (std::size_t run = 0; run < count; ++run) first_transfer_[run + 1] += first_transfer_[run];
  assign_transfers(pool);
}

// To the runs that they are handed to; each of these is then sorted.
void NeighborList::assign_transfers(ThreadPool& pool) {
  reserve_with_slack(transfers_, slot_count());
  transfers_.resize(slot_count());
  std::vector<std::size_t> place = first_transfer_;
  auto slot = static_cast<Index>(particle_count_);
  for (std::size_t run = 0; run < chunk_count(); ++run)
    for (std::size_t k = first_pair_[run]; k < first_pair_[run + 1]; ++k)
      if (pairs_[k].b >= last_particle(run))
        transfers_[place[chunk_of(pairs_[k].b)]++] = {pairs_[k].b, slot++};
  pool.run(chunk_count(), [&](std::size_t run, unsigned) {
    std::sort(transfers_.begin() + static_cast<std::ptrdiff_t>(first_transfer_[run]),
              transfers_.begin() + static_cast<std::ptrdiff_t>(first_transfer_[run + 1]));
  });
}

}  // namespace abut
