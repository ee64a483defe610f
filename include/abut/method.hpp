#pragma once

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
  int number;  ///< the number of the Demcda program, 0 where it has none
  std::string_view paper;
  std::string_view time;
  std::string_view memory;
  std::string_view use;
};

/// All methods, in the order of the enumeration.
std::span<const MethodInfo> methods();

const MethodInfo& info(Method method);

/// The method of that name (`nbs`, `brute-force`, `brute_force`) or Demcda number (`1`, `2`).
std::optional<Method> method_named(std::string_view name_or_number);

}  // namespace abut
