#pragma once

#include <abut/polyhedron.hpp>
#include <array>
#include <cstdint>
#include <vector>

namespace abut {

/// Pairs of convex bodies as a packing has them: half of them overlap by up to 2 % of their size,
/// half are up to 10 % apart, any part of one towards any part of the other.
class PolyhedronPairs {
 public:
  /// Cubes, or hulls of 8 to 30 points on a sphere.
  PolyhedronPairs(bool cubes, std::size_t count, std::uint64_t seed);

  [[nodiscard]] const std::vector<std::array<PolyhedronView, 2>>& current() const {
    return current_;
  }
  /// A step earlier: each b had not yet moved by a thousandth of its size, nor turned as much.
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
