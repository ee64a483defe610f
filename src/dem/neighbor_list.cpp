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

constexpr NeighborList::Image no_image{};

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
  const CarriedSprings carried = collect_springs(scratch);
  image_table_ = {};
  image_index_.resize(found.images.empty() ? 0 : found.images.size() + 3);
  for (std::size_t k = 0; k < found.images.size(); ++k)
    image_index_[k] = image_table_.index_of(found.images[k]);
  set_pairs(found.pairs, found.particle_count);
  resize_springs(found.spring_count, found.pairs.size());
  distribute_springs(carried, pool);
  partition(pool);
}

void NeighborList::set_pairs(std::span<const Pair> pairs, std::size_t particle_count) {
  reserve_with_slack(neighbors_, pairs.size() + 3);
  neighbors_.resize(pairs.size() + 3);
  reserve_with_slack(row_begin_, particle_count + 1);
  row_begin_.resize(particle_count + 1);
  std::size_t a = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    for (; a <= pairs[k].a; ++a) row_begin_[a] = static_cast<Index>(k);
    neighbors_[k] = pairs[k].b;
  }
  for (; a <= particle_count; ++a) row_begin_[a] = static_cast<Index>(pairs.size());
  std::fill(neighbors_.end() - 3, neighbors_.end(), 0);
}

void NeighborList::resize_springs(std::size_t spring_count, std::size_t pair_count) {
  for (std::size_t s = 0; s < springs_.size(); ++s) {
    springs_[s].clear();
    if (s >= spring_count) continue;
    reserve_with_slack(springs_[s], pair_count);
    springs_[s].resize(pair_count);  // stamp 0: no spring
  }
}

// The springs of the pairs that were touching in the last evaluation of forces, by row.
NeighborList::CarriedSprings NeighborList::collect_springs(std::vector<Vec4>& scratch) {
  carried_images_.clear();
  carried_begin_.clear();
  if (springs_[0].empty()) return {};
  std::size_t count = 0;
  for (const PairSpring& spring : springs_[0]) count += spring.stamp == stamp_ ? 1 : 0;
  const std::size_t kinds = springs_[1].empty() ? 1 : 2;
  const std::span<CarriedSpring> all = reuse_memory<CarriedSpring>(scratch, kinds * count);
  CarriedSprings carried{all.first(count), all.subspan(count)};
  reserve_with_slack(carried_begin_, row_begin_.size());
  Index next = 0;
  for (std::size_t a = 0; a + 1 < row_begin_.size(); ++a) {
    carried_begin_.push_back(next);
    for (Index k = row_begin_[a]; k < row_begin_[a + 1]; ++k) {
      if (!has_spring(k)) continue;
      for (std::size_t kind = 0; kind < kinds; ++kind) {
        const PairSpring& spring = springs_[kind][k];
        carried[kind][next] = {neighbors_[k], spring.x, spring.y, spring.z};
      }
      if (!image_index_.empty()) carried_images_.push_back(image(k));
      ++next;
    }
  }
  carried_begin_.push_back(next);
  return carried;
}

void NeighborList::distribute_springs(const CarriedSprings& carried, ThreadPool& pool) {
  if (carried[0].empty() || springs_[0].empty()) return;
  const Chunks chunks(std::min(row_begin_.size(), carried_begin_.size()) - 1, 4096);
  pool.run(chunks.size(), [&](std::size_t chunk, unsigned) {
    for (std::size_t a = chunks.first(chunk); a < chunks.last(chunk); ++a)
      distribute_springs_of_row(a, carried);
  });
}

// The rows of both lists are sorted by neighbor and image.
void NeighborList::distribute_springs_of_row(std::size_t a, const CarriedSprings& carried) {
  const Index end = row_begin_[a + 1];
  Index k = row_begin_[a];
  for (Index at = carried_begin_[a]; at < carried_begin_[a + 1]; ++at) {
    const Index b = carried[0][at].b;
    const Image& from = carried_images_.empty() ? no_image : carried_images_[at];
    const auto is_before = [&](Index pair) {
      return neighbors_[pair] < b || (neighbors_[pair] == b && image(pair) < from);
    };
    while (k < end && is_before(k)) ++k;
    if (k == end) return;
    if (neighbors_[k] != b || image(k) != from) continue;
    for (std::size_t kind = 0; kind < springs_.size(); ++kind) {
      if (springs_[kind].empty() || carried[kind].empty()) continue;
      const CarriedSpring& spring = carried[kind][at];
      springs_[kind][k] = {spring.x, spring.y, spring.z, stamp_};
    }
  }
}

void NeighborList::set_spring(std::size_t pair, const Spring& spring) {
  for (std::size_t s = 0; s < springs_.size(); ++s)
    if (!springs_[s].empty())
      springs_[s][pair] = {spring[3 * s], spring[3 * s + 1], spring[3 * s + 2], stamp_};
}

std::vector<NeighborList::PairHistory> NeighborList::history() const {
  std::vector<PairHistory> history;
  for_each_pair([&](Index k, const Pair& pair) {
    if (spring(k) != Spring{}) history.push_back({pair, image(k), spring(k)});
  });
  return history;
}

void NeighborList::restore(std::span<const PairHistory> history, std::size_t spring_count) {
  std::vector<Pair> pairs;
  pairs.reserve(history.size());
  std::size_t particle_count = 0;
  for (const PairHistory& entry : history) {
    pairs.push_back(entry.pair);
    particle_count = std::max<std::size_t>(particle_count, entry.pair.b + std::size_t{1});
  }
  set_pairs(pairs, particle_count);
  image_table_ = {};
  image_index_.assign(history.size() + 3, 0);
  resize_springs(spring_count, history.size());
  for (std::size_t k = 0; k < history.size(); ++k) {
    image_index_[k] = image_table_.index_of(history[k].image);
    set_spring(k, history[k].spring);
  }
}

void NeighborList::renumber(std::span<const std::uint32_t> new_index) {
  std::vector<PairHistory> remaining;
  for_each_pair([&](Index k, const Pair& pair) {
    const Index a = new_index[pair.a];
    const Index b = new_index[pair.b];
    if (a == ParticleStore::removed || b == ParticleStore::removed) return;
    PairHistory entry{{a, b}, image(k), spring(k)};
    if (a > b) {
      std::swap(entry.pair.a, entry.pair.b);
      entry.image = opposite_image(entry.image);
      for (float& component : entry.spring) component = -component;
    }
    remaining.push_back(entry);
  });
  std::sort(remaining.begin(), remaining.end(), [](const PairHistory& x, const PairHistory& y) {
    return x.pair != y.pair ? x.pair < y.pair : x.image < y.image;
  });
  const std::size_t spring_count =
      springs_[1].empty() ? (springs_[0].empty() ? 0 : 1) : std::size_t{2};
  restore(remaining, spring_count);
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
  const auto data = [](auto& values) { return values.empty() ? nullptr : values.data(); };
  return {static_cast<Index>(first_particle(chunk)),
          static_cast<Index>(last_particle(chunk)),
          row_begin_.data(),
          neighbors_.data(),
          slot_offset_.data(),
          data(image_index_),
          image_shifts,
          data(springs_[0]),
          data(springs_[1]),
          stamp_ == 1 ? std::numeric_limits<std::uint32_t>::max() : stamp_ - 1,
          stamp_};
}

std::span<const NeighborList::Transfer> NeighborList::transfers(std::size_t chunk) const {
  return std::span(transfers_)
      .subspan(first_transfer_[chunk], first_transfer_[chunk + 1] - first_transfer_[chunk]);
}

bool NeighborList::contains(const Pair& pair) const {
  if (pair.a + std::size_t{1} >= row_begin_.size()) return false;
  return std::binary_search(neighbors_.begin() + row_begin_[pair.a],
                            neighbors_.begin() + row_begin_[pair.a + 1], pair.b);
}

NeighborList::Image NeighborList::image(std::size_t pair) const {
  return image_table_.all()[image_index_.empty() ? 0 : image_index_[pair]];
}

Spring NeighborList::spring(std::size_t pair) const {
  Spring spring{};
  if (!has_spring(pair)) return spring;
  for (std::size_t s = 0; s < springs_.size(); ++s)
    if (!springs_[s].empty()) {
      const PairSpring& from = springs_[s][pair];
      spring[3 * s] = from.x;
      spring[3 * s + 1] = from.y;
      spring[3 * s + 2] = from.z;
    }
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

// Counts the slots of each chunk. In a row, the pairs with particles of later chunks come last, so
// that their slots are consecutive.
void NeighborList::partition(ThreadPool& pool) {
  const std::size_t particle_count = row_begin_.size() - 1;
  first_particle_ = chunk_boundaries(particle_count);
  const std::size_t count = chunk_count();
  first_slot_.assign(1, 0);
  dependencies_.resize(count);
  for (auto& chunks : dependencies_) chunks.clear();
  first_transfer_.assign(count + 1, 0);
  reserve_with_slack(slot_offset_, particle_count);
  slot_offset_.resize(particle_count);
  auto slot = static_cast<Index>(particle_count);
  for (std::size_t chunk = 0; chunk < count; ++chunk) {
    const std::size_t end = last_particle(chunk);
    for (std::size_t a = first_particle(chunk); a < end; ++a) {
      Index k = row_begin_[a + 1];
      while (k > row_begin_[a] && neighbors_[k - 1] >= end) {
        const std::size_t other = chunk_of(neighbors_[--k]);
        ++first_transfer_[other + 1];
        if (dependencies_[other].empty() || dependencies_[other].back() != chunk)
          dependencies_[other].push_back(static_cast<std::uint32_t>(chunk));
      }
      slot_offset_[a] = slot - k;
      slot += row_begin_[a + 1] - k;
    }
    first_slot_.push_back(slot - static_cast<Index>(particle_count));
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
  for (std::size_t chunk = 0; chunk < chunk_count(); ++chunk) {
    const std::size_t end = last_particle(chunk);
    for (std::size_t a = first_particle(chunk); a < end; ++a)
      for (Index k = row_begin_[a + 1]; k > row_begin_[a] && neighbors_[k - 1] >= end; --k)
        transfers_[next[chunk_of(neighbors_[k - 1])]++] = {neighbors_[k - 1],
                                                           k - 1 + slot_offset_[a]};
  }
  pool.run(chunk_count(), [&](std::size_t chunk, unsigned) {
    std::sort(transfers_.begin() + static_cast<std::ptrdiff_t>(first_transfer_[chunk]),
              transfers_.begin() + static_cast<std::ptrdiff_t>(first_transfer_[chunk + 1]));
  });
}

}  // namespace abut
