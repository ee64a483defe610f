// The tree of boxes behind the decomposition of polygons and meshes, compared with all boxes.
#include "narrow/box_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "core/statistics.hpp"

namespace abut::testing {
namespace {

bool overlap(const Box<3>& a, const Box<3>& b) {
  for (std::size_t k = 0; k < 3; ++k)
    if (a.min[k] > b.max[k] || b.min[k] > a.max[k]) return false;
  return true;
}

Box<3> random_box(Random& random) {
  Box<3> box{};
  for (std::size_t k = 0; k < 3; ++k) {
    box.min[k] = random.uniform(0, 10);
    box.max[k] = box.min[k] + random.uniform(0, 2);
  }
  return box;
}

// Every item for which the tree has a match, by excluding those that have been found.
std::set<std::size_t> found_by(const BoxTree<3>& tree, const Box<3>& query) {
  std::set<std::size_t> found;
  while (const auto item = tree.find([&](const Box<3>& box) { return overlap(box, query); },
                                     [&](std::size_t i) { return !found.contains(i); }))
    found.insert(*item);
  return found;
}

TEST(BoxTree, FindsSameBoxesAsAllPairs) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    std::vector<Box<3>> boxes;
    for (std::size_t count = random.below(70); boxes.size() < count;)
      boxes.push_back(random_box(random));
    BoxTree<3> tree(boxes);
    std::set<std::size_t> removed;
    for (int trial = 0; trial < 20; ++trial) {
      const Box<3> query = random_box(random);
      std::set<std::size_t> expected;
      for (std::size_t i = 0; i < boxes.size(); ++i)
        if (!removed.contains(i) && overlap(boxes[i], query)) expected.insert(i);
      ASSERT_EQ(found_by(tree, query), expected) << "seed " << seed;
      if (boxes.empty()) continue;
      const std::size_t item = random.below(boxes.size());
      if (removed.insert(item).second) tree.remove(item);
    }
  }
}

TEST(BoxTree, FindsNothingWithoutBoxes) {
  EXPECT_EQ(found_by(BoxTree<3>({}), Box<3>{{-1, -1, -1}, {1, 1, 1}}), std::set<std::size_t>{});
}

TEST(BoxTree, FindsAllOfEqualBoxes) {
  const std::vector<Box<3>> boxes(13, Box<3>{{1, 1, 1}, {1, 1, 1}});
  EXPECT_EQ(found_by(BoxTree<3>(boxes), boxes[0]).size(), boxes.size());
}

}  // namespace
}  // namespace abut::testing
