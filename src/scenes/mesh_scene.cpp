#include "scenes/mesh_scene.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "core/portable_math.hpp"
#include "core/statistics.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

constexpr double full_circle = 2 * std::numbers::pi;

// Adds a grid of columns × rows rectangles of two triangles each, with vertices
// position(column, row). If `closed`, the last column continues with the first.
template <class Position>
void add_sheet(Mesh<3>& mesh, std::size_t columns, std::size_t rows, bool closed,
               const Position& position) {
  const std::size_t first = mesh.vertices.size();
  const std::size_t width = closed ? columns : columns + 1;
  for (std::size_t row = 0; row <= rows; ++row)
    for (std::size_t column = 0; column < width; ++column)
      mesh.vertices.push_back(position(column, row));
  const auto vertex = [&](std::size_t column, std::size_t row) {
    return static_cast<Index>(first + row * width + column % width);
  };
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      const Index a = vertex(column, row);
      const Index b = vertex(column + 1, row);
      const Index c = vertex(column + 1, row + 1);
      const Index d = vertex(column, row + 1);
      mesh.facets.push_back({a, b, c});
      mesh.facets.push_back({a, c, d});
    }
}

// The point of a circle around the z axis at an angle given as a fraction of a full turn.
Point<3> on_circle(double radius, double turns, double z) {
  return {radius * portable_math::cos(turns * full_circle),
          radius * portable_math::sin(turns * full_circle), z};
}

double fraction(std::size_t i, std::size_t count) {
  return static_cast<double>(i) / static_cast<double>(count);
}

// Vertices in the middle of edges, each created once.
class EdgeMidpoints {
 public:
  explicit EdgeMidpoints(Mesh<3>& mesh) : mesh_(mesh) {}
  Index between(Index a, Index b) {
    const auto [entry, inserted] =
        vertex_of_edge_.try_emplace(std::minmax(a, b), static_cast<Index>(mesh_.vertices.size()));
    if (inserted) {
      Point<3> midpoint;
      for (std::size_t k = 0; k < 3; ++k)
        midpoint[k] = (mesh_.vertices[a][k] + mesh_.vertices[b][k]) / 2;
      mesh_.vertices.push_back(midpoint);
    }
    return entry->second;
  }

 private:
  Mesh<3>& mesh_;
  std::map<std::pair<Index, Index>, Index> vertex_of_edge_;
};

void refine(Mesh<3>& mesh) {
  EdgeMidpoints midpoints(mesh);
  std::vector<std::array<Index, 3>> finer;
  for (const auto& [a, b, c] : mesh.facets) {
    const Index ab = midpoints.between(a, b);
    const Index bc = midpoints.between(b, c);
    const Index ca = midpoints.between(c, a);
    for (const auto& facet : std::initializer_list<std::array<Index, 3>>{
             {a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
      finer.push_back(facet);
  }
  mesh.facets.swap(finer);
}

// A hopper of given volume: a cone from the outlet to the radius of the cylinder above it, whose
// height equals that radius.
struct HopperShape {
  double outlet;
  double radius;
  double height;

  explicit HopperShape(double volume)
      : outlet(0.05 * portable_math::cbrt(volume)), radius(0.5 * portable_math::cbrt(volume)) {
    const double cone =
        std::numbers::pi / 3 * radius * (radius * radius + radius * outlet + outlet * outlet);
    height = radius + (volume - cone) / (std::numbers::pi * radius * radius);
  }

  [[nodiscard]] double radius_at(double z) const {
    return z >= radius ? radius : outlet + (radius - outlet) * z / radius;
  }

  /// Distance from the axis of a point at this height and distance from the wall.
  [[nodiscard]] double axis_distance(double distance, double z) const {
    return radius_at(z) - distance * radial_per_normal(z);
  }

  /// Distance from the wall of a point at this height and distance from the axis.
  [[nodiscard]] double wall_distance(double axis_distance, double z) const {
    return (radius_at(z) - axis_distance) / radial_per_normal(z);
  }

 private:
  // Radial distance per distance normal to the wall.
  [[nodiscard]] double radial_per_normal(double z) const {
    return z >= radius ? 1 : portable_math::hypot(1, (radius - outlet) / radius);
  }
};

}  // namespace

Mesh<3> box_mesh(const Point<3>& min, const Point<3>& max, std::size_t divisions) {
  Mesh<3> mesh;
  for (std::size_t k = 0; k < 3; ++k)
    for (const bool upper : {false, true}) {
      const std::size_t u = (k + (upper ? 1 : 2)) % 3;  // so that the normal points outward
      const std::size_t v = (k + (upper ? 2 : 1)) % 3;
      const auto between = [&](std::size_t axis, std::size_t i) {
        return i == divisions ? max[axis]
                              : min[axis] + (max[axis] - min[axis]) * fraction(i, divisions);
      };
      add_sheet(mesh, divisions, divisions, false, [&](std::size_t column, std::size_t row) {
        Point<3> point;
        point[k] = upper ? max[k] : min[k];
        point[u] = between(u, column);
        point[v] = between(v, row);
        return point;
      });
    }
  return mesh;
}

Mesh<2> box_mesh(const Point<2>& min, const Point<2>& max, std::size_t divisions) {
  const std::array<Point<2>, 4> corners{min, Point<2>{max[0], min[1]}, max,
                                        Point<2>{min[0], max[1]}};
  Mesh<2> mesh;
  for (std::size_t side = 0; side < 4; ++side)
    for (std::size_t i = 0; i < divisions; ++i) {
      Point<2> point = corners[side];
      for (std::size_t k = 0; k < 2; ++k)
        point[k] += (corners[(side + 1) % 4][k] - point[k]) * fraction(i, divisions);
      mesh.vertices.push_back(point);
    }
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    mesh.facets.push_back(
        {static_cast<Index>(i), static_cast<Index>((i + 1) % mesh.vertices.size())});
  return mesh;
}

Mesh<3> sphere_mesh(std::size_t triangles, const Point<3>& center, double radius) {
  Mesh<3> mesh{
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}},
      {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2}, {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}}};
  while (mesh.facets.size() * 2 < triangles) refine(mesh);
  for (Point<3>& vertex : mesh.vertices) {
    const double scale = length(vertex);
    for (std::size_t k = 0; k < 3; ++k) vertex[k] = center[k] + vertex[k] / scale * radius;
  }
  return mesh;
}

Mesh<2> circle_mesh(std::size_t segments, const Point<2>& center, double radius) {
  Mesh<2> mesh;
  for (std::size_t i = 0; i < segments; ++i) {
    const Point<3> at = on_circle(radius, fraction(i, segments), 0);
    mesh.vertices.push_back({center[0] + at[0], center[1] + at[1]});
    mesh.facets.push_back({static_cast<Index>(i), static_cast<Index>((i + 1) % segments)});
  }
  return mesh;
}

Mesh<3> torus_mesh(std::size_t triangles, const Point<3>& center, double radius,
                   double tube_radius) {
  const auto around_tube = static_cast<std::size_t>(
      std::max(3.0, std::sqrt(static_cast<double>(triangles) / 2 * tube_radius / radius)));
  const std::size_t around = std::max<std::size_t>(3, triangles / 2 / around_tube);
  Mesh<3> mesh;
  for (std::size_t j = 0; j < around_tube; ++j)
    for (std::size_t i = 0; i < around; ++i) {
      const Point<3> section = on_circle(tube_radius, fraction(j, around_tube), 0);
      const Point<3> at = on_circle(radius + section[0], fraction(i, around), section[1]);
      mesh.vertices.push_back({center[0] + at[0], center[1] + at[1], center[2] + at[2]});
    }
  const auto vertex = [&](std::size_t i, std::size_t j) {
    return static_cast<Index>((j % around_tube) * around + i % around);
  };
  for (std::size_t j = 0; j < around_tube; ++j)
    for (std::size_t i = 0; i < around; ++i) {
      mesh.facets.push_back({vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)});
      mesh.facets.push_back({vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
    }
  return mesh;
}

Mesh<3> hopper_mesh(std::size_t triangles, double outlet_radius, double radius, double cone_height,
                    double height) {
  const double cone_length = portable_math::hypot(radius - outlet_radius, cone_height);
  const double profile_length = cone_length + (height - cone_height);
  const double circumference = full_circle * radius;
  const auto squares = static_cast<double>(std::max<std::size_t>(triangles / 2, 1));
  const auto rows =
      static_cast<std::size_t>(std::max(2.0, std::sqrt(squares * profile_length / circumference)));
  const auto cone_rows = std::clamp<std::size_t>(
      static_cast<std::size_t>(static_cast<double>(rows) * cone_length / profile_length), 1,
      rows - 1);
  const std::size_t around =
      std::max<std::size_t>(3, static_cast<std::size_t>(squares / static_cast<double>(rows)));
  Mesh<3> mesh;
  add_sheet(mesh, around, rows, true, [&](std::size_t column, std::size_t row) {
    const double turns = fraction(column, around);
    if (row <= cone_rows) {
      const double height_fraction = fraction(row, cone_rows);
      return on_circle(outlet_radius + (radius - outlet_radius) * height_fraction, turns,
                       cone_height * height_fraction);
    }
    const double height_fraction = fraction(row - cone_rows, rows - cone_rows);
    return on_circle(radius, turns, cone_height + (height - cone_height) * height_fraction);
  });
  return mesh;
}

Mesh<3> pipe_mesh(std::size_t around, std::size_t along, double radius, double height) {
  Mesh<3> mesh;
  add_sheet(mesh, around, along, true, [&](std::size_t column, std::size_t row) {
    return on_circle(radius, fraction(column, around), height * fraction(row, along));
  });
  return mesh;
}

template <std::size_t D>
Mesh<D> soup_mesh(std::size_t facets, double side, double size, std::uint64_t seed) {
  Random random(seed);
  Mesh<D> mesh;
  for (std::size_t i = 0; i < facets; ++i) {
    Point<D> center;
    for (double& x : center) x = random.uniform(0, side);
    std::array<Index, D> facet;
    for (Index& vertex : facet) {
      vertex = static_cast<Index>(mesh.vertices.size());
      mesh.vertices.push_back(center);
      for (double& x : mesh.vertices.back()) x += random.uniform(-size / 2, size / 2);
    }
    mesh.facets.push_back(facet);
  }
  return mesh;
}

template Mesh<2> soup_mesh(std::size_t, double, double, std::uint64_t);
template Mesh<3> soup_mesh(std::size_t, double, double, std::uint64_t);

FilledHopper make_filled_hopper(std::size_t particles, std::size_t triangles, double near_fraction,
                                std::uint64_t seed) {
  constexpr double solid_fraction = 0.5;
  constexpr double touching_fraction = 0.5;  // of the particles near the wall
  constexpr double max_overlap = 0.02;       // of a radius
  const HopperShape shape(static_cast<double>(particles) * std::numbers::pi / 6 / solid_fraction);
  Random random(seed);
  FilledHopper hopper{
      .mesh = hopper_mesh(triangles, shape.outlet, shape.radius, shape.radius, shape.height),
      .particles = {}};
  Scene<3>& scene = hopper.particles;
  constexpr double radius = 0.5;
  while (scene.size() < particles) {
    const bool near_wall = random.uniform() < near_fraction;
    double x = 0;
    double y = 0;
    double z = 0;
    double distance = -1;
    while (!(near_wall ? distance > 0 && distance <= 1 : distance > 1)) {
      x = random.uniform(-shape.radius, shape.radius);
      y = random.uniform(-shape.radius, shape.radius);
      z = random.uniform(0, shape.height);
      distance = shape.wall_distance(portable_math::hypot(x, y), z);
    }
    if (near_wall) {
      const double sample = random.uniform();
      const double target = random.uniform() < touching_fraction
                                ? radius * (1 - max_overlap * sample)
                                : radius * (1 + sample);
      const double scale = shape.axis_distance(target, z) / portable_math::hypot(x, y);
      x *= scale;
      y *= scale;
    }
    scene.push_back({x, y, z}, radius);
  }
  scene.bounds = {{-shape.radius, -shape.radius, 0}, {shape.radius, shape.radius, shape.height}};
  return hopper;
}

}  // namespace abut
