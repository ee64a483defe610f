#pragma once

#include <abut/pair.hpp>
#include <array>
#include <cstddef>
#include <vector>

namespace abut {

template <std::size_t D>
using Point = std::array<double, D>;

/// A wall made of flat pieces: segments in 2D, triangles in 3D, each with D corners. They may form
/// a closed vessel, an open sheet, or be a heap of loose pieces; both sides can be touched.
template <std::size_t D>
struct Mesh {
  std::vector<Point<D>> vertices;
  std::vector<std::array<Index, D>> facets;
};

using Mesh2 = Mesh<2>;
using Mesh3 = Mesh<3>;

}  // namespace abut
