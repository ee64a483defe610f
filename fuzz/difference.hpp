#pragma once

#include <abut/detector_options.hpp>
#include <abut/pair.hpp>
#include <cstdint>
#include <span>
#include <string>

#include "scene_from_bytes.hpp"

namespace abut::fuzz {

/// Where `found`, sorted, first differs from `expected`: empty if nowhere.
std::string first_difference(std::span<const Pair> found, std::span<const Pair> expected);

/// What one detector of that method does otherwise than brute force, and in which step: empty if
/// nothing. Both may refuse the particles, with the same words. Memory may be refused, but not by
/// the engine, which is there for everything.
template <std::size_t D>
std::string mismatch(const Scenario<D>& scenario, Method method);

/// The same for the scenario of these bytes, followed by the options and particles of a scenario
/// that was made as small as it still shows a difference.
std::string differential_check(std::span<const std::uint8_t> bytes, Method method);

extern template std::string mismatch(const Scenario<2>&, Method);
extern template std::string mismatch(const Scenario<3>&, Method);

}  // namespace abut::fuzz
