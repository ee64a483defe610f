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

/// The contacts of one sphere.
template <std::size_t D>
std::vector<WallContact<D>> contacts_at(const Walls<D>& walls, const Point<D>& center,
                                        double radius, const WallOptions<D>& options = {}) {
  std::array<std::span<const double>, D> coordinates;
  for (std::size_t k = 0; k < D; ++k) coordinates[k] = {&center[k], 1};
  return walls.contacts(Spheres<D>(coordinates, {&radius, 1}), options);
}

template <std::size_t D>
Walls<D> walls_of(const Mesh<D>& mesh) {
  Walls<D> walls;
  walls.add(mesh);
  return walls;
}

/// The force of springs of unit stiffness: Σ overlap · normal.
template <std::size_t D>
Point<D> spring_force(const std::vector<WallContact<D>>& contacts) {
  Point<D> total{};
  for (const auto& contact : contacts)
    total = add_scaled(total, std::max(0.0, -contact.gap), contact.normal);
  return total;
}

/// Two faces that meet at an edge along y through the origin. `fold` is the angle in radians by
/// which the second face is inclined to the plane of the first. Seen from above, the edge is a
/// groove if it is positive, and a ridge if it is negative.
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

/// The same in 2D: two segments that meet at the origin.
inline Mesh<2> folded_line(double fold, double size = 10) {
  return {{{-size, 0}, {0, 0}, {size * std::cos(fold), size * std::sin(fold)}}, {{0, 1}, {1, 2}}};
}

/// Spheres at random positions of a cube, with radii from `min_radius` to `max_radius`.
template <std::size_t D>
Scene<D> random_spheres(std::size_t count, double low, double high, double min_radius,
                        double max_radius, std::uint64_t seed) {
  Random random(seed);
  Scene<D> scene;
  for (std::size_t i = 0; i < count; ++i) {
    for (auto& axis : scene.coordinates) axis.push_back(random.uniform(low, high));
    const double t = random.uniform();
    scene.radii.push_back(min_radius * std::pow(max_radius / min_radius, t * t));
  }
  return scene;
}

/// Reference implementation: every facet is tested exactly, then contacts are resolved as in
/// `Walls`. For meshes that are not moved, without periodic axes.
template <std::size_t D>
std::vector<WallContact<D>> brute_force_contacts(const std::vector<Mesh<D>>& meshes,
                                                 const Spheres<D>& particles,
                                                 const WallOptions<D>& options = {}) {
  Facets<D> facets;
  Index element = 0;
  for (const Mesh<D>& mesh : meshes)
    for (const auto& facet : mesh.facets) {
      std::array<Point<D>, D> vertices;
      for (std::size_t k = 0; k < D; ++k) vertices[k] = mesh.vertices[facet[k]];
      facets.add(vertices, element++);
    }
  ContactResolution<D> resolution;
  std::vector<WallContact<D>> found;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    Point<D> center;
    for (std::size_t k = 0; k < D; ++k) center[k] = particles.coordinates(k)[i];
    const double radius = particles.radii()[i];
    const double contact_radius = radius * (1 + options.tolerance);
    std::vector<ClosestPoint<D>> points;
    ClosestPoint<D> closest;
    for (std::size_t facet = 0; facet < facets.size(); ++facet)
      if (facets.find_closest(facet, center, contact_radius + options.margin, closest))
        points.push_back(closest);
    const double rounding = 32 * std::numeric_limits<double>::epsilon() * max_abs(center);
    for (const auto& [resolved, gap] : resolution.resolve(
             points, {radius, contact_radius, contact_radius + options.margin, rounding}))
      found.push_back({static_cast<Index>(i), resolved.feature, WallElementId(resolved.element),
                       gap, resolved.normal, resolved.point});
  }
  return found;
}

}  // namespace abut::testing
