#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace abut {

/// What was measured of one method or library on one scene.
struct Measured {
  std::string scene;
  std::size_t count = 0;
  int dimension = 3;
  std::string method{};
  unsigned threads = 1;
  double seconds = 0;
  std::optional<double> sorting_seconds{};  ///< the part of it that built or mended the structure
  std::size_t pairs = 0;
  std::optional<std::uint64_t> candidates{};
  std::optional<std::size_t> structure_bytes{};
  std::size_t peak_bytes = 0;
  std::optional<double> sort_seconds{};  ///< what sorting the pairs would add
  std::optional<std::uint64_t> instructions{};
  std::string refused{};  ///< why nothing was measured

  [[nodiscard]] double per_particle(double value) const {
    return count > 0 ? value / static_cast<double>(count) : 0;
  }
  [[nodiscard]] double ns_per_particle() const { return per_particle(1e9 * seconds); }
  [[nodiscard]] double ns_per_pair() const {
    return pairs > 0 ? 1e9 * seconds / static_cast<double>(pairs) : 0;
  }
};

}  // namespace abut
