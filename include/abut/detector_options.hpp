#pragma once

#include <abut/box.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace abut {

/// The contact searches: one published method each, and the engine.
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
  automatic = engine,  ///< the engine is the fastest on every scene
};

/// What a method is and when to take it.
struct MethodInfo {
  Method method;
  std::string_view name;
  int demcda_number;  ///< the number of the Demcda program, 0 where it has none
  std::string_view paper;
  std::string_view time;
  std::string_view memory;
  std::string_view best_for;
};

/// All methods, in the order of the enumeration.
std::span<const MethodInfo> methods();

const MethodInfo& method_info(Method method);

/// The method of that name (`nbs`, `brute-force`, `brute_force`) or Demcda number (`1`, `2`).
std::optional<Method> find_method(std::string_view name_or_number);

template <std::size_t D>
struct DetectorOptions {
  Method method = Method::automatic;

  /// Distance between surfaces up to which two particles are still a pair; at least 0.
  double margin = 0;

  /// Relative slack on the sum of the radii. The default is far above the rounding of coordinates
  /// and far below any physical overlap, so that lattices of touching particles do touch.
  double tolerance = 1e-12;

  /// Expansion ratio β of the search: every radius counts (1 + β) times; at least 0. Like a margin,
  /// but in proportion to the size.
  double expansion = 0;

  /// The first so many particles are walls that never move. Pairs of two of them are left out, and
  /// a method may keep what it knows of them from one update to the next.
  std::size_t fixed_count = 0;

  /// MMR: the ratio of sizes from one group of particles to the next; at least 1.01.
  double group_ratio = 2;

  /// Where the centres may be. One outside is an error that names it; without a domain none is.
  std::optional<Box<D>> domain = {};

  /// The axes along which the domain repeats, and a particle may be anywhere. Needs a domain.
  std::array<bool, D> periodic{};

  /// The most cells along an axis; where there would be more they are made larger. 0 is no limit.
  /// For the methods with cells of the size of the largest particle.
  std::int32_t max_cells_per_axis = 0;

  /// 0 takes every core. The pairs are the same, in the same order, for any number.
  unsigned threads = 1;

  /// Bytes the search structure may take; 0 stands for three quarters of the machine's memory.
  std::size_t memory_limit = 0;

  /// Whether `Detector::needs_update` will be asked: where all particles were is remembered for it.
  bool track_motion = true;

  /// Count what the papers count, for `Detector::statistics`.
  bool collect_counts = false;

  /// Called now and then, from the calling thread, with the part of a search that is done (0 … 1).
  std::function<void(double)> progress = {};
};

}  // namespace abut
