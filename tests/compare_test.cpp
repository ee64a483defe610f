#include "cli/compare.hpp"

#include <gmock/gmock.h>

namespace abut::testing {
namespace {

std::vector<Comparison> comparisons(std::vector<Pair> reference, std::vector<Pair> other) {
  return compare<Pair>({{"right", [=] { return reference; }}, {"other", [=] { return other; }}});
}

TEST(Comparison, AcceptsEqualLists) {
  const auto both = comparisons({{0, 1}, {1, 2}}, {{0, 1}, {1, 2}});
  EXPECT_EQ(both[0].text, "reference");
  EXPECT_EQ(both[1].text, "same");
  EXPECT_TRUE(both[1].agrees);
  EXPECT_EQ(both[1].pairs, 2);
  EXPECT_EQ(status_of(both), 0);
}

TEST(Comparison, ReportsFirstMissingAndExtraPair) {
  const auto both = comparisons({{0, 1}, {1, 2}, {4, 5}}, {{0, 1}, {3, 7}});
  EXPECT_FALSE(both[1].agrees);
  EXPECT_EQ(both[1].text, "DIFFERS; 2 missing, first (1, 2); 1 extra, first (3, 7)");
  EXPECT_EQ(status_of(both), 1);
  EXPECT_THAT(table_of(both), ::testing::HasSubstr("2 missing, first (1, 2)"));
}

TEST(Comparison, ReportsDuplicatePair) {
  EXPECT_EQ(comparisons({{0, 1}}, {{0, 1}, {0, 1}})[1].text, "DIFFERS; 1 extra, first (0, 1)");
}

TEST(Comparison, ReportsUnsortedList) {
  EXPECT_EQ(comparisons({{0, 1}, {0, 2}}, {{0, 2}, {0, 1}})[1].text, "NOT SORTED");
}

TEST(Comparison, SkipsMethodThatExceedsMemoryAndTakesNextAsReference) {
  const auto all =
      compare<Pair>({{"small", []() -> std::vector<Pair> { throw MemoryLimitError("no"); }},
                     {"first",
                      [] {
                        return std::vector<Pair>{{0, 1}};
                      }},
                     {"second", [] { return std::vector<Pair>{}; }}});
  EXPECT_TRUE(all[0].over_memory_limit && all[0].agrees);
  EXPECT_EQ(all[1].text, "reference");
  EXPECT_FALSE(all[2].agrees);
}

TEST(Comparison, DistinguishesImages) {
  using List = std::vector<PeriodicPair<2>>;
  const auto verdicts = compare<PeriodicPair<2>>({{"one",
                                                   [] {
                                                     return List{{0, 1, {1, 0}}};
                                                   }},
                                                  {"two", [] {
                                                     return List{{0, 1, {-1, 0}}};
                                                   }}});
  EXPECT_FALSE(verdicts[1].agrees);
  EXPECT_EQ(verdicts[1].text,
            "DIFFERS; 1 missing, first (0, 1, image 1 0); 1 extra, first (0, 1, image -1 0)");
}

}  // namespace
}  // namespace abut::testing
