// Inspection and interior of meshes, and errors for invalid walls, particles and options.
#include "walls/wall_mesh.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <utility>

#include "wall_cases.hpp"

namespace abut::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class Call>
std::string mesh_error(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(InspectMesh, AcceptsClosedMeshes) {
  for (const Mesh<3>& mesh :
       {box_mesh(Point<3>{0, 0, 0}, {1, 2, 3}), box_mesh(Point<3>{0, 0, 0}, {1, 2, 3}, 5),
        sphere_mesh(500, {1, 2, 3}, 4), torus_mesh(500, {1, 2, 3}, 4, 1)}) {
    const MeshReport report = inspect_mesh(mesh);
    EXPECT_TRUE(report.is_closed());
    EXPECT_EQ(report.inconsistent_edges, 0U);
    EXPECT_THAT(report.degenerate, IsEmpty());
    EXPECT_THAT(report.duplicates, IsEmpty());
  }
  EXPECT_TRUE(inspect_mesh(circle_mesh(9, {0, 0}, 1)).is_closed());
  EXPECT_TRUE(inspect_mesh(box_mesh(Point<2>{0, 0}, {1, 1}, 3)).is_closed());
  EXPECT_FALSE(inspect_mesh(Mesh<3>{}).is_closed());
}

TEST(InspectMesh, CountsBoundaryEdges) {
  Mesh<3> box = box_mesh(Point<3>{0, 0, 0}, {1, 1, 1});
  box.facets.pop_back();
  EXPECT_EQ(inspect_mesh(box).boundary_edges, 3U);
  EXPECT_FALSE(inspect_mesh(box).is_closed());
  EXPECT_EQ(inspect_mesh(hopper_mesh(100, 1, 2, 1, 3)).nonmanifold_edges, 0U);
  Mesh<2> line = circle_mesh(5, {0, 0}, 1);
  line.facets.pop_back();
  EXPECT_EQ(inspect_mesh(line).boundary_edges, 2U);
}

TEST(InspectMesh, ReportsDegenerateAndDuplicateFacets) {
  Mesh<3> box = box_mesh(Point<3>{0, 0, 0}, {1, 1, 1});
  const auto count = static_cast<Index>(box.vertices.size());
  box.vertices.push_back({0.5, 0.5, 0.5});
  box.facets.push_back({0, 1, 0});              // 12: repeated vertex
  box.facets.push_back({count, count, count});  // 13: all vertices coincide
  auto duplicate = box.facets[3];
  std::rotate(duplicate.begin(), duplicate.begin() + 1, duplicate.end());
  box.facets.push_back(duplicate);  // 14: duplicate
  std::swap(duplicate[0], duplicate[1]);
  box.facets.push_back(duplicate);  // 15: duplicate with opposite orientation
  const MeshReport report = inspect_mesh(box);
  EXPECT_EQ(report.facets, 16U);
  EXPECT_THAT(report.degenerate, ElementsAre(12, 13));
  EXPECT_THAT(report.duplicates, ElementsAre(14, 15));
  EXPECT_TRUE(report.is_closed());
  EXPECT_EQ(walls_of(box).element_count(), 16U);  // ignored facets are numbered too
}

TEST(InspectMesh, CountsNonmanifoldAndInconsistentEdges) {
  Mesh<3> fin{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}},
              {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}};
  EXPECT_EQ(inspect_mesh(fin).nonmanifold_edges, 1U);
  Mesh<3> box = box_mesh(Point<3>{0, 0, 0}, {1, 1, 1});
  std::swap(box.facets[0][0], box.facets[0][1]);
  EXPECT_EQ(inspect_mesh(box).inconsistent_edges, 3U);
  EXPECT_TRUE(inspect_mesh(box).is_closed());
}

// A triangle with collinear vertices closes the gap between one long edge and two short ones.
TEST(InspectMesh, CountsEdgesOfDegenerateTriangles) {
  Mesh<3> split = box_mesh(Point<3>{0, 0, 0}, {1, 1, 1});
  const auto [a, b, c] = split.facets[0];
  const auto middle = static_cast<Index>(split.vertices.size());
  split.vertices.push_back(scaled(sum(split.vertices[a], split.vertices[b]), 0.5));
  split.facets[0] = {a, middle, c};
  split.facets.push_back({middle, b, c});
  EXPECT_FALSE(inspect_mesh(split).is_closed());
  split.facets.push_back({a, b, middle});
  EXPECT_TRUE(inspect_mesh(split).is_closed());
  const MeshInterior<3> interior(split);
  EXPECT_TRUE(interior.contains({0.5, 0.5, 0.5}));
  EXPECT_FALSE(interior.contains({-0.5, 0.5, 0.5}));
}

TEST(MeshInterior, ContainsPointsOfBox) {
  for (const std::size_t cuts : {1U, 2U, 8U}) {
    const MeshInterior<3> interior(box_mesh(Point<3>{0, 0, 0}, {4, 4, 4}, cuts));
    EXPECT_DOUBLE_EQ(interior.volume(), 64);
    EXPECT_EQ(interior.bounding_box(), (Box<3>{{0, 0, 0}, {4, 4, 4}}));
    // Including coordinates of edges and diagonals, where rays meet edges and vertices.
    for (const double x : {-1.0, 0.5, 1.0, 2.0, 3.5, 5.0})
      for (const double y : {-0.5, 0.5, 1.0, 2.0, 3.0, 4.5})
        for (const double z : {-0.5, 0.5, 1.0, 2.0, 3.0, 4.5}) {
          const auto within = [](double value) { return value > 0 && value < 4; };
          EXPECT_EQ(interior.contains({x, y, z}), within(x) && within(y) && within(z))
              << x << " " << y << " " << z << " cuts " << cuts;
        }
  }
}

TEST(MeshInterior, ContainsPointsOfRectangleAndCircle) {
  const MeshInterior<2> rectangle(box_mesh(Point<2>{0, 0}, {4, 2}, 4));
  EXPECT_DOUBLE_EQ(rectangle.volume(), 8);
  for (const double x : {-1.0, 1.0, 3.5, 5.0})
    for (const double y : {-0.5, 0.5, 1.0, 1.5, 2.5})
      EXPECT_EQ(rectangle.contains({x, y}), x > 0 && x < 4 && y > 0 && y < 2) << x << " " << y;
  const MeshInterior<2> circle(circle_mesh(400, {1, 1}, 2));
  EXPECT_NEAR(circle.volume(), 4 * std::numbers::pi, 1e-3);
  EXPECT_TRUE(circle.contains({1, 1}));
  EXPECT_FALSE(circle.contains({3.1, 1}));
}

TEST(MeshInterior, AgreesWithEquationsOfSphereAndTorus) {
  const MeshInterior<3> sphere(sphere_mesh(8000, {1, 2, 3}, 4));
  const MeshInterior<3> torus(torus_mesh(8000, {1, 2, 3}, 4, 1));
  EXPECT_NEAR(sphere.volume(), 4 * std::numbers::pi / 3 * 64, 1.5);
  EXPECT_NEAR(torus.volume(), 2 * std::numbers::pi * std::numbers::pi * 4, 0.8);
  Random random(2);
  for (int i = 0; i < 4000; ++i) {
    const Point<3> offset{random.uniform(-6, 6), random.uniform(-6, 6), random.uniform(-6, 6)};
    const Point<3> point = sum(offset, {1, 2, 3});
    const double distance = length(offset);
    if (std::abs(distance - 4) > 0.05) {
      EXPECT_EQ(sphere.contains(point), distance < 4);
    }
    const double section = std::hypot(std::hypot(offset[0], offset[1]) - 4, offset[2]);
    if (std::abs(section - 1) > 0.05) {
      EXPECT_EQ(torus.contains(point), section < 1);
    }
  }
  // Rays through vertices and along edges of the sphere.
  EXPECT_TRUE(sphere.contains({1, 2, 3}));
  EXPECT_FALSE(sphere.contains({-9, 2, 3}));
  EXPECT_FALSE(sphere.contains({9, 2, 3}));
}

TEST(MeshInterior, CountsDuplicateFacetsOnce) {
  Mesh<3> mesh = box_mesh(Point<3>{0, 0, 0}, {4, 4, 4});
  mesh.facets.insert(mesh.facets.end(), mesh.facets.begin(), mesh.facets.end());
  const MeshInterior<3> interior(mesh);
  EXPECT_DOUBLE_EQ(interior.volume(), 64);
  EXPECT_TRUE(interior.contains({1, 2, 3}));
  EXPECT_FALSE(interior.contains({-1, 2, 3}));
}

TEST(MeshInterior, ThrowsIfMovedFrom) {
  MeshInterior<2> interior(circle_mesh(9, {0, 0}, 1));
  const MeshInterior<2> moved = std::move(interior);
  EXPECT_TRUE(moved.contains({0, 0}));
  // NOLINTBEGIN(bugprone-use-after-move): that is what is tested
  EXPECT_THROW((void)interior.contains({0, 0}), Error);
  EXPECT_THROW((void)interior.bounding_box(), Error);
  EXPECT_THROW((void)interior.volume(), Error);
  // NOLINTEND(bugprone-use-after-move)
}

TEST(MeshInterior, RejectsOpenMeshes) {
  EXPECT_THAT(mesh_error([] { MeshInterior<3>{hopper_mesh(100, 1, 2, 1, 3)}; }),
              HasSubstr("is not closed"));
  EXPECT_THAT(mesh_error([] { MeshInterior<3>{Mesh<3>{}}; }), HasSubstr("is not closed"));
}

// An inclined plane is drawn at least as large as the domain.
TEST(WallMesh, OfPlaneCoversTheBox) {
  const Box<3> box{{-1, -2, 0}, {3, 2, 5}};
  for (const Point<3>& normal : {Point<3>{0, 0, 1}, {1, 1, 1}, {0, 3, 4}, {-2, 1, 0}}) {
    const Mesh<3> mesh = wall_mesh<3>({"plane", Plane<3>{{0, 0, 1}, normal}}, 0, box);
    ASSERT_EQ(mesh.vertices.size(), 4U);
    const Point<3> side = difference(mesh.vertices[1], mesh.vertices[0]);
    const Point<3> other = difference(mesh.vertices[3], mesh.vertices[0]);
    for (const Point<3>& vertex : mesh.vertices)
      EXPECT_NEAR(dot(normal, difference(vertex, {0, 0, 1})), 0, 1e-12);
    for (unsigned corner = 0; corner < 8; ++corner) {
      Point<3> point;
      for (std::size_t k = 0; k < 3; ++k)
        point[k] = (corner >> k & 1U) != 0 ? box.max[k] : box.min[k];
      const Point<3> offset = difference(point, mesh.vertices[0]);
      for (const Point<3>& axis : {side, other}) {
        const double position = dot(offset, axis) / dot(axis, axis);
        EXPECT_TRUE(position >= -1e-12 && position <= 1 + 1e-12) << position;
      }
    }
  }
}

TEST(WallErrors, RejectInvalidMeshes) {
  Mesh<3> mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {not_a_number, 0, 0}}, {{0, 1, 2}, {0, 1, 3}}};
  EXPECT_EQ(mesh_error([&] { walls_of(mesh); }),
            "triangle 1: vertex 2 has x = nan: must be finite");
  mesh.vertices[3] = {0, 1e151, 0};
  EXPECT_EQ(mesh_error([&] { inspect_mesh(mesh); }),
            "triangle 1: vertex 2 has y = 1e+151: must be at most 1e150 in magnitude");
  mesh.facets[1][1] = 77;
  EXPECT_EQ(mesh_error([&] { walls_of(mesh); }),
            "triangle 1: vertex 1 = 77: must be below the number of vertices, 4");
  const Mesh<2> line{{{0, 0}, {1, -std::numeric_limits<double>::infinity()}}, {{0, 1}}};
  EXPECT_EQ(mesh_error([&] { walls_of(line); }),
            "segment 0: vertex 1 has y = -inf: must be finite");
  const Mesh<2> unused{{{0, 0}, {1, 0}, {0, not_a_number}}, {{0, 1}}};
  EXPECT_EQ(mesh_error([&] { walls_of(unused); }), "vertex 2 has y = nan: must be finite");
}

TEST(WallErrors, RejectInvalidShapes) {
  Walls3 walls;
  EXPECT_THAT(mesh_error([&] {
                walls.add(Plane<3>{{0, 0, 0}, {0, 0, 0}});
              }),
              HasSubstr("zero length"));
  EXPECT_THAT(mesh_error([&] {
                walls.add(Plane<3>{{0, not_a_number, 0}, {0, 0, 1}});
              }),
              HasSubstr("y = nan"));
  EXPECT_THAT(mesh_error([&] {
                walls.add(cylinder({0, 0, 0}, {0, 0, 1}, -2));
              }),
              HasSubstr("= -2"));
  EXPECT_THAT(mesh_error([&] {
                walls.add(cylinder({0, 0, 0}, {0, 0, 0}, 2));
              }),
              HasSubstr("annulus"));
  EXPECT_THAT(mesh_error([&] { walls.add(cone({0, 0, 0}, {0, 0, 1}, 0, 0)); }), HasSubstr("0"));
  EXPECT_THAT(mesh_error([&] {
                walls.add(Annulus{{0, 0, 0}, {0, 0, 1}, 1, 2});
              }),
              HasSubstr("must be larger than inner_radius"));
  EXPECT_THAT(mesh_error([&] {
                walls.add(Annulus{{0, 0, 0}, {0, 0, 0}, 1});
              }),
              HasSubstr("zero length"));
  EXPECT_EQ(walls.element_count(), 0U);
}

TEST(WallErrors, RejectInvalidTransforms) {
  Walls3 walls;
  walls.add(Plane<3>{{0, 0, 0}, {0, 0, 1}});
  RigidTransform<3> transform;
  EXPECT_THAT(mesh_error([&] { walls.set_transform(WallId(1), transform); }),
              HasSubstr("wall 1 does not exist"));
  transform.rotation[0][0] = 1.00001;
  EXPECT_THAT(mesh_error([&] { walls.set_transform(WallId(0), transform); }),
              HasSubstr("must be 1"));
  transform = {};
  transform.rotation[0][1] = 0.001;
  EXPECT_THAT(mesh_error([&] { walls.set_transform(WallId(0), transform); }),
              HasSubstr("not orthogonal"));
  transform = {};
  transform.rotation[2][2] = -1;
  EXPECT_THAT(mesh_error([&] { walls.set_transform(WallId(0), transform); }), HasSubstr("mirror"));
  transform = {};
  transform.translation[1] = not_a_number;
  EXPECT_THAT(mesh_error([&] { walls.set_transform(WallId(0), transform); }), HasSubstr("y = nan"));
  EXPECT_THAT(mesh_error([] { rotation_about(Point<3>{}, Point<3>{}, 1); }), HasSubstr("length 0"));
  EXPECT_THAT(mesh_error([] { rotation_about(Point<2>{}, not_a_number); }),
              HasSubstr("angle = nan"));
}

TEST(WallErrors, RejectInvalidParticlesAndOptions) {
  const Walls3 walls = walls_of(box_mesh(Point<3>{0, 0, 0}, {1, 1, 1}));
  const auto error_with = [&](const WallOptions<3>& options) {
    return mesh_error([&] { contacts_at<3>(walls, {0, 0, 0}, 1, options); });
  };
  EXPECT_THAT(mesh_error([&] {
                contacts_at<3>(walls, {0, not_a_number, 0}, 1);
              }),
              HasSubstr("y[0]"));
  EXPECT_THAT(mesh_error([&] { contacts_at<3>(walls, {0, 0, 0}, 0); }), HasSubstr("radius[0] = 0"));
  EXPECT_THAT(error_with({.margin = -1}), HasSubstr("margin = -1"));
  EXPECT_THAT(error_with({.tolerance = not_a_number}), HasSubstr("tolerance"));
  EXPECT_THAT(error_with({.threads = 5000}), HasSubstr("threads = 5000"));
  EXPECT_THAT(error_with({.periodic = {false, true, false}}),
              HasSubstr("periodic along y: needs a domain"));
  EXPECT_THAT(
      error_with({.domain = Box<3>{{0, 0, 0}, {1, 0, 1}}, .periodic = {false, true, false}}),
      HasSubstr("domain, y from 0 to 0"));
  Walls3 oblique;
  oblique.add(Plane<3>{{0, 0, 0}, {1, 1, 0}});
  EXPECT_THAT(mesh_error([&] {
                contacts_at<3>(oblique, {0, 0, 0}, 1,
                               {.domain = Box<3>{{0, 0, 0}, {1, 1, 1}}, .periodic = {true}});
              }),
              HasSubstr("oblique to the periodic x axis"));
  EXPECT_THAT(mesh_error([&] {
                static_cast<void>(walls.overlap({0, 0, not_a_number}, 1));
              }),
              HasSubstr("z = nan"));
}

}  // namespace
}  // namespace abut::testing
