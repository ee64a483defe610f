#include "walls/wall_mesh.hpp"

#include <algorithm>
#include <numbers>
#include <variant>

#include "core/portable_math.hpp"
#include "core/vec.hpp"
#include "walls/wall_motion.hpp"

namespace abut {
namespace {

// The surface between two coaxial circles, approximated by 2 · sides triangles.
Mesh<3> band_mesh(const Point<3>& from, double from_radius, const Point<3>& to, double to_radius,
                  const Point<3>& axis, std::size_t sides) {
  const Point<3> u = perpendicular(normalized(axis));
  const Point<3> v = cross(normalized(axis), u);
  Mesh<3> mesh;
  for (std::size_t k = 0; k < sides; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(sides);
    const Point<3> radial =
        add_scaled(scaled(u, portable_math::cos(angle)), portable_math::sin(angle), v);
    mesh.vertices.push_back(add_scaled(from, from_radius, radial));
    mesh.vertices.push_back(add_scaled(to, to_radius, radial));
    const auto a = static_cast<Index>(2 * k);
    const auto b = static_cast<Index>(2 * ((k + 1) % sides));
    mesh.facets.push_back({a, b, a + 1});
    mesh.facets.push_back({b, b + 1, a + 1});
  }
  return mesh;
}

Mesh<3> shape_mesh(const Frustum& frustum, const Box<3>&, std::size_t sides) {
  return band_mesh(frustum.from, frustum.from_radius, frustum.to, frustum.to_radius,
                   difference(frustum.to, frustum.from), sides);
}

Mesh<3> shape_mesh(const Annulus& annulus, const Box<3>&, std::size_t sides) {
  return band_mesh(annulus.center, annulus.inner_radius, annulus.center, annulus.outer_radius,
                   annulus.normal, sides);
}

template <std::size_t D>
Mesh<D> shape_mesh(const Mesh<D>& mesh, const Box<D>&, std::size_t) {
  return mesh;
}

// A square (in 2D a segment) onto which the box can be projected.
template <std::size_t D>
Mesh<D> shape_mesh(const Plane<D>& plane, const Box<D>& box, std::size_t) {
  const Point<D> normal = normalized(plane.normal);
  const Point<D> center = scaled(sum(box.min, box.max), 0.5);
  const double half = length(difference(box.max, box.min)) / 2;
  const Point<D> foot = add_scaled(center, -dot(difference(center, plane.point), normal), normal);
  const Point<D> u = perpendicular(normal);
  Mesh<D> mesh;
  if constexpr (D == 2) {
    mesh.vertices = {add_scaled(foot, -half, u), add_scaled(foot, half, u)};
    mesh.facets = {{0, 1}};
  } else {
    const Point<3> v = cross(normal, u);
    for (const auto& [s, t] : {std::pair{-half, -half}, {half, -half}, {half, half}, {-half, half}})
      mesh.vertices.push_back(add_scaled(add_scaled(foot, s, u), t, v));
    mesh.facets = {{0, 1, 2}, {0, 2, 3}};
  }
  return mesh;
}

}  // namespace

template <std::size_t D>
Mesh<D> wall_mesh(const Wall<D>& wall, double time, const Box<D>& box, std::size_t sides) {
  Mesh<D> mesh =
      std::visit([&](const auto& shape) { return shape_mesh(shape, box, sides); }, wall.shape);
  const RigidTransform<D> transform = transform_at(wall.motion, time);
  for (Point<D>& vertex : mesh.vertices) {
    Point<D> moved = transform.translation;
    for (std::size_t k = 0; k < D; ++k) moved[k] += dot(transform.rotation[k], vertex);
    vertex = moved;
  }
  return mesh;
}

template Mesh<2> wall_mesh(const Wall<2>&, double, const Box<2>&, std::size_t);
template Mesh<3> wall_mesh(const Wall<3>&, double, const Box<3>&, std::size_t);

}  // namespace abut
