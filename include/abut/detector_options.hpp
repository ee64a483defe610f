#pragma once

#include <abut/box.hpp>
#include <abut/export.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace abut {

/// The contact search methods: published ones, and abut's own engine. All return the same pairs.
enum class Method {
  brute_force,
  binary_tree,
  direct_mapping,
  screening,
  sorting,
  nbs,
  cgrid,
  fixed_cubes,
  mr,
  mr_recomputed,
  mr_quicksort,
  mr_binary,
  mmr,
  engine,
  automatic = engine,  ///< the default: the fastest method in nearly all benchmark scenes
};

/// A method's name, source, cost and use. N is the number of particles; memory is in bytes.
struct MethodInfo {
  Method method;
  std::string_view name;
  int demcda_number;          ///< the method's number in the Demcda program, 0 where it has none
  std::string_view paper;     ///< authors and year
  std::string_view time;      ///< order of the run time
  std::string_view memory;    ///< size of the search structure, without the pairs
  std::string_view best_for;  ///< particles the method suits
};

/// All methods, in the order of the enumeration. The view is valid for the whole program.
ABUT_API std::span<const MethodInfo> methods();

/// Throws `Error` for a value that is not an enumerator.
ABUT_API const MethodInfo& method_info(Method method);

/// The method with that name (`nbs`, `brute-force`, `brute_force`, `auto`) or Demcda number (`1`,
/// `2`); nothing if there is none.
ABUT_API std::optional<Method> find_method(std::string_view name_or_number);

/// How a `Detector` searches. Lengths are in the unit of the coordinates.
template <std::size_t D>
struct DetectorOptions {
  Method method = Method::automatic;

  /// Largest distance between surfaces at which two particles are still a pair; at least 0.
  double margin = 0;

  /// Relative slack on the sum of the radii, 0 … 1. The default is far larger than the rounding of
  /// coordinates and far smaller than any physical overlap, so that particles on a lattice whose
  /// spacing equals their diameter are pairs.
  double tolerance = 1e-12;

  /// Expansion ratio β ≥ 0: every radius is multiplied by 1 + β. Like a margin, but proportional to
  /// the particle size.
  double expansion = 0;

  /// The first `fixed_count` particles do not move. Pairs of two of them are omitted, and a method
  /// may reuse their data from one update to the next.
  std::size_t fixed_count = 0;

  /// MMR: ratio of the largest diameters of consecutive size groups; at least 1.01.
  double group_ratio = 2;

  /// Box that must contain all centers; otherwise `Detector::update` throws `Error` naming the
  /// particle. Without a domain any position is accepted.
  std::optional<Box<D>> domain = {};

  /// Axes along which the domain is periodic, which requires a domain; its extent is the period.
  /// Along these axes centers may lie outside the domain.
  std::array<bool, D> periodic{};

  /// Upper limit for the number of grid cells along an axis; cells are enlarged to keep it. 0: no
  /// limit. Applies to the methods whose cell size follows from the largest particle, which are
  /// direct_mapping, screening, sorting, nbs, fixed_cubes and the variants of mr; others ignore it.
  std::int32_t max_cells_per_axis = 0;

  /// Number of threads; 0: all cores. Pairs and their order do not depend on it.
  unsigned threads = 1;

  /// Limit for the memory of the search structure, in bytes; 0: three quarters of the physical
  /// memory. A method that would need more throws `MemoryLimitError` before it allocates.
  std::size_t memory_limit = 0;

  /// Whether `Detector::needs_update` will be called, which costs a copy of all positions.
  bool track_motion = true;

  /// Count operations as the papers do, for `search_counts` (abut/research/search_counts.hpp).
  bool collect_counts = false;

  /// Called repeatedly from the calling thread with the completed fraction of a search, 0 … 1.
  std::function<void(double)> progress = {};
};

}  // namespace abut
