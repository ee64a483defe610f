#pragma once

#include <abut/pair.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/contact_predicate.hpp"
#include "core/pair_buffer.hpp"
#include "engine/plan.hpp"

namespace abut {

/// Sorted particles as the inner loops see them. The arrays may be read a vector past their end.
///
/// `xy` and `zr` hold each particle packed into four numbers of 16 bits: its coordinates in units
/// of 2⁻¹³ cells, modulo 8 cells, and its reach. Whatever the size of the whole, particles of
/// neighbouring cells are less than 4 cells apart, so differences of packed coordinates are exact
/// up to a unit. Eight at a time they tell which particles may touch; the predicate decides.
template <std::size_t D>
struct SortedView {
  const SphereRecord<D>* spheres;
  const std::uint32_t* xy;
  const std::uint32_t* zr;
  const Index* id;
  const std::uint32_t* cell_start;  ///< for each cell, the first particle that is not before it
  const std::uint32_t* empty_row;   ///< a row of cells without particles
  ContactPredicate<D> predicate;
  Index fixed_count;
};

constexpr std::uint32_t cell_units = 8192;  ///< in packed units
constexpr double units_per_cell = cell_units;

/// How a level packs: (value − origin)·scale + add for each coordinate and the radius.
template <std::size_t D>
struct Quantization {
  SphereRecord<D> origin{};
  SphereRecord<D> scale{};
  SphereRecord<D> offset{};
  bool fits_int32 = true;  ///< every number fits 32 bits

  Quantization(const Level<D>& level, const ContactPredicate<D>& reach) {
    for (std::size_t k = 0; k < D; ++k) {
      origin[k] = level.origin[k];
      scale[k] = level.inverse_cell_size * units_per_cell;
    }
    // Half the reach of two such particles, rounded up, and what rounding adds.
    scale[D] = reach.radius_scale() * (1 + 0x1p-40) * scale[0];
    offset[D] = reach.margin() / 2 * (1 + 0x1p-40) * scale[0] + level.rounding_slack;
    for (const std::int32_t cells : level.cells) fits_int32 = fits_int32 && cells < (1 << 17);
    fits_int32 = fits_int32 && !level.is_modular();
  }
};

template <std::size_t D>
inline void quantize_scalar(const Quantization<D>& packing, const SphereRecord<D>* centre,
                            std::size_t first, std::size_t last, std::uint32_t* xy,
                            std::uint32_t* zr) {
  constexpr double farthest = Level<D>::max_cell_coordinate * units_per_cell;
  const auto packed = [&](std::size_t i, std::size_t k) {
    const double t = (centre[i][k] - packing.origin[k]) * packing.scale[k] + packing.offset[k];
    const auto whole = static_cast<std::int64_t>(std::clamp(t, -farthest, farthest));
    return static_cast<std::uint32_t>(whole) & 0xFFFFU;
  };
  for (std::size_t i = first; i < last; ++i) {
    xy[i] = packed(i, 0) | packed(i, 1) << 16U;
    zr[i] = (D == 3 ? packed(i, D - 1) : 0U) | packed(i, D) << 16U;
  }
}

/// Candidates kept from one search to the next: how many each particle has, and, for a chunk of
/// particles, how much later each comes in the order.
struct CandidateList {
  static constexpr std::size_t padding = 8;  ///< that may be read past the end
  std::uint8_t* counts = nullptr;            ///< of all particles
  std::vector<std::uint16_t> index_offsets{};
  bool overflowed = false;  ///< there are more, or farther ones, than can be said

  void clear();
  void append(std::span<const Index> large, std::span<const Index> small);
  void finish();  ///< after the last
};

/// The inner loops, in the version for this machine. They return how many candidates they judged.
template <std::size_t D>
struct Kernels {
  /// Packs `count` particles.
  void (*quantize)(const Quantization<D>&, const SphereRecord<D>*, std::size_t count,
                   std::uint32_t* xy, std::uint32_t* zr);
  /// Pairs of particles first … last−1 of a level with later ones of the same level.
  std::uint64_t (*search_level)(const SortedView<D>&, const Level<D>&, Index first, Index last,
                                PairSink&);
  /// Pairs of particles first … last−1 of a level with all of another.
  std::uint64_t (*search_between_levels)(const SortedView<D>&, const Level<D>& own,
                                         const Level<D>& other, Index first, Index last, PairSink&);
  /// As `within`, but keeps the candidates.
  std::uint64_t (*collect_candidates)(const SortedView<D>&, const Level<D>&, Index first,
                                      Index last, CandidateList&);
  /// Pairs among candidates that were kept for particles first … last−1.
  std::uint64_t (*test_candidates)(const SortedView<D>&, Index first, Index last,
                                   const CandidateList&, PairSink&);
};

/// Chosen once a detector (see `use_avx2`).
template <std::size_t D>
const Kernels<D>& select_kernels();

/// The loops for processors with AVX2, or null if they may not run.
template <std::size_t D>
const Kernels<D>* avx2_kernels();

extern template const Kernels<2>* avx2_kernels();
extern template const Kernels<3>* avx2_kernels();
extern template const Kernels<2>& select_kernels();
extern template const Kernels<3>& select_kernels();

/// Candidates that wait to be judged, and the pairs among them. There is room for what a particle
/// may add to a pile that is nearly full.
struct CandidateBuffer {
  static constexpr std::size_t flush_threshold = 1024;
  std::uint64_t tested_count = 0;
  static constexpr std::size_t capacity =
      flush_threshold + 272;  // 255 that were kept, and a vector
  std::array<Index, capacity> particle;
  std::array<Index, capacity> candidate;
  std::array<Pair, capacity> pairs;
};

/// Writes the pair of two sorted particles in canonical order; 1 if it is one to keep, else 0.
template <std::size_t D>
[[gnu::always_inline]] inline std::size_t write_pair(const SortedView<D>& sorted, Index i, Index j,
                                                     Pair& pair) {
  const Index a = sorted.id[i];
  const Index b = sorted.id[j];
  const Index change = (a ^ b) & (0U - static_cast<Index>(b < a));  // no branch: it is by chance
  pair = {a ^ change, b ^ change};
  const auto touches =
      static_cast<std::size_t>(sorted.predicate.excess(sorted.spheres[i], sorted.spheres[j]) <= 0);
  return touches & static_cast<std::size_t>(pair.b >= sorted.fixed_count);
}

/// Finds those of `count` candidates that touch, and tells how many they are.
template <std::size_t D>
[[gnu::always_inline]] inline std::size_t test_scalar(const SortedView<D>& view, const Index* large,
                                                      const Index* small, std::size_t count,
                                                      Pair* found) {
  const SortedView<D> sorted = view;  // a copy, so that writing cannot change it
  std::size_t kept = 0;
  for (std::size_t at = 0; at < count; ++at)
    kept += write_pair(sorted, large[at], small[at], found[kept]);
  return kept;
}

/// The same of the candidates first … last−1 for particle i.
template <std::size_t D>
[[gnu::always_inline]] inline std::size_t test_range_scalar(const SortedView<D>& view, Index i,
                                                            Index first, Index last, Pair* found) {
  const SortedView<D> sorted = view;
  std::size_t kept = 0;
  for (Index j = first; j < last; ++j) kept += write_pair(sorted, i, j, found[kept]);
  return kept;
}

/// For each mask of eight bits, the numbers of those that are set.
alignas(64) static constexpr auto lane_table = [] {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    std::size_t count = 0;
    for (std::uint8_t lane = 0; lane < 8; ++lane)
      if ((mask >> lane & 1U) != 0) table[mask][count++] = lane;
  }
  return table;
}();

}  // namespace abut
