#include "scenes/mesh_scene.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "core/statistics.hpp"

namespace abut {
namespace {

constexpr double full_circle = 2 * std::numbers::pi;

// A grid of (columns + 1) × (rows + 1) corners, or, where the columns close to a ring, of columns ×
// (rows + 1); two triangles to a square.
template <class Place>
void add_sheet(Mesh<3>& mesh, std::size_t columns, std::size_t rows, bool ring,
               const Place& place) {
  const std::size_t first = mesh.vertices.size();
  const std::size_t wide = ring ? columns : columns + 1;
  for (std::size_t row = 0; row <= rows; ++row)
    for (std::size_t column = 0; column < wide; ++column)
      mesh.vertices.push_back(place(column, row));
  const auto corner = [&](std::size_t column, std::size_t row) {
    return static_cast<Index>(first + row * wide + column % wide);
  };
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      const Index a = corner(column, row);
      const Index b = corner(column + 1, row);
      const Index c = corner(column + 1, row + 1);
      const Index d = corner(column, row + 1);
      mesh.facets.push_back({a, b, c});
      mesh.facets.push_back({a, c, d});
    }
}

Point<3> on_circle(double radius, double turn, double z) {
  return {radius * std::cos(turn * full_circle), radius * std::sin(turn * full_circle), z};
}

double fraction(std::size_t i, std::size_t of) {
  return static_cast<double>(i) / static_cast<double>(of);
}

// Corners in the middle of edges, each made once.
class EdgeMidpoints {
 public:
  explicit EdgeMidpoints(Mesh<3>& mesh) : mesh_(mesh) {}
  Index between(Index a, Index b) {
    const auto [known, fresh] =
        known_.try_emplace(std::minmax(a, b), static_cast<Index>(mesh_.vertices.size()));
    if (fresh) {
      Point<3> middle;
      for (std::size_t k = 0; k < 3; ++k)
        middle[k] = (mesh_.vertices[a][k] + mesh_.vertices[b][k]) / 2;
      mesh_.vertices.push_back(middle);
    }
    return known->second;
  }

 private:
  Mesh<3>& mesh_;
  std::map<std::pair<Index, Index>, Index> known_;
};

void refine(Mesh<3>& mesh) {
  EdgeMidpoints middles(mesh);
  std::vector<std::array<Index, 3>> finer;
  for (const auto& [a, b, c] : mesh.facets) {
    const Index ab = middles.between(a, b);
    const Index bc = middles.between(b, c);
    const Index ca = middles.between(c, a);
    for (const auto& piece : std::initializer_list<std::array<Index, 3>>{
             {a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
      finer.push_back(piece);
  }
  mesh.facets.swap(finer);
}

}  // namespace

Mesh<3> box_mesh(const Point<3>& min, const Point<3>& max, std::size_t cuts) {
  Mesh<3> mesh;
  for (std::size_t k = 0; k < 3; ++k)
    for (const bool upper : {false, true}) {
      const std::size_t u = (k + (upper ? 1 : 2)) % 3;  // turned so that the face looks outward
      const std::size_t v = (k + (upper ? 2 : 1)) % 3;
      const auto between = [&](std::size_t axis, std::size_t i) {
        return i == cuts ? max[axis] : min[axis] + (max[axis] - min[axis]) * fraction(i, cuts);
      };
      add_sheet(mesh, cuts, cuts, false, [&](std::size_t column, std::size_t row) {
        Point<3> corner;
        corner[k] = upper ? max[k] : min[k];
        corner[u] = between(u, column);
        corner[v] = between(v, row);
        return corner;
      });
    }
  return mesh;
}

Mesh<2> box_mesh(const Point<2>& min, const Point<2>& max, std::size_t cuts) {
  const std::array<Point<2>, 4> corners{min, Point<2>{max[0], min[1]}, max,
                                        Point<2>{min[0], max[1]}};
  Mesh<2> mesh;
  for (std::size_t side = 0; side < 4; ++side)
    for (std::size_t i = 0; i < cuts; ++i) {
      Point<2> corner = corners[side];
      for (std::size_t k = 0; k < 2; ++k)
        corner[k] += (corners[(side + 1) % 4][k] - corner[k]) * fraction(i, cuts);
      mesh.vertices.push_back(corner);
    }
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    mesh.facets.push_back(
        {static_cast<Index>(i), static_cast<Index>((i + 1) % mesh.vertices.size())});
  return mesh;
}

Mesh<3> sphere_mesh(std::size_t triangles, const Point<3>& centre, double radius) {
  Mesh<3> mesh{
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}},
      {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2}, {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}}};
  while (mesh.facets.size() * 2 < triangles) refine(mesh);
  for (Point<3>& corner : mesh.vertices) {
    const double away = std::hypot(corner[0], corner[1], corner[2]);
    for (std::size_t k = 0; k < 3; ++k) corner[k] = centre[k] + corner[k] / away * radius;
  }
  return mesh;
}

Mesh<2> circle_mesh(std::size_t segments, const Point<2>& centre, double radius) {
  Mesh<2> mesh;
  for (std::size_t i = 0; i < segments; ++i) {
    const Point<3> at = on_circle(radius, fraction(i, segments), 0);
    mesh.vertices.push_back({centre[0] + at[0], centre[1] + at[1]});
    mesh.facets.push_back({static_cast<Index>(i), static_cast<Index>((i + 1) % segments)});
  }
  return mesh;
}

Mesh<3> torus_mesh(std::size_t triangles, const Point<3>& centre, double radius, double thickness) {
  const auto across = static_cast<std::size_t>(
      std::max(3.0, std::sqrt(static_cast<double>(triangles) / 2 * thickness / radius)));
  const std::size_t around = std::max<std::size_t>(3, triangles / 2 / across);
  Mesh<3> mesh;
  for (std::size_t j = 0; j < across; ++j)
    for (std::size_t i = 0; i < around; ++i) {
      const Point<3> section = on_circle(thickness, fraction(j, across), 0);
      const Point<3> at = on_circle(radius + section[0], fraction(i, around), section[1]);
      mesh.vertices.push_back({centre[0] + at[0], centre[1] + at[1], centre[2] + at[2]});
    }
  const auto corner = [&](std::size_t i, std::size_t j) {
    return static_cast<Index>((j % across) * around + i % around);
  };
  for (std::size_t j = 0; j < across; ++j)
    for (std::size_t i = 0; i < around; ++i) {
      mesh.facets.push_back({corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)});
      mesh.facets.push_back({corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)});
    }
  return mesh;
}

Mesh<3> hopper_mesh(std::size_t triangles, double outlet_radius, double radius, double cone_height,
                    double height) {
  const double slope = std::hypot(radius - outlet_radius, cone_height);
  const double long_way = slope + (height - cone_height);
  const double rim = full_circle * radius;
  const auto squares = static_cast<double>(std::max<std::size_t>(triangles / 2, 1));
  const auto rows = static_cast<std::size_t>(std::max(2.0, std::sqrt(squares * long_way / rim)));
  const auto cone_rows = std::clamp<std::size_t>(
      static_cast<std::size_t>(static_cast<double>(rows) * slope / long_way), 1, rows - 1);
  const std::size_t around =
      std::max<std::size_t>(3, static_cast<std::size_t>(squares / static_cast<double>(rows)));
  Mesh<3> mesh;
  add_sheet(mesh, around, rows, true, [&](std::size_t column, std::size_t row) {
    const double turn = fraction(column, around);
    if (row <= cone_rows) {
      const double up = fraction(row, cone_rows);
      return on_circle(outlet_radius + (radius - outlet_radius) * up, turn, cone_height * up);
    }
    const double up = fraction(row - cone_rows, rows - cone_rows);
    return on_circle(radius, turn, cone_height + (height - cone_height) * up);
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
Mesh<D> soup_mesh(std::size_t pieces, double side, double size, std::uint64_t seed) {
  Random random(seed);
  Mesh<D> mesh;
  for (std::size_t i = 0; i < pieces; ++i) {
    Point<D> middle;
    for (double& x : middle) x = random.uniform(0, side);
    std::array<Index, D> piece;
    for (Index& corner : piece) {
      corner = static_cast<Index>(mesh.vertices.size());
      mesh.vertices.push_back(middle);
      for (double& x : mesh.vertices.back()) x += random.uniform(-size / 2, size / 2);
    }
    mesh.facets.push_back(piece);
  }
  return mesh;
}

template Mesh<2> soup_mesh(std::size_t, double, double, std::uint64_t);
template Mesh<3> soup_mesh(std::size_t, double, double, std::uint64_t);

namespace {

// A cone from the outlet up to where it is as wide as the cylinder above it; as high as wide.
struct Shape {
  double outlet;
  double radius;
  double height;

  explicit Shape(double volume)
      : outlet(0.05 * std::cbrt(volume)), radius(0.5 * std::cbrt(volume)) {
    const double cone =
        std::numbers::pi / 3 * radius * (radius * radius + radius * outlet + outlet * outlet);
    height = radius + (volume - cone) / (std::numbers::pi * radius * radius);
  }

  [[nodiscard]] double radius_at(double z) const {
    return z >= radius ? radius : outlet + (radius - outlet) * z / radius;
  }

  /// So far from the axis is this far from the wall.
  [[nodiscard]] double inside_by(double distance, double z) const {
    return radius_at(z) - distance * per_distance(z);
  }

  /// From the wall at this height to a point so far from the axis.
  [[nodiscard]] double distance(double from_axis, double z) const {
    return (radius_at(z) - from_axis) / per_distance(z);
  }

 private:
  [[nodiscard]] double per_distance(double z) const {
    return z >= radius ? 1 : std::hypot(1, (radius - outlet) / radius);
  }
};

}  // namespace

FilledHopper make_filled_hopper(std::size_t particles, std::size_t triangles, double near,
                                std::uint64_t seed) {
  constexpr double solid = 0.5;
  constexpr double touching = 0.5;  // of those near the wall
  constexpr double deepest = 0.02;  // of a radius
  const Shape shape(static_cast<double>(particles) * std::numbers::pi / 6 / solid);
  Random random(seed);
  FilledHopper vessel{
      .mesh = hopper_mesh(triangles, shape.outlet, shape.radius, shape.radius, shape.height),
      .particles = {}};
  Scene<3>& scene = vessel.particles;
  constexpr double radius = 0.5;
  while (scene.size() < particles) {
    const bool wanted_near = random.uniform() < near;
    double x = 0;
    double y = 0;
    double z = 0;
    double distance = -1;
    while (!(wanted_near ? distance > 0 && distance <= 1 : distance > 1)) {
      x = random.uniform(-shape.radius, shape.radius);
      y = random.uniform(-shape.radius, shape.radius);
      z = random.uniform(0, shape.height);
      distance = shape.distance(std::hypot(x, y), z);
    }
    if (wanted_near) {
      const double part = random.uniform();
      const double wanted =
          random.uniform() < touching ? radius * (1 - deepest * part) : radius * (1 + part);
      const double scale = shape.inside_by(wanted, z) / std::hypot(x, y);
      x *= scale;
      y *= scale;
    }
    scene.coordinates[0].push_back(x);
    scene.coordinates[1].push_back(y);
    scene.coordinates[2].push_back(z);
    scene.radii.push_back(radius);
  }
  scene.bounds = {{-shape.radius, -shape.radius, 0}, {shape.radius, shape.radius, shape.height}};
  return vessel;
}

}  // namespace abut
