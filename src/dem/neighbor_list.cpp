#include "dem/neighbor_list.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/buffers.hpp"
#include "core/machine.hpp"
#include "core/message.hpp"
#include "dem/particle_store.hpp"

namespace abut {

namespace {

// First particle of each chunk, and the end. At least eight chunks keep several threads busy; short
// chunks need many slots. Only the last chunks are short, so that threads finish together.
std::vector<std::size_t> chunk_boundaries(std::size_t particles) {
  const std::size_t length = std::clamp<std::size_t>(std::bit_floor(particles / 8 + 1), 256, 8192);
  std::vector<std::size_t> first{0};
  for (std::size_t at = 0; at < particles; first.push_back(at)) {
    const std::size_t remaining = particles - at;
    at += std::min(remaining, remaining > 2 * length ? length
                              : remaining > length   ? length / 2
                                                     : length / 4);
  }
  return first;
}

NeighborList::Image opposite_image(const NeighborList::Image& image) {
  return {-image[0], -image[1], -image[2]};
}

}  // namespace

// Takes the whole capacity of the array, or enlarges it by half, which keeps the pairs in it.
void PairCollector::grow() {
  std::size_t vectors = unsorted_.capacity();
  if (vectors * sizeof(Vec4) / sizeof(Pair) <= capacity_) {
    vectors += vectors / 2 + 256;
    unsorted_.reserve(vectors);
  }
  unsorted_.resize(vectors);
  capacity_ = vectors * sizeof(Vec4) / sizeof(Pair);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): see `reuse_memory`
  pairs_ = reinterpret_cast<Pair*>(unsorted_.data());
}

std::span<const Pair> PairCollector::sorted(std::size_t particle_count, ThreadPool& pool,
                                            std::vector<Index>& first_pair) {
  const std::span<const Pair> pairs(pairs_, count_);
  const std::span<Pair> sorted = reuse_memory<Pair>(sorted_, count_);
  // Counting sort by a. Counts are offset by two entries: after filling, first_pair[a] is the first
  // pair of a.
  reserve_with_slack(first_pair, particle_count + 2);
  first_pair.assign(particle_count + 2, 0);
  for (const Pair& pair : pairs) ++first_pair[pair.a + 2];
  for (std::size_t a = 1; a < first_pair.size(); ++a) first_pair[a] += first_pair[a - 1];
  for (const Pair& pair : pairs) sorted[first_pair[pair.a + 1]++] = pair;
  const Chunks chunks(particle_count, 4096);
  pool.run(chunks.size(), [&](std::size_t chunk, unsigned) {
    for (std::size_t a = chunks.first(chunk); a < chunks.last(chunk); ++a)
      sort_neighbors(sorted.subspan(first_pair[a], first_pair[a + 1] - first_pair[a]));
  });
  return sorted;
}

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

// Both lists are sorted. A thread finds the start of its part in the old list by binary search and
// then merges.
void NeighborList::transfer_history(const Keys& old_keys, const Keys& new_keys,
                                    std::size_t components, ThreadPool& pool,
                                    std::vector<Vec4>& scratch) {
  const std::size_t old_count = spring_[0].size();
  for (std::size_t c = components; c < spring_.size(); ++c) spring_[c].clear();
  if (components == 0) return;
  const std::span<float> old_springs = reuse_memory<float>(scratch, components * old_count);
  for (std::size_t c = 0; c < components; ++c) {
    std::copy(spring_[c].begin(), spring_[c].end(),
              old_springs.subspan(c * old_count, old_count).begin());
    reserve_with_slack(spring_[c], new_keys.pairs.size());
    spring_[c].resize(new_keys.pairs.size());
  }
  const Chunks chunks(new_keys.pairs.size(), 16384);
  pool.run(chunks.size(), [&](std::size_t chunk, unsigned) {
    const std::span<const Pair> old_pairs = old_keys.pairs.first(old_count);
    auto at = static_cast<std::size_t>(
        std::ranges::lower_bound(old_pairs, new_keys.pairs[chunks.first(chunk)]) -
        old_pairs.begin());
    for (std::size_t k = chunks.first(chunk); k < chunks.last(chunk); ++k) {
      while (at < old_count && compare(old_keys, at, new_keys, k) < 0) ++at;
      const bool is_known = at < old_count && compare(old_keys, at, new_keys, k) == 0;
      for (std::size_t c = 0; c < components; ++c)
        spring_[c][k] = is_known ? old_springs[c * old_count + at] : 0;
    }
  });
}

std::vector<NeighborList::PairHistory> NeighborList::history() const {
  std::vector<PairHistory> history;
  for (std::size_t k = 0; k < spring_[0].size(); ++k)
    if (spring(k) != Spring{}) history.push_back({pairs_[k], image(k), spring(k)});
  return history;
}

void NeighborList::restore(std::span<const PairHistory> history) {
  pairs_.clear();
  image_index_.clear();
  image_table_ = {};
  for (auto& component : spring_) component.clear();
  for (const PairHistory& entry : history) {
    pairs_.push_back(entry.pair);
    image_index_.push_back(image_table_.index_of(entry.image));
    for (std::size_t c = 0; c < entry.spring.size(); ++c) spring_[c].push_back(entry.spring[c]);
  }
}

void NeighborList::renumber(std::span<const std::uint32_t> new_index) {
  std::vector<Index> remaining;
  remaining.reserve(pairs_.size());
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    auto& [a, b] = pairs_[k];
    a = new_index[a];
    b = new_index[b];
    if (a == ParticleStore::removed || b == ParticleStore::removed) continue;
    remaining.push_back(static_cast<Index>(k));
    if (a <= b) continue;
    std::swap(a, b);
    if (!image_index_.empty()) image_index_[k] = image_table_.index_of(opposite_image(image(k)));
    for (auto& component : spring_)
      if (!component.empty()) component[k] = -component[k];
  }
  const Keys all = keys();
  std::sort(remaining.begin(), remaining.end(),
            [&](Index x, Index y) { return compare(all, x, all, y) < 0; });
  const auto reorder = [&](auto& values) {
    if (values.empty()) return;
    std::decay_t<decltype(values)> ordered(remaining.size());
    for (std::size_t k = 0; k < remaining.size(); ++k) ordered[k] = values[remaining[k]];
    std::swap(values, ordered);
  };
  reorder(pairs_);
  reorder(image_index_);
  for (auto& component : spring_) reorder(component);
}

std::size_t NeighborList::first_particle(std::size_t chunk) const { return first_particle_[chunk]; }

std::size_t NeighborList::last_particle(std::size_t chunk) const {
  return first_particle_[chunk + 1];
}

// All but the last chunks have the same length.
std::size_t NeighborList::chunk_of(Index particle) const {
  const std::size_t guess = particle / first_particle_[1];
  if (guess + 1 < first_particle_.size() && particle >= first_particle_[guess] &&
      particle < first_particle_[guess + 1])
    return guess;
  const auto next = std::ranges::upper_bound(first_particle_, particle);
  return static_cast<std::size_t>(next - first_particle_.begin()) - 1;
}

PairChunk NeighborList::chunk(std::size_t chunk, const Vec4* image_shifts) {
  const std::size_t first = first_pair_[chunk];
  PairChunk result{pairs_.data() + first,
                   first_pair_[chunk + 1] - first,
                   {},
                   image_index_.empty() ? nullptr : image_index_.data() + first,
                   image_shifts,
                   static_cast<Index>(last_particle(chunk)),
                   static_cast<Index>(particle_count_ + first_slot_[chunk])};
  for (std::size_t c = 0; c < spring_.size(); ++c)
    if (!spring_[c].empty()) result.spring[c] = spring_[c].data() + first;
  return result;
}

std::span<const NeighborList::Transfer> NeighborList::transfers(std::size_t chunk) const {
  return std::span(transfers_)
      .subspan(first_transfer_[chunk], first_transfer_[chunk + 1] - first_transfer_[chunk]);
}

NeighborList::Image NeighborList::image(std::size_t pair) const { return keys().image(pair); }

Spring NeighborList::spring(std::size_t pair) const {
  Spring spring{};
  for (std::size_t c = 0; c < spring.size(); ++c)
    if (!spring_[c].empty()) spring[c] = spring_[c][pair];
  return spring;
}

ImageIndex NeighborList::ImageTable::index_of(const Image& image) {
  const auto [found, is_new] = indices_.try_emplace(image, static_cast<ImageIndex>(images_.size()));
  if (!is_new) return found->second;
  if (images_.size() > std::numeric_limits<ImageIndex>::max())
    throw Error(message("pairs have more than ", images_.size(),
                        " different periodic images; start a new run from wrapped positions"));
  images_.push_back(image);
  return found->second;
}

void NeighborList::partition(std::size_t particle_count, ThreadPool& pool) {
  particle_count_ = particle_count;
  first_particle_ = chunk_boundaries(particle_count);
  const std::size_t count = first_particle_.size() - 1;
  first_pair_.assign(1, 0);
  first_slot_.assign(1, 0);
  dependencies_.resize(count);
  for (auto& chunks : dependencies_) chunks.clear();
  first_transfer_.assign(count + 1, 0);
  Index slot = 0;
  for (std::size_t chunk = 0, k = 0; chunk < count; ++chunk) {
    const std::size_t end = last_particle(chunk);
    for (; k < pairs_.size() && pairs_[k].a < end; ++k) {
      if (pairs_[k].b < end) continue;
      ++slot;
      const std::size_t other = chunk_of(pairs_[k].b);
      ++first_transfer_[other + 1];
      if (dependencies_[other].empty() || dependencies_[other].back() != chunk)
        dependencies_[other].push_back(static_cast<std::uint32_t>(chunk));
    }
    first_pair_.push_back(k);
    first_slot_.push_back(slot);
  }
  for (std::size_t chunk = 0; chunk < count; ++chunk)
    first_transfer_[chunk + 1] += first_transfer_[chunk];
  assign_transfers(pool);
}

// Distributes the slots to the chunks of their particles and sorts them there.
void NeighborList::assign_transfers(ThreadPool& pool) {
  reserve_with_slack(transfers_, slot_count());
  transfers_.resize(slot_count());
  std::vector<std::size_t> next = first_transfer_;
  auto slot = static_cast<Index>(particle_count_);
  for (std::size_t chunk = 0; chunk < chunk_count(); ++chunk)
    for (std::size_t k = first_pair_[chunk]; k < first_pair_[chunk + 1]; ++k)
      if (pairs_[k].b >= last_particle(chunk))
        transfers_[next[chunk_of(pairs_[k].b)]++] = {pairs_[k].b, slot++};
  pool.run(chunk_count(), [&](std::size_t chunk, unsigned) {
    std::sort(transfers_.begin() + static_cast<std::ptrdiff_t>(first_transfer_[chunk]),
              transfers_.begin() + static_cast<std::ptrdiff_t>(first_transfer_[chunk + 1]));
  });
}

}  // namespace abut
