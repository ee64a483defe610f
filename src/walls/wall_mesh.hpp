#pragma once

#include <abut/case.hpp>

namespace abut {

/// A wall as a mesh for people to look at, where it stands at a time: what is round gets so many
/// sides, and what has no end is cut off at a box.
template <std::size_t D>
Mesh<D> wall_mesh(const Wall<D>& wall, double time, const Box<D>& box, std::size_t sides = 64);

extern template Mesh<2> wall_mesh(const Wall<2>&, double, const Box<2>&, std::size_t);
extern template Mesh<3> wall_mesh(const Wall<3>&, double, const Box<3>&, std::size_t);

}  // namespace abut
