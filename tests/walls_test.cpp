// Contacts with walls, worked out by hand.
#include <gmock/gmock.h>

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
void expect_contact(const std::vector<WallContact<D>>& found, Index wall, Feature feature,
                    double gap, const Point<D>& normal, const Point<D>& point) {
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].element, wall);
  EXPECT_EQ(found[0].feature, feature);
  EXPECT_NEAR(found[0].gap, gap, 1e-14);
  expect_near(found[0].normal, normal);
  expect_near(found[0].point, point);
}

const Mesh<3> triangle{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 1, 2}}};
const Mesh<2> segment{{{0, 0}, {4, 0}}, {{0, 1}}};

TEST(WallFeatures, FaceOfATriangleFromBothSides) {
  const Walls3 walls = walls_of(triangle);
  expect_contact<3>(contacts_at<3>(walls, {1, 1, 0.75}, 1), 0, Feature::face, -0.25, {0, 0, 1},
                    {1, 1, 0});
  expect_contact<3>(contacts_at<3>(walls, {1, 1, -0.75}, 1), 0, Feature::face, -0.25, {0, 0, -1},
                    {1, 1, 0});
  EXPECT_THAT(contacts_at<3>(walls, {1, 1, 1.0001}, 1), SizeIs(0));
}

TEST(WallFeatures, EdgesOfATriangle) {
  const Walls3 walls = walls_of(triangle);
  expect_contact<3>(contacts_at<3>(walls, {2, -3, 4}, 5.5), 0, Feature::edge, -0.5, {0, -0.6, 0.8},
                    {2, 0, 0});
  expect_contact<3>(contacts_at<3>(walls, {-3, 2, -4}, 5.5), 0, Feature::edge, -0.5,
                    {-0.6, 0, -0.8}, {0, 2, 0});
  const double half = std::sqrt(0.5);
  expect_contact<3>(contacts_at<3>(walls, {3, 3, 0}, 2), 0, Feature::edge, std::sqrt(2.0) - 2,
                    {half, half, 0}, {2, 2, 0});
}

TEST(WallFeatures, CornersOfATriangle) {
  const Walls3 walls = walls_of(triangle);
  expect_contact<3>(contacts_at<3>(walls, {-2, -3, 6}, 7.5), 0, Feature::vertex, -0.5,
                    {-2.0 / 7, -3.0 / 7, 6.0 / 7}, {0, 0, 0});
  expect_contact<3>(contacts_at<3>(walls, {6, -1, 0}, 3), 0, Feature::vertex, std::sqrt(5.0) - 3,
                    {2 / std::sqrt(5.0), -1 / std::sqrt(5.0), 0}, {4, 0, 0});
}

TEST(WallFeatures, FaceAndCornersOfASegment) {
  const Walls2 walls = walls_of(segment);
  expect_contact<2>(contacts_at<2>(walls, {1, 0.75}, 1), 0, Feature::face, -0.25, {0, 1}, {1, 0});
  expect_contact<2>(contacts_at<2>(walls, {1, -0.75}, 1), 0, Feature::face, -0.25, {0, -1}, {1, 0});
  expect_contact<2>(contacts_at<2>(walls, {-3, 4}, 6), 0, Feature::vertex, -1, {-0.6, 0.8}, {0, 0});
  expect_contact<2>(contacts_at<2>(walls, {7, -4}, 6), 0, Feature::vertex, -1, {0.6, -0.8}, {4, 0});
}

TEST(WallFeatures, CentreOnTheWallHasTheNormalOfThePiece) {
  expect_contact<3>(contacts_at<3>(walls_of(triangle), {1, 1, 0}, 1), 0, Feature::face, -1,
                    {0, 0, 1}, {1, 1, 0});
  expect_contact<3>(contacts_at<3>(walls_of(triangle), {0, 0, 0}, 1), 0, Feature::face, -1,
                    {0, 0, 1}, {0, 0, 0});
  expect_contact<2>(contacts_at<2>(walls_of(segment), {2, 0}, 1), 0, Feature::face, -1, {0, 1},
                    {2, 0});
}

TEST(WallFeatures, OneWallAloneHasExactlyTheGapOfItsDistance) {
  const Walls3 walls = walls_of(triangle);
  for (const double height : {0.1, 1.0 / 3, 0.7, 0.9999999})
    EXPECT_EQ(contacts_at<3>(walls, {1, 1, height}, 1)[0].gap, height - 1);
  EXPECT_EQ(contacts_at<3>(walls, {1, 1, 1.3}, 1, {.margin = 0.5})[0].gap, 1.3 - 1);
}

TEST(WallFeatures, TheEdgeOfTwoPiecesHasTheLowerNumber) {
  Mesh<3> tent = folded_sheet(-60 * degree);
  const auto check = [&] {
    const auto found = contacts_at<3>(walls_of(tent), {0.1, 3.3, 0.9}, 1);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].feature, Feature::edge);
    EXPECT_EQ(found[0].element, 0U);
    expect_near<3>(found[0].point, {0, 3.3, 0});
  };
  check();
  std::ranges::reverse(tent.facets);
  check();
}

// A foot on the diagonal of a square: which of the two triangles is nearer is a matter of rounding.
TEST(WallFeatures, AFootOnAnEdgeHasTheLowerNumberHoweverItIsRounded) {
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
      EXPECT_EQ(found[0].element, 0U);
    }
  }
}

// Rounding leaves the normal of such a triangle to chance; its edges are as good.
TEST(WallFeatures, ASliverIsFeltByItsEdges) {
  for (int i = 1; i < 30; ++i) {
    const RigidTransform<3> where = rotation_about({0, 0, 0}, {1.0, 0.3 * i, -0.7}, 0.2 * i);
    const auto moved = [&](const Point<3>& p) {
      Point<3> result;
      for (std::size_t k = 0; k < 3; ++k) result[k] = dot(where.rotation[k], p);
      return result;
    };
    const Mesh<3> sliver{{moved({0, 0, 0}), moved({10, 0, 0}), moved({5, 2e-12, 0})}, {{0, 1, 2}}};
    const auto found = contacts_at(walls_of(sliver), moved({4, 0, 0.9}), 1.0);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_NEAR(found[0].gap, -0.1, 1e-14);
    EXPECT_LT(length(difference(found[0].normal, moved({0, 0, 1}))), 2e-9);
  }
}

TEST(WallShapes, PlaneFromBothSides) {
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

TEST(WallShapes, PipeFromInsideOutsideAndItsRim) {
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

TEST(WallShapes, BallOnTheAxisOfAPipeGetsAlwaysTheSameDirection) {
  Walls3 walls;
  walls.add(cylinder({0, 0, 0}, {0, 0, 10}, 1));
  const auto found = contacts_at<3>(walls, {0, 0, 5}, 2);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].gap, -1);
  EXPECT_NEAR(length(found[0].normal), 1, 1e-15);
  EXPECT_EQ(found[0].normal[2], 0);
  EXPECT_EQ(contacts_at<3>(walls, {0, 0, 5}, 2), found);
}

TEST(WallShapes, ConeHasAFaceARimAndAnApex) {
  Walls3 walls;
  walls.add(cone({0, 0, 0}, {0, 0, 4}, 3, 0));  // the apex is up, the side has length 5
  const Point<3> outward{0.8, 0, 0.6};
  const Point<3> middle{1.5, 0, 2};
  expect_contact<3>(contacts_at<3>(walls, add_scaled(middle, 0.75, outward), 1), 0, Feature::face,
                    -0.25, outward, middle);
  expect_contact<3>(contacts_at<3>(walls, add_scaled(middle, -0.75, outward), 1), 0, Feature::face,
                    -0.25, scaled(outward, -1), middle);
  expect_contact<3>(contacts_at<3>(walls, {0, 0, 4.5}, 1), 0, Feature::vertex, -0.5, {0, 0, 1},
                    {0, 0, 4});
  expect_contact<3>(contacts_at<3>(walls, {0, 3, -0.5}, 1), 0, Feature::edge, -0.5, {0, 0, -1},
                    {0, 3, 0});
}

TEST(WallShapes, DiscAndRing) {
  Walls3 disc;
  disc.add(Annulus{{0, 0, 1}, {0, 0, 2}, 3});
  expect_contact<3>(contacts_at<3>(disc, {0, 0, 1.5}, 1), 0, Feature::face, -0.5, {0, 0, 1},
                    {0, 0, 1});
  expect_contact<3>(contacts_at<3>(disc, {0, 3.6, 0.2}, 1.5), 0, Feature::edge, -0.5,
                    {0, 0.6, -0.8}, {0, 3, 1});
  Walls3 ring;
  ring.add(Annulus{{0, 0, 0}, {0, 0, 1}, 3, 1});
  EXPECT_THAT(contacts_at<3>(ring, {0, 0, 0.5}, 1), SizeIs(0));  // through the outlet
  expect_contact<3>(contacts_at<3>(ring, {0.4, 0, 0.8}, 1.25), 0, Feature::edge, -0.25,
                    {-0.6, 0, 0.8}, {1, 0, 0});
}

TEST(WallShapes, AnyAxisIsAsGoodAsZ) {
  const RigidTransform<3> where = rotation_about({1, 2, 3}, {1, -2, 0.5}, 0.7);
  const auto moved = [&](const Point<3>& p) {
    Point<3> result;
    for (std::size_t k = 0; k < 3; ++k)
      result[k] = dot(where.rotation[k], p) + where.translation[k];
    return result;
  };
  Walls3 upright;
  upright.add(cone({0, 0, 0}, {0, 0, 4}, 3, 1));
  Walls3 turned_shape;
  turned_shape.add(cone(moved({0, 0, 0}), moved({0, 0, 4}), 3, 1));
  const Scene<3> scene = random_spheres<3>(300, -4, 5, 0.2, 1, 3);
  for (std::size_t i = 0; i < scene.size(); ++i) {
    const Point<3> at{scene.coordinates[0][i], scene.coordinates[1][i], scene.coordinates[2][i]};
    const auto here = contacts_at(upright, at, scene.radii[i]);
    const auto there = contacts_at(turned_shape, moved(at), scene.radii[i]);
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t j = 0; j < here.size(); ++j) {
      EXPECT_NEAR(here[j].gap, there[j].gap, 1e-13);
      expect_near(moved(here[j].point), there[j].point, 1e-13);
      EXPECT_EQ(here[j].feature, there[j].feature);
    }
  }
}

TEST(WallMargin, AddsContactsAndChangesNone) {
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

TEST(WallMargin, OnASheetReportsOneContactHoweverLargeItIs) {
  const double half = trial_count(100) / 2.0;  // squares of 1
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

TEST(WallNumbers, GoOnFromBodyToBody) {
  Walls3 walls;
  EXPECT_EQ(walls.add(triangle), 0U);
  EXPECT_EQ(walls.add(Plane<3>{{0, 0, 5}, {0, 0, 1}}), 1U);
  EXPECT_EQ(walls.add(box_mesh(Point<3>{10, 10, 10}, {20, 20, 20})), 2U);
  EXPECT_EQ(walls.add(cylinder({0, 0, -10}, {0, 0, -5}, 1)), 3U);
  EXPECT_EQ(walls.element_count(), 1U + 1 + 12 + 1);
  EXPECT_EQ(contacts_at<3>(walls, {1, 1, 5.5}, 1)[0].element, 1U);
  EXPECT_EQ(contacts_at<3>(walls, {1.5, 0, -7}, 1)[0].element, 14U);
}

TEST(WallOverlap, IsThatOfTheNearestWallAndNegativeWhereItIsFree) {
  Walls3 walls;
  EXPECT_EQ(walls.overlap({0, 0, 0}, 1), -std::numeric_limits<double>::infinity());
  walls.add(triangle);
  EXPECT_EQ(walls.overlap({1, 1, 0.75}, 1), 0.25);
  EXPECT_EQ(walls.overlap({1, 1, 3}, 1), -2);
  EXPECT_DOUBLE_EQ(walls.overlap({-3000, 2, 4000}, 1), -4999);
  walls.add(Plane<3>{{0, 0, 4}, {0, 0, 1}});
  EXPECT_EQ(walls.overlap({1, 1, 3}, 1), 0);
  const Mesh<3> hopper = hopper_mesh(2000, 1, 5, 4, 10);
  Walls3 many;
  many.add(hopper);
  const Scene<3> scene = random_spheres<3>(200, -12, 12, 0.5, 0.5, 9);
  for (std::size_t i = 0; i < scene.size(); ++i) {
    const Point<3> at{scene.coordinates[0][i], scene.coordinates[1][i], scene.coordinates[2][i]};
    double nearest = 1e9;
    for (std::size_t piece = 0; piece < hopper.facets.size(); ++piece) {
      Facets<3> alone;
      const auto& [a, b, c] = hopper.facets[piece];
      alone.add({hopper.vertices[a], hopper.vertices[b], hopper.vertices[c]}, 0);
      ClosestPoint<3> touch;
      if (alone.find_closest(0, at, nearest, touch)) nearest = touch.distance;
    }
    EXPECT_EQ(many.overlap(at, 0.5), 0.5 - nearest);
  }
}

TEST(WallLists, AreEmptyWithoutWallsOrParticles) {
  const Walls3 none;
  EXPECT_THAT(contacts_at<3>(none, {0, 0, 0}, 1), SizeIs(0));
  EXPECT_THAT(walls_of(triangle).contacts(Spheres3()), SizeIs(0));
  EXPECT_THAT(contacts_at<3>(walls_of(Mesh<3>{}), {0, 0, 0}, 1), SizeIs(0));
  std::vector<WallContact<3>> kept(3);
  walls_of(triangle).contacts(Spheres3(), {}, kept);
  EXPECT_THAT(kept, SizeIs(0));
}

TEST(WallRefusal, OfParticlesThatNoPeriodBringsBack) {
  Walls3 walls;
  walls.add(box_mesh(Point<3>{0, 0, 0}, Point<3>{4, 4, 4}, 1));
  const Scene<3> far = scene_of<3>({{1e12, 2, 2, 0.5}});
  EXPECT_THROW((void)walls.contacts(far.view(), {.domain = Box<3>{{0, 0, 0}, {4, 4, 4}},
                                                 .periodic = {true, false, false}}),
               Error);
}

}  // namespace
}  // namespace abut::testing
