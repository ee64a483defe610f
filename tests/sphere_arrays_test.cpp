#include <gmock/gmock.h>

#include <abut/spheres.hpp>
#include <array>

namespace abut {
namespace {

using ::testing::ElementsAre;

TEST(SphereArrays, AppendsContiguousAndStridedParticles) {
  SphereArrays<2> arrays;
  arrays.push_back({1, 2}, 0.5);
  SphereArrays<2> contiguous;
  contiguous.push_back({3, 4}, 0.25);
  arrays.append(contiguous.view());
  const std::array<double, 6> rows{5, 6, 0.125, 7, 8, 0.0625};
  arrays.append({{rows.data(), 2, 3}, {rows.data() + 1, 2, 3}, {rows.data() + 2, 2, 3}});
  EXPECT_EQ(arrays.size(), 4U);
  EXPECT_THAT(arrays.coordinates[0], ElementsAre(1, 3, 5, 7));
  EXPECT_THAT(arrays.coordinates[1], ElementsAre(2, 4, 6, 8));
  EXPECT_THAT(arrays.radii, ElementsAre(0.5, 0.25, 0.125, 0.0625));
  EXPECT_THAT(arrays.center(3), ElementsAre(7, 8));
  EXPECT_EQ(arrays.view().radii().data(), arrays.radii.data());
  arrays.resize(5);
  EXPECT_THAT(arrays.center(4), ElementsAre(0, 0));
  arrays.clear();
  EXPECT_EQ(arrays.view().size(), 0U);
}

TEST(SphereArrays, RejectViewOfArraysOfDifferentLength) {
  SphereArrays<3> arrays;
  arrays.push_back({1, 2, 3}, 0.5);
  arrays.coordinates[2].clear();
  EXPECT_THROW((void)arrays.view(), Error);
}

}  // namespace
}  // namespace abut
