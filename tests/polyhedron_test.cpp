// Polyhedra as they are made: hulls, meshes, parts; what is refused; weights; places.
#include <gmock/gmock.h>

#include <abut/error.hpp>
#include <set>

#include "polyhedron_fixtures.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

template <class Make>
std::string error_of(const Make& make) {
  try {
    make();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing refused";
}

std::string hull_error(const std::vector<Point<3>>& points) {
  return error_of([&] { Polyhedron{points}; });
}

using Cell = std::array<int, 3>;

// The face of a box of size 1 on one side, as two triangles that face outwards.
void add_face(Mesh<3>& mesh, const Cell& cell, std::size_t axis, bool high) {
  const std::size_t u = (axis + 1) % 3;
  const std::size_t v = (axis + 2) % 3;
  std::array<Index, 4> corners{};
  for (std::size_t k = 0; k < 4; ++k) {
    Point<3> at{static_cast<double>(cell[0]), static_cast<double>(cell[1]),
                static_cast<double>(cell[2])};
    at[axis] += high ? 1 : 0;
    at[u] += k == 1 || k == 2 ? 1 : 0;
    at[v] += k >= 2 ? 1 : 0;
    corners[k] = static_cast<Index>(mesh.vertices.size());
    mesh.vertices.push_back(at);
  }
  if (!high) std::swap(corners[1], corners[3]);
  mesh.facets.push_back({corners[0], corners[1], corners[2]});
  mesh.facets.push_back({corners[0], corners[2], corners[3]});
}

// A mesh of boxes glued together on the grid of whole numbers: faces between two of them are gone.
Mesh<3> cell_mesh(const std::set<Cell>& cells) {
  Mesh<3> mesh;
  for (const Cell& cell : cells)
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const bool high : {false, true}) {
        Cell other = cell;
        other[axis] += high ? 1 : -1;
        if (!cells.contains(other)) add_face(mesh, cell, axis, high);
      }
  return mesh;
}

double total_volume(const std::vector<Polyhedron>& parts) {
  double sum = 0;
  for (const Polyhedron& part : parts) sum += part.volume();
  return sum;
}

void expect_valid_topology(const Polyhedron& shape) {
  const PolyhedronTopology& t = shape.topology();
  EXPECT_EQ(t.vertex_count() + t.face_count(), t.edges.size() + 2);
  for (Index h = 0; h < t.half_edges.size(); ++h) {
    EXPECT_EQ(t.half_edges[t.half_edges[h].twin].twin, h);
    EXPECT_EQ(t.half_edges[t.half_edges[h].twin].origin, t.half_edges[t.half_edges[h].next].origin);
    EXPECT_EQ(t.half_edges[t.half_edges[h].next].face, t.half_edges[h].face);
    const auto after = [&](Index from) { return t.half_edges[t.half_edges[from].next].origin; };
    EXPECT_EQ(t.edge_fans[h].origin, t.half_edges[h].origin);
    EXPECT_EQ(t.edge_fans[h].target, after(h));
    EXPECT_EQ(t.edge_fans[h].left, after(t.half_edges[h].next));
    EXPECT_EQ(t.edge_fans[h].right, after(t.half_edges[t.half_edges[h].twin].next));
  }
  for (Index corner = 0; corner < t.vertex_count(); ++corner)
    for (Index k = t.vertex_offsets[corner]; k < t.vertex_offsets[corner + 1]; ++k) {
      EXPECT_EQ(t.half_edges[t.outgoing_edges[k].half_edge].origin, corner);
      EXPECT_EQ(t.half_edges[t.half_edges[t.outgoing_edges[k].half_edge].twin].origin,
                t.outgoing_edges[k].target);
      // Counterclockwise: the face on the left of a spoke has the next one too.
      const Index next =
          t.outgoing_edges[k + 1 < t.vertex_offsets[corner + 1] ? k + 1 : t.vertex_offsets[corner]]
              .half_edge;
      EXPECT_EQ(t.half_edges[t.outgoing_edges[k].half_edge].face,
                t.half_edges[t.half_edges[next].twin].face);
    }
  for (Index face = 0; face < shape.face_count(); ++face) {
    const auto& [i, j, k] = t.face_frames[face];
    const auto at = [&](Index c) { return shape.vertices()[c]; };
    const Point<3> normal = normalized(cross(difference(at(j), at(i)), difference(at(k), at(i))));
    for (const Point<3>& corner : shape.vertices())
      EXPECT_LE(dot(normal, difference(corner, at(i))), 1e-12 * shape.bounding_radius());
  }
}

TEST(Polyhedron, CubeHasSixFacesOfFour) {
  const Polyhedron cube = cube_polyhedron();
  EXPECT_EQ(cube.vertices().size(), 8U);
  EXPECT_EQ(cube.face_count(), 6U);
  EXPECT_EQ(cube.topology().edges.size(), 12U);
  for (Index face = 0; face < cube.face_count(); ++face)
    EXPECT_EQ(cube.face_vertices(face).size(), 4U);
  expect_valid_topology(cube);
  EXPECT_NEAR(cube.volume(), 1, 1e-14);
  EXPECT_NEAR(length(cube.centroid()), 0, 1e-14);
  EXPECT_NEAR(cube.bounding_radius(), std::sqrt(0.75), 1e-14);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(cube.inertia()[i][j], i == j ? 1.0 / 6 : 0, 1e-14);
}

TEST(Polyhedron, PointsInsideOnFacesAndOnEdgesAreLeftOut) {
  std::vector<Point<3>> points;
  for (const double x : {-1.0, -0.25, 0.0, 1.0})
    for (const double y : {-1.0, 0.0, 0.5, 1.0})
      for (const double z : {-1.0, 0.0, 1.0}) points.push_back({x, y, z});
  const Polyhedron cube(points);
  EXPECT_EQ(cube.vertices().size(), 8U);
  EXPECT_EQ(cube.face_count(), 6U);
  expect_valid_topology(cube);
}

TEST(Polyhedron, RotatedBoxesKeepTheirFaces) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Polyhedron box = box_polyhedron({1, random.uniform(0.01, 1), random.uniform(0.01, 1)});
    const double far = i % 2 == 0 ? 0 : 1e6;
    const PlacedPolyhedron stood(box, random_transform(random, {far, -far, far}));
    const Polyhedron again(stood.view().vertices);
    EXPECT_EQ(again.face_count(), 6U) << i;
    EXPECT_NEAR(again.volume(), box.volume(), (far > 0 ? 1e-7 : 1e-13) * box.volume()) << i;
  }
}

TEST(Polyhedron, RandomHullsHangTogether) {
  Random random(4);
  for (int i = 0; i < 60; ++i)
    expect_valid_topology(random_hull(random, 4 + random.below(40), {1, 0.5, 0.1}));
}

TEST(Polyhedron, WeightsAreThoseOfATetrahedron) {
  const Polyhedron shape{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_NEAR(shape.volume(), 1.0 / 6, 1e-15);
  for (const double x : shape.centroid()) EXPECT_NEAR(x, 0.25, 1e-15);
  // ∫x² = 1/60, ∫xy = 1/120 about the corner.
  EXPECT_NEAR(shape.inertia()[0][0], 2 * (1.0 / 60 - 1.0 / 96), 1e-15);
  EXPECT_NEAR(shape.inertia()[0][1], -(1.0 / 120 - 1.0 / 96), 1e-15);
}

TEST(Polyhedron, PlacedCopiesShareOnePool) {
  const Polyhedron cube = cube_polyhedron();
  std::vector<Point<3>> pool(16);
  const PolyhedronView first = cube.transformed({.translation = {3, 0, 0}}, pool);
  const PolyhedronView second =
      cube.transformed(rotation_about({0, 0, 0}, {0, 0, 1}, 1), std::span(pool).subspan(8));
  EXPECT_EQ(first.vertices.data(), pool.data());
  EXPECT_EQ(second.vertices.data(), pool.data() + 8);
  EXPECT_EQ(first.topology, second.topology);
  EXPECT_NEAR(first.centroid[0], 3, 1e-15);
  EXPECT_NEAR(first.vertices[0][0], cube.vertices()[0][0] + 3, 1e-15);
  EXPECT_NEAR(length(second.vertices[0]), cube.bounding_radius(), 1e-15);
  EXPECT_THAT(error_of([&] { (void)cube.transformed({}, std::span(pool).subspan(9)); }),
              HasSubstr("a polyhedron of 8 corners has no room in 7"));
}

TEST(Polyhedron, BadPointsAreNamed) {
  EXPECT_THAT(hull_error({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}),
              HasSubstr("a polyhedron of 3 points: it needs at least 4"));
  EXPECT_THAT(hull_error({{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}, {0, 0, 1}}),
              HasSubstr("point 2 has y = nan"));
  EXPECT_THAT(hull_error({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, INFINITY}}),
              HasSubstr("point 3 has z = inf"));
  EXPECT_THAT(hull_error({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}),
              HasSubstr("all 5 points of a polyhedron are one"));
  EXPECT_THAT(hull_error({{0, 0, 0}, {1e40, 0, 0}, {0, 1e40, 0}, {0, 0, 1e40}}),
              HasSubstr("a polyhedron of size 1e+40"));
  EXPECT_THAT(hull_error({{0, 0, 0}, {1e-40, 0, 0}, {0, 1e-40, 0}, {0, 0, 1e-40}}),
              HasSubstr("a polyhedron of size 1e-40"));
}

TEST(Polyhedron, FlatPointsAreRefused) {
  const auto flat = AllOf(HasSubstr("lie in one plane"), Not(HasSubstr("\n")));
  EXPECT_THAT(hull_error({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), flat);
  EXPECT_THAT(hull_error({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}), flat);
  EXPECT_THAT(hull_error({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-15}}), flat);
  Random random(5);
  for (int i = 0; i < 50; ++i) {
    const Point<3> u = random_direction(random);
    const Point<3> v = random_direction(random);
    std::vector<Point<3>> points(9);
    for (Point<3>& point : points)
      point = add_scaled(scaled(u, random.uniform()), random.uniform(), v);
    EXPECT_THAT(hull_error(points), flat) << i;
  }
}

TEST(Polyhedron, ConvexMeshesFaceEitherWay) {
  Mesh<3> mesh = cell_mesh({{0, 0, 0}, {1, 0, 0}});
  for (const bool inwards : {false, true}) {
    const Polyhedron shape(mesh);
    EXPECT_EQ(shape.vertices().size(), 8U) << inwards;
    EXPECT_EQ(shape.face_count(), 6U) << inwards;
    EXPECT_NEAR(shape.volume(), 2, 1e-14) << inwards;
    expect_valid_topology(shape);
    for (auto& piece : mesh.facets) std::swap(piece[0], piece[1]);
  }
  std::swap(mesh.facets[2][0], mesh.facets[2][1]);  // one alone faces the other way
  EXPECT_NEAR(Polyhedron(mesh).volume(), 2, 1e-14);
}

TEST(Polyhedron, BadMeshesAreNamed) {
  Mesh<3> open = cell_mesh({{0, 0, 0}});
  open.facets.pop_back();
  EXPECT_THAT(error_of([&] { Polyhedron{open}; }),
              HasSubstr("the mesh is not closed: 3 edges have one triangle, 0 more than two"));
  EXPECT_THAT(error_of([&] { (void)convex_decomposition(open); }),
              HasSubstr("the mesh is not closed"));
  EXPECT_THAT(error_of([] { Polyhedron{Mesh<3>{}}; }), HasSubstr("a mesh of no triangles"));
  const Mesh<3> bent = cell_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  EXPECT_THAT(error_of([&] { Polyhedron{bent}; }),
              AllOf(HasSubstr("the mesh is not convex: a corner stands 1 before triangle "),
                    HasSubstr("convex_parts cuts it")));
  Mesh<3> lost = cell_mesh({{0, 0, 0}});
  lost.facets[3][1] = 99;
  EXPECT_THAT(error_of([&] { Polyhedron{lost}; }), HasSubstr("triangle 3: vertex 1 = 99"));
}

TEST(ConvexParts, ConvexIsOnePart) {
  const auto parts = convex_decomposition(cell_mesh({{0, 0, 0}, {0, 1, 0}}));
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_NEAR(parts[0].volume(), 2, 1e-14);
}

TEST(ConvexParts, CornersAndCrossesAreCut) {
  struct Case {
    const char* name;
    std::set<std::array<int, 3>> cells;
    std::size_t parts;
  };
  const std::vector<Case> cases{
      {"L", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 2},
      {"U", {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 1, 0}}, 3},
      {"cross",
       {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
       7},
      {"T", {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}}, 2},
      {"two cubes", {{0, 0, 0}, {5, 0, 0}}, 2},
      {"two Ls", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {9, 0, 0}, {10, 0, 0}, {9, 1, 0}}, 4},
  };
  for (const Case& one : cases)
    for (const bool inwards : {false, true}) {
      Mesh<3> mesh = cell_mesh(one.cells);
      if (inwards)
        for (auto& piece : mesh.facets) std::swap(piece[0], piece[1]);
      const auto parts = convex_decomposition(mesh);
      EXPECT_NEAR(total_volume(parts), static_cast<double>(one.cells.size()), 1e-9) << one.name;
      EXPECT_LE(parts.size(), one.parts) << one.name;
    }
}

TEST(ConvexParts, ACubeWithANotchAndOneWithAHollow) {
  std::set<std::array<int, 3>> notched;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) notched.insert({i, j, k});
  notched.erase({1, 1, 2});
  const auto parts = convex_decomposition(cell_mesh(notched));
  EXPECT_NEAR(total_volume(parts), 26, 1e-9);
  EXPECT_LE(parts.size(), 5U);
  notched.insert({1, 1, 2});
  notched.erase({1, 1, 1});
  EXPECT_NEAR(total_volume(convex_decomposition(cell_mesh(notched))), 26, 1e-9);
}

TEST(ConvexParts, TurnedShapesAreCutAsWell) {
  Random random(6);
  for (int i = 0; i < 20; ++i) {
    Mesh<3> mesh = cell_mesh({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 1, 0}, {2, 1, 1}});
    const RigidTransform<3> where = random_transform(random, {3, 4, 5});
    for (Point<3>& corner : mesh.vertices) {
      const Point<3> before = corner;
      for (std::size_t k = 0; k < 3; ++k) corner[k] = dot(where.rotation[k], before);
    }
    const auto parts = convex_decomposition(mesh);
    EXPECT_NEAR(total_volume(parts), 6, 1e-8) << i;
    EXPECT_LE(parts.size(), 6U) << i;
  }
}

TEST(ConvexParts, WhatIsNoBodyIsRefused) {
  // Two cubes that run into each other have no inside to agree on.
  Mesh<3> crossing = cell_mesh({{0, 0, 0}});
  Mesh<3> other = cell_mesh({{0, 0, 0}});
  for (Point<3>& corner : other.vertices)
    for (double& x : corner) x += 0.5;
  const auto before = static_cast<Index>(crossing.vertices.size());
  crossing.vertices.insert(crossing.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& [a, b, c] : other.facets)
    crossing.facets.push_back({a + before, b + before, c + before});
  EXPECT_THAT(error_of([&] { (void)convex_decomposition(crossing); }),
              AllOf(HasSubstr("cannot be cut exactly"), HasSubstr("give the parts")));
}

}  // namespace
}  // namespace abut::testing
