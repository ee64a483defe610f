#pragma once

#include <array>
#include <cstdint>

namespace abut {

/// For each mask of eight bits, the numbers of those that are set.
alignas(64) inline constexpr auto lanes_of = [] {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    std::size_t count = 0;
    for (std::uint8_t lane = 0; lane < 8; ++lane)
      if ((mask >> lane & 1U) != 0) table[mask][count++] = lane;
  }
  return table;
}();

}  // namespace abut
