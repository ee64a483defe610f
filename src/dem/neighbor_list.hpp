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

#include "core/thread_pool.hpp"
#include "dem/kernels.hpp"
#include "dem/vec4.hpp"

namespace abut {

/// Memory of records, put to another use for a while: what they held is gone.
template <class T>
std::span<T> reuse_memory(std::vector<Vec4>& records, std::size_t count) {
  static_assert(sizeof(Vec4) % sizeof(T) == 0);
  records.resize((count * sizeof(T) + sizeof(Vec4) - 1) / sizeof(Vec4));
  if (count == 0) return {};  // there may be no memory
  return {new (records.data()) T[count], count};
}

/// Pairs as a search finds them, then sorted: both in memory that nobody else needs just then,
/// since a simulation needs most of its memory for particles and springs.
class PairCollector {
 public:
  /// Pairs come into one, and go in order into the other, which may be in use until all have come.
  PairCollector(std::vector<Vec4>& coming, std::vector<Vec4>& sorted)
      : unsorted_(coming), sorted_(sorted) {}

  void add(Pair pair) {
    if (count_ == capacity_) grow();
    pairs_[count_++] = pair;
  }

  /// All of them by a, then by b. `first` is kept for its memory.
  [[nodiscard]] std::span<const Pair> sorted(std::size_t particles, ThreadPool& pool,
                                             std::vector<Index>& first);

 private:
  void grow();

  std::vector<Vec4>& unsorted_;
  std::vector<Vec4>& sorted_;
  Pair* pairs_ = nullptr;  ///< in `unsorted_`
  std::size_t count_ = 0;
  std::size_t capacity_ = 0;
};

/// Pairs that may touch until the next search, sorted, with the springs of friction between them;
/// and how they are shared out: a run of particles does the pairs of which they are the smaller.
///
/// What a run pushes on particles of others is put aside in slots and handed to them when all runs
/// are done, in the order of the slots. Runs depend on the number of particles alone, so every sum
/// is the same for any number of threads.
class NeighborList {
 public:
  /// Periods between b and the image that touches a.
  using Image = std::array<std::int32_t, 3>;

  struct Transfer {
    Index particle;
    Index slot;
    friend auto operator<=>(const Transfer&, const Transfer&) = default;
  };

  /// Takes a new list, sorted by a, b and image, and finds the springs of those that were there.
  /// What `scratch` holds is lost.
  struct NewPairs {
    std::span<const Pair> pairs;
    std::span<const Image> images;  ///< empty if nothing is periodic
    std::size_t particle_count;
    std::size_t spring_component_count;  ///< 0, or 3 of friction, or 6 with rolling resistance
  };
  void rebuild(const NewPairs& found, ThreadPool& pool, std::vector<Vec4>& scratch);

  /// Particle i has become to[i], or is gone. Only for `renew` and to look at: no runs.
  void renumber(std::span<const std::uint32_t> to);

  /// A spring of a pair, as a checkpoint knows it; before `renew`.
  struct PairHistory {
    Pair pair;
    Image image;
    Spring spring;
  };
  [[nodiscard]] std::vector<PairHistory> history() const;
  void restore(std::span<const PairHistory> kept);

  [[nodiscard]] std::size_t chunk_count() const {
    return first_pair_.empty() ? 0 : first_pair_.size() - 1;
  }
  [[nodiscard]] std::size_t slot_count() const {
    return first_slot_.empty() ? 0 : first_slot_.back();
  }
  [[nodiscard]] std::size_t first_particle(std::size_t run) const;
  [[nodiscard]] std::size_t last_particle(std::size_t run) const;

  /// Slots begin behind the particles. `shifts` is where image numbers point to.
  [[nodiscard]] PairChunk chunk(std::size_t run, const Vec4* shifts);

  /// For each run, the earlier ones with pairs of its particles.
  [[nodiscard]] std::span<const std::vector<std::uint32_t>> dependencies() const {
    return dependencies_;
  }

  /// What is handed to the particles of a run, ordered by particle and slot.
  [[nodiscard]] std::span<const Transfer> transfers(std::size_t run) const;

  [[nodiscard]] std::span<const Pair> pairs() const { return pairs_; }
  [[nodiscard]] const std::vector<Image>& images() const { return image_table_.all(); }
  [[nodiscard]] Image image(std::size_t pair) const;
  [[nodiscard]] Spring spring(std::size_t pair) const;

 private:
  /// The images that pairs have, by number. Particles are never brought back into a periodic
  /// domain, so every list has others.
  class ImageTable {
   public:
    [[nodiscard]] ImageIndex index_of(const Image& image);
    [[nodiscard]] const std::vector<Image>& all() const { return images_; }

   private:
    std::vector<Image> images_{{0, 0, 0}};
    std::map<Image, ImageIndex> indices_{{{0, 0, 0}, 0}};
  };

  /// Pairs and their images, in order.
  struct Keys {
    std::span<const Pair> pairs;
    std::span<const ImageIndex> image_indices;  ///< empty if nothing is periodic
    std::span<const Image> images;

    [[nodiscard]] const Image& image(std::size_t k) const {
      return images[image_indices.empty() ? 0 : image_indices[k]];
    }
  };

  [[nodiscard]] std::size_t chunk_of(Index particle) const;
  [[nodiscard]] Keys keys() const { return {pairs_, image_index_, image_table_.all()}; }
  [[nodiscard]] static std::weak_ordering compare(const Keys& x, std::size_t i, const Keys& y,
                                                  std::size_t k);
  void transfer_history(const Keys& before, const Keys& now, std::size_t axes, ThreadPool& pool,
                        std::vector<Vec4>& scratch);
  void partition(std::size_t particles, ThreadPool& pool);
  void assign_transfers(ThreadPool& pool);

  std::vector<Pair> pairs_;
  std::vector<ImageIndex> image_index_;  ///< of each pair
  ImageTable image_table_;
  std::array<std::vector<float>, 6> spring_;  ///< the axes that nobody needs are empty
  std::vector<ImageIndex> new_image_index_;   // kept for its memory

  std::size_t particle_count_ = 0;
  std::vector<std::size_t> first_particle_{0};  ///< of each run, and the end
  std::vector<std::size_t> first_pair_;         ///< of each run, and the end
  std::vector<Index> first_slot_;
  std::vector<std::vector<std::uint32_t>> dependencies_;
  std::vector<Transfer> transfers_;  ///< by particle
  std::vector<std::size_t> first_transfer_;
};

}  // namespace abut
