#pragma once

#include <abut/mesh.hpp>
#include <cstdint>

#include "scenes/scene.hpp"

namespace abut {

// Test meshes, shared by the program, the tests and the benchmarks. The same arguments give the
// same bits on every machine whose sine and cosine agree.

/// A closed box from `min` to `max`, with normals outward; every face is divided into `divisions` ×
/// `divisions` rectangles of two triangles each.
Mesh<3> box_mesh(const Point<3>& min, const Point<3>& max, std::size_t divisions = 1);

/// A closed rectangle of 4·divisions segments, counterclockwise.
Mesh<2> box_mesh(const Point<2>& min, const Point<2>& max, std::size_t divisions = 1);

/// A closed sphere of about the given number of triangles: a subdivided octahedron.
Mesh<3> sphere_mesh(std::size_t triangles, const Point<3>& center, double radius);

/// A closed regular polygon inscribed in a circle, counterclockwise.
Mesh<2> circle_mesh(std::size_t segments, const Point<2>& center, double radius);

/// A closed torus around the z axis through `center`; `radius` is that of the center line.
Mesh<3> torus_mesh(std::size_t triangles, const Point<3>& center, double radius,
                   double tube_radius);

/// An open hopper around the z axis, of about the given number of triangles: a cone from the outlet
/// at z = 0 to the full radius at z = `cone_height`, and a cylinder from there to z = `height`.
Mesh<3> hopper_mesh(std::size_t triangles, double outlet_radius, double radius, double cone_height,
                    double height);

/// An open cylinder along z of `around` × 2·`along` triangles.
Mesh<3> pipe_mesh(std::size_t around, std::size_t along, double radius, double height);

/// Unconnected facets of about the given size at random in a cube from 0 to `side`.
template <std::size_t D>
Mesh<D> soup_mesh(std::size_t facets, double side, double size, std::uint64_t seed);

extern template Mesh<2> soup_mesh(std::size_t, double, double, std::uint64_t);
extern template Mesh<3> soup_mesh(std::size_t, double, double, std::uint64_t);

/// A hopper and the particles in it.
struct FilledHopper {
  Mesh<3> mesh;
  Scene<3> particles;
};

/// A hopper of about the given number of triangles, filled at random to a solid fraction of 0.5
/// with particles of diameter 1. A fraction `near_fraction` of the centers is within a diameter of
/// the wall, all others are farther away; half of those near it touch it, with overlaps up to a
/// hundredth of their diameter.
FilledHopper make_filled_hopper(std::size_t particles, std::size_t triangles, double near_fraction,
                                std::uint64_t seed);

}  // namespace abut
