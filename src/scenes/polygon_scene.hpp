#pragma once

#include <abut/mesh.hpp>
#include <abut/polygon.hpp>
#include <array>
#include <cstdint>
#include <vector>

#include "core/statistics.hpp"

namespace abut {

/// A convex polygon with `count` vertices on a randomly rotated ellipse of semi-axes 1 and
/// `slenderness`, counterclockwise. Vertices are at least a tenth of their mean distance apart.
std::vector<Point<2>> random_polygon(Random& random, std::size_t count, double slenderness);

/// The largest gap along any side normal, by brute force: positive only for separated polygons, and
/// then at most their distance. Reference for overlaps.
double gap_by_separating_axes(const PolygonView& a, const PolygonView& b);

/// The distance of separated polygons, from every vertex to every side of the other one. Reference
/// for distances.
double distance_by_sides(const PolygonView& a, const PolygonView& b);

/// Pairs of polygons, with all vertices in one array. The views refer to it, so a copy must not
/// outlive the original.
struct PolygonPairs {
  std::vector<Point<2>> vertices;
  std::vector<std::array<PolygonView, 2>> pairs;
};

struct PolygonPairsOptions {
  std::size_t count = 1000;
  std::size_t min_vertices = 4;
  std::size_t max_vertices = 8;
  double slenderness = 0.7;
  double max_gap = 0.1;  ///< largest gap and largest overlap
  std::uint64_t seed = 1;
};

/// Generates pairs of polygons about 2 in diameter; every other pair overlaps.
PolygonPairs make_polygon_pairs(const PolygonPairsOptions& options);

/// The same pairs after a small motion: each b is moved by at most `distance` along each axis and
/// rotated by at most `distance` radians.
PolygonPairs perturbed(const PolygonPairs& pairs, double distance, std::uint64_t seed);

/// Convex polygons of three to eight vertices, about 2 in diameter, side by side with random
/// offsets: most touch some of their neighbors.
std::vector<std::vector<Point<2>>> make_polygons(std::size_t count, std::uint64_t seed);

}  // namespace abut
