#pragma once

#include <abut/polyhedron.hpp>
#include <array>
#include <cstdint>
#include <vector>

namespace abut {

/// Pairs of convex polyhedra as in a packing, with random orientations: half of them overlap by up
/// to 2 % of their size, half have a gap of up to 10 %.
class PolyhedronPairs {
 public:
  /// Cubes, or convex hulls of 8 to 30 points on a sphere; about 1 in size.
  PolyhedronPairs(bool cubes, std::size_t count, std::uint64_t seed);

  [[nodiscard]] const std::vector<std::array<PolyhedronView, 2>>& current() const {
    return current_;
  }
  /// The same pairs one step earlier: each b is displaced by 0.001 and rotated by 0.001 radians.
  [[nodiscard]] const std::vector<std::array<PolyhedronView, 2>>& previous() const {
    return previous_;
  }

 private:
  std::vector<Polyhedron> shapes_;
  std::vector<Point<3>> vertices_;
  std::vector<std::array<PolyhedronView, 2>> current_;
  std::vector<std::array<PolyhedronView, 2>> previous_;
};

}  // namespace abut
