#pragma once

#include <abut/pair.hpp>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
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
/// contacts (contact history), and their partition into chunks for parallel evaluation.
///
/// A chunk is a range of particles; it owns the pairs whose first particle is in the range. Forces
/// on the second particle of a pair in another chunk are stored in slots and added when all chunks
/// are done, in the order of the slots. The partition depends on the number of particles only, so
/// sums are bitwise identical for any number of threads.
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
    std::size_t spring_component_count;  ///< 0; 3 with friction; 6 with rolling friction
  };

  /// Replaces the list and keeps the springs of pairs that are in both. `scratch` is overwritten.
  void rebuild(const NewPairs& found, ThreadPool& pool, std::vector<Vec4>& scratch);

  /// Renumbers particle i to new_index[i] and drops pairs of removed particles. The chunks are
  /// invalid until the next `rebuild`.
  void renumber(std::span<const std::uint32_t> new_index);

  /// The spring of a pair as it is saved in a checkpoint.
  struct PairHistory {
    Pair pair;
    Image image;
    Spring spring;
  };

  /// All springs that are not 0.
  [[nodiscard]] std::vector<PairHistory> history() const;

  /// Replaces the list by pairs with springs only; `rebuild` must follow.
  void restore(std::span<const PairHistory> history);

  [[nodiscard]] std::size_t chunk_count() const {
    return first_pair_.empty() ? 0 : first_pair_.size() - 1;
  }
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

  [[nodiscard]] std::span<const Pair> pairs() const { return pairs_; }
  [[nodiscard]] const std::vector<Image>& images() const { return image_table_.all(); }
  [[nodiscard]] Image image(std::size_t pair) const;
  [[nodiscard]] Spring spring(std::size_t pair) const;

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

  /// Sorted pairs with their images.
  struct Keys {
    std::span<const Pair> pairs;
    std::span<const ImageIndex> image_indices;  ///< empty if no axis is periodic
    std::span<const Image> images;

    [[nodiscard]] const Image& image(std::size_t k) const {
      return images[image_indices.empty() ? 0 : image_indices[k]];
    }
  };

  [[nodiscard]] std::size_t chunk_of(Index particle) const;
  [[nodiscard]] Keys keys() const { return {pairs_, image_index_, image_table_.all()}; }
  [[nodiscard]] static std::weak_ordering compare(const Keys& x, std::size_t i, const Keys& y,
                                                  std::size_t k);
  void transfer_history(const Keys& old_keys, const Keys& new_keys, std::size_t components,
                        ThreadPool& pool, std::vector<Vec4>& scratch);
  void partition(std::size_t particle_count, ThreadPool& pool);
  void assign_transfers(ThreadPool& pool);

  std::vector<Pair> pairs_;
  std::vector<ImageIndex> image_index_;  ///< of each pair
  ImageTable image_table_;
  std::array<std::vector<float>, 6> spring_;  ///< by component; unused components are empty
  std::vector<ImageIndex> new_image_index_;   ///< scratch of `rebuild`

  std::size_t particle_count_ = 0;
  std::vector<std::size_t> first_particle_{0};  ///< of each chunk, and the end
  std::vector<std::size_t> first_pair_;         ///< of each chunk, and the end
  std::vector<Index> first_slot_;               ///< of each chunk, and the end
  std::vector<std::vector<std::uint32_t>> dependencies_;
  std::vector<Transfer> transfers_;          ///< by chunk, then particle and slot
  std::vector<std::size_t> first_transfer_;  ///< of each chunk, and the end
};

}  // namespace abut
