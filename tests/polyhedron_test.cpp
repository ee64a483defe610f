// Construction of polyhedra from points and meshes, mass properties, and convex decomposition.
#include <gmock/gmock.h>

#include <abut/error.hpp>
#include <algorithm>
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
  return "no error";
}

std::string hull_error(const std::vector<Point<3>>& points) {
  return error_of([&] { Polyhedron{points}; });
}

using Cell = std::array<int, 3>;

// One face of a unit cube as two triangles that are oriented outward.
void add_face(Mesh<3>& mesh, const Cell& cell, std::size_t axis, bool high) {
  const std::size_t u = (axis + 1) % 3;
  const std::size_t v = (axis + 2) % 3;
  std::array<Index, 4> vertices{};
  for (std::size_t k = 0; k < 4; ++k) {
    Point<3> at{static_cast<double>(cell[0]), static_cast<double>(cell[1]),
                static_cast<double>(cell[2])};
    at[axis] += high ? 1 : 0;
    at[u] += k == 1 || k == 2 ? 1 : 0;
    at[v] += k >= 2 ? 1 : 0;
    vertices[k] = static_cast<Index>(mesh.vertices.size());
    mesh.vertices.push_back(at);
  }
  if (!high) std::swap(vertices[1], vertices[3]);
  mesh.facets.push_back({vertices[0], vertices[1], vertices[2]});
  mesh.facets.push_back({vertices[0], vertices[2], vertices[3]});
}

// The surface of a union of unit cubes on the integer grid; faces between two cubes are omitted.
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
  const PolyhedronTopology& t = *shape.view().topology;
  EXPECT_EQ(t.vertex_count() + t.face_count(), t.edges.size() + 2);
  for (Index h = 0; h < t.half_edges.size(); ++h) {
    EXPECT_EQ(t.half_edges[t.half_edges[h].twin].twin, h);
    EXPECT_EQ(t.half_edges[t.half_edges[h].twin].origin, t.half_edges[t.half_edges[h].next].origin);
    EXPECT_EQ(t.half_edges[t.half_edges[h].next].face, t.half_edges[h].face);
    const auto target = [&](Index from) { return t.half_edges[t.half_edges[from].next].origin; };
    EXPECT_EQ(t.edge_fans[h].origin, t.half_edges[h].origin);
    EXPECT_EQ(t.edge_fans[h].target, target(h));
    EXPECT_EQ(t.edge_fans[h].left, target(t.half_edges[h].next));
    EXPECT_EQ(t.edge_fans[h].right, target(t.half_edges[t.half_edges[h].twin].next));
  }
  for (Index vertex = 0; vertex < t.vertex_count(); ++vertex)
    for (Index k = t.vertex_offsets[vertex]; k < t.vertex_offsets[vertex + 1]; ++k) {
      EXPECT_EQ(t.half_edges[t.outgoing_edges[k].half_edge].origin, vertex);
      EXPECT_EQ(t.half_edges[t.half_edges[t.outgoing_edges[k].half_edge].twin].origin,
                t.outgoing_edges[k].target);
      // Counterclockwise: the face on the left of an edge also contains the next one.
      const Index next =
          t.outgoing_edges[k + 1 < t.vertex_offsets[vertex + 1] ? k + 1 : t.vertex_offsets[vertex]]
              .half_edge;
      EXPECT_EQ(t.half_edges[t.outgoing_edges[k].half_edge].face,
                t.half_edges[t.half_edges[next].twin].face);
    }
  for (Index face = 0; face < shape.face_count(); ++face) {
    const auto& [i, j, k] = t.face_frames[face];
    const auto at = [&](Index c) { return shape.vertices()[c]; };
    const Point<3> normal = normalized(cross(difference(at(j), at(i)), difference(at(k), at(i))));
    for (const Point<3>& vertex : shape.vertices())
      EXPECT_LE(dot(normal, difference(vertex, at(i))), 1e-12 * shape.bounding_radius());
  }
}

TEST(Polyhedron, CubeHasSixQuadrilateralFaces) {
  const Polyhedron cube = cube_polyhedron();
  EXPECT_EQ(cube.vertices().size(), 8U);
  EXPECT_EQ(cube.face_count(), 6U);
  EXPECT_EQ(cube.view().topology->edges.size(), 12U);
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

TEST(Polyhedron, OmitsPointsInsideOnFacesAndOnEdges) {
  std::vector<Point<3>> points;
  for (const double x : {-1.0, -0.25, 0.0, 1.0})
    for (const double y : {-1.0, 0.0, 0.5, 1.0})
      for (const double z : {-1.0, 0.0, 1.0}) points.push_back({x, y, z});
  const Polyhedron cube(points);
  EXPECT_EQ(cube.vertices().size(), 8U);
  EXPECT_EQ(cube.face_count(), 6U);
  expect_valid_topology(cube);
}

TEST(Polyhedron, RotatedBoxesHaveSixFaces) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Polyhedron box = box_polyhedron({1, random.uniform(0.01, 1), random.uniform(0.01, 1)});
    const double offset = i % 2 == 0 ? 0 : 1e6;
    const TransformedPolyhedron stood(box, random_transform(random, {offset, -offset, offset}));
    const Polyhedron again(stood.view().vertices);
    EXPECT_EQ(again.face_count(), 6U) << i;
    EXPECT_NEAR(again.volume(), box.volume(), (offset > 0 ? 1e-7 : 1e-13) * box.volume()) << i;
  }
}

TEST(Polyhedron, RandomHullsHaveValidTopology) {
  Random random(4);
  for (int i = 0; i < 60; ++i)
    expect_valid_topology(random_hull(random, 4 + random.below(40), {1, 0.5, 0.1}));
}

TEST(Polyhedron, ComputesMassPropertiesOfTetrahedron) {
  const Polyhedron shape{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_NEAR(shape.volume(), 1.0 / 6, 1e-15);
  for (const double x : shape.centroid()) EXPECT_NEAR(x, 0.25, 1e-15);
  // About the vertex at the origin: ∫x² dV = 1/60, ∫xy dV = 1/120.
  EXPECT_NEAR(shape.inertia()[0][0], 2 * (1.0 / 60 - 1.0 / 96), 1e-15);
  EXPECT_NEAR(shape.inertia()[0][1], -(1.0 / 120 - 1.0 / 96), 1e-15);
}

TEST(Polyhedron, WritesTransformedVerticesToBuffer) {
  const Polyhedron cube = cube_polyhedron();
  std::vector<Point<3>> buffer(16);
  const PolyhedronView first = cube.transformed({.translation = {3, 0, 0}}, buffer);
  const PolyhedronView second =
      cube.transformed(rotation_about({0, 0, 0}, {0, 0, 1}, 1), std::span(buffer).subspan(8));
  EXPECT_EQ(first.vertices.data(), buffer.data());
  EXPECT_EQ(second.vertices.data(), buffer.data() + 8);
  EXPECT_EQ(first.topology, second.topology);
  EXPECT_NEAR(first.centroid[0], 3, 1e-15);
  EXPECT_NEAR(first.vertices[0][0], cube.vertices()[0][0] + 3, 1e-15);
  EXPECT_NEAR(length(second.vertices[0]), cube.bounding_radius(), 1e-15);
  EXPECT_THAT(error_of([&] { (void)cube.transformed({}, std::span(buffer).subspan(9)); }),
              HasSubstr("a buffer for 7 vertices is too small for a polyhedron of 8"));
}

TEST(Polyhedron, RejectsInvalidPoints) {
  EXPECT_THAT(hull_error({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}),
              HasSubstr("a polyhedron of 3 points; must have at least 4"));
  EXPECT_THAT(hull_error({{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}, {0, 0, 1}}),
              HasSubstr("point 2 has y = nan"));
  EXPECT_THAT(hull_error({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, INFINITY}}),
              HasSubstr("point 3 has z = inf"));
  EXPECT_THAT(hull_error({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}),
              HasSubstr("all 5 points of a polyhedron coincide"));
  EXPECT_THAT(hull_error({{0, 0, 0}, {1e40, 0, 0}, {0, 1e40, 0}, {0, 0, 1e40}}),
              HasSubstr("a polyhedron has an extent of 1e+40"));
  EXPECT_THAT(hull_error({{0, 0, 0}, {1e-40, 0, 0}, {0, 1e-40, 0}, {0, 0, 1e-40}}),
              HasSubstr("a polyhedron has an extent of 1e-40"));
}

TEST(Polyhedron, RejectsCoplanarPoints) {
  const auto is_coplanar_error = AllOf(HasSubstr("are coplanar"), Not(HasSubstr("\n")));
  EXPECT_THAT(hull_error({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), is_coplanar_error);
  EXPECT_THAT(hull_error({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}), is_coplanar_error);
  EXPECT_THAT(hull_error({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-15}}), is_coplanar_error);
  Random random(5);
  for (int i = 0; i < 50; ++i) {
    const Point<3> u = random_direction(random);
    const Point<3> v = random_direction(random);
    std::vector<Point<3>> points(9);
    for (Point<3>& point : points)
      point = add_scaled(scaled(u, random.uniform()), random.uniform(), v);
    EXPECT_THAT(hull_error(points), is_coplanar_error) << i;
  }
}

TEST(Polyhedron, AcceptsConvexMeshesOfEitherOrientation) {
  Mesh<3> mesh = cell_mesh({{0, 0, 0}, {1, 0, 0}});
  for (const bool inward : {false, true}) {
    const Polyhedron shape(mesh);
    EXPECT_EQ(shape.vertices().size(), 8U) << inward;
    EXPECT_EQ(shape.face_count(), 6U) << inward;
    EXPECT_NEAR(shape.volume(), 2, 1e-14) << inward;
    expect_valid_topology(shape);
    for (auto& facet : mesh.facets) std::swap(facet[0], facet[1]);
  }
  std::swap(mesh.facets[2][0], mesh.facets[2][1]);  // one facet with the opposite orientation
  EXPECT_NEAR(Polyhedron(mesh).volume(), 2, 1e-14);
}

TEST(Polyhedron, RejectsInvalidMeshes) {
  Mesh<3> open = cell_mesh({{0, 0, 0}});
  open.facets.pop_back();
  EXPECT_THAT(error_of([&] { Polyhedron{open}; }),
              HasSubstr("the mesh is not closed: 3 edges belong to only one triangle, 0 to more "
                        "than two; the first is the edge from ("));
  EXPECT_THAT(error_of([&] { (void)convex_decomposition(open); }),
              HasSubstr("the mesh is not closed"));
  EXPECT_THAT(error_of([] { Polyhedron{Mesh<3>{}}; }),
              HasSubstr("the mesh is not closed: there are no triangles"));
  const Mesh<3> concave = cell_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  EXPECT_THAT(
      error_of([&] { Polyhedron{concave}; }),
      AllOf(HasSubstr("the mesh is not convex: a vertex lies 1 outside the plane of triangle "),
            HasSubstr("use convex_decomposition")));
  Mesh<3> out_of_range = cell_mesh({{0, 0, 0}});
  out_of_range.facets[3][1] = 99;
  EXPECT_THAT(error_of([&] { Polyhedron{out_of_range}; }), HasSubstr("triangle 3: vertex 1 = 99"));
}

// Without Qhull, faces come from the facets of the mesh; they must agree with those of the hull.
TEST(Polyhedron, MeshFacetsMergeToFacesOfHull) {
  Random random(12);
  for (int i = 0; i < 40; ++i) {
    const Polyhedron hull = i % 2 == 0 ? random_hull(random, 4 + random.below(30), {1, 0.5, 0.2})
                                       : box_polyhedron({1, random.uniform(0.1, 1), 0.5});
    const TransformedPolyhedron placed(hull, random_transform(random, {1, 2, 3}));
    const std::span<const Point<3>> vertices = placed.view().vertices;
    std::vector<std::array<Index, 3>> facets;  // fans of the faces, some of them reversed
    for (Index face = 0; face < hull.face_count(); ++face) {
      const std::vector<Index> loop = hull.face_vertices(face);
      for (std::size_t k = 1; k + 1 < loop.size(); ++k)
        facets.push_back(face % 3 == 0 ? std::array{loop[0], loop[k + 1], loop[k]}
                                       : std::array{loop[0], loop[k], loop[k + 1]});
    }
    const auto normalized_loops = [](std::vector<std::vector<Index>> loops) {
      for (auto& loop : loops)
        std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
      std::ranges::sort(loops);
      return loops;
    };
    std::vector<std::vector<Index>> expected;
    for (Index face = 0; face < hull.face_count(); ++face)
      expected.push_back(hull.face_vertices(face));
    EXPECT_EQ(normalized_loops(merge_coplanar_facets(facets, vertices)), normalized_loops(expected))
        << i;
  }
}

TEST(Polyhedron, RejectsUseAfterMove) {
  Polyhedron shape = cube_polyhedron();
  const Polyhedron moved = std::move(shape);
  EXPECT_EQ(moved.face_count(), 6U);
  EXPECT_THROW((void)shape.view(), Error);  // NOLINT(bugprone-use-after-move)
  EXPECT_THROW((void)shape.vertices(), Error);
  EXPECT_THROW((void)shape.face_count(), Error);
  EXPECT_THROW((void)shape.volume(), Error);
  EXPECT_THROW((void)shape.centroid(), Error);
  EXPECT_THROW((void)shape.inertia(), Error);
  EXPECT_THROW((void)shape.bounding_radius(), Error);
  std::vector<Point<3>> buffer(8);
  EXPECT_THROW((void)shape.transformed({}, buffer), Error);
}

TEST(Polyhedron, RejectsFaceThatDoesNotExist) {
  EXPECT_THAT(error_of([] { (void)cube_polyhedron().face_vertices(6); }),
              HasSubstr("face 6 does not exist; the polyhedron has 6"));
}

TEST(ConvexDecomposition3D, KeepsConvexMesh) {
  const auto parts = convex_decomposition(cell_mesh({{0, 0, 0}, {0, 1, 0}}));
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_NEAR(parts[0].volume(), 2, 1e-14);
}

TEST(ConvexDecomposition3D, SplitsConcaveMeshes) {
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
    for (const bool inward : {false, true}) {
      Mesh<3> mesh = cell_mesh(one.cells);
      if (inward)
        for (auto& facet : mesh.facets) std::swap(facet[0], facet[1]);
      const auto parts = convex_decomposition(mesh);
      EXPECT_NEAR(total_volume(parts), static_cast<double>(one.cells.size()), 1e-9) << one.name;
      EXPECT_LE(parts.size(), one.parts) << one.name;
    }
}

TEST(ConvexDecomposition3D, SplitsMeshOfManyShells) {
  std::set<Cell> cells;
  std::size_t shells = 0;
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j)
      for (int k = 0; k < 10; ++k, ++shells) cells.insert({2 * i, 3 * j, 2 * k});
  const auto parts = convex_decomposition(cell_mesh(cells));
  ASSERT_EQ(parts.size(), shells);
  for (const Polyhedron& part : parts) EXPECT_NEAR(part.volume(), 1, 1e-12);
}

TEST(ConvexDecomposition3D, SplitsCubesWithNotchAndWithCavity) {
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

TEST(ConvexDecomposition3D, SplitsRotatedMeshes) {
  Random random(6);
  for (int i = 0; i < 20; ++i) {
    Mesh<3> mesh = cell_mesh({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 1, 0}, {2, 1, 1}});
    const RigidTransform<3> transform = random_transform(random, {3, 4, 5});
    for (Point<3>& vertex : mesh.vertices) {
      const Point<3> original = vertex;
      for (std::size_t k = 0; k < 3; ++k) vertex[k] = dot(transform.rotation[k], original);
    }
    const auto parts = convex_decomposition(mesh);
    EXPECT_NEAR(total_volume(parts), 6, 1e-8) << i;
    EXPECT_LE(parts.size(), 6U) << i;
  }
}

TEST(ConvexDecomposition3D, RejectsSelfIntersectingMesh) {
  // The interior of two interpenetrating cubes is not defined.
  Mesh<3> crossing = cell_mesh({{0, 0, 0}});
  Mesh<3> other = cell_mesh({{0, 0, 0}});
  for (Point<3>& vertex : other.vertices)
    for (double& x : vertex) x += 0.5;
  const auto offset = static_cast<Index>(crossing.vertices.size());
  crossing.vertices.insert(crossing.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& [a, b, c] : other.facets)
    crossing.facets.push_back({a + offset, b + offset, c + offset});
  EXPECT_THAT(error_of([&] { (void)convex_decomposition(crossing); }),
              AllOf(HasSubstr("cannot be cut exactly"), HasSubstr("give the convex parts")));
}

}  // namespace
}  // namespace abut::testing
