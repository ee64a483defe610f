#include "dem/wall_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <variant>

#include "core/vec.hpp"
#include "dem/wall_motion.hpp"

namespace abut {
namespace {

/// Two circles about an axis, joined by triangles.
Mesh<3> between_circles(const Point<3>& from, double from_radius, const Point<3>& to,
                        double to_radius, const Point<3>& axis, std::size_t sides) {
  const Point<3> u = across(unit(axis));
  const Point<3> v = cross(unit(axis), u);
  Mesh<3> mesh;
  for (std::size_t k = 0; k < sides; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(sides);
    const Point<3> out = along(scaled(u, std::cos(angle)), std::sin(angle), v);
    mesh.corners.push_back(along(from, from_radius, out));
    mesh.corners.push_back(along(to, to_radius, out));
    const auto a = static_cast<Index>(2 * k);
    const auto b = static_cast<Index>(2 * ((k + 1) % sides));
    mesh.pieces.push_back({a, b, a + 1});
    mesh.pieces.push_back({b, b + 1, a + 1});
  }
  return mesh;
}

Mesh<3> shape_mesh(const Revolved& shell, const Box<3>&, std::size_t sides) {
  return between_circles(shell.from, shell.from_radius, shell.to, shell.to_radius,
                         difference(shell.to, shell.from), sides);
}

Mesh<3> shape_mesh(const abut::Ring& ring, const Box<3>&, std::size_t sides) {
  return between_circles(ring.centre, ring.inner, ring.centre, ring.outer, ring.normal, sides);
}

template <std::size_t D>
Mesh<D> shape_mesh(const Mesh<D>& mesh, const Box<D>&, std::size_t) {
  return mesh;
}

/// A square, or a segment, that the box fits on.
template <std::size_t D>
Mesh<D> shape_mesh(const Plane<D>& plane, const Box<D>& box, std::size_t) {
  const Point<D> normal = unit(plane.normal);
  const Point<D> middle = scaled(sum(box.min, box.max), 0.5);
  const double half = length(difference(box.max, box.min)) / 2;
  const Point<D> foot = along(middle, -dot(difference(middle, plane.point), normal), normal);
  const Point<D> u = across(normal);
  Mesh<D> mesh;
  if constexpr (D == 2) {
    mesh.corners = {along(foot, -half, u), along(foot, half, u)};
    mesh.pieces = {{0, 1}};
  } else {
    const Point<3> v = cross(normal, u);
    for (const auto& [s, t] : {std::pair{-half, -half}, {half, -half}, {half, half}, {-half, half}})
      mesh.corners.push_back(along(along(foot, s, u), t, v));
    mesh.pieces = {{0, 1, 2}, {0, 2, 3}};
  }
  return mesh;
}

}  // namespace

template <std::size_t D>
Mesh<D> drawn(const Wall<D>& wall, double time, const Box<D>& box, std::size_t sides) {
  Mesh<D> mesh =
      std::visit([&](const auto& shape) { return shape_mesh(shape, box, sides); }, wall.shape);
  const Placement<D> where = placement(wall.motion, time);
  for (Point<D>& corner : mesh.corners) {
    Point<D> moved = where.shift;
    for (std::size_t k = 0; k < D; ++k) moved[k] += dot(where.rotation[k], corner);
    corner = moved;
  }
  return mesh;
}

template Mesh<2> drawn(const Wall<2>&, double, const Box<2>&, std::size_t);
template Mesh<3> drawn(const Wall<3>&, double, const Box<3>&, std::size_t);

}  // namespace abut
