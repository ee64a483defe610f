#pragma once

#include <abut/mesh.hpp>
#include <cstdint>
#include <vector>

namespace abut {

/// The corners of convex polygons of three to eight corners, about 2 across, that lie side by side
/// at random: most touch some of their neighbours.
std::vector<std::vector<Point<2>>> make_polygons(std::size_t count, std::uint64_t seed);

}  // namespace abut
