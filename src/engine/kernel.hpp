#pragma once

#include <abut/pair.hpp>
#include <cstddef>
#include <cstdint>

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

constexpr double units_a_cell = 8192;

/// The inner loops, in the version for this machine.
template <std::size_t D>
struct Kernels {
  /// Pairs of particles first … last−1 of a level with later ones of the same level.
  void (*within)(const SortedView<D>&, const Level<D>&, Index first, Index last, PairSink&);
  /// Pairs of particles first … last−1 of a level with all of a level of smaller ones.
  void (*across)(const SortedView<D>&, const Level<D>& large, const Level<D>& small, Index first,
                 Index last, PairSink&);
};

/// Chosen once a detector; the environment variable ABUT_SIMD=none asks for the portable loops.
template <std::size_t D>
const Kernels<D>& kernels_of_this_machine();

/// The loops for processors with AVX2, or null if this is none.
template <std::size_t D>
const Kernels<D>* avx2_kernels();

extern template const Kernels<2>* avx2_kernels();
extern template const Kernels<3>* avx2_kernels();
extern template const Kernels<2>& kernels_of_this_machine();
extern template const Kernels<3>& kernels_of_this_machine();

}  // namespace abut
