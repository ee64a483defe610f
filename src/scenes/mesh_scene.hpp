#pragma once

#include <abut/mesh.hpp>
#include <cstdint>

#include "scenes/scene.hpp"

namespace abut {

// Meshes to try walls on, shared by the program, the tests and the benchmarks. The same arguments
// give the same bits everywhere but for the library's sine and cosine.

/// A closed box from `min` to `max`, seen from outside counterclockwise; every face is cut into
/// `cuts` × `cuts` squares of two triangles each.
Mesh<3> box_mesh(const Point<3>& min, const Point<3>& max, std::size_t cuts = 1);

/// A closed rectangle of 4·cuts segments, counterclockwise.
Mesh<2> box_mesh(const Point<2>& min, const Point<2>& max, std::size_t cuts = 1);

/// A closed sphere of about so many triangles: an octahedron, its faces cut finer and blown up.
Mesh<3> sphere_mesh(std::size_t triangles, const Point<3>& centre, double radius);

/// A closed polygon of so many segments on a circle, counterclockwise.
Mesh<2> circle_mesh(std::size_t segments, const Point<2>& centre, double radius);

/// A closed ring of circular section about the z axis through `centre`.
Mesh<3> torus_mesh(std::size_t triangles, const Point<3>& centre, double radius, double thickness);

/// An open vessel about the z axis, of about so many triangles: a cone from the outlet at height 0
/// to the full radius at `cone_height`, and a cylinder from there to `height`.
Mesh<3> hopper_mesh(std::size_t triangles, double outlet_radius, double radius, double cone_height,
                    double height);

/// An open cylinder along z of `around` × 2·`along` triangles.
Mesh<3> pipe_mesh(std::size_t around, std::size_t along, double radius, double height);

/// Pieces of about the given size anywhere in a cube from 0 to `side`.
template <std::size_t D>
Mesh<D> soup_mesh(std::size_t pieces, double side, double size, std::uint64_t seed);

extern template Mesh<2> soup_mesh(std::size_t, double, double, std::uint64_t);
extern template Mesh<3> soup_mesh(std::size_t, double, double, std::uint64_t);

/// A hopper and what is in it.
struct FilledHopper {
  Mesh<3> mesh;
  Scene<3> particles;
};

/// A hopper of about so many triangles, half filled by volume with particles of diameter 1 at
/// random. The centres of a part `near` of them are within a diameter of the wall, all others
/// farther away; of those near it half touch it, as deep as a hundredth of their diameter.
FilledHopper make_filled_hopper(std::size_t particles, std::size_t triangles, double near,
                                std::uint64_t seed);

}  // namespace abut
