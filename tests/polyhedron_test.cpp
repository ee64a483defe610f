// Polyhedra as they are made: hulls, meshes, parts; what is refused; weights; places.
#include <gmock/gmock.h>

#include <abut/error.hpp>
#include <set>

#include "polyhedron_samples.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

template <class Make>
std::string refusal(const Make& make) {
  try {
    make();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing refused";
}

std::string refusal_of_points(const std::vector<Point<3>>& points) {
  return refusal([&] { Polyhedron{points}; });
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
    corners[k] = static_cast<Index>(mesh.corners.size());
    mesh.corners.push_back(at);
  }
  if (!high) std::swap(corners[1], corners[3]);
  mesh.pieces.push_back({corners[0], corners[1], corners[2]});
  mesh.pieces.push_back({corners[0], corners[2], corners[3]});
}

// A mesh of boxes glued together on the grid of whole numbers: faces between two of them are gone.
Mesh<3> blocks(const std::set<Cell>& cells) {
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

double volume_of(const std::vector<Polyhedron>& parts) {
  double sum = 0;
  for (const Polyhedron& part : parts) sum += part.volume();
  return sum;
}

void expect_topology_holds(const Polyhedron& shape) {
  const PolyhedronTopology& t = shape.topology();
  EXPECT_EQ(t.corners() + t.faces(), t.edges.size() + 2);
  for (Index h = 0; h < t.half_edges.size(); ++h) {
    EXPECT_EQ(t.half_edges[t.half_edges[h].twin].twin, h);
    EXPECT_EQ(t.half_edges[t.half_edges[h].twin].origin, t.half_edges[t.half_edges[h].next].origin);
    EXPECT_EQ(t.half_edges[t.half_edges[h].next].face, t.half_edges[h].face);
    const auto after = [&](Index from) { return t.half_edges[t.half_edges[from].next].origin; };
    EXPECT_EQ(t.ridges[h].origin, t.half_edges[h].origin);
    EXPECT_EQ(t.ridges[h].tip, after(h));
    EXPECT_EQ(t.ridges[h].left, after(t.half_edges[h].next));
    EXPECT_EQ(t.ridges[h].right, after(t.half_edges[t.half_edges[h].twin].next));
  }
  for (Index corner = 0; corner < t.corners(); ++corner)
    for (Index k = t.hub[corner]; k < t.hub[corner + 1]; ++k) {
      EXPECT_EQ(t.half_edges[t.spokes[k].half_edge].origin, corner);
      EXPECT_EQ(t.half_edges[t.half_edges[t.spokes[k].half_edge].twin].origin, t.spokes[k].tip);
      // Counterclockwise: the face on the left of a spoke has the next one too.
      const Index next = t.spokes[k + 1 < t.hub[corner + 1] ? k + 1 : t.hub[corner]].half_edge;
      EXPECT_EQ(t.half_edges[t.spokes[k].half_edge].face,
                t.half_edges[t.half_edges[next].twin].face);
    }
  for (Index face = 0; face < shape.faces(); ++face) {
    const auto& [i, j, k] = t.frame[face];
    const auto at = [&](Index c) { return shape.corners()[c]; };
    const Point<3> normal = unit(cross(difference(at(j), at(i)), difference(at(k), at(i))));
    for (const Point<3>& corner : shape.corners())
      EXPECT_LE(dot(normal, difference(corner, at(i))), 1e-12 * shape.radius());
  }
}

TEST(Polyhedron, CubeHasSixFacesOfFour) {
  const Polyhedron cube = cube_polyhedron();
  EXPECT_EQ(cube.corners().size(), 8U);
  EXPECT_EQ(cube.faces(), 6U);
  EXPECT_EQ(cube.topology().edges.size(), 12U);
  for (Index face = 0; face < cube.faces(); ++face) EXPECT_EQ(cube.face(face).size(), 4U);
  expect_topology_holds(cube);
  EXPECT_NEAR(cube.volume(), 1, 1e-14);
  EXPECT_NEAR(length(cube.centroid()), 0, 1e-14);
  EXPECT_NEAR(cube.radius(), std::sqrt(0.75), 1e-14);
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
  EXPECT_EQ(cube.corners().size(), 8U);
  EXPECT_EQ(cube.faces(), 6U);
  expect_topology_holds(cube);
}

TEST(Polyhedron, RotatedBoxesKeepTheirFaces) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Polyhedron box = box_polyhedron({1, random.uniform(0.01, 1), random.uniform(0.01, 1)});
    const double far = i % 2 == 0 ? 0 : 1e6;
    const Stood stood(box, random_placement(random, {far, -far, far}));
    const Polyhedron again(stood.view().corners);
    EXPECT_EQ(again.faces(), 6U) << i;
    EXPECT_NEAR(again.volume(), box.volume(), (far > 0 ? 1e-7 : 1e-13) * box.volume()) << i;
  }
}

TEST(Polyhedron, RandomHullsHangTogether) {
  Random random(4);
  for (int i = 0; i < 60; ++i)
    expect_topology_holds(random_hull(random, 4 + random.below(40), {1, 0.5, 0.1}));
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
  const PolyhedronView first = cube.placed({.shift = {3, 0, 0}}, pool);
  const PolyhedronView second =
      cube.placed(turned({0, 0, 0}, {0, 0, 1}, 1), std::span(pool).subspan(8));
  EXPECT_EQ(first.corners.data(), pool.data());
  EXPECT_EQ(second.corners.data(), pool.data() + 8);
  EXPECT_EQ(first.topology, second.topology);
  EXPECT_NEAR(first.centre[0], 3, 1e-15);
  EXPECT_NEAR(first.corners[0][0], cube.corners()[0][0] + 3, 1e-15);
  EXPECT_NEAR(length(second.corners[0]), cube.radius(), 1e-15);
  EXPECT_THAT(refusal([&] { (void)cube.placed({}, std::span(pool).subspan(9)); }),
              HasSubstr("a polyhedron of 8 corners has no room in 7"));
}

TEST(Polyhedron, BadPointsAreNamed) {
  EXPECT_THAT(refusal_of_points({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}),
              HasSubstr("a polyhedron of 3 points: it needs at least 4"));
  EXPECT_THAT(refusal_of_points({{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}, {0, 0, 1}}),
              HasSubstr("point 2 has y = nan"));
  EXPECT_THAT(refusal_of_points({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, INFINITY}}),
              HasSubstr("point 3 has z = inf"));
  EXPECT_THAT(refusal_of_points({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}),
              HasSubstr("all 5 points of a polyhedron are one"));
  EXPECT_THAT(refusal_of_points({{0, 0, 0}, {1e40, 0, 0}, {0, 1e40, 0}, {0, 0, 1e40}}),
              HasSubstr("a polyhedron of size 1e+40"));
  EXPECT_THAT(refusal_of_points({{0, 0, 0}, {1e-40, 0, 0}, {0, 1e-40, 0}, {0, 0, 1e-40}}),
              HasSubstr("a polyhedron of size 1e-40"));
}

TEST(Polyhedron, FlatPointsAreRefused) {
  const auto flat = AllOf(HasSubstr("lie in one plane"), Not(HasSubstr("\n")));
  EXPECT_THAT(refusal_of_points({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), flat);
  EXPECT_THAT(refusal_of_points({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}), flat);
  EXPECT_THAT(refusal_of_points({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-15}}), flat);
  Random random(5);
  for (int i = 0; i < 50; ++i) {
    const Point<3> u = random_direction(random);
    const Point<3> v = random_direction(random);
    std::vector<Point<3>> points(9);
    for (Point<3>& point : points) point = along(scaled(u, random.uniform()), random.uniform(), v);
    EXPECT_THAT(refusal_of_points(points), flat) << i;
  }
}

TEST(Polyhedron, ConvexMeshesFaceEitherWay) {
  Mesh<3> mesh = blocks({{0, 0, 0}, {1, 0, 0}});
  for (const bool inwards : {false, true}) {
    const Polyhedron shape(mesh);
    EXPECT_EQ(shape.corners().size(), 8U) << inwards;
    EXPECT_EQ(shape.faces(), 6U) << inwards;
    EXPECT_NEAR(shape.volume(), 2, 1e-14) << inwards;
    expect_topology_holds(shape);
    for (auto& piece : mesh.pieces) std::swap(piece[0], piece[1]);
  }
  std::swap(mesh.pieces[2][0], mesh.pieces[2][1]);  // one alone faces the other way
  EXPECT_NEAR(Polyhedron(mesh).volume(), 2, 1e-14);
}

TEST(Polyhedron, BadMeshesAreNamed) {
  Mesh<3> open = blocks({{0, 0, 0}});
  open.pieces.pop_back();
  EXPECT_THAT(refusal([&] { Polyhedron{open}; }),
              HasSubstr("the mesh is not closed: 3 edges have one triangle, 0 more than two"));
  EXPECT_THAT(refusal([&] { (void)convex_parts(open); }), HasSubstr("the mesh is not closed"));
  EXPECT_THAT(refusal([] { Polyhedron{Mesh<3>{}}; }), HasSubstr("a mesh of no triangles"));
  const Mesh<3> bent = blocks({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  EXPECT_THAT(refusal([&] { Polyhedron{bent}; }),
              AllOf(HasSubstr("the mesh is not convex: a corner stands 1 before triangle "),
                    HasSubstr("convex_parts cuts it")));
  Mesh<3> lost = blocks({{0, 0, 0}});
  lost.pieces[3][1] = 99;
  EXPECT_THAT(refusal([&] { Polyhedron{lost}; }), HasSubstr("triangle 3: corner 1 is number 99"));
}

TEST(ConvexParts, ConvexIsOnePart) {
  const auto parts = convex_parts(blocks({{0, 0, 0}, {0, 1, 0}}));
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
      Mesh<3> mesh = blocks(one.cells);
      if (inwards)
        for (auto& piece : mesh.pieces) std::swap(piece[0], piece[1]);
      const auto parts = convex_parts(mesh);
      EXPECT_NEAR(volume_of(parts), static_cast<double>(one.cells.size()), 1e-9) << one.name;
      EXPECT_LE(parts.size(), one.parts) << one.name;
    }
}

TEST(ConvexParts, ACubeWithANotchAndOneWithAHollow) {
  std::set<std::array<int, 3>> notched;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) notched.insert({i, j, k});
  notched.erase({1, 1, 2});
  const auto parts = convex_parts(blocks(notched));
  EXPECT_NEAR(volume_of(parts), 26, 1e-9);
  EXPECT_LE(parts.size(), 5U);
  notched.insert({1, 1, 2});
  notched.erase({1, 1, 1});
  EXPECT_NEAR(volume_of(convex_parts(blocks(notched))), 26, 1e-9);
}

TEST(ConvexParts, TurnedShapesAreCutAsWell) {
  Random random(6);
  for (int i = 0; i < 20; ++i) {
    Mesh<3> mesh = blocks({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 1, 0}, {2, 1, 1}});
    const Placement<3> where = random_placement(random, {3, 4, 5});
    for (Point<3>& corner : mesh.corners) {
      const Point<3> before = corner;
      for (std::size_t k = 0; k < 3; ++k) corner[k] = dot(where.rotation[k], before);
    }
    const auto parts = convex_parts(mesh);
    EXPECT_NEAR(volume_of(parts), 6, 1e-8) << i;
    EXPECT_LE(parts.size(), 6U) << i;
  }
}

TEST(ConvexParts, WhatIsNoBodyIsRefused) {
  // Two cubes that run into each other have no inside to agree on.
  Mesh<3> crossing = blocks({{0, 0, 0}});
  Mesh<3> other = blocks({{0, 0, 0}});
  for (Point<3>& corner : other.corners)
    for (double& x : corner) x += 0.5;
  const auto before = static_cast<Index>(crossing.corners.size());
  crossing.corners.insert(crossing.corners.end(), other.corners.begin(), other.corners.end());
  for (const auto& [a, b, c] : other.pieces)
    crossing.pieces.push_back({a + before, b + before, c + before});
  EXPECT_THAT(refusal([&] { (void)convex_parts(crossing); }),
              AllOf(HasSubstr("cannot be cut exactly"), HasSubstr("give the parts")));
}

}  // namespace
}  // namespace abut::testing
