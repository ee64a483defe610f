// Which of the facets within the cutoff are contacts, and how they share the overlap.
#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <algorithm>
#include <random>

#include "sanitized.hpp"
#include "wall_cases.hpp"

namespace abut::testing {
namespace {

using ::testing::SizeIs;

ClosestPoint<3> face(const Point<3>& normal, double distance, Index element) {
  const Point<3> n = normalized(normal);
  return {distance, n, scaled(n, -distance), element, Feature::face};
}

constexpr ContactResolution<3>::Sphere unit_sphere{1, 1, 1, 1e-15};

TEST(ContactResolution, FindsOneRadialContactAtConvexEdge) {
  for (const double fold : {-1e-9, -1e-6, -1e-3, -0.1, -1.0, -2.0, -170 * degree}) {
    const Walls3 walls = walls_of(folded_sheet(fold));
    const Point<3> outward{-std::sin(fold / 2), 0, std::cos(fold / 2)};  // bisects the normals
    for (const double overlap : {1e-6, 0.01, 0.2}) {
      const Point<3> center = add_scaled(Point<3>{0, 0.3, 0}, 1 - overlap, outward);
      const auto found = contacts_at(walls, center, 1.0);
      ASSERT_THAT(found, SizeIs(1)) << fold;
      EXPECT_NEAR(found[0].gap, -overlap, 1e-14);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[0].normal[k], outward[k], 1e-8);
    }
  }
}

TEST(ContactResolution, AssignsFullOverlapsInRightAngledGroove) {
  const Walls3 walls = walls_of(folded_sheet(90 * degree));
  const auto found = contacts_at<3>(walls, {-0.9, 0.3, 0.7}, 1);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_NEAR(found[0].gap, -0.3, 1e-14);
  EXPECT_NEAR(found[0].normal[2], 1, 1e-14);
  EXPECT_NEAR(found[1].gap, -0.1, 1e-14);
  EXPECT_NEAR(found[1].normal[0], -1, 1e-14);
  const Walls2 faces_2d = walls_of(folded_line(90 * degree));
  EXPECT_THAT(contacts_at<2>(faces_2d, {-0.9, 0.7}, 1), SizeIs(2));
}

TEST(ContactResolution, AssignsFullOverlapsInBoxCorner) {
  for (const std::size_t cuts : {1U, 2U, 7U}) {
    const Walls3 walls = walls_of(box_mesh(Point<3>{0, 0, 0}, {10, 10, 10}, cuts));
    const auto found = contacts_at<3>(walls, {0.9, 0.8, 0.7}, 1);
    ASSERT_THAT(found, SizeIs(3)) << cuts;
    const Point<3> force = spring_force(found);
    EXPECT_NEAR(force[0], 0.1, 1e-14);
    EXPECT_NEAR(force[1], 0.2, 1e-14);
    EXPECT_NEAR(force[2], 0.3, 1e-14);
    const auto exact = contacts_at<3>(walls, {1, 1, 1}, 1);  // touches without overlap
    EXPECT_THAT(exact, SizeIs(3)) << cuts;
  }
}

// In a groove of fold angle f the minimum translation is overlap / cos(f/2) along the bisector.
TEST(ContactResolution, SharesOverlapInObtuseGroove) {
  for (const double fold : {0.1, 10.0, 45.0, 80.0}) {
    const double half = fold / 2 * degree;
    const Walls3 walls = walls_of(folded_sheet(fold * degree));
    const Point<3> up{-std::sin(half), 0, std::cos(half)};
    const double overlap = 0.05;
    const Point<3> center = add_scaled(Point<3>{0, 0.3, 0}, (1 - overlap) / std::cos(half), up);
    const auto found = contacts_at(walls, center, 1.0);
    ASSERT_THAT(found, SizeIs(2)) << fold;
    const double expected_overlap = overlap / (1 + std::cos(fold * degree));
    EXPECT_NEAR(found[0].gap, -expected_overlap, 1e-9);
    EXPECT_NEAR(found[1].gap, -expected_overlap, 1e-9);
    const Point<3> force = spring_force(found);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(force[k], overlap / std::cos(half) * up[k], 1e-9);
  }
}

TEST(ContactResolution, AssignsFullOverlapsInAcuteGroove) {
  for (const double fold : {100.0, 135.0, 170.0}) {
    const double half = fold / 2 * degree;
    const Walls3 walls = walls_of(folded_sheet(fold * degree, 100));
    const Point<3> up{-std::sin(half), 0, std::cos(half)};
    const Point<3> center = add_scaled(Point<3>{0, 0.3, 0}, 0.9 / std::cos(half), up);
    const auto found = contacts_at(walls, center, 1.0);
    ASSERT_THAT(found, SizeIs(2)) << fold;
    for (const auto& contact : found) EXPECT_NEAR(contact.gap, -0.1, 1e-12);
  }
}

TEST(ContactResolution, FindsBothWallsOfSlot) {
  Mesh<3> slot = box_mesh(Point<3>{-5, -5, 0}, {5, 5, 1.8}, 3);
  const auto found = contacts_at<3>(walls_of(slot), {0.1, 0.2, 0.8}, 1);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_NEAR(found[0].gap + found[1].gap, -0.2, 1e-14);
  EXPECT_NEAR(spring_force(found)[2], 0.2, 1e-14);
}

TEST(ContactResolution, FindsNearSideOfThinPlateOnly) {
  for (const double thickness : {1e-12, 1e-3, 0.1, 0.5}) {
    const Walls3 walls = walls_of(box_mesh(Point<3>{-5, -5, -thickness}, {5, 5, 0}, 4));
    for (const double height : {0.999, 0.9, 0.7}) {
      const auto found = contacts_at<3>(walls, {0.1, 0.2, height}, 1);
      ASSERT_THAT(found, SizeIs(1)) << thickness;
      EXPECT_EQ(found[0].gap, height - 1);
    }
  }
}

TEST(ContactResolution, CountsDuplicateFacetsOnce) {
  Mesh<3> mesh = folded_sheet(30 * degree);
  const auto once = contacts_at<3>(walls_of(mesh), {0.1, 0.3, 0.9}, 1);
  const auto original = mesh.facets;
  for (auto facet : original) {  // with opposite orientation and separate vertices
    std::array<Index, 3> duplicate;
    for (std::size_t k = 0; k < 3; ++k) {
      duplicate[2 - k] = static_cast<Index>(mesh.vertices.size());
      mesh.vertices.push_back(mesh.vertices[facet[k]]);
    }
    mesh.facets.push_back(duplicate);
  }
  EXPECT_EQ(contacts_at<3>(walls_of(mesh), {0.1, 0.3, 0.9}, 1), once);
  Walls3 two_bodies;  // duplicates across walls are not detected when walls are added
  two_bodies.add(mesh);
  two_bodies.add(mesh);
  EXPECT_EQ(contacts_at<3>(two_bodies, {0.1, 0.3, 0.9}, 1), once);
}

// A center near or on the wall has many edges and vertices within its cutoff; the face occludes
// them.
TEST(ContactResolution, FindsOneContactDeepInFlatSheet) {
  const double half = trial_count(200) / 4.0;  // squares of side 0.5
  const Walls3 walls =
      walls_of(box_mesh(Point<3>{-half, -half, -2 * half}, {half, half, 0}, trial_count(200U)));
  for (const double height : {0.9, 0.5, 0.4, 0.1, 1e-6, 0.0}) {
    const auto found = contacts_at<3>(walls, {0.111, 0.222, height}, 1);
    ASSERT_THAT(found, SizeIs(1)) << height;
    EXPECT_EQ(found[0].gap, height - 1);
  }
  EXPECT_THAT(contacts_at<3>(walls, {0.5, 0.5, 0.0}, 1), SizeIs(1));  // at a vertex of the mesh
}

TEST(ContactResolution, FindsStepEdgeAndFloor) {
  Mesh<3> mesh = box_mesh(Point<3>{-5, -5, -5}, {5, 5, 0}, 5);  // floor at z = 0
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
  std::vector<ClosestPoint<D>> points;
  const double nearest = random.uniform();
  for (std::size_t i = 0; i < count; ++i) {
    Point<D> direction{};
    direction[D - 1] = 1;
    for (double& part : direction) part += random.uniform(-spread, spread);
    const Point<D> normal = normalized(direction);
    const double distance = random.uniform(nearest, 1);
    points.push_back(
        {distance, normal, scaled(normal, -distance), static_cast<Index>(i), Feature::face});
  }
  return points;
}

// The residual of the complementarity conditions in contact_resolution.hpp.
template <std::size_t D>
double kkt_residual(std::vector<ClosestPoint<D>> points) {
  ContactResolution<D> resolution;
  const auto found = resolution.resolve(points, {1, 1, 1, 1e-15});
  const auto constraint = [&](const ClosestPoint<D>& closest) {
    double outward = 0;
    for (const auto& [other, gap] : found)
      outward += std::max(0.0, dot(closest.normal, other.normal)) * -gap;
    return outward - (1 - closest.distance);
  };
  double residual = found.empty() ? 1 : 0;
  for (const auto& closest : points) residual = std::max(residual, -constraint(closest));
  for (const auto& [closest, gap] : found)
    residual = std::max({residual, std::abs(constraint(closest)), gap});
  return residual;
}

// The sample includes cases with two nearly parallel floors and a wall on either side that
// overhangs the farther one, for which the matrix is not positive semidefinite, and cases in which
// the deepest facet is not a contact.
template <std::size_t D>
void expect_kkt_conditions(std::uint64_t seed) {
  Random random(seed);
  for (int i = 0; i < 40000; ++i) {
    const auto count = static_cast<std::size_t>(1 + random.below(12));
    ASSERT_LT(kkt_residual(random_faces<D>(count, random.uniform(0.1, 6), random)), 1e-11) << i;
  }
}

TEST(ContactResolution, SatisfiesComplementarityConditions) {
  expect_kkt_conditions<2>(1);
  expect_kkt_conditions<3>(2);
}

// Without opposing walls there are at most as many contacts as dimensions.
TEST(ContactResolution, FindsAtMostOneContactPerDimension) {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    auto faces_2d = random_faces<2>(9, 0.4, random);
    EXPECT_LE(ContactResolution<2>().resolve(faces_2d, {1, 1, 1, 1e-15}).size(), 2U);
    auto faces_3d = random_faces<3>(9, 0.4, random);
    EXPECT_LE(ContactResolution<3>().resolve(faces_3d, {1, 1, 1, 1e-15}).size(), 3U);
  }
}

TEST(ContactResolution, DoesNotDependOnOrderOfCandidates) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<std::size_t>(2, 10);
    std::vector<ClosestPoint<3>> points;
    for (std::size_t i = 0; i < count; ++i)
      points.push_back(face({*rc::gen::inRange(-2, 3) / 2.0, *rc::gen::inRange(-2, 3) / 2.0, 1},
                            *rc::gen::inRange(4, 9) / 8.0, static_cast<Index>(i)));
    ContactResolution<3> resolution;
    const auto resolved = [&] {
      std::vector<std::pair<Index, double>> list;
      for (const auto& [closest, gap] : resolution.resolve(points, unit_sphere))
        list.emplace_back(closest.element, gap);
      return list;
    };
    const auto expected = resolved();
    std::shuffle(points.begin(), points.end(), std::mt19937(*rc::gen::arbitrary<unsigned>()));
    RC_ASSERT(resolved() == expected);
  }));
}

TEST(ContactResolution, TerminatesForManyOpposingWalls) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    std::vector<ClosestPoint<3>> points;
    for (Index j = 0; j < 40; ++j)
      points.push_back(face({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)},
                            random.uniform(0.1, 1), j));
    ContactResolution<3> resolution;
    const auto found = resolution.resolve(points, unit_sphere);
    ASSERT_FALSE(found.empty());
    for (const auto& contact : found) EXPECT_TRUE(std::isfinite(contact.gap));
  }
}

}  // namespace
}  // namespace abut::testing
