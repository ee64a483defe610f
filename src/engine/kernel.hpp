#pragma once

#include <abut/pair.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/pair_sink.hpp"
#include "core/reach.hpp"
#include "engine/level.hpp"

namespace abut {

/// Sorted particles as the inner loops see them. The arrays may be read a vector past their end.
///
/// `xy` and `zr` hold each particle packed into four numbers of 16 bits: its coordinates in units
/// of 2⁻¹³ cells, modulo 8 cells, and its reach. Whatever the size of the whole, particles of
/// neighbouring cells are less than 4 cells apart, so differences of packed coordinates are exact
/// up to a unit. Eight at a time they tell which particles may touch; the predicate decides.
template <std::size_t D>
struct SortedView {
  const Centre<D>* centre;
  const std::uint32_t* xy;
  const std::uint32_t* zr;
  const Index* id;
  const std::uint32_t* start;  ///< for each cell, the first particle that is not before it
  const std::uint32_t* empty;  ///< a row of cells without particles
  Reach<D> reach;
  Index fixed;
};

constexpr std::uint32_t whole_cell = 8192;  ///< in packed units
constexpr double units_a_cell = whole_cell;

/// How a level packs: (value − origin)·scale + add for each coordinate and the radius.
template <std::size_t D>
struct Packing {
  Centre<D> origin{};
  Centre<D> scale{};
  Centre<D> add{};
  bool small = true;  ///< every number fits 32 bits

  Packing(const Level<D>& level, const Reach<D>& reach) {
    for (std::size_t k = 0; k < D; ++k) {
      origin[k] = level.origin[k];
      scale[k] = level.inverse * units_a_cell;
    }
    // Half the reach of two such particles, rounded up, and what rounding adds.
    scale[D] = reach.stretch() * (1 + 0x1p-40) * scale[0];
    add[D] = reach.margin() / 2 * (1 + 0x1p-40) * scale[0] + level.blur;
    for (const std::int32_t cells : level.cells) small = small && cells < (1 << 17);
    small = small && !level.any_folded();
  }
};

template <std::size_t D>
inline void pack_one_by_one(const Packing<D>& packing, const Centre<D>* centre, std::size_t first,
                            std::size_t last, std::uint32_t* xy, std::uint32_t* zr) {
  constexpr double farthest = Level<D>::farthest * units_a_cell;
  const auto packed = [&](std::size_t i, std::size_t k) {
    const double t = (centre[i][k] - packing.origin[k]) * packing.scale[k] + packing.add[k];
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
struct Candidates {
  static constexpr std::size_t padding = 8;  ///< that may be read past the end
  std::uint8_t* count = nullptr;             ///< of all particles
  std::vector<std::uint16_t> later{};
  bool crowded = false;  ///< there are more, or farther ones, than can be said

  void clear();
  void keep(std::span<const Index> large, std::span<const Index> small);
  void close();  ///< after the last
};

/// The inner loops, in the version for this machine. They return how many candidates they judged.
template <std::size_t D>
struct Kernels {
  /// Packs `count` particles.
  void (*pack)(const Packing<D>&, const Centre<D>*, std::size_t count, std::uint32_t* xy,
               std::uint32_t* zr);
  /// Pairs of particles first … last−1 of a level with later ones of the same level.
  std::uint64_t (*within)(const SortedView<D>&, const Level<D>&, Index first, Index last,
                          PairSink&);
  /// Pairs of particles first … last−1 of a level with all of another.
  std::uint64_t (*across)(const SortedView<D>&, const Level<D>& own, const Level<D>& other,
                          Index first, Index last, PairSink&);
  /// As `within`, but keeps the candidates.
  std::uint64_t (*candidates)(const SortedView<D>&, const Level<D>&, Index first, Index last,
                              Candidates&);
  /// Pairs among candidates that were kept for particles first … last−1.
  std::uint64_t (*judge)(const SortedView<D>&, Index first, Index last, const Candidates&,
                         PairSink&);
};

/// Chosen once a detector (see `runs_avx2`).
template <std::size_t D>
const Kernels<D>& kernels_of_this_machine();

/// The loops for processors with AVX2, or null if they may not run.
template <std::size_t D>
const Kernels<D>* avx2_kernels();

extern template const Kernels<2>* avx2_kernels();
extern template const Kernels<3>* avx2_kernels();
extern template const Kernels<2>& kernels_of_this_machine();
extern template const Kernels<3>& kernels_of_this_machine();

}  // namespace abut
