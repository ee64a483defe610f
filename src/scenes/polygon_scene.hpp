#pragma once

#include <abut/mesh.hpp>
#include <abut/polygon.hpp>
#include <array>
#include <cstdint>
#include <vector>

#include "core/statistics.hpp"

namespace abut {

/// Corners on an ellipse of half axes 1 and `slenderness`, turned anyhow: convex, counterclockwise.
/// Neighbours are at least some tenth of their mean distance apart.
std::vector<Point<2>> random_polygon(Random& random, std::size_t count, double slenderness);

/// The largest gap along a normal of a side, by looking at all: above 0 only where polygons are
/// apart, and then at most their distance. The specification of overlaps.
double gap_by_separating_axes(const PolygonView& a, const PolygonView& b);

/// The distance of polygons that are apart, from each corner to each side of the other. The
/// specification of distances.
double distance_by_sides(const PolygonView& a, const PolygonView& b);

/// Many pairs of polygons, their corners in one array.
struct PolygonPairs {
  std::vector<Point<2>> vertices;
  std::vector<std::array<PolygonView, 2>> pairs;
};

struct PolygonPairsOptions {
  std::size_t count = 1000;
  std::size_t min_vertices = 4;  ///< corners
  std::size_t max_vertices = 8;
  double slenderness = 0.7;
  double max_gap = 0.1;  ///< the largest gap, and the deepest overlap
  std::uint64_t seed = 1;
};

/// Every other pair overlaps. Polygons are about 2 across.
PolygonPairs make_polygon_pairs(const PolygonPairsOptions& recipe);

/// The same a little later: each b moved by at most `distance` along each axis, and turned by at
/// most as much.
PolygonPairs perturbed(const PolygonPairs& pairs, double distance, std::uint64_t seed);

/// The corners of convex polygons of three to eight corners, about 2 across, that lie side by side
/// at random: most touch some of their neighbours.
std::vector<std::vector<Point<2>>> make_polygons(std::size_t count, std::uint64_t seed);

}  // namespace abut
