// Which of the pieces a ball reaches are its contacts, and how they share.
#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <algorithm>
#include <random>

#include "sanitized.hpp"
#include "wall_cases.hpp"

namespace abut::testing {
namespace {

using ::testing::SizeIs;

ClosestPoint<3> face(const Point<3>& normal, double distance, Index wall) {
  const Point<3> n = normalized(normal);
  return {distance, n, scaled(n, -distance), wall, Feature::face};
}

constexpr ContactResolution<3>::Sphere unit_sphere{1, 1, 1, 1e-15};

TEST(WallResolution, ConvexEdgeIsOneContactAlongTheRadius) {
  for (const double fold : {-1e-9, -1e-6, -1e-3, -0.1, -1.0, -2.0, -170 * degree}) {
    const Walls3 walls = walls_of(folded_sheet(fold));
    const Point<3> out{-std::sin(fold / 2), 0, std::cos(fold / 2)};  // halfway between the normals
    for (const double overlap : {1e-6, 0.01, 0.2}) {
      const Point<3> at = add_scaled(Point<3>{0, 0.3, 0}, 1 - overlap, out);
      const auto found = contacts_at(walls, at, 1.0);
      ASSERT_THAT(found, SizeIs(1)) << fold;
      EXPECT_NEAR(found[0].gap, -overlap, 1e-14);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[0].normal[k], out[k], 1e-8);
    }
  }
}

TEST(WallResolution, RightAngledGrooveGivesEachWallItsOverlap) {
  const Walls3 walls = walls_of(folded_sheet(90 * degree));
  const auto found = contacts_at<3>(walls, {-0.9, 0.3, 0.7}, 1);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_NEAR(found[0].gap, -0.3, 1e-14);
  EXPECT_NEAR(found[0].normal[2], 1, 1e-14);
  EXPECT_NEAR(found[1].gap, -0.1, 1e-14);
  EXPECT_NEAR(found[1].normal[0], -1, 1e-14);
  const Walls2 flat = walls_of(folded_line(90 * degree));
  EXPECT_THAT(contacts_at<2>(flat, {-0.9, 0.7}, 1), SizeIs(2));
}

TEST(WallResolution, CornerOfABoxGivesThreeWallsTheirOverlaps) {
  for (const std::size_t cuts : {1U, 2U, 7U}) {
    const Walls3 walls = walls_of(box_mesh(Point<3>{0, 0, 0}, {10, 10, 10}, cuts));
    const auto found = contacts_at<3>(walls, {0.9, 0.8, 0.7}, 1);
    ASSERT_THAT(found, SizeIs(3)) << cuts;
    const Point<3> pushed = spring_force(found);
    EXPECT_NEAR(pushed[0], 0.1, 1e-14);
    EXPECT_NEAR(pushed[1], 0.2, 1e-14);
    EXPECT_NEAR(pushed[2], 0.3, 1e-14);
    const auto exact = contacts_at<3>(walls, {1, 1, 1}, 1);  // it just touches
    EXPECT_THAT(exact, SizeIs(3)) << cuts;
  }
}

// In a groove of fold f the way out is up by overlap / cos(f/2), and each face gives half of it.
TEST(WallResolution, BluntGrooveIsShared) {
  for (const double fold : {0.1, 10.0, 45.0, 80.0}) {
    const double half = fold / 2 * degree;
    const Walls3 walls = walls_of(folded_sheet(fold * degree));
    const Point<3> up{-std::sin(half), 0, std::cos(half)};
    const double overlap = 0.05;
    const Point<3> at = add_scaled(Point<3>{0, 0.3, 0}, (1 - overlap) / std::cos(half), up);
    const auto found = contacts_at(walls, at, 1.0);
    ASSERT_THAT(found, SizeIs(2)) << fold;
    const double each = overlap / (1 + std::cos(fold * degree));
    EXPECT_NEAR(found[0].gap, -each, 1e-9);
    EXPECT_NEAR(found[1].gap, -each, 1e-9);
    const Point<3> pushed = spring_force(found);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(pushed[k], overlap / std::cos(half) * up[k], 1e-9);
  }
}

TEST(WallResolution, SharpGrooveGivesEachWallItsOverlap) {
  for (const double fold : {100.0, 135.0, 170.0}) {
    const double half = fold / 2 * degree;
    const Walls3 walls = walls_of(folded_sheet(fold * degree, 100));
    const Point<3> up{-std::sin(half), 0, std::cos(half)};
    const Point<3> at = add_scaled(Point<3>{0, 0.3, 0}, 0.9 / std::cos(half), up);
    const auto found = contacts_at(walls, at, 1.0);
    ASSERT_THAT(found, SizeIs(2)) << fold;
    for (const auto& contact : found) EXPECT_NEAR(contact.gap, -0.1, 1e-12);
  }
}

TEST(WallResolution, SlotBetweenParallelWallsTouchesBoth) {
  Mesh<3> slot = box_mesh(Point<3>{-5, -5, 0}, {5, 5, 1.8}, 3);
  const auto found = contacts_at<3>(walls_of(slot), {0.1, 0.2, 0.8}, 1);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_NEAR(found[0].gap + found[1].gap, -0.2, 1e-14);
  EXPECT_NEAR(spring_force(found)[2], 0.2, 1e-14);
}

TEST(WallResolution, ThinPlateIsTouchedOnTheNearSideOnly) {
  for (const double thickness : {1e-12, 1e-3, 0.1, 0.5}) {
    const Walls3 walls = walls_of(box_mesh(Point<3>{-5, -5, -thickness}, {5, 5, 0}, 4));
    for (const double height : {0.999, 0.9, 0.7}) {
      const auto found = contacts_at<3>(walls, {0.1, 0.2, height}, 1);
      ASSERT_THAT(found, SizeIs(1)) << thickness;
      EXPECT_EQ(found[0].gap, height - 1);
    }
  }
}

TEST(WallResolution, PiecesThatAreThereTwiceCountOnce) {
  Mesh<3> mesh = folded_sheet(30 * degree);
  const auto once = contacts_at<3>(walls_of(mesh), {0.1, 0.3, 0.9}, 1);
  const auto given = mesh.facets;
  for (auto piece : given) {  // turned round, and from corners of their own
    std::array<Index, 3> copy;
    for (std::size_t k = 0; k < 3; ++k) {
      copy[2 - k] = static_cast<Index>(mesh.vertices.size());
      mesh.vertices.push_back(mesh.vertices[piece[k]]);
    }
    mesh.facets.push_back(copy);
  }
  EXPECT_EQ(contacts_at<3>(walls_of(mesh), {0.1, 0.3, 0.9}, 1), once);
  Walls3 two_bodies;  // which cannot know of each other
  two_bodies.add(mesh);
  two_bodies.add(mesh);
  EXPECT_EQ(contacts_at<3>(two_bodies, {0.1, 0.3, 0.9}, 1), once);
}

// A centre near the wall, or on it, reaches many edges and corners; the face hides them.
TEST(WallResolution, DeepInASheetIsStillOneContact) {
  const double half = trial_count(200) / 4.0;  // squares of 0.5
  const Walls3 walls =
      walls_of(box_mesh(Point<3>{-half, -half, -2 * half}, {half, half, 0}, trial_count(200U)));
  for (const double height : {0.9, 0.5, 0.4, 0.1, 1e-6, 0.0}) {
    const auto found = contacts_at<3>(walls, {0.111, 0.222, height}, 1);
    ASSERT_THAT(found, SizeIs(1)) << height;
    EXPECT_EQ(found[0].gap, height - 1);
  }
  EXPECT_THAT(contacts_at<3>(walls, {0.5, 0.5, 0.0}, 1), SizeIs(1));  // on a corner of the mesh
}

TEST(WallResolution, StepAndFloorBothPush) {
  Mesh<3> mesh = box_mesh(Point<3>{-5, -5, -5}, {5, 5, 0}, 5);  // a floor at 0
  const Mesh<3> step = box_mesh(Point<3>{0.8, -5, -5}, {5, 5, 0.3}, 5);
  Walls3 walls;
  walls.add(mesh);
  walls.add(step);
  const auto found = contacts_at<3>(walls, {0.1, 0.21, 0.95}, 1);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].feature, Feature::face);
  EXPECT_EQ(found[1].feature, Feature::edge);
}

template <std::size_t D>
std::vector<ClosestPoint<D>> random_faces(std::size_t count, double spread, Random& random) {
  std::vector<ClosestPoint<D>> touches;
  const double nearest = random.uniform();
  for (std::size_t i = 0; i < count; ++i) {
    Point<D> direction{};
    direction[D - 1] = 1;
    for (double& part : direction) part += random.uniform(-spread, spread);
    const Point<D> normal = normalized(direction);
    const double distance = random.uniform(nearest, 1);
    touches.push_back(
        {distance, normal, scaled(normal, -distance), static_cast<Index>(i), Feature::face});
  }
  return touches;
}

// What the conditions in the file say: how far they are from being met.
template <std::size_t D>
double kkt_residual(std::vector<ClosestPoint<D>> touches) {
  ContactResolution<D> resolution;
  const auto found = resolution.resolve(touches, {1, 1, 1, 1e-15});
  const auto left = [&](const ClosestPoint<D>& touch) {
    double out = 0;
    for (const auto& [other, gap] : found)
      out += std::max(0.0, dot(touch.normal, other.normal)) * -gap;
    return out - (1 - touch.distance);
  };
  double off = found.empty() ? 1 : 0;
  for (const auto& touch : touches) off = std::max(off, -left(touch));
  for (const auto& [closest, gap] : found) off = std::max({off, std::abs(left(closest)), gap});
  return off;
}

// Among so many there are some with two floors that are nearly one and a wall on either side that
// leans over the farther of them: the matrix is then not that of a convex problem. There are also
// some where the deepest does not push.
template <std::size_t D>
void expect_kkt_conditions(std::uint64_t seed) {
  Random random(seed);
  for (int i = 0; i < 40000; ++i) {
    const auto count = static_cast<std::size_t>(1 + random.below(12));
    ASSERT_LT(kkt_residual(random_faces<D>(count, random.uniform(0.1, 6), random)), 1e-11) << i;
  }
}

TEST(WallResolution, NothingIsLeftAndNothingPushesInVain) {
  expect_kkt_conditions<2>(1);
  expect_kkt_conditions<3>(2);
}

// Where no walls face each other, as many push as there are dimensions, or fewer.
TEST(WallResolution, NoMorePushThanThereAreDimensions) {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    auto flat = random_faces<2>(9, 0.4, random);
    EXPECT_LE(ContactResolution<2>().resolve(flat, {1, 1, 1, 1e-15}).size(), 2U);
    auto steep = random_faces<3>(9, 0.4, random);
    EXPECT_LE(ContactResolution<3>().resolve(steep, {1, 1, 1, 1e-15}).size(), 3U);
  }
}

TEST(WallResolution, DoesNotDependOnTheOrderOfCandidates) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<std::size_t>(2, 10);
    std::vector<ClosestPoint<3>> touches;
    for (std::size_t i = 0; i < count; ++i)
      touches.push_back(face({*rc::gen::inRange(-2, 3) / 2.0, *rc::gen::inRange(-2, 3) / 2.0, 1},
                             *rc::gen::inRange(4, 9) / 8.0, static_cast<Index>(i)));
    ContactResolution<3> resolution;
    const auto listed = [&] {
      std::vector<std::pair<Index, double>> list;
      for (const auto& [closest, gap] : resolution.resolve(touches, unit_sphere))
        list.emplace_back(closest.element, gap);
      return list;
    };
    const auto before = listed();
    std::shuffle(touches.begin(), touches.end(), std::mt19937(*rc::gen::arbitrary<unsigned>()));
    RC_ASSERT(listed() == before);
  }));
}

TEST(WallResolution, ManyWallsThatFaceEachOtherComeToAnEnd) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    std::vector<ClosestPoint<3>> touches;
    for (Index j = 0; j < 40; ++j)
      touches.push_back(face({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)},
                             random.uniform(0.1, 1), j));
    ContactResolution<3> resolution;
    const auto found = resolution.resolve(touches, unit_sphere);
    ASSERT_FALSE(found.empty());
    for (const auto& contact : found) EXPECT_TRUE(std::isfinite(contact.gap));
  }
}

}  // namespace
}  // namespace abut::testing
