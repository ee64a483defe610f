#pragma once

#include <abut/case.hpp>

namespace abut {

/// A mesh of a wall for display, in the world frame at the given time. Circles are approximated by
/// polygons with `sides` sides; infinite planes are cut off near `box`.
template <std::size_t D>
Mesh<D> wall_mesh(const Wall<D>& wall, double time, const Box<D>& box, std::size_t sides = 64);

extern template Mesh<2> wall_mesh(const Wall<2>&, double, const Box<2>&, std::size_t);
extern template Mesh<3> wall_mesh(const Wall<3>&, double, const Box<3>&, std::size_t);

}  // namespace abut
