// Wall contacts compared with results calculated by hand.
#include <gmock/gmock.h>

#include <type_traits>
#include <utility>

#include "conformance.hpp"
#include "sanitized.hpp"
#include "wall_cases.hpp"

namespace abut::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::SizeIs;

template <std::size_t D>
void expect_near(const Point<D>& a, const Point<D>& b, double tolerance = 1e-14) {
  for (std::size_t k = 0; k < D; ++k) EXPECT_NEAR(a[k], b[k], tolerance) << "axis " << k;
}

template <std::size_t D>
void expect_contact(const std::vector<WallContact<D>>& found, std::size_t element, Feature feature,
                    double gap, const Point<D>& normal, const Point<D>& point) {
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].element, WallElementId(element));
  EXPECT_EQ(found[0].feature, feature);
  EXPECT_NEAR(found[0].gap, gap, 1e-14);
  expect_near(found[0].normal, normal);
  expect_near(found[0].point, point);
}

const Mesh<3> triangle{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 1, 2}}};
const Mesh<2> segment{{{0, 0}, {4, 0}}, {{0, 1}}};

TEST(WallContacts, TouchTriangleFaceFromBothSides) {
  const Walls3 walls = walls_of(triangle);
  expect_contact<3>(contacts_at<3>(walls, {1, 1, 0.75}, 1), 0, Feature::face, -0.25, {0, 0, 1},
                    {1, 1, 0});
  expect_contact<3>(contacts_at<3>(walls, {1, 1, -0.75}, 1), 0, Feature::face, -0.25, {0, 0, -1},
                    {1, 1, 0});
  EXPECT_THAT(contacts_at<3>(walls, {1, 1, 1.0001}, 1), SizeIs(0));
}

TEST(WallContacts, TouchTriangleEdges) {
  const Walls3 walls = walls_of(triangle);
  expect_contact<3>(contacts_at<3>(walls, {2, -3, 4}, 5.5), 0, Feature::edge, -0.5, {0, -0.6, 0.8},
                    {2, 0, 0});
  expect_contact<3>(contacts_at<3>(walls, {-3, 2, -4}, 5.5), 0, Feature::edge, -0.5,
                    {-0.6, 0, -0.8}, {0, 2, 0});
  const double half = std::sqrt(0.5);
  expect_contact<3>(contacts_at<3>(walls, {3, 3, 0}, 2), 0, Feature::edge, std::sqrt(2.0) - 2,
                    {half, half, 0}, {2, 2, 0});
}

TEST(WallContacts, TouchTriangleVertices) {
  const Walls3 walls = walls_of(triangle);
  expect_contact<3>(contacts_at<3>(walls, {-2, -3, 6}, 7.5), 0, Feature::vertex, -0.5,
                    {-2.0 / 7, -3.0 / 7, 6.0 / 7}, {0, 0, 0});
  expect_contact<3>(contacts_at<3>(walls, {6, -1, 0}, 3), 0, Feature::vertex, std::sqrt(5.0) - 3,
                    {2 / std::sqrt(5.0), -1 / std::sqrt(5.0), 0}, {4, 0, 0});
}

TEST(WallContacts, TouchSegmentFaceAndVertices) {
  const Walls2 walls = walls_of(segment);
  expect_contact<2>(contacts_at<2>(walls, {1, 0.75}, 1), 0, Feature::face, -0.25, {0, 1}, {1, 0});
  expect_contact<2>(contacts_at<2>(walls, {1, -0.75}, 1), 0, Feature::face, -0.25, {0, -1}, {1, 0});
  expect_contact<2>(contacts_at<2>(walls, {-3, 4}, 6), 0, Feature::vertex, -1, {-0.6, 0.8}, {0, 0});
  expect_contact<2>(contacts_at<2>(walls, {7, -4}, 6), 0, Feature::vertex, -1, {0.6, -0.8}, {4, 0});
}

TEST(WallContacts, UseFacetNormalIfCenterIsOnWall) {
  expect_contact<3>(contacts_at<3>(walls_of(triangle), {1, 1, 0}, 1), 0, Feature::face, -1,
                    {0, 0, 1}, {1, 1, 0});
  expect_contact<3>(contacts_at<3>(walls_of(triangle), {0, 0, 0}, 1), 0, Feature::face, -1,
                    {0, 0, 1}, {0, 0, 0});
  expect_contact<2>(contacts_at<2>(walls_of(segment), {2, 0}, 1), 0, Feature::face, -1, {0, 1},
                    {2, 0});
}

TEST(WallContacts, HaveExactGapForSingleWall) {
  const Walls3 walls = walls_of(triangle);
  for (const double height : {0.1, 1.0 / 3, 0.7, 0.9999999})
    EXPECT_EQ(contacts_at<3>(walls, {1, 1, height}, 1)[0].gap, height - 1);
  EXPECT_EQ(contacts_at<3>(walls, {1, 1, 1.3}, 1, {.margin = 0.5})[0].gap, 1.3 - 1);
}

TEST(WallContacts, ReportLowerElementOnSharedEdge) {
  Mesh<3> tent = folded_sheet(-60 * degree);
  const auto check = [&] {
    const auto found = contacts_at<3>(walls_of(tent), {0.1, 3.3, 0.9}, 1);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].feature, Feature::edge);
    EXPECT_EQ(found[0].element, WallElementId(0));
    expect_near<3>(found[0].point, {0, 3.3, 0});
  };
  check();
  std::ranges::reverse(tent.facets);
  check();
}

// The center projects onto the diagonal of a square: rounding decides which triangle is closer.
TEST(WallContacts, ReportLowerElementDespiteRounding) {
  Random random(6);
  for (int i = 0; i < trial_count(300); ++i) {
    const auto vector = [&] {
      return normalized(
          Point<3>{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    };
    const Point<3> u = scaled(vector(), 3);
    const Point<3> n = perpendicular(normalized(u));
    const Point<3> v = scaled(cross(n, normalized(u)), 2);
    const Point<3> o = vector();
    Mesh<3> square{{o, sum(o, u), sum(sum(o, u), v), sum(o, v)}, {{0, 1, 2}, {0, 2, 3}}};
    const Point<3> foot = add_scaled(o, random.uniform(0.3, 0.7), sum(u, v));
    for (const bool reversed : {false, true}) {
      if (reversed) std::ranges::reverse(square.facets);
      const auto found = contacts_at(walls_of(square), add_scaled(foot, 0.6, n), 1.0);
      ASSERT_THAT(found, SizeIs(1));
      EXPECT_EQ(found[0].element, WallElementId(0));
    }
  }
}

// The normal of such a triangle is dominated by rounding, so its edges are used instead.
TEST(WallContacts, TouchEdgesOfSlivers) {
  for (int i = 1; i < 30; ++i) {
    const RigidTransform<3> transform = rotation_about({0, 0, 0}, {1.0, 0.3 * i, -0.7}, 0.2 * i);
    const auto transformed = [&](const Point<3>& p) {
      Point<3> result;
      for (std::size_t k = 0; k < 3; ++k) result[k] = dot(transform.rotation[k], p);
      return result;
    };
    const Mesh<3> sliver{
        {transformed({0, 0, 0}), transformed({10, 0, 0}), transformed({5, 2e-12, 0})}, {{0, 1, 2}}};
    const auto found = contacts_at(walls_of(sliver), transformed({4, 0, 0.9}), 1.0);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_NEAR(found[0].gap, -0.1, 1e-14);
    EXPECT_LT(length(difference(found[0].normal, transformed({0, 0, 1}))), 2e-9);
  }
}

TEST(WallShapes, TouchPlaneFromBothSides) {
  Walls3 walls;
  walls.add(Plane<3>{{0, 0, 2}, {0, 0, 10}});
  expect_contact<3>(contacts_at<3>(walls, {1e6, -5, 2.5}, 1), 0, Feature::face, -0.5, {0, 0, 1},
                    {1e6, -5, 2});
  expect_contact<3>(contacts_at<3>(walls, {0, 0, 1.5}, 1), 0, Feature::face, -0.5, {0, 0, -1},
                    {0, 0, 2});
  Walls2 line;
  line.add(Plane<2>{{0, 0}, {3, 4}});
  expect_contact<2>(contacts_at<2>(line, {0.6, 0.8}, 1.5), 0, Feature::face, -0.5, {0.6, 0.8},
                    {0, 0});
}

TEST(WallShapes, TouchCylinderFromInsideOutsideAndAtRim) {
  Walls3 walls;
  walls.add(cylinder({0, 0, 0}, {0, 0, 10}, 5));
  expect_contact<3>(contacts_at<3>(walls, {4.5, 0, 3}, 1), 0, Feature::face, -0.5, {-1, 0, 0},
                    {5, 0, 3});
  expect_contact<3>(contacts_at<3>(walls, {0, 5.5, 3}, 1), 0, Feature::face, -0.5, {0, 1, 0},
                    {0, 5, 3});
  expect_contact<3>(contacts_at<3>(walls, {0, 5.6, 10.8}, 1.25), 0, Feature::edge, -0.25,
                    {0, 0.6, 0.8}, {0, 5, 10});
  EXPECT_THAT(contacts_at<3>(walls, {0, 0, 3}, 1), SizeIs(0));
}

TEST(WallShapes, ChooseReproducibleNormalOnCylinderAxis) {
  Walls3 walls;
  walls.add(cylinder({0, 0, 0}, {0, 0, 10}, 1));
  const auto found = contacts_at<3>(walls, {0, 0, 5}, 2);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].gap, -1);
  EXPECT_NEAR(length(found[0].normal), 1, 1e-15);
  EXPECT_EQ(found[0].normal[2], 0);
  EXPECT_EQ(contacts_at<3>(walls, {0, 0, 5}, 2), found);
}

TEST(WallShapes, TouchConeAtFaceRimAndApex) {
  Walls3 walls;
  walls.add(cone({0, 0, 0}, {0, 0, 4}, 3, 0));  // apex up, slant height 5
  const Point<3> outward{0.8, 0, 0.6};
  const Point<3> foot{1.5, 0, 2};
  expect_contact<3>(contacts_at<3>(walls, add_scaled(foot, 0.75, outward), 1), 0, Feature::face,
                    -0.25, outward, foot);
  expect_contact<3>(contacts_at<3>(walls, add_scaled(foot, -0.75, outward), 1), 0, Feature::face,
                    -0.25, scaled(outward, -1), foot);
  expect_contact<3>(contacts_at<3>(walls, {0, 0, 4.5}, 1), 0, Feature::vertex, -0.5, {0, 0, 1},
                    {0, 0, 4});
  expect_contact<3>(contacts_at<3>(walls, {0, 3, -0.5}, 1), 0, Feature::edge, -0.5, {0, 0, -1},
                    {0, 3, 0});
}

TEST(WallShapes, TouchDiskAndAnnulus) {
  Walls3 disk;
  disk.add(Annulus{{0, 0, 1}, {0, 0, 2}, 3});
  expect_contact<3>(contacts_at<3>(disk, {0, 0, 1.5}, 1), 0, Feature::face, -0.5, {0, 0, 1},
                    {0, 0, 1});
  expect_contact<3>(contacts_at<3>(disk, {0, 3.6, 0.2}, 1.5), 0, Feature::edge, -0.5,
                    {0, 0.6, -0.8}, {0, 3, 1});
  Walls3 annulus;
  annulus.add(Annulus{{0, 0, 0}, {0, 0, 1}, 3, 1});
  EXPECT_THAT(contacts_at<3>(annulus, {0, 0, 0.5}, 1), SizeIs(0));  // through the orifice
  expect_contact<3>(contacts_at<3>(annulus, {0.4, 0, 0.8}, 1.25), 0, Feature::edge, -0.25,
                    {-0.6, 0, 0.8}, {1, 0, 0});
}

TEST(WallShapes, DoNotDependOnAxisDirection) {
  const RigidTransform<3> transform = rotation_about({1, 2, 3}, {1, -2, 0.5}, 0.7);
  const auto transformed = [&](const Point<3>& p) {
    Point<3> result;
    for (std::size_t k = 0; k < 3; ++k)
      result[k] = dot(transform.rotation[k], p) + transform.translation[k];
    return result;
  };
  Walls3 vertical;
  vertical.add(cone({0, 0, 0}, {0, 0, 4}, 3, 1));
  Walls3 rotated;
  rotated.add(cone(transformed({0, 0, 0}), transformed({0, 0, 4}), 3, 1));
  const Scene<3> scene = random_spheres<3>(300, -4, 5, 0.2, 1, 3);
  for (std::size_t i = 0; i < scene.size(); ++i) {
    const Point<3> center{scene.coordinates[0][i], scene.coordinates[1][i],
                          scene.coordinates[2][i]};
    const auto expected = contacts_at(vertical, center, scene.radii[i]);
    const auto actual = contacts_at(rotated, transformed(center), scene.radii[i]);
    ASSERT_EQ(expected.size(), actual.size());
    for (std::size_t j = 0; j < expected.size(); ++j) {
      EXPECT_NEAR(expected[j].gap, actual[j].gap, 1e-13);
      expect_near(transformed(expected[j].point), actual[j].point, 1e-13);
      EXPECT_EQ(expected[j].feature, actual[j].feature);
    }
  }
}

TEST(WallMargin, AddsContactsWithoutChangingOthers) {
  const Mesh<3> mesh = folded_sheet(20 * degree);
  const Walls3 walls = walls_of(mesh);
  const Scene<3> scene = random_spheres<3>(2000, -2, 2, 0.3, 1, 5);
  const auto touching = walls.contacts(scene.view());
  auto within = walls.contacts(scene.view(), {.margin = 1.5});
  EXPECT_GT(within.size(), touching.size());
  for (const auto& contact : within) EXPECT_LE(contact.gap, 1.5 + 1e-9);
  std::erase_if(within, [&](const auto& contact) {
    return std::ranges::find(touching, contact) == touching.end();
  });
  EXPECT_EQ(within, touching);
}

TEST(WallMargin, ReportsOneContactOnFlatSheet) {
  const double half = trial_count(100) / 2.0;  // squares of side 1
  const Walls3 walls =
      walls_of(box_mesh(Point<3>{-half, -half, -2 * half}, {half, half, 0}, trial_count(100U)));
  for (const double height : {0.2, 0.99, 1.01, 2.0, 5.0})
    for (const double margin : {0.1, 1.0, 3.0, 8.0}) {
      const auto found = contacts_at<3>(walls, {0.31, 0.47, height}, 1, {.margin = margin});
      ASSERT_EQ(found.size(), height - 1 <= margin ? 1U : 0U) << height << " " << margin;
      if (!found.empty()) {
        EXPECT_EQ(found[0].gap, height - 1);
      }
    }
}

TEST(WallElements, AreNumberedAcrossWalls) {
  Walls3 walls;
  EXPECT_EQ(walls.add(triangle), WallId(0));
  EXPECT_EQ(walls.add(Plane<3>{{0, 0, 5}, {0, 0, 1}}), WallId(1));
  EXPECT_EQ(walls.add(box_mesh(Point<3>{10, 10, 10}, {20, 20, 20})), WallId(2));
  EXPECT_EQ(walls.add(cylinder({0, 0, -10}, {0, 0, -5}, 1)), WallId(3));
  EXPECT_EQ(walls.element_count(), 1U + 1 + 12 + 1);
  EXPECT_EQ(contacts_at<3>(walls, {1, 1, 5.5}, 1)[0].element, WallElementId(1));
  EXPECT_EQ(contacts_at<3>(walls, {1.5, 0, -7}, 1)[0].element, WallElementId(14));
}

TEST(WallElements, BelongToTheirWalls) {
  Walls3 walls;
  walls.add(triangle);
  walls.add(Mesh<3>{});
  walls.add(box_mesh(Point<3>{10, 10, 10}, {20, 20, 20}));
  walls.add(Plane<3>{{0, 0, 5}, {0, 0, 1}});
  EXPECT_EQ(walls.wall_count(), 4U);
  EXPECT_EQ(walls.wall_of(WallElementId(0)), WallId(0));
  EXPECT_EQ(walls.wall_of(WallElementId(1)), WallId(2));
  EXPECT_EQ(walls.wall_of(WallElementId(12)), WallId(2));
  EXPECT_EQ(walls.wall_of(WallElementId(13)), WallId(3));
  EXPECT_THROW((void)walls.wall_of(WallElementId(14)), Error);
}

static_assert(!std::is_convertible_v<WallElementId, WallId>);
static_assert(!std::is_convertible_v<WallId, WallElementId>);
static_assert(!std::is_convertible_v<std::size_t, WallId>);

template <class Call>
ErrorCode error_code(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST(WallErrors, HaveCodes) {
  Walls3 walls = walls_of(triangle);
  EXPECT_EQ(error_code([&] { walls.set_transform(WallId(1), {}); }), ErrorCode::out_of_range);
  EXPECT_EQ(error_code([&] { (void)walls.wall_of(WallElementId(1)); }), ErrorCode::out_of_range);
  EXPECT_EQ(error_code([&] {
              walls.add(cylinder({0, 0, 0}, {0, 0, 1}, -1));
            }),
            ErrorCode::invalid_argument);
  const Walls3 moved = std::move(walls);
  // NOLINTNEXTLINE(bugprone-use-after-move): that is what is tested
  EXPECT_EQ(error_code([&] { (void)walls.wall_count(); }), ErrorCode::moved_from);
}

TEST(MovedFromWalls, ThrowOnEveryUse) {
  Walls3 walls = walls_of(triangle);
  const Walls3 moved = std::move(walls);
  EXPECT_EQ(moved.element_count(), 1U);
  // NOLINTBEGIN(bugprone-use-after-move): that is what is tested
  std::vector<WallContact<3>> found;
  EXPECT_THROW(walls.add(triangle), Error);
  EXPECT_THROW(walls.add(Plane<3>{{0, 0, 0}, {0, 0, 1}}), Error);
  EXPECT_THROW(walls.add(cylinder({0, 0, 0}, {0, 0, 1}, 1)), Error);
  EXPECT_THROW(walls.add(Annulus{{0, 0, 0}, {0, 0, 1}, 1}), Error);
  EXPECT_THROW(walls.set_transform(WallId(0), {}), Error);
  EXPECT_THROW((void)walls.contacts(Spheres3()), Error);
  EXPECT_THROW(walls.contacts(Spheres3(), {}, found), Error);
  EXPECT_THROW((void)walls.overlap({0, 0, 0}, 1), Error);
  EXPECT_THROW((void)walls.overlap({0, 0, 0}, 1, {}), Error);
  EXPECT_THROW((void)walls.wall_count(), Error);
  EXPECT_THROW((void)walls.element_count(), Error);
  EXPECT_THROW((void)walls.wall_of(WallElementId(0)), Error);
  walls = walls_of(triangle);
  // NOLINTEND(bugprone-use-after-move)
  EXPECT_EQ(walls.wall_count(), 1U);
}

TEST(WallOverlap, EqualsRadiusMinusDistanceOfNearestWall) {
  Walls3 walls;
  EXPECT_EQ(walls.overlap({0, 0, 0}, 1), -std::numeric_limits<double>::infinity());
  walls.add(triangle);
  EXPECT_EQ(walls.overlap({1, 1, 0.75}, 1), 0.25);
  EXPECT_EQ(walls.overlap({1, 1, 3}, 1), -2);
  EXPECT_DOUBLE_EQ(walls.overlap({-3000, 2, 4000}, 1), -4999);
  walls.add(Plane<3>{{0, 0, 4}, {0, 0, 1}});
  EXPECT_EQ(walls.overlap({1, 1, 3}, 1), 0);
  const Mesh<3> hopper = hopper_mesh(2000, 1, 5, 4, 10);
  Walls3 hopper_walls;
  hopper_walls.add(hopper);
  const Scene<3> scene = random_spheres<3>(200, -12, 12, 0.5, 0.5, 9);
  for (std::size_t i = 0; i < scene.size(); ++i) {
    const Point<3> center{scene.coordinates[0][i], scene.coordinates[1][i],
                          scene.coordinates[2][i]};
    double nearest = 1e9;
    for (std::size_t facet = 0; facet < hopper.facets.size(); ++facet) {
      Facets<3> single;
      const auto& [a, b, c] = hopper.facets[facet];
      single.add({hopper.vertices[a], hopper.vertices[b], hopper.vertices[c]}, 0);
      ClosestPoint<3> closest;
      if (single.find_closest(0, center, nearest, closest)) nearest = closest.distance;
    }
    EXPECT_EQ(hopper_walls.overlap(center, 0.5), 0.5 - nearest);
  }
}

TEST(WallContacts, AreEmptyWithoutWallsOrParticles) {
  const Walls3 empty;
  EXPECT_THAT(contacts_at<3>(empty, {0, 0, 0}, 1), SizeIs(0));
  EXPECT_THAT(walls_of(triangle).contacts(Spheres3()), SizeIs(0));
  EXPECT_THAT(contacts_at<3>(walls_of(Mesh<3>{}), {0, 0, 0}, 1), SizeIs(0));
  std::vector<WallContact<3>> reused(3);
  walls_of(triangle).contacts(Spheres3(), {}, reused);
  EXPECT_THAT(reused, SizeIs(0));
}

TEST(WallErrors, RejectParticlesTooManyPeriodsAway) {
  Walls3 walls;
  walls.add(box_mesh(Point<3>{0, 0, 0}, Point<3>{4, 4, 4}, 1));
  const Scene<3> far = scene_of<3>({{1e12, 2, 2, 0.5}});
  EXPECT_THROW((void)walls.contacts(far.view(), {.domain = Box<3>{{0, 0, 0}, {4, 4, 4}},
                                                 .periodic = {true, false, false}}),
               Error);
}

}  // namespace
}  // namespace abut::testing
