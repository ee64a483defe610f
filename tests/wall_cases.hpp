#pragma once

#include <abut/walls.hpp>
#include <numbers>

#include "core/statistics.hpp"
#include "core/vec.hpp"
#include "scenes/mesh_scene.hpp"
#include "scenes/scene.hpp"
#include "walls/contact_resolution.hpp"
#include "walls/facets.hpp"

namespace abut::testing {

inline constexpr double degree = std::numbers::pi / 180;

/// The contacts of one ball.
template <std::size_t D>
std::vector<WallContact<D>> contacts_at(const Walls<D>& walls, const Point<D>& centre,
                                        double radius, const WallOptions<D>& options = {}) {
  std::array<std::span<const double>, D> axes;
  for (std::size_t k = 0; k < D; ++k) axes[k] = {&centre[k], 1};
  return walls.contacts(Spheres<D>(axes, {&radius, 1}), options);
}

template <std::size_t D>
Walls<D> walls_of(const Mesh<D>& mesh) {
  Walls<D> walls;
  walls.add(mesh);
  return walls;
}

/// What springs of stiffness one would do: the sum of overlap times normal.
template <std::size_t D>
Point<D> spring_force(const std::vector<WallContact<D>>& contacts) {
  Point<D> total{};
  for (const auto& contact : contacts)
    total = add_scaled(total, std::max(0.0, -contact.gap), contact.normal);
  return total;
}

/// A strip of two faces that meet at the edge along y through the origin. `fold` is how much the
/// second rises over the plane of the first: above 0 the edge is a groove seen from above.
inline Mesh<3> folded_sheet(double fold, double size = 10) {
  const double x = size * std::cos(fold);
  const double z = size * std::sin(fold);
  return {{{-size, -size, 0},
           {-size, size, 0},
           {0, -size, 0},
           {0, size, 0},
           {x, -size, z},
           {x, size, z}},
          {{0, 2, 3}, {0, 3, 1}, {2, 4, 5}, {2, 5, 3}}};
}

/// The same in the plane: two segments that meet at the origin.
inline Mesh<2> folded_line(double fold, double size = 10) {
  return {{{-size, 0}, {0, 0}, {size * std::cos(fold), size * std::sin(fold)}}, {{0, 1}, {1, 2}}};
}

/// Balls anywhere in a box, with radii from `smallest` to `largest`.
template <std::size_t D>
Scene<D> random_spheres(std::size_t count, double low, double high, double smallest, double largest,
                        std::uint64_t seed) {
  Random random(seed);
  Scene<D> scene;
  for (std::size_t i = 0; i < count; ++i) {
    for (auto& axis : scene.coordinates) axis.push_back(random.uniform(low, high));
    const double t = random.uniform();
    scene.radii.push_back(smallest * std::pow(largest / smallest, t * t));
  }
  return scene;
}

/// The specification: every piece is looked at, then resolved as `Walls` does. For meshes as they
/// were given, without periods.
template <std::size_t D>
std::vector<WallContact<D>> brute_force_contacts(const std::vector<Mesh<D>>& meshes,
                                                 const Spheres<D>& particles,
                                                 const WallOptions<D>& options = {}) {
  Facets<D> facets;
  Index number = 0;
  for (const Mesh<D>& mesh : meshes)
    for (const auto& piece : mesh.facets) {
      std::array<Point<D>, D> corners;
      for (std::size_t k = 0; k < D; ++k) corners[k] = mesh.vertices[piece[k]];
      facets.add(corners, number++);
    }
  ContactResolution<D> resolution;
  std::vector<WallContact<D>> found;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    Point<D> centre;
    for (std::size_t k = 0; k < D; ++k) centre[k] = particles.coordinates(k)[i];
    const double radius = particles.radii()[i];
    const double touching = radius * (1 + options.tolerance);
    std::vector<ClosestPoint<D>> touches;
    ClosestPoint<D> touch;
    for (std::size_t piece = 0; piece < facets.size(); ++piece)
      if (facets.find_closest(piece, centre, touching + options.margin, touch))
        touches.push_back(touch);
    const double rounding = 32 * std::numeric_limits<double>::epsilon() * max_abs(centre);
    for (const auto& [own, gap] :
         resolution.resolve(touches, {radius, touching, touching + options.margin, rounding}))
      found.push_back(
          {static_cast<Index>(i), own.element, own.feature, gap, own.normal, own.point});
  }
  return found;
}

}  // namespace abut::testing
