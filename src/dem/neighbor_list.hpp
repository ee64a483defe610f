#pragma once

#include <abut/detector.hpp>
#include <abut/pair.hpp>
#include <abut/simulation.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/machine.hpp"
#include "core/relative_motion.hpp"
#include "core/scratch_arena.hpp"
#include "core/vec4.hpp"
#include "dem/kernels.hpp"
#include "dem/particles.hpp"

namespace abut {

/// A view of the pairs of a neighbor list. The pairs of a particle a with particles b > a (or with
/// an image of a itself) form its row, sorted by b and image. A pair is named by its index k:
/// row_begin[a] ≤ k < row_begin[a + 1].
struct PairRows {
  std::span<const Index> row_begin;         ///< first pair of each particle, and the end
  std::span<const Index> neighbors;         ///< b of each pair, and three unused entries
  std::span<const ImageIndex> image_index;  ///< likewise; empty if no axis is periodic
  /// Numbers of periods by which b is shifted to the image near a; the distinct ones of the list.
  std::span<const PeriodCounts> images;
  std::span<const Vec4> shifts;  ///< translation (m) of each of `images`

  [[nodiscard]] std::size_t particle_count() const { return row_begin.size() - 1; }
  [[nodiscard]] std::size_t pair_count() const { return row_begin.back(); }
  [[nodiscard]] const PeriodCounts& image(std::size_t pair) const {
    return images[image_index.empty() ? 0 : image_index[pair]];
  }
  [[nodiscard]] const Vec4& shift(std::size_t pair) const {
    return shifts[image_index.empty() ? 0 : image_index[pair]];
  }
  [[nodiscard]] bool contains(const Pair& pair) const;

  /// Calls visit(index, pair) for all pairs in their order.
  template <class Visit>
  void for_each_pair(const Visit& visit) const {
    for (Index a = 0; a + 1 < row_begin.size(); ++a)
      for (Index k = row_begin[a]; k < row_begin[a + 1]; ++k) visit(k, Pair{a, neighbors[k]});
  }
};

/// The unsorted pairs of a search: as many as expected in memory of an arena, the others on the
/// heap, so that the arena does not grow when a new skin gives more pairs than before.
template <std::size_t D>
class FoundPairs {
 public:
  FoundPairs(ScratchArena& arena, std::size_t particle_count, std::size_t expected);

  void add(std::span<const Pair> pairs);             ///< with image 0
  void add(std::span<const PeriodicPair<D>> pairs);  ///< with other images

  /// Number of pairs of each particle a, followed by 0.
  [[nodiscard]] std::span<Index> row_lengths() { return row_lengths_; }
  [[nodiscard]] std::size_t size() const { return inside_count_ + across_boundary_.size(); }

  /// Calls visit(pair) for pairs with image 0.
  template <class Visit>
  void for_each_inside(const Visit& visit) const {
    for (const Pair& pair : expected_.first(expected_count_)) visit(pair);
    for (const std::vector<Pair>& block : blocks_)
      for (const Pair& pair : block) visit(pair);
  }

  /// The other pairs: across the boundary of a periodic domain.
  [[nodiscard]] std::span<const PeriodicPair<D>> across_boundary() const {
    return across_boundary_;
  }

 private:
  std::span<Index> row_lengths_;
  std::span<Pair> expected_;
  std::size_t expected_count_ = 0;
  std::vector<std::vector<Pair>> blocks_;  ///< of the other pairs
  std::size_t inside_count_ = 0;
  std::vector<PeriodicPair<D>> across_boundary_;
};

/// The pairs of particles that may interact until the list is rebuilt: all pairs with a gap of at
/// most range + skin, where range is the largest gap at which forces act. Results of a simulation
/// do not depend on the skin.
template <std::size_t D>
class NeighborList {
 public:
  struct Options {
    Method method;
    std::optional<Box<D>> domain;
    std::array<bool, D> periodic;
    unsigned threads;
    double range;  ///< m
  };

  explicit NeighborList(const Options& options);

  /// Whether the list has all pairs that interact. `invalidate` demands a rebuild.
  [[nodiscard]] bool is_valid() const { return is_valid_; }
  void invalidate();

  /// Whether there is a list at all; `reset` discards it.
  [[nodiscard]] bool exists() const { return exists_; }
  void reset();

  /// First part of a rebuild: chooses the skin, and searches. `rows` do not change yet, so that
  /// contact history can be taken from them.
  void choose_skin(const Particles& particles);
  /// The search uses memory of the arena if there is enough.
  void search(const Spheres<D>& spheres, std::size_t fixed_count, FoundPairs<D>& found,
              ScratchArena& arena);

  /// Number of pairs that a search of this number of particles is expected to find: slightly more
  /// than the last one, at first those of a dense packing.
  [[nodiscard]] std::size_t expected_pairs(std::size_t particle_count) const {
    return exists_ ? rows().pair_count() * 17 / 16 : 4 * particle_count;
  }

  /// Second part: replaces `rows`.
  void replace(FoundPairs<D>& found, const Particles& particles);

  /// Drops the pairs of removed particles and renumbers the others, whose order stays the same. The
  /// list is then invalid, but complete for the particles that are left.
  void remove(std::span<const std::uint32_t> new_index, std::size_t remaining);

  [[nodiscard]] PairRows rows() const {
    return {row_begin_, neighbors_, image_index_, images_, shifts_};
  }
  [[nodiscard]] double skin() const { return skin_; }  ///< m
  /// Particles with smaller ids were in the last search.
  [[nodiscard]] std::uint32_t listed_id_end() const { return listed_id_end_; }

  /// The displacements since the list was built; the integration adds to them.
  [[nodiscard]] RelativeMotion& motion() { return motion_; }

  /// To be called after particles have moved: invalidates the list if it may be incomplete.
  void check_motion() {
    ++steps_since_rebuild_;
    if (is_valid_ && motion_.exceeds(skin_)) invalidate();
  }

  /// The options for a search for pairs with a gap of at most `margin` (m).
  [[nodiscard]] DetectorOptions<D> search_options(const Spheres<D>& spheres,
                                                  std::size_t fixed_count, double margin) const;

 private:
  [[nodiscard]] bool is_periodic() const;
  [[nodiscard]] ImageIndex index_of(const PeriodCounts& image);
  void set_rows(FoundPairs<D>& found);
  void sort_row(std::size_t a);

  Options options_;
  ThreadPool pool_;
  bool is_valid_ = false;
  bool exists_ = false;
  double skin_ = 0;
  std::uint32_t listed_id_end_ = 0;
  std::uint64_t steps_since_rebuild_ = 0;
  double used_skin_ = 0;  ///< m; by which particles had approached when the list became invalid
  RelativeMotion motion_;
  std::optional<Detector<D>> detector_;
  std::optional<Box<D>> search_domain_;  ///< of the detector

  std::vector<Index> row_begin_{0};
  std::vector<Index> neighbors_;
  std::vector<ImageIndex> image_index_;
  std::vector<PeriodCounts> images_{PeriodCounts{}};
  std::vector<Vec4> shifts_{Vec4{}};
  std::map<PeriodCounts, ImageIndex> index_by_image_;
};

/// Copies positions and radii to separate arrays in memory of an arena.
template <std::size_t D>
[[nodiscard]] Spheres<D> sphere_arrays(const Particles& particles, ScratchArena& arena,
                                       const ThreadPool& pool);

extern template class FoundPairs<2>;
extern template class FoundPairs<3>;
extern template class NeighborList<2>;
extern template class NeighborList<3>;

}  // namespace abut
