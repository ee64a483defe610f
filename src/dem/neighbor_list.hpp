#pragma once

#include <abut/pair.hpp>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <new>
#include <span>
#include <vector>

#include "core/machine.hpp"
#include "dem/kernels.hpp"
#include "dem/vec4.hpp"

namespace abut {

/// `count` objects in the memory of `vectors`, whose contents are lost. For large scratch arrays at
/// times when `vectors` is not in use.
template <class T>
std::span<T> reuse_memory(std::vector<Vec4>& vectors, std::size_t count) {
  static_assert(sizeof(Vec4) % sizeof(T) == 0);
  vectors.resize((count * sizeof(T) + sizeof(Vec4) - 1) / sizeof(Vec4));
  if (count == 0) return {};  // data() may be null
  return {new (vectors.data()) T[count], count};
}

/// Collects the pairs of a search and sorts them, in memory of arrays that are not in use during a
/// search: particles and springs take most of the memory of a simulation.
class PairCollector {
 public:
  /// The contents of both arrays are lost; those of `sorted` only when `sorted()` is called.
  PairCollector(std::vector<Vec4>& unsorted, std::vector<Vec4>& sorted)
      : unsorted_(unsorted), sorted_(sorted) {}

  void add(Pair pair) {
    if (count_ == capacity_) grow();
    pairs_[count_++] = pair;
  }

  /// All pairs sorted by a, then b; valid as long as the array given as `sorted`. `first_pair` is
  /// scratch.
  [[nodiscard]] std::span<const Pair> sorted(std::size_t particle_count, ThreadPool& pool,
                                             std::vector<Index>& first_pair);

 private:
  void grow();

  std::vector<Vec4>& unsorted_;
  std::vector<Vec4>& sorted_;
  Pair* pairs_ = nullptr;  ///< in the memory of `unsorted_`
  std::size_t count_ = 0;
  std::size_t capacity_ = 0;
};

/// Neighbor list: the pairs that may touch until the next search, sorted, with the springs of their
/// contacts (contact history), and their partition into chunks for parallel evaluation. The pairs
/// of a particle with particles of larger index, sorted, form its row.
///
/// A chunk is a range of particles; it owns their rows. Forces on the second particle of a pair in
/// another chunk are stored in slots and added when all chunks are done, in the order of the slots.
/// The partition depends on the number of particles only, so sums are bitwise identical for any
/// number of threads.
class NeighborList {
 public:
  /// Numbers of periods by which b is shifted to the image that touches a.
  using Image = std::array<std::int32_t, 3>;

  /// A slot whose force has to be added to a particle.
  struct Transfer {
    Index particle;
    Index slot;
    friend auto operator<=>(const Transfer&, const Transfer&) = default;
  };

  struct NewPairs {
    std::span<const Pair> pairs;    ///< sorted by a, b and image
    std::span<const Image> images;  ///< of each pair; empty if no axis is periodic
    std::size_t particle_count;
    std::size_t spring_count;  ///< per pair: 0; 1 with friction; 2 with rolling friction
  };

  /// Replaces the list and keeps the springs of pairs that are in both. `scratch` is overwritten.
  void rebuild(const NewPairs& found, ThreadPool& pool, std::vector<Vec4>& scratch);

  /// Renumbers particle i to new_index[i] and drops pairs of removed particles. The chunks are
  /// invalid until the next `rebuild`.
  void renumber(std::span<const std::uint32_t> new_index);

  /// The springs of a pair as they are saved in a checkpoint.
  struct PairHistory {
    Pair pair;
    Image image;
    Spring spring;
  };

  /// All springs that are not 0.
  [[nodiscard]] std::vector<PairHistory> history() const;

  /// Replaces the list by these pairs, which are sorted; `rebuild` must follow.
  void restore(std::span<const PairHistory> history, std::size_t spring_count);

  /// Springs of pairs that are not touching in this evaluation of forces are lost in the next one.
  void begin_evaluation() {
    stamp_ = stamp_ == std::numeric_limits<std::uint32_t>::max() ? 1 : stamp_ + 1;
  }

  [[nodiscard]] std::size_t chunk_count() const { return first_particle_.size() - 1; }
  [[nodiscard]] std::size_t slot_count() const {
    return first_slot_.empty() ? 0 : first_slot_.back();
  }
  [[nodiscard]] std::size_t first_particle(std::size_t chunk) const;
  [[nodiscard]] std::size_t last_particle(std::size_t chunk) const;  ///< one past the last

  /// The pairs of a chunk. Slots are numbered from the number of particles on; `image_shifts` holds
  /// the translation of each of `images()`.
  [[nodiscard]] PairChunk chunk(std::size_t chunk, const Vec4* image_shifts);

  /// For each chunk, the earlier chunks that have pairs with its particles.
  [[nodiscard]] std::span<const std::vector<std::uint32_t>> dependencies() const {
    return dependencies_;
  }

  /// The slots of the particles of a chunk, sorted by particle and slot.
  [[nodiscard]] std::span<const Transfer> transfers(std::size_t chunk) const;

  [[nodiscard]] std::size_t pair_count() const { return row_begin_.back(); }
  [[nodiscard]] bool contains(const Pair& pair) const;
  [[nodiscard]] const std::vector<Image>& images() const { return image_table_.all(); }

  /// Calls visit(pair index, pair) for all pairs in their order.
  template <class Visit>
  void for_each_pair(const Visit& visit) const {
    for (Index a = 0; a + 1 < row_begin_.size(); ++a)
      for (Index k = row_begin_[a]; k < row_begin_[a + 1]; ++k) visit(k, Pair{a, neighbors_[k]});
  }
  [[nodiscard]] Image image(std::size_t pair) const;
  [[nodiscard]] Spring spring(std::size_t pair) const;  ///< 0 if the pair was not touching

 private:
  /// The distinct images of the pairs. Positions are not wrapped into a periodic domain, so the set
  /// differs from list to list.
  class ImageTable {
   public:
    [[nodiscard]] ImageIndex index_of(const Image& image);
    [[nodiscard]] const std::vector<Image>& all() const { return images_; }

   private:
    std::vector<Image> images_{{0, 0, 0}};
    std::map<Image, ImageIndex> indices_{{{0, 0, 0}, 0}};
  };

  /// A spring while the list is being replaced.
  struct CarriedSpring {
    Index b;
    float x, y, z;
  };
  using CarriedSprings = std::array<std::span<CarriedSpring>, 2>;  ///< friction and rolling

  [[nodiscard]] std::size_t chunk_of(Index particle) const;
  [[nodiscard]] bool has_spring(std::size_t pair) const {
    return !springs_[0].empty() && springs_[0][pair].stamp == stamp_;
  }
  void set_spring(std::size_t pair, const Spring& spring);
  void set_pairs(std::span<const Pair> pairs, std::size_t particle_count);
  void resize_springs(std::size_t spring_count, std::size_t pair_count);
  CarriedSprings collect_springs(std::vector<Vec4>& scratch);
  void distribute_springs(const CarriedSprings& carried, ThreadPool& pool);
  void distribute_springs_of_row(std::size_t a, const CarriedSprings& carried);
  void partition(ThreadPool& pool);
  void assign_transfers(ThreadPool& pool);

  std::vector<Index> row_begin_{0};      ///< first pair of each particle, and the end
  std::vector<Index> neighbors_;         ///< second particle of each pair, and three unused entries
  std::vector<ImageIndex> image_index_;  ///< likewise; empty if no axis is periodic
  ImageTable image_table_;
  std::array<std::vector<PairSpring>, 2> springs_;  ///< friction and rolling; may be empty
  std::uint32_t stamp_ = 1;                         ///< of the last evaluation of forces
  std::vector<Index> carried_begin_;                ///< scratch of `rebuild`, by particle
  std::vector<Image> carried_images_;               ///< likewise, by spring

  std::vector<std::size_t> first_particle_{0};  ///< of each chunk, and the end
  std::vector<Index> first_slot_;               ///< of each chunk, and the end
  std::vector<Index> slot_offset_;              ///< see `PairChunk`
  std::vector<std::vector<std::uint32_t>> dependencies_;
  std::vector<Transfer> transfers_;          ///< by chunk, then particle and slot
  std::vector<std::size_t> first_transfer_;  ///< of each chunk, and the end
};

}  // namespace abut
