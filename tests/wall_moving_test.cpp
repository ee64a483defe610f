// Moving walls and periodic domains.
#include <gmock/gmock.h>

#include "wall_cases.hpp"

namespace abut::testing {
namespace {

using ::testing::SizeIs;

template <std::size_t D>
Point<D> transformed(const RigidTransform<D>& transform, const Point<D>& point) {
  Point<D> result;
  for (std::size_t k = 0; k < D; ++k)
    result[k] = dot(transform.rotation[k], point) + transform.translation[k];
  return result;
}

template <std::size_t D>
Mesh<D> transformed(const RigidTransform<D>& transform, Mesh<D> mesh) {
  for (Point<D>& vertex : mesh.vertices) vertex = transformed(transform, vertex);
  return mesh;
}

// Equal up to rounding.
template <std::size_t D>
void expect_same_contacts(const std::vector<WallContact<D>>& a,
                          const std::vector<WallContact<D>>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].particle, b[i].particle);
    EXPECT_EQ(a[i].element, b[i].element);
    EXPECT_NEAR(a[i].gap, b[i].gap, 1e-11);
    for (std::size_t k = 0; k < D; ++k) {
      EXPECT_NEAR(a[i].normal[k], b[i].normal[k], 1e-10);
      EXPECT_NEAR(a[i].point[k], b[i].point[k], 1e-11);
    }
  }
}

TEST(WallTransform, RotatesCounterclockwiseAboutCenter) {
  const Point<2> center = transformed<2>(rotation_about({1, 1}, 90 * degree), {2, 1});
  EXPECT_NEAR(center[0], 1, 1e-15);
  EXPECT_NEAR(center[1], 2, 1e-15);
  const Point<3> up = transformed<3>(rotation_about({1, 1, 1}, {0, 0, 5}, 90 * degree), {2, 1, 7});
  EXPECT_NEAR(up[0], 1, 1e-15);
  EXPECT_NEAR(up[1], 2, 1e-15);
  EXPECT_NEAR(up[2], 7, 1e-15);
}

TEST(WallTransform, EqualsMeshWithTransformedVertices) {
  const Mesh<3> mesh = hopper_mesh(800, 1, 4, 3, 8);
  const Scene<3> scene = random_spheres<3>(3000, -9, 9, 0.2, 1, 31);
  Walls3 walls;
  walls.add(Plane<3>{{0, 0, -9}, {0, 0, 1}});
  const WallId wall = walls.add(mesh);
  for (const double angle : {0.3, 2.0, -1.1}) {
    const RigidTransform<3> transform = rotation_about({1, 0, 2}, {1, 2, -1}, angle);
    walls.set_transform(wall, transform);
    Walls3 reference;
    reference.add(Plane<3>{{0, 0, -9}, {0, 0, 1}});
    reference.add(transformed(transform, mesh));
    const auto found = walls.contacts(scene.view());
    EXPECT_GT(found.size(), 100U);
    expect_same_contacts(found, reference.contacts(scene.view()));
  }
  walls.set_transform(wall, {});
  Walls3 untransformed;
  untransformed.add(Plane<3>{{0, 0, -9}, {0, 0, 1}});
  untransformed.add(mesh);
  EXPECT_EQ(walls.contacts(scene.view()), untransformed.contacts(scene.view()));
}

TEST(WallTransform, AppliesIn2DAndToShapes) {
  const Mesh<2> mesh = circle_mesh(40, {2, 0}, 3);
  const Scene<2> scene = random_spheres<2>(2000, -8, 8, 0.2, 1, 32);
  Walls2 walls = walls_of(mesh);
  const RigidTransform<2> transform = rotation_about({1, 1}, 0.77);
  walls.set_transform(WallId(0), transform);
  expect_same_contacts(walls.contacts(scene.view()),
                       walls_of(transformed(transform, mesh)).contacts(scene.view()));
  Walls3 shapes;
  const WallId wall = shapes.add(cylinder({0, 0, 0}, {0, 0, 6}, 2));
  const RigidTransform<3> tilt = rotation_about({0, 1, 0}, {1, 1, 0}, 1.0);
  shapes.set_transform(wall, tilt);
  Walls3 reference;
  reference.add(cylinder(transformed<3>(tilt, {0, 0, 0}), transformed<3>(tilt, {0, 0, 6}), 2));
  const Scene<3> spheres = random_spheres<3>(2000, -6, 6, 0.2, 1, 33);
  expect_same_contacts(shapes.contacts(spheres.view()), reference.contacts(spheres.view()));
  EXPECT_NEAR(shapes.overlap({1, 2, 3}, 1), reference.overlap({1, 2, 3}, 1), 1e-13);
}

// The bounding box of a moved wall contains both of its circles.
TEST(WallTransform, AppliesToConesThatWidenAndNarrow) {
  const RigidTransform<3> tilt = rotation_about({0, 1, 0}, {1, 1, 0}, 1.0);
  const Scene<3> spheres = random_spheres<3>(2000, -6, 6, 0.2, 1, 34);
  for (const auto& [from_radius, to_radius] : {std::pair{1.0, 4.0}, {4.0, 1.0}, {0.0, 3.0}}) {
    Walls3 walls;
    const WallId wall = walls.add(Frustum{{0, 0, 0}, {1, 0, 4}, from_radius, to_radius});
    walls.set_transform(wall, tilt);
    Walls3 reference;
    reference.add(Frustum{transformed<3>(tilt, {0, 0, 0}), transformed<3>(tilt, {1, 0, 4}),
                          from_radius, to_radius});
    const auto found = walls.contacts(spheres.view());
    EXPECT_GT(found.size(), 40U);
    expect_same_contacts(found, reference.contacts(spheres.view()));
  }
}

// Compares periodic walls with explicit copies of the walls in neighboring periods.
template <std::size_t D>
void expect_periodic_contacts(const Mesh<D>& mesh, const std::array<bool, D>& periodic,
                              std::uint64_t seed) {
  const Box<D> domain = [] {
    Box<D> box;
    box.min.fill(-1);
    box.max.fill(7);
    return box;
  }();
  const Scene<D> scene = random_spheres<D>(600, -1, 7, 0.2, 1.2, seed);
  Walls<D> copies;
  for (int x = periodic[0] ? -2 : 0; x <= (periodic[0] ? 2 : 0); ++x)
    for (int y = periodic[1] ? -2 : 0; y <= (periodic[1] ? 2 : 0); ++y) {
      RigidTransform<D> transform;
      transform.translation[0] = 8.0 * x;
      transform.translation[1] = 8.0 * y;
      copies.add(transformed(transform, mesh));
    }
  const auto found =
      walls_of(mesh).contacts(scene.view(), {.domain = domain, .periodic = periodic});
  const auto expected = copies.contacts(scene.view());
  EXPECT_GT(found.size(), 20U);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].particle, expected[i].particle);
  for (std::size_t i = 0; i < found.size();) {  // the order of a particle's contacts may differ
    std::size_t last = i;
    Point<D> total{};
    Point<D> expected_total{};
    for (; last < found.size() && found[last].particle == found[i].particle; ++last) {
      total = add_scaled(total, found[last].gap, found[last].normal);
      expected_total = add_scaled(expected_total, expected[last].gap, expected[last].normal);
    }
    for (std::size_t k = 0; k < D; ++k) ASSERT_NEAR(total[k], expected_total[k], 1e-11);
    i = last;
  }
  for (const auto& contact : found) EXPECT_LT(contact.element.value(), mesh.facets.size());
}

TEST(PeriodicWalls, EqualExplicitCopies) {
  expect_periodic_contacts<3>(soup_mesh<3>(60, 6, 3, 7), {true, false, false}, 1);
  expect_periodic_contacts<3>(soup_mesh<3>(60, 6, 3, 8), {true, true, false}, 2);
  expect_periodic_contacts<3>(soup_mesh<3>(60, 12, 3, 9), {true, true, false},
                              3);  // larger than the domain
  expect_periodic_contacts<2>(soup_mesh<2>(40, 6, 3, 7), {true, false}, 4);
  expect_periodic_contacts<2>(soup_mesh<2>(40, 6, 3, 8), {true, true}, 5);
}

TEST(PeriodicWalls, HaveNoSeamOnFlatSheet) {
  Mesh<3> floor{{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}}, {{0, 1, 2}, {0, 2, 3}}};
  const Walls3 walls = walls_of(floor);
  const WallOptions<3> options{.domain = Box<3>{{0, 0, 0}, {4, 4, 4}},
                               .periodic = {true, true, false}};
  for (double x = -9.05; x < 9; x += 0.1)
    for (const double overlap : {1e-6, 0.1, 0.4}) {
      const Point<3> center{x, 0.7 * x, 1 - overlap};
      const auto found = contacts_at(walls, center, 1.0, options);
      ASSERT_THAT(found, SizeIs(1)) << x;
      EXPECT_NEAR(found[0].gap, -overlap, 1e-14);
      EXPECT_NEAR(found[0].point[0], x, 1e-12);  // in the frame of the caller
      EXPECT_NEAR(found[0].point[1], 0.7 * x, 1e-12);
    }
}

TEST(PeriodicWalls, CanBeTouchedFromBothSides) {
  Walls3 walls;
  walls.add(Plane<3>{{0, 0, 0}, {0, 0, 1}});
  const WallOptions<3> options{.domain = Box<3>{{0, 0, 0}, {4, 4, 1.5}},
                               .periodic = {true, true, true}};
  const auto found = contacts_at<3>(walls, {1, 1, 0.7}, 1, options);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_NEAR(found[0].gap, -0.3, 1e-14);
  EXPECT_NEAR(found[1].gap, -0.2, 1e-14);
  EXPECT_NEAR(found[1].point[2], 1.5, 1e-14);
}

TEST(PeriodicWalls, AreFoundAfterMovingManyPeriods) {
  Walls3 walls = walls_of(box_mesh(Point<3>{1, 1, 1}, {2, 2, 2}));
  const WallOptions<3> options{.domain = Box<3>{{0, 0, 0}, {8, 8, 8}}, .periodic = {true}};
  const auto before = contacts_at<3>(walls, {2.5, 1.5, 1.5}, 1, options);
  ASSERT_FALSE(before.empty());
  RigidTransform<3> far;
  far.translation[0] = 8 * 13;
  walls.set_transform(WallId(0), far);
  expect_same_contacts(contacts_at<3>(walls, {2.5, 1.5, 1.5}, 1, options), before);
  expect_same_contacts(contacts_at<3>(walls, {2.5 - 24, 1.5, 1.5}, 1, options), [&] {
    auto shifted = before;
    for (auto& contact : shifted) contact.point[0] -= 24;
    return shifted;
  }());
}

}  // namespace
}  // namespace abut::testing
