// Meshes whose facets have vertices that differ by rounding.
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <set>

#include "wall_cases.hpp"
#include "walls/mesh_check.hpp"

namespace abut::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Separate vertices for each facet, moved by up to `distance` along each axis.
template <std::size_t D>
Mesh<D> torn(const Mesh<D>& mesh, double distance, Random& random) {
  Mesh<D> result;
  for (const auto& facet : mesh.facets) {
    auto& separate = result.facets.emplace_back();
    for (std::size_t k = 0; k < D; ++k) {
      Point<D> vertex = mesh.vertices[facet[k]];
      for (double& x : vertex) x += random.uniform(-distance, distance);
      separate[k] = static_cast<Index>(result.vertices.size());
      result.vertices.push_back(vertex);
    }
  }
  return result;
}

template <std::size_t D>
Mesh<D> translated_mesh(Mesh<D> mesh, const Point<D>& offset) {
  for (Point<D>& vertex : mesh.vertices) vertex = sum(vertex, offset);
  return mesh;
}

std::string text_of_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(MeshWelding, ClosesMeshWithRoundingErrors) {
  Random random(1);
  const Mesh<3> box = torn(box_mesh(Point<3>{0, 0, 0}, {1, 2, 3}, 3), 1e-17, random);
  EXPECT_TRUE(inspect_mesh(box).is_closed());
  EXPECT_FALSE(inspect_mesh(box, 0).is_closed());
  const Mesh<2> circle = torn(circle_mesh(9, {0, 0}, 1), 1e-15, random);
  EXPECT_TRUE(inspect_mesh(circle).is_closed());
  EXPECT_FALSE(inspect_mesh(circle, 0).is_closed());
}

// Including vertices in adjacent cells of a grid, at any distance from the origin.
TEST(MeshWelding, MergesVerticesAtAnyPosition) {
  Random random(2);
  const Mesh<3> sphere = sphere_mesh(300, {0, 0, 0}, 0.5);
  for (int i = 0; i < 100; ++i) {
    const double far = i % 3 == 0 ? 0 : i % 3 == 1 ? 10 : 1e4;
    const Mesh<3> mesh = translated_mesh(
        torn(sphere, 2.5e-10, random),
        {random.uniform(-far, far), random.uniform(-far, far), random.uniform(-far, far)});
    EXPECT_TRUE(inspect_mesh(mesh).is_closed()) << i;
  }
}

TEST(MeshWelding, AllowsForRoundingFarFromOrigin) {
  Random random(3);
  const Mesh<3> far = translated_mesh(box_mesh(Point<3>{0, 0, 0}, {1, 1, 1}, 2), {1e9, -1e9, 1e9});
  EXPECT_TRUE(inspect_mesh(torn(far, 1.5e-7, random)).is_closed());  // an ulp is 1.2e-7
}

TEST(MeshWelding, DoesNotMergeVerticesBeyondTolerance) {
  Random random(4);
  const Mesh<3> box = torn(box_mesh(Point<3>{0, 0, 0}, {1, 1, 1}), 1e-7, random);
  EXPECT_EQ(inspect_mesh(box).boundary_edges, 36U);
  EXPECT_TRUE(inspect_mesh(box, 1e-6).is_closed());
  EXPECT_TRUE(inspect_mesh(translated_mesh(box, {0.3, 0.1, -5}), 1e-6).is_closed());
}

TEST(MeshWelding, DoesNotDependOnOrderOfFacets) {
  Random random(5);
  for (int i = 0; i < 50; ++i) {
    Mesh<3> mesh = torn(sphere_mesh(60, {0, 0, 0}, 1), 1.5e-9, random);  // some merge, some do not
    const MeshReport report = inspect_mesh(mesh);
    for (std::size_t k = mesh.facets.size(); k > 1; --k)
      std::swap(mesh.facets[k - 1], mesh.facets[random.below(k)]);
    const MeshReport shuffled = inspect_mesh(mesh);
    EXPECT_EQ(shuffled.boundary_edges, report.boundary_edges);
    EXPECT_EQ(shuffled.nonmanifold_edges, report.nonmanifold_edges);
    EXPECT_EQ(shuffled.redundant.size(), report.redundant.size());
  }
}

// A fine polyline does not shrink to a point: every other vertex is kept.
TEST(MeshWelding, DoesNotMergeChains) {
  constexpr Index count = 101;
  Mesh<2> line;
  for (Index i = 0; i < count; ++i) line.vertices.push_back({0.006 * i, 0});
  for (Index i = 0; i + 1 < count; ++i) line.facets.push_back({i, i + 1});
  line.vertices.push_back({0.6, 1});
  line.facets.push_back({count - 1, count});
  const Mesh<2> merged = welded(line, 0.01);
  std::set<Point<2>> positions;
  for (const auto& facet : merged.facets)
    for (const Index vertex : facet) positions.insert(merged.vertices[vertex]);
  EXPECT_EQ(positions.size(), 52U);
  const MeshReport report = inspect_mesh(line, 0.01);
  EXPECT_EQ(report.redundant.size(), 50U);
  EXPECT_EQ(report.boundary_edges, 2U);
  EXPECT_THAT(report.degenerate, IsEmpty());
}

TEST(MeshWelding, ReportsFacetsSmallerThanTolerance) {
  Mesh<3> box = box_mesh(Point<3>{0, 0, 0}, {1, 1, 1});
  const auto first = static_cast<Index>(box.vertices.size());
  box.vertices.insert(box.vertices.end(), {{0.5, 0.5, 0}, {0.5, 0.5, 1e-10}, {0.5, 0.6, 0}});
  box.facets.push_back({first, first + 1, first + 2});
  box.facets.push_back({first, first + 2, first + 1});
  const MeshReport report = inspect_mesh(box);
  EXPECT_THAT(report.redundant, ElementsAre(12));
  EXPECT_THAT(report.degenerate, IsEmpty());
  EXPECT_THAT(report.duplicates, ElementsAre(13));
  EXPECT_TRUE(report.is_closed());
  EXPECT_THAT(inspect_mesh(box, 0).redundant, IsEmpty());
}

// Small facets and both sides of thin plates keep their contacts.
TEST(MeshWelding, DoesNotChangeContacts) {
  Mesh<3> mesh{{{0, 0, 0}, {1e-10, 0, 0}, {0, 1e-10, 0}, {9, 0, 0}, {9, 1, 0}, {9, 0, 1}}, {}};
  mesh.facets = {{0, 1, 2}, {3, 4, 5}};
  EXPECT_EQ(inspect_mesh(mesh).redundant.size(), 1U);
  EXPECT_EQ(contacts_at<3>(walls_of(mesh), {0, 0, 0.1}, 0.2).size(), 1U);
  const Walls3 plate = walls_of(box_mesh(Point<3>{-5, -5, -1e-12}, {5, 5, 0}, 4));
  EXPECT_EQ(contacts_at<3>(plate, {0.1, 0.2, 0.9}, 1).front().gap, 0.9 - 1);
}

TEST(MeshWelding, ReportsFacetsThatAlmostEqualAnEarlierOne) {
  Random random(7);
  Mesh<3> mesh = torn(box_mesh(Point<3>{0, 0, 0}, {1, 1, 1}), 1e-12, random);
  mesh.facets.push_back({36, 37, 38});
  for (const Index vertex : mesh.facets[2])
    mesh.vertices.push_back(sum(mesh.vertices[vertex], {1e-12, 0, -1e-12}));
  EXPECT_THAT(inspect_mesh(mesh).redundant, ElementsAre(12));
  EXPECT_THAT(inspect_mesh(mesh).duplicates, IsEmpty());
  EXPECT_TRUE(inspect_mesh(mesh).is_closed());
  EXPECT_THAT(inspect_mesh(mesh, 0).redundant, IsEmpty());
}

TEST(MeshWelding, MakesInteriorWatertight) {
  Random random(8);
  const MeshInterior<3> interior(torn(box_mesh(Point<3>{0, 0, 0}, {1, 1, 1}, 4), 1e-10, random));
  EXPECT_NEAR(interior.volume(), 1, 1e-9);
  for (int i = 0; i < 2000; ++i) {  // rays through vertices and edges
    const double y =
        0.25 * static_cast<double>(1 + random.below(3)) + random.uniform(-1, 1) * 1e-10;
    const double z =
        0.25 * static_cast<double>(1 + random.below(3)) + random.uniform(-1, 1) * 1e-10;
    EXPECT_TRUE(interior.contains({0.5, y, z}));
    EXPECT_FALSE(interior.contains({-0.5, y, z}));
    EXPECT_FALSE(interior.contains({1.5, y, z}));
  }
}

TEST(MeshWelding, LocatesFirstOpenEdge) {
  Mesh<3> box = box_mesh(Point<3>{0, 0, 0}, {1, 2, 3});
  const auto removed = box.facets.back();
  box.facets.pop_back();
  const MeshReport report = inspect_mesh(box);
  ASSERT_TRUE(report.open_edge.has_value());
  EXPECT_EQ(report.open_edge->facets, 1U);
  for (const Point<3>& end : report.open_edge->ends)
    EXPECT_TRUE(std::ranges::any_of(removed, [&](Index k) { return box.vertices[k] == end; }));
  EXPECT_EQ(inspect_mesh(box_mesh(Point<3>{0, 0, 0}, {1, 2, 3})).open_edge, std::nullopt);
  const Mesh<2> line{{{0, 0.5}, {1, 0}, {2, 0}}, {{1, 2}, {0, 1}}};
  EXPECT_EQ(text_of_error([&] { MeshInterior<2>{line}; }),
            "the mesh is not closed: 2 vertices belong to only one segment, 0 to more than two; "
            "the first is (2, 0) of segment 0");
}

TEST(MeshWelding, RejectsInvalidTolerance) {
  const Mesh<3> box = box_mesh(Point<3>{0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(text_of_error([&] { inspect_mesh(box, -1); }),
            "weld_tolerance = -1: must be from 0 to 0.1");
  EXPECT_THAT(text_of_error([&] { inspect_mesh(box, std::nan("")); }), HasSubstr("must be from 0"));
  EXPECT_THAT(text_of_error([&] { MeshInterior<3>(box, 0.2); }), HasSubstr("weld_tolerance = 0.2"));
}

}  // namespace
}  // namespace abut::testing
