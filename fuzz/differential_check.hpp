#pragma once

#include <abut/detector_options.hpp>
#include <abut/pair.hpp>
#include <cstdint>
#include <span>
#include <string>

#include "scenario_from_bytes.hpp"

namespace abut::fuzz {

/// Describes the first difference between two sorted lists; empty if they are equal.
std::string first_difference(std::span<const Pair> found, std::span<const Pair> expected);

/// Describes the first step in which a detector of that method differs from brute force; empty if
/// there is none. Both may throw for invalid particles, with the same message. Every method but the
/// engine may exceed the memory limit.
template <std::size_t D>
std::string mismatch(const Scenario<D>& scenario, Method method);

/// The same for the scenario of these bytes, followed by options and particles of a reduced
/// scenario that still differs.
std::string differential_check(std::span<const std::uint8_t> bytes, Method method);

extern template std::string mismatch(const Scenario<2>&, Method);
extern template std::string mismatch(const Scenario<3>&, Method);

}  // namespace abut::fuzz
