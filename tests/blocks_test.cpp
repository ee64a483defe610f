// Polygons and polyhedra among many: from the search for pairs to contacts with a history.
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

TEST(Bulk, OfAnAngleIsThatOfItsParts) {
  const MassProperties<2> bulk = mass_properties<2>(l_shape());
  EXPECT_DOUBLE_EQ(bulk.volume, 3);
  EXPECT_NEAR(bulk.centroid[0], 2.5 / 3, 1e-15);  // (2·1 + 1·0.5)/3
  EXPECT_NEAR(bulk.centroid[1], 2.5 / 3, 1e-15);  // (2·0.5 + 1·1.5)/3
  // About the origin ∫x² + ∫y²: 8/3 + 2/3 of the lower box, 1/3 + 7/3 of the upper one.
  EXPECT_NEAR(bulk.inertia, 6 - 3 * 2 * (2.5 / 3) * (2.5 / 3), 1e-14);
}

TEST(Bulk, OfABarIsThatOfItsCubes) {
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
  const MassProperties<3> bulk = mass_properties<3>(halves);
  EXPECT_NEAR(bulk.volume, 2, 1e-14);
  EXPECT_NEAR(bulk.centroid[0], 1, 1e-14);
  EXPECT_NEAR(bulk.inertia[0][0], 2 * (1 + 1) / 12.0, 1e-14);
  EXPECT_NEAR(bulk.inertia[1][1], 2 * (4 + 1) / 12.0, 1e-14);
  EXPECT_NEAR(bulk.inertia[2][2], 2 * (4 + 1) / 12.0, 1e-14);
  EXPECT_NEAR(bulk.inertia[0][1], 0, 1e-14);
}

TEST(BlocksTest, TellsAContactOfTwoSquares) {
  Blocks2 blocks;
  const std::size_t square = blocks.add_shape({rectangle(0, 0, 1, 1)});
  blocks.add(square);
  blocks.add(square, translation(0.75, 0.5));
  BlockDetector2 search;
  search.update(blocks);
  ASSERT_THAT(search.contacts(), SizeIs(1));
  const BlockContact<2>& contact = search.contacts()[0];
  EXPECT_EQ(contact.a, 0U);
  EXPECT_EQ(contact.b, 1U);
  EXPECT_DOUBLE_EQ(contact.plane.gap, -0.25);
  EXPECT_THAT(contact.plane.normal, ElementsAre(1, 0));
  EXPECT_THAT(contact.point, ElementsAre(0.875, 0.75));
  EXPECT_DOUBLE_EQ(contact.area, 0.5);
  EXPECT_EQ(contact.status(), ContactStatus::active);
  EXPECT_EQ(contact.previous_index, BlockContact<2>::no_previous);
}

TEST(BlocksTest, TellsAContactOfTwoCubes) {
  Blocks3 blocks;
  const std::size_t shape = blocks.add_shape({cube()});
  blocks.add(shape);
  blocks.add(shape, translation(0.5, 0.25, 0.875));
  BlockDetector3 search;
  search.update(blocks);
  ASSERT_THAT(search.contacts(), SizeIs(1));
  const BlockContact<3>& contact = search.contacts()[0];
  EXPECT_NEAR(contact.plane.gap, -0.125, 1e-14);
  EXPECT_NEAR(contact.plane.normal[2], 1, 1e-14);
  EXPECT_NEAR(contact.area, 0.375, 1e-13);
  EXPECT_NEAR(contact.point[0], 0.75, 1e-13);
  EXPECT_NEAR(contact.point[1], 0.625, 1e-13);
  EXPECT_NEAR(contact.point[2], 0.9375, 1e-13);
}

// No plane, potential, real, potential, deleted; and all over again.
TEST(BlocksTest, AContactLivesAsThePaperSays) {
  Blocks2 blocks;
  const std::size_t square = blocks.add_shape({rectangle(0, 0, 1, 1)});
  blocks.add(square);
  blocks.add(square);
  BlockDetector2 search({.margin = 0.125});
  struct Step {
    double gap;
    bool exists;
    std::uint32_t age;
  };
  for (const auto& [gap, exists, age] :
       {Step{0.25, false, 0}, Step{0.125, true, 0}, Step{0.0625, true, 1}, Step{-0.0625, true, 2},
        Step{0.0625, true, 3}, Step{0.1875, false, 0}, Step{0.0625, true, 0}}) {
    blocks.set_transform(1, translation(1 + gap, 0));
    search.update(blocks);
    ASSERT_THAT(search.contacts(), SizeIs(exists ? 1 : 0)) << gap;
    if (!exists) continue;
    const BlockContact<2>& contact = search.contacts()[0];
    EXPECT_NEAR(contact.plane.gap, gap, 1e-15);
    EXPECT_EQ(contact.status(), gap < 0 ? ContactStatus::active : ContactStatus::potential);
    EXPECT_EQ(contact.age, age) << gap;
    EXPECT_EQ(contact.previous_index, age == 0 ? BlockContact<2>::no_previous : 0U) << gap;
    EXPECT_EQ(search.statistics().warm_started, age == 0 ? 0U : 1U);
  }
}

TEST(BlocksTest, HistoryIsFoundAgainWhenOthersComeAndGo) {
  Blocks2 blocks;
  const std::size_t square = blocks.add_shape({rectangle(0, 0, 1, 1)});
  for (int i = 0; i < 4; ++i) blocks.add(square, translation(0.99 * i, 0));
  BlockDetector2 search;
  search.update(blocks);
  ASSERT_THAT(search.contacts(), SizeIs(3));
  blocks.set_transform(1, translation(0.99, 5));  // 0-1 and 1-2 end
  blocks.add(square, translation(0.5, 0.99));     // 0-4 begins
  search.update(blocks);
  ASSERT_THAT(search.contacts(), SizeIs(2));
  EXPECT_EQ(search.contacts()[0].b, 4U);
  EXPECT_EQ(search.contacts()[0].previous_index, BlockContact<2>::no_previous);
  EXPECT_EQ(search.contacts()[1].a, 2U);
  EXPECT_EQ(search.contacts()[1].previous_index, 2U);
  EXPECT_EQ(search.contacts()[1].age, 1U);
}

TEST(BlocksTest, PlanesOfOtherBlocksAreForgotten) {
  BlockDetector2 search;
  Blocks2 blocks;
  const std::size_t square = blocks.add_shape({rectangle(0, 0, 1, 1)});
  blocks.add(square);
  blocks.add(square, translation(0.99, 0));
  search.update(blocks);
  const Blocks2 copy = blocks;
  search.update(copy);
  ASSERT_THAT(search.contacts(), SizeIs(1));
  EXPECT_EQ(search.contacts()[0].age, 0U);
  search.update(copy);
  EXPECT_EQ(search.contacts()[0].age, 1U);
  search.reset();
  search.update(copy);
  EXPECT_EQ(search.contacts()[0].age, 0U);
}

TEST(BlocksTest, PartsOfOneClusterDoNotTouch) {
  Blocks2 blocks;
  blocks.add(blocks.add_shape(l_shape()));
  BlockDetector2 search({.margin = 1});
  search.update(blocks);
  EXPECT_EQ(search.statistics().pairs, 1U);
  EXPECT_THAT(search.contacts(), SizeIs(0));
}

TEST(BlocksTest, FixedParticlesDoNotMeet) {
  Blocks2 blocks;
  const std::size_t angle = blocks.add_shape(l_shape());
  for (int i = 0; i < 3; ++i) blocks.add(angle, translation(1.99 * i, 0));
  BlockDetector2 search({.fixed_count = 2});
  search.update(blocks);
  ASSERT_FALSE(search.contacts().empty());
  for (const BlockContact<2>& contact : search.contacts()) {
    EXPECT_EQ(contact.a, 1U);
    EXPECT_EQ(contact.b, 2U);
  }
}

TEST(BlocksTest, MeetAcrossPeriodicFacesAndTheirOwnImages) {
  Blocks2 blocks;
  const std::size_t square = blocks.add_shape({rectangle(0, 0, 1, 1)});
  const std::size_t bar = blocks.add_shape({rectangle(0, 0, 4.125, 1)});
  blocks.add(square, translation(0, 0));
  blocks.add(square, translation(3.125, 0.5));
  blocks.add(bar, translation(0, 4));  // longer than the period
  BlockDetector2 search({.domain = Box<2>{{0, 0}, {4, 8}}, .periodic = {true, false}});
  search.update(blocks);
  ASSERT_THAT(search.contacts(), SizeIs(2));
  EXPECT_THAT(search.contacts()[0].image, ElementsAre(-1, 0));
  EXPECT_DOUBLE_EQ(search.contacts()[0].plane.gap, -0.125);
  EXPECT_THAT(search.contacts()[0].plane.normal, ElementsAre(-1, 0));
  EXPECT_EQ(search.contacts()[1].a, 2U);
  EXPECT_EQ(search.contacts()[1].b, 2U);
  EXPECT_THAT(search.contacts()[1].image, ElementsAre(1, 0));
  EXPECT_DOUBLE_EQ(search.contacts()[1].plane.gap, -0.125);
}

TEST(BlocksTest, RefusesWhatIsNotThere) {
  Blocks2 blocks;
  EXPECT_THROW(blocks.add_shape({}), Error);
  EXPECT_THROW(blocks.add(0), Error);
  blocks.add(blocks.add_shape({rectangle(0, 0, 1, 1)}));
  EXPECT_THROW(blocks.set_transform(1, {}), Error);
}

TEST(BlocksTest, NoneAndOneHaveNoContacts) {
  Blocks3 blocks;
  BlockDetector3 search({.margin = 1});
  search.update(blocks);
  EXPECT_THAT(search.contacts(), SizeIs(0));
  blocks.add(blocks.add_shape({cube()}));
  search.update(blocks);
  EXPECT_THAT(search.contacts(), SizeIs(0));
}

// A bar of three boxes on a long one: three contacts of parts, one of the particles.
TEST(Joined, ContactsInOnePlaneAreOne) {
  Blocks2 blocks;
  blocks.add(blocks.add_shape({rectangle(0, 0, 9, 1)}));
  const std::size_t three =
      blocks.add_shape({rectangle(0, 0, 1, 1), rectangle(1, 0, 1, 1), rectangle(2, 0, 1, 1)});
  blocks.add(three, translation(2, 0.96875));
  BlockDetector2 search;
  search.update(blocks);
  EXPECT_THAT(search.contacts(), SizeIs(3));
  const auto contacts = merge_coplanar<2>(search.contacts());
  ASSERT_THAT(contacts, SizeIs(1));
  EXPECT_DOUBLE_EQ(contacts[0].area, 3);
  EXPECT_DOUBLE_EQ(contacts[0].point[0], 3.5);
  EXPECT_DOUBLE_EQ(contacts[0].plane.gap, -0.03125);
}

// A step that stands on two floors: one plane above the other, so two contacts.
TEST(Joined, ContactsInParallelPlanesStayApart) {
  Blocks2 blocks;
  blocks.add(blocks.add_shape({rectangle(0, 0, 1, 1), rectangle(1, 0, 1, 2)}));
  const std::size_t step = blocks.add_shape({rectangle(0, 1, 1, 2), rectangle(1, 2, 1, 1)});
  blocks.add(step, translation(0, -0.03125));
  BlockDetector2 search;
  search.update(blocks);
  std::size_t upwards = 0;
  for (const auto& contact : merge_coplanar<2>(search.contacts()))
    upwards += contact.plane.normal[1] > 0.5 ? 1U : 0U;
  EXPECT_EQ(upwards, 2U);
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
  std::vector<Pair> all;
  for (Index a = 0; a < blocks.part_count(); ++a)
    for (Index b = a + 1; b < blocks.part_count(); ++b)
      if (common_plane(blocks.part(a), blocks.part(b)).gap <= margin) all.push_back({a, b});
  ASSERT_GT(all.size(), 20U);
  BlockDetector<D> search({.method = method, .margin = margin, .threads = threads});
  search.update(blocks);
  EXPECT_EQ(pairs_of(search.contacts()), all) << method_info(method).name;
}

TEST(BlocksTest, EveryMethodLeadsToTheSameContacts) {
  const Blocks2 flat = random_blocks<2>(150, 16, 5);
  const Blocks3 solid = random_blocks<3>(120, 7, 6);
  for (const MethodInfo& method : methods()) {
    expect_all_pairs(flat, 0.05, method.method, 1);
    expect_all_pairs(solid, 0.05, method.method, 1);
  }
}

}  // namespace
}  // namespace abut::testing
