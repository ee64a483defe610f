#pragma once

#include <abut/pair.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/buffers.hpp"
#include "core/contact_predicate.hpp"
#include "engine/plan.hpp"

namespace abut {

/// View of the sorted particles for the inner loops. The arrays are padded, so that a SIMD vector
/// may be read past their end.
///
/// `xy` and `zr` hold each particle quantized to four 16-bit numbers: its coordinates in units of
/// 2⁻¹³ cells, modulo 8 cells, and half its cutoff (x and z in the low halves, y and the half
/// cutoff in the high halves). Particles of adjacent cells are less than 4 cells apart, so
/// differences of quantized coordinates are exact to one unit for any extent. Comparing eight at a
/// time selects the candidates; the exact predicate decides.
template <std::size_t D>
struct SortedView {
  const SphereRecord<D>* spheres;
  const std::uint32_t* xy;
  const std::uint32_t* zr;
  const Index* id;                  ///< index in the caller's arrays
  const std::uint32_t* cell_start;  ///< first particle at or after the start of each cell
  const std::uint32_t* empty_row;   ///< cell starts of a row without particles
  ContactPredicate<D> predicate;
  Index fixed_count;
};

/// Width of a cell in quantized units, as an integer and as a double.
constexpr std::uint32_t cell_units = 8192;
constexpr double units_per_cell = cell_units;

/// Quantization of a level: (value − origin)·scale + offset for each coordinate and the radius.
template <std::size_t D>
struct Quantization {
  SphereRecord<D> origin{};
  SphereRecord<D> scale{};
  SphereRecord<D> offset{};
  bool fits_int32 = true;  ///< whether all results fit into 32 bits

  Quantization(const Level<D>& level, const ContactPredicate<D>& predicate) {
    for (std::size_t k = 0; k < D; ++k) {
      origin[k] = level.origin[k];
      scale[k] = level.inverse_cell_size * units_per_cell;
    }
    // Half the cutoff of two particles of this radius, rounded up, plus the rounding slack.
    scale[D] = predicate.radius_scale() * (1 + 0x1p-40) * scale[0];
    offset[D] = predicate.margin() / 2 * (1 + 0x1p-40) * scale[0] + level.rounding_slack;
    for (const std::int32_t cells : level.cells) fits_int32 = fits_int32 && cells < (1 << 17);
    fits_int32 = fits_int32 && !level.is_modular();
  }
};

/// Quantizes the particles first … last−1.
template <std::size_t D>
inline void quantize_scalar(const Quantization<D>& quantization, const SphereRecord<D>* spheres,
                            std::size_t first, std::size_t last, std::uint32_t* xy,
                            std::uint32_t* zr) {
  constexpr double limit = Level<D>::max_cell_coordinate * units_per_cell;
  const auto quantized = [&](std::size_t i, std::size_t k) {
    const double t =
        (spheres[i][k] - quantization.origin[k]) * quantization.scale[k] + quantization.offset[k];
    const auto whole = static_cast<std::int64_t>(std::clamp(t, -limit, limit));
    return static_cast<std::uint32_t>(whole) & 0xFFFFU;
  };
  for (std::size_t i = first; i < last; ++i) {
    xy[i] = quantized(i, 0) | quantized(i, 1) << 16U;
    zr[i] = (D == 3 ? quantized(i, D - 1) : 0U) | quantized(i, D) << 16U;
  }
}

/// Neighbor list of one chunk of particles with a skin, kept between updates: for each particle the
/// number of its candidates, and for each candidate its offset from the particle in the sorted
/// order.
struct CandidateList {
  static constexpr std::size_t padding = 8;  ///< elements that may be read past the end
  std::uint8_t* counts = nullptr;  ///< candidates of each particle; not owned, shared by all chunks
  std::vector<std::uint16_t> index_offsets{};
  bool overflowed = false;  ///< a count or offset exceeds its integer type

  void clear();
  void append(std::span<const Index> particles, std::span<const Index> candidates);
  void finish();  ///< adds the padding, after the last candidate
};

/// Function table of the inner loops for one instruction set. The searches return the number of
/// candidates tested with the exact predicate.
template <std::size_t D>
struct Kernels {
  /// Quantizes `count` particles.
  void (*quantize)(const Quantization<D>&, const SphereRecord<D>*, std::size_t count,
                   std::uint32_t* xy, std::uint32_t* zr);
  /// Pairs of the particles first … last−1 with later particles of the same level.
  std::uint64_t (*search_level)(const SortedView<D>&, const Level<D>&, Index first, Index last,
                                PairSink&);
  /// Pairs of the particles first … last−1 of level `own` with all particles of level `other`.
  std::uint64_t (*search_between_levels)(const SortedView<D>&, const Level<D>& own,
                                         const Level<D>& other, Index first, Index last, PairSink&);
  /// Like `search_level`, but stores the candidates instead of testing them.
  std::uint64_t (*collect_candidates)(const SortedView<D>&, const Level<D>&, Index first,
                                      Index last, CandidateList&);
  /// Pairs among the stored candidates of the particles first … last−1.
  std::uint64_t (*test_candidates)(const SortedView<D>&, Index first, Index last,
                                   const CandidateList&, PairSink&);
};

/// The kernels for the selected instruction set (see core/simd.hpp); called once per detector.
template <std::size_t D>
const Kernels<D>& select_kernels();

}  // namespace abut
