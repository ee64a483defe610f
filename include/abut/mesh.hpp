#pragma once

#include <abut/pair.hpp>
#include <array>
#include <cstddef>
#include <vector>

namespace abut {

/// A position in the global Cartesian frame.
template <std::size_t D>
using Point = std::array<double, D>;

/// A vector in the global Cartesian frame, such as a velocity, force or normal. The same type as
/// `Point`; only the meaning differs.
template <std::size_t D>
using Vec = std::array<double, D>;

/// A surface of flat facets: segments in 2D, triangles in 3D. A facet lists the indices of its D
/// vertices, which are in the unit and frame of the particles. The surface may be closed, open or a
/// set of unconnected facets; particles touch it from both sides.
template <std::size_t D>
struct Mesh {
  std::vector<Point<D>> vertices;
  std::vector<std::array<Index, D>> facets;
};

using Mesh2 = Mesh<2>;
using Mesh3 = Mesh<3>;

}  // namespace abut
