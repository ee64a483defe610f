// Detection of contacts between blocks: broad phase, narrow phase and contact history.
#include <gmock/gmock.h>

#include <abut/blocks.hpp>
#include <abut/error.hpp>

#include "block_fixtures.hpp"
#include "polygon_fixtures.hpp"

namespace abut::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

RigidTransform<2> translation(double x, double y) { return {.translation = {x, y}}; }
RigidTransform<3> translation(double x, double y, double z) { return {.translation = {x, y, z}}; }

Polyhedron cube() {
  return Polyhedron(
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}});
}

std::vector<Polygon> l_shape() { return {rectangle(0, 0, 2, 1), rectangle(0, 1, 1, 1)}; }

TEST(MassProperties, SumsPartsOfLShape) {
  const MassProperties<2> mass = mass_properties<2>(l_shape());
  EXPECT_DOUBLE_EQ(mass.volume, 3);
  EXPECT_NEAR(mass.centroid[0], 2.5 / 3, 1e-15);  // (2·1 + 1·0.5)/3
  EXPECT_NEAR(mass.centroid[1], 2.5 / 3, 1e-15);  // (2·0.5 + 1·1.5)/3
  // About the origin, ∫x² dA + ∫y² dA: 8/3 + 2/3 of the lower part, 1/3 + 7/3 of the upper one.
  EXPECT_NEAR(mass.inertia, 6 - 3 * 2 * (2.5 / 3) * (2.5 / 3), 1e-14);
}

TEST(MassProperties, SumsCubesOfBar) {
  const std::vector<Polyhedron> halves{
      Polyhedron(
          {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}}),
      Polyhedron({{1, 0, 0},
                  {2, 0, 0},
                  {1, 1, 0},
                  {2, 1, 0},
                  {1, 0, 1},
                  {2, 0, 1},
                  {1, 1, 1},
                  {2, 1, 1}})};
  const MassProperties<3> mass = mass_properties<3>(halves);
  EXPECT_NEAR(mass.volume, 2, 1e-14);
  EXPECT_NEAR(mass.centroid[0], 1, 1e-14);
  EXPECT_NEAR(mass.inertia[0][0], 2 * (1 + 1) / 12.0, 1e-14);
  EXPECT_NEAR(mass.inertia[1][1], 2 * (4 + 1) / 12.0, 1e-14);
  EXPECT_NEAR(mass.inertia[2][2], 2 * (4 + 1) / 12.0, 1e-14);
  EXPECT_NEAR(mass.inertia[0][1], 0, 1e-14);
}

TEST(BlockDetector, FindsContactOfTwoSquares) {
  Blocks2 blocks;
  const ShapeId square = blocks.add_shape({rectangle(0, 0, 1, 1)});
  blocks.add(square);
  blocks.add(square, translation(0.75, 0.5));
  BlockDetector2 detector;
  detector.update(blocks);
  ASSERT_THAT(detector.contacts(), SizeIs(1));
  const BlockContact<2>& contact = detector.contacts()[0];
  EXPECT_EQ(contact.a, 0U);
  EXPECT_EQ(contact.b, 1U);
  EXPECT_DOUBLE_EQ(contact.plane.gap, -0.25);
  EXPECT_THAT(contact.plane.normal, ElementsAre(1, 0));
  EXPECT_THAT(contact.point, ElementsAre(0.875, 0.75));
  EXPECT_DOUBLE_EQ(contact.area, 0.5);
  EXPECT_EQ(contact.status(), ContactStatus::active);
  EXPECT_EQ(contact.previous_index, BlockContact<2>::no_previous);
}

TEST(BlockDetector, FindsContactOfTwoCubes) {
  Blocks3 blocks;
  const ShapeId shape = blocks.add_shape({cube()});
  blocks.add(shape);
  blocks.add(shape, translation(0.5, 0.25, 0.875));
  BlockDetector3 detector;
  detector.update(blocks);
  ASSERT_THAT(detector.contacts(), SizeIs(1));
  const BlockContact<3>& contact = detector.contacts()[0];
  EXPECT_NEAR(contact.plane.gap, -0.125, 1e-14);
  EXPECT_NEAR(contact.plane.normal[2], 1, 1e-14);
  EXPECT_NEAR(contact.area, 0.375, 1e-13);
  EXPECT_NEAR(contact.point[0], 0.75, 1e-13);
  EXPECT_NEAR(contact.point[1], 0.625, 1e-13);
  EXPECT_NEAR(contact.point[2], 0.9375, 1e-13);
}

// Separated, potential, active, potential, separated, potential again.
TEST(BlockDetector, ContactPassesThroughPublishedLifeCycle) {
  Blocks2 blocks;
  const ShapeId square = blocks.add_shape({rectangle(0, 0, 1, 1)});
  blocks.add(square);
  blocks.add(square);
  BlockDetector2 detector({.margin = 0.125});
  struct Step {
    double gap;
    bool exists;
    std::uint32_t age;
  };
  for (const auto& [gap, exists, age] :
       {Step{0.25, false, 0}, Step{0.125, true, 0}, Step{0.0625, true, 1}, Step{-0.0625, true, 2},
        Step{0.0625, true, 3}, Step{0.1875, false, 0}, Step{0.0625, true, 0}}) {
    blocks.set_transform(1, translation(1 + gap, 0));
    detector.update(blocks);
    ASSERT_THAT(detector.contacts(), SizeIs(exists ? 1 : 0)) << gap;
    if (!exists) continue;
    const BlockContact<2>& contact = detector.contacts()[0];
    EXPECT_NEAR(contact.plane.gap, gap, 1e-15);
    EXPECT_EQ(contact.status(), gap < 0 ? ContactStatus::active : ContactStatus::potential);
    EXPECT_EQ(contact.age, age) << gap;
    EXPECT_EQ(contact.previous_index, age == 0 ? BlockContact<2>::no_previous : 0U) << gap;
    EXPECT_EQ(detector.statistics().warm_started, age == 0 ? 0U : 1U);
  }
}

TEST(BlockDetector, KeepsHistoryWhenOtherContactsAppearAndDisappear) {
  Blocks2 blocks;
  const ShapeId square = blocks.add_shape({rectangle(0, 0, 1, 1)});
  for (int i = 0; i < 4; ++i) blocks.add(square, translation(0.99 * i, 0));
  BlockDetector2 detector;
  detector.update(blocks);
  ASSERT_THAT(detector.contacts(), SizeIs(3));
  blocks.set_transform(1, translation(0.99, 5));  // ends 0-1 and 1-2
  blocks.add(square, translation(0.5, 0.99));     // starts 0-4
  detector.update(blocks);
  ASSERT_THAT(detector.contacts(), SizeIs(2));
  EXPECT_EQ(detector.contacts()[0].b, 4U);
  EXPECT_EQ(detector.contacts()[0].previous_index, BlockContact<2>::no_previous);
  EXPECT_EQ(detector.contacts()[1].a, 2U);
  EXPECT_EQ(detector.contacts()[1].previous_index, 2U);
  EXPECT_EQ(detector.contacts()[1].age, 1U);
}

TEST(BlockDetector, DiscardsHistoryOfOtherBlocksAndOnReset) {
  BlockDetector2 detector;
  Blocks2 blocks;
  const ShapeId square = blocks.add_shape({rectangle(0, 0, 1, 1)});
  blocks.add(square);
  blocks.add(square, translation(0.99, 0));
  detector.update(blocks);
  const Blocks2 copy = blocks;
  detector.update(copy);
  ASSERT_THAT(detector.contacts(), SizeIs(1));
  EXPECT_EQ(detector.contacts()[0].age, 0U);
  detector.update(copy);
  EXPECT_EQ(detector.contacts()[0].age, 1U);
  detector.reset();
  detector.update(copy);
  EXPECT_EQ(detector.contacts()[0].age, 0U);
}

TEST(BlockDetector, IgnoresPartsOfSameCluster) {
  Blocks2 blocks;
  blocks.add(blocks.add_shape(l_shape()));
  BlockDetector2 detector({.margin = 1});
  detector.update(blocks);
  EXPECT_EQ(detector.statistics().pairs, 1U);
  EXPECT_THAT(detector.contacts(), SizeIs(0));
}

TEST(BlockDetector, IgnoresPairsOfFixedParticles) {
  Blocks2 blocks;
  const ShapeId shape = blocks.add_shape(l_shape());
  for (int i = 0; i < 3; ++i) blocks.add(shape, translation(1.99 * i, 0));
  BlockDetector2 detector({.fixed_count = 2});
  detector.update(blocks);
  ASSERT_FALSE(detector.contacts().empty());
  for (const BlockContact<2>& contact : detector.contacts()) {
    EXPECT_EQ(contact.a, 1U);
    EXPECT_EQ(contact.b, 2U);
  }
}

// The number of fixed parts changes with the particles, not with the options.
TEST(BlockDetector, IgnoresPairsOfFixedParticlesThatWereAddedLater) {
  Blocks2 blocks;
  const ShapeId shape = blocks.add_shape(l_shape());
  BlockDetector2 detector({.fixed_count = 3});
  for (int i = 0; i < 4; ++i) {
    blocks.add(shape, translation(1.99 * i, 0));
    detector.update(blocks);
    EXPECT_EQ(detector.contacts().empty(), i < 3) << i;
  }
  for (const BlockContact<2>& contact : detector.contacts()) {
    EXPECT_EQ(contact.a, 2U);
    EXPECT_EQ(contact.b, 3U);
  }
}

TEST(BlockDetector, FindsContactsAcrossPeriodicBoundariesAndWithOwnImages) {
  Blocks2 blocks;
  const ShapeId square = blocks.add_shape({rectangle(0, 0, 1, 1)});
  const ShapeId bar = blocks.add_shape({rectangle(0, 0, 4.125, 1)});
  blocks.add(square, translation(0, 0));
  blocks.add(square, translation(3.125, 0.5));
  blocks.add(bar, translation(0, 4));  // longer than the period
  BlockDetector2 detector({.domain = Box<2>{{0, 0}, {4, 8}}, .periodic = {true, false}});
  detector.update(blocks);
  ASSERT_THAT(detector.contacts(), SizeIs(2));
  EXPECT_THAT(detector.contacts()[0].image, ElementsAre(-1, 0));
  EXPECT_DOUBLE_EQ(detector.contacts()[0].plane.gap, -0.125);
  EXPECT_THAT(detector.contacts()[0].plane.normal, ElementsAre(-1, 0));
  EXPECT_EQ(detector.contacts()[1].a, 2U);
  EXPECT_EQ(detector.contacts()[1].b, 2U);
  EXPECT_THAT(detector.contacts()[1].image, ElementsAre(1, 0));
  EXPECT_DOUBLE_EQ(detector.contacts()[1].plane.gap, -0.125);
}

TEST(Blocks, RejectsShapeWithoutParts) {
  Blocks2 blocks;
  EXPECT_THROW(blocks.add_shape({}), Error);
}

TEST(Blocks, RejectsIndicesThatDoNotExist) {
  Blocks2 blocks;
  EXPECT_THROW(blocks.add(ShapeId(0)), Error);
  const ShapeId shape = blocks.add_shape(l_shape());
  blocks.add(shape);
  EXPECT_EQ(blocks.particle_of(1), 0U);
  EXPECT_THROW(blocks.set_transform(1, {}), Error);
  EXPECT_THROW((void)blocks.first_part(1), Error);
  EXPECT_THROW((void)blocks.shape_of(1), Error);
  EXPECT_THROW((void)blocks.particle_of(2), Error);
  EXPECT_THROW((void)blocks.part(2), Error);
  EXPECT_THROW((void)blocks.shape_parts(ShapeId(1)), Error);
}

TEST(Blocks, RejectsUseAfterMove) {
  Blocks2 blocks;
  const ShapeId shape = blocks.add_shape(l_shape());
  blocks.add(shape);
  const Blocks2 moved = std::move(blocks);
  EXPECT_EQ(moved.part_count(), 2U);
  EXPECT_THROW(blocks.add_shape(l_shape()), Error);  // NOLINT(bugprone-use-after-move)
  EXPECT_THROW(blocks.add(shape), Error);
  EXPECT_THROW(blocks.set_transform(0, {}), Error);
  EXPECT_THROW((void)blocks.particle_count(), Error);
  EXPECT_THROW((void)blocks.part_count(), Error);
  EXPECT_THROW((void)blocks.part(0), Error);
  EXPECT_THROW((void)blocks.bounding_spheres(), Error);
  EXPECT_THROW((void)blocks.instance_id(), Error);
  EXPECT_THROW(BlockDetector2().update(blocks), Error);
  blocks = moved;
  EXPECT_EQ(blocks.part_count(), 2U);
}

TEST(BlockDetector, RejectsUseAfterMove) {
  BlockDetector2 detector;
  BlockDetector2 moved = std::move(detector);
  moved.update(Blocks2());
  EXPECT_THROW(detector.update(Blocks2()), Error);  // NOLINT(bugprone-use-after-move)
  EXPECT_THROW((void)detector.contacts(), Error);
  EXPECT_THROW((void)detector.statistics(), Error);
  EXPECT_THROW(detector.reset(), Error);
}

TEST(BlockDetector, HandlesZeroAndOneParticle) {
  Blocks3 blocks;
  BlockDetector3 detector({.margin = 1});
  detector.update(blocks);
  EXPECT_THAT(detector.contacts(), SizeIs(0));
  blocks.add(blocks.add_shape({cube()}));
  detector.update(blocks);
  EXPECT_THAT(detector.contacts(), SizeIs(0));
}

// A bar of three squares on a long one: three contacts of parts, one of particles.
TEST(MergeCoplanar, MergesContactsInOnePlane) {
  Blocks2 blocks;
  blocks.add(blocks.add_shape({rectangle(0, 0, 9, 1)}));
  const ShapeId bar =
      blocks.add_shape({rectangle(0, 0, 1, 1), rectangle(1, 0, 1, 1), rectangle(2, 0, 1, 1)});
  blocks.add(bar, translation(2, 0.96875));
  BlockDetector2 detector;
  detector.update(blocks);
  EXPECT_THAT(detector.contacts(), SizeIs(3));
  const auto contacts = merge_coplanar<2>(detector.contacts());
  ASSERT_THAT(contacts, SizeIs(1));
  EXPECT_DOUBLE_EQ(contacts[0].area, 3);
  EXPECT_DOUBLE_EQ(contacts[0].point[0], 3.5);
  EXPECT_DOUBLE_EQ(contacts[0].plane.gap, -0.03125);
}

// A step on two floors at different heights: two parallel planes, two contacts.
TEST(MergeCoplanar, KeepsContactsInParallelPlanes) {
  Blocks2 blocks;
  blocks.add(blocks.add_shape({rectangle(0, 0, 1, 1), rectangle(1, 0, 1, 2)}));
  const ShapeId step = blocks.add_shape({rectangle(0, 1, 1, 2), rectangle(1, 2, 1, 1)});
  blocks.add(step, translation(0, -0.03125));
  BlockDetector2 detector;
  detector.update(blocks);
  std::size_t upward = 0;
  for (const auto& contact : merge_coplanar<2>(detector.contacts()))
    upward += contact.plane.normal[1] > 0.5 ? 1U : 0U;
  EXPECT_EQ(upward, 2U);
}

// Parts of different height can have a common plane in one place, but overlap by different amounts.
TEST(MergeCoplanar, KeepsContactsWithDifferentGaps) {
  BlockContact<2> first{};
  first.plane.normal = {0, 1};
  first.plane.gap = -0.25;
  first.point = {0, 0};
  BlockContact<2> second = first;
  second.point = {1, 0};
  EXPECT_THAT(merge_coplanar<2>(std::vector{first, second}), SizeIs(1));
  second.plane.gap = -0.125;
  EXPECT_THAT(merge_coplanar<2>(std::vector{first, second}), SizeIs(2));
}

template <std::size_t D>
std::vector<Pair> pairs_of(const std::vector<BlockContact<D>>& contacts) {
  std::vector<Pair> pairs;
  pairs.reserve(contacts.size());
  for (const BlockContact<D>& contact : contacts) pairs.push_back({contact.a, contact.b});
  return pairs;
}

template <std::size_t D>
void expect_all_pairs(const Blocks<D>& blocks, double margin, Method method, unsigned threads) {
  std::vector<Pair> expected;
  for (Index a = 0; a < blocks.part_count(); ++a)
    for (Index b = a + 1; b < blocks.part_count(); ++b)
      if (common_plane(blocks.part(a), blocks.part(b)).gap <= margin) expected.push_back({a, b});
  ASSERT_GT(expected.size(), 20U);
  BlockDetector<D> detector({.method = method, .margin = margin, .threads = threads});
  detector.update(blocks);
  EXPECT_EQ(pairs_of(detector.contacts()), expected) << method_info(method).name;
}

TEST(BlockDetector, FindsSameContactsWithEverySearchMethod) {
  const Blocks2 polygons = random_blocks<2>(150, 16, 5);
  const Blocks3 polyhedra = random_blocks<3>(120, 7, 6);
  for (const MethodInfo& method : methods()) {
    expect_all_pairs(polygons, 0.05, method.method, 1);
    expect_all_pairs(polyhedra, 0.05, method.method, 1);
  }
}

}  // namespace
}  // namespace abut::testing
