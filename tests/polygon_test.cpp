// Polygons: what they know of themselves, what they refuse, and how concave ones are cut.
#include <gmock/gmock.h>

#include <abut/error.hpp>

#include "narrow/polygon_check.hpp"
#include "polygon_fixtures.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

using Vertices = std::vector<Point<2>>;

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

TEST(Polygon, KnowsAreaCentroidAndInertiaOfARectangle) {
  const Polygon shape = rectangle(1, 2, 4, 3);
  EXPECT_DOUBLE_EQ(shape.area(), 12);
  EXPECT_THAT(shape.centroid(), ElementsAre(3, 3.5));
  EXPECT_DOUBLE_EQ(shape.inertia(), 12 * (16 + 9) / 12.0);
  EXPECT_DOUBLE_EQ(shape.bounding_radius(), 2.5);
}

TEST(Polygon, KnowsThoseOfATriangle) {
  const Polygon shape = polygon({{0, 0}, {6, 0}, {0, 3}});
  EXPECT_DOUBLE_EQ(shape.area(), 9);
  EXPECT_THAT(shape.centroid(), ElementsAre(2, 1));
  EXPECT_DOUBLE_EQ(shape.inertia(), 9 * (36 + 9) / 18.0);  // A (b² + h²) / 18
  EXPECT_DOUBLE_EQ(shape.bounding_radius(), std::sqrt(17.0));
}

TEST(Polygon, KnowsThemFarAwayAndTiny) {
  const double size = 1e-3;
  const Polygon shape = rectangle(1e6, -1e6, size, size);
  const double side = shape.vertices()[1][0] - shape.vertices()[0][0];  // as doubles have it
  EXPECT_NEAR(shape.area() / (side * side), 1, 1e-6);
  EXPECT_NEAR(shape.inertia() / (side * side * side * side / 6), 1, 1e-6);
  EXPECT_NEAR(shape.centroid()[0], 1e6 + side / 2, 1e-9);
}

TEST(Polygon, KeepsCounterclockwiseAndTurnsClockwise) {
  EXPECT_THAT(rectangle(0, 0, 1, 1).vertices(),
              ElementsAre(Point<2>{0, 0}, Point<2>{1, 0}, Point<2>{1, 1}, Point<2>{0, 1}));
  const Polygon turned = polygon({{0, 0}, {0, 1}, {1, 1}, {1, 0}});
  EXPECT_DOUBLE_EQ(turned.area(), 1);
  EXPECT_THAT(turned.vertices(), SizeIs(4));
}

TEST(Polygon, LeavesOutCornersOnALine) {
  const Polygon shape =
      polygon({{0, 0}, {0.1, 0}, {0.5, 0}, {1, 0}, {1, 0.5}, {1, 1}, {0.5, 1}, {0, 1}, {0, 0.3}});
  EXPECT_THAT(shape.vertices(), SizeIs(4));
  EXPECT_DOUBLE_EQ(shape.area(), 1);
}

// Multiples of a tenth are on a line only up to rounding, to either side of it.
TEST(Polygon, LeavesOutCornersOnALineAsFarAsDoublesCanTell) {
  for (const double offset : {0.0, 1e6}) {
    Vertices corners{{offset, offset}};
    for (int k = 1; k < 10; ++k) corners.push_back({offset + 0.1 * k, offset + 0.3 * k});
    corners.push_back({offset, offset + 4});
    EXPECT_THAT(Polygon(corners).vertices(), SizeIs(3)) << offset;
  }
}

TEST(Polygon, TakesOneOfVeryManyCorners) {
  Vertices corners;
  for (int k = 0; k < 20000; ++k)
    corners.push_back(
        {std::cos(k * std::numbers::pi / 10000), std::sin(k * std::numbers::pi / 10000)});
  const Polygon disc(corners);
  EXPECT_THAT(disc.vertices(), SizeIs(20000));
  EXPECT_NEAR(disc.area(), std::numbers::pi, 1e-6);
}

TEST(Polygon, IsPlacedIntoAPool) {
  const Polygon shape = rectangle(0, 0, 2, 1);
  std::vector<Point<2>> pool(10);
  RigidTransform<2> where = rotation_about({0, 0}, std::numbers::pi / 2);
  where.translation = {5, 7};
  const PolygonView view = shape.transformed(where, std::span(pool).subspan(3));
  EXPECT_EQ(view.vertices.data(), pool.data() + 3);
  ASSERT_THAT(view.vertices, SizeIs(4));
  EXPECT_NEAR(view.vertices[1][0], 5, 1e-15);
  EXPECT_NEAR(view.vertices[1][1], 9, 1e-15);
  EXPECT_NEAR(view.centroid[0], 4.5, 1e-15);
  EXPECT_NEAR(view.centroid[1], 8, 1e-15);
}

std::string error_of(const Vertices& corners) {
  try {
    const Polygon made(corners);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

std::string decomposition_error(const Vertices& corners) {
  try {
    const auto made = convex_decomposition(corners);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(BadPolygon, FewerThanThreeCorners) {
  EXPECT_EQ(error_of({}), "a polygon of 0 corners: it takes at least 3");
  EXPECT_EQ(error_of({{0, 0}, {1, 0}}), "a polygon of 2 corners: it takes at least 3");
}

TEST(BadPolygon, CoordinatesThatAreNoLengths) {
  EXPECT_EQ(error_of({{0, 0}, {1, nan}, {1, 1}}),
            "corner 1 of a polygon has y = nan; coordinates must be finite");
  EXPECT_EQ(error_of({{0, 0}, {1, 0}, {-inf, 1}}),
            "corner 2 of a polygon has x = -inf; coordinates must be finite");
  EXPECT_THAT(error_of({{0, 0}, {1, 0}, {1, 1e200}}), HasSubstr("corner 2"));
}

TEST(BadPolygon, RepeatedCorners) {
  EXPECT_EQ(error_of({{0, 0}, {1, 0}, {1, 0}, {0, 1}}),
            "corners 1 and 2 of a polygon are both at (1, 0); give each corner once");
  EXPECT_THAT(error_of({{0, 0}, {1, 0}, {0, 1}, {0, 0}}), HasSubstr("corners 0 and 3"));
}

TEST(BadPolygon, NoArea) {
  EXPECT_EQ(error_of({{0, 0}, {1, 1}, {3, 3}}),
            "a polygon of 3 corners from (0, 0) to (3, 3) has no area: they are on one line");
  EXPECT_THAT(error_of({{0.1, 0.3}, {0.2, 0.6}, {0.3, 0.9}, {0.7, 2.1}}), HasSubstr("no area"));
  EXPECT_THAT(error_of({{1e6, 0}, {1e6 + 1, 0}, {1e6, 1e-11}}), HasSubstr("no area"));
}

TEST(BadPolygon, TooSmallForSquares) {
  EXPECT_EQ(error_of({{0, 0}, {1e-170, 0}, {0, 1e-170}}),
            "a polygon at (0, 0) is 1e-170 across; it takes at least 1e-150: give it in a smaller "
            "unit");
  EXPECT_EQ(error_of({{0, 0}, {1e-150, 0}, {0, 1e-150}}), "accepted");
}

TEST(BadPolygon, SidesThatCross) {
  EXPECT_EQ(error_of({{0, 0}, {1, 1}, {1, 0}, {0, 1}}),
            "a polygon crosses itself: its sides from corner 0, (0, 0), and from corner 2, (1, 0), "
            "meet; give the corners in the order of the outline");
  Vertices star;  // turns left at every corner, twice round
  for (int k = 0; k < 5; ++k)
    star.push_back({std::cos(0.8 * std::numbers::pi * k), std::sin(0.8 * std::numbers::pi * k)});
  EXPECT_THAT(error_of(star), HasSubstr("crosses itself"));
  EXPECT_THAT(error_of({{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}), HasSubstr("crosses itself"));
}

TEST(BadPolygon, ASideThatFoldsBack) {
  EXPECT_THAT(error_of({{0, 0}, {2, 0}, {1, 0}, {1, 3}}),
              AllOf(HasSubstr("folds back at corner 1, (2, 0)"), Not(HasSubstr("\n"))));
}

TEST(BadPolygon, CornersThatTurnInwards) {
  EXPECT_EQ(error_of({{0, 0}, {4, 0}, {4, 4}, {2, 1}}),
            "corner 3 of a polygon, (2, 1), turns inwards; give it as a cluster of convex parts "
            "(convex_parts)");
  EXPECT_THAT(error_of({{2, 1}, {4, 4}, {4, 0}, {0, 0}}), HasSubstr("corner 0"));  // clockwise
}

TEST(BadPolygon, NoRoomForItsCorners) {
  std::vector<Point<2>> room(3);
  EXPECT_THROW((void)rectangle(0, 0, 1, 1).transformed({}, room), Error);
}

TEST(Orientation, IsExact) {
  const double e = std::numeric_limits<double>::epsilon();
  EXPECT_EQ(orientation({0, 0}, {1, 0}, {0, 1}), 1);
  EXPECT_EQ(orientation({0, 0}, {0, 1}, {1, 0}), -1);
  EXPECT_EQ(orientation({0.1, 0.1}, {0.3, 0.3}, {0.7, 0.7}), 0);
  for (int i = -3; i <= 3; ++i) {  // 12 and 24 apart, one unit in the last place to either side
    const int sign = i > 0 ? 1 : i < 0 ? -1 : 0;
    EXPECT_EQ(orientation({12, 12}, {24, 24}, {0.5, 0.5 + i * e / 2}), sign) << i;
  }
}

double total_area(const std::vector<Polygon>& parts) {
  double total = 0;
  for (const Polygon& part : parts) total += part.area();
  return total;
}

double enclosed_area(const Vertices& outline) {
  double area = 0;
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const Point<2>& next = outline[(k + 1) % outline.size()];
    area += (outline[k][0] * next[1] - outline[k][1] * next[0]) / 2;
  }
  return std::abs(area);
}

TEST(ConvexParts, OfAConvexPolygonAreItself) {
  const auto parts = convex_decomposition(Vertices{{0, 0}, {2, 0}, {3, 1}, {2, 2}, {0, 2}});
  ASSERT_THAT(parts, SizeIs(1));
  EXPECT_THAT(parts[0].vertices(), SizeIs(5));
}

TEST(ConvexParts, OfAnAngleAreTwo) {
  const auto parts = convex_decomposition(Vertices{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}});
  EXPECT_THAT(parts, SizeIs(2));
  EXPECT_DOUBLE_EQ(total_area(parts), 5);
}

TEST(ConvexParts, OfAStarAndOfACombCoverThem) {
  Vertices star;
  for (int k = 0; k < 10; ++k) {
    const double r = k % 2 == 0 ? 2 : 0.7;
    star.push_back(
        {r * std::cos(std::numbers::pi * k / 5), r * std::sin(std::numbers::pi * k / 5)});
  }
  const auto parts = convex_decomposition(star);
  EXPECT_LE(parts.size(), 2U * 5 + 1);  // of Hertel and Mehlhorn, for five corners inwards
  EXPECT_NEAR(total_area(parts), 10 * 0.5 * 2 * 0.7 * std::sin(std::numbers::pi / 5), 1e-14);

  Vertices comb{{0, 0}, {10, 0}};
  for (int k = 9; k >= 0; --k) {
    comb.push_back({k + 0.9, 3});
    comb.push_back({k + 0.1, 3});
    if (k > 0) comb.push_back({static_cast<double>(k), 1});
  }
  EXPECT_NEAR(total_area(convex_decomposition(comb)), enclosed_area(comb), 1e-12);
}

// Radii at random around a point: simple, as concave as can be.
TEST(ConvexParts, CoverRandomOutlinesAndDoNotOverlap) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random(seed);
    const std::size_t count = 3 + random.below(30);
    Vertices outline;
    for (std::size_t k = 0; k < count; ++k) {
      const double angle =
          2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(count);
      const double radius = random.uniform(0.1, 1);
      outline.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    if (seed % 2 == 0) std::ranges::reverse(outline);
    const auto parts = convex_decomposition(outline);
    EXPECT_NEAR(total_area(parts), enclosed_area(outline), 1e-13);
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t j = i + 1; j < parts.size(); ++j)
        EXPECT_GE(gap_by_separating_axes(parts[i].view(), parts[j].view()), -1e-12)
            << i << " " << j;
  }
}

TEST(ConvexParts, OfSlantedStepsWithCornersOnALine) {
  Vertices steps;  // a saw whose teeth are all on two lines
  for (int k = 0; k <= 20; ++k) steps.push_back({0.1 * k, 0.3 * k + (k % 2 == 0 ? 0.0 : -0.2)});
  steps.push_back({-3, 6});
  steps.push_back({-3, 0});
  const auto parts = convex_decomposition(steps);
  EXPECT_NEAR(total_area(parts), enclosed_area(steps), 1e-13);
}

// Three corners of it may be on a line up to rounding, with an ear of no area between them.
TEST(ConvexParts, OfOutlinesOnAGridOfTenths) {
  int made = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random(seed);
    const double offset = seed % 3 == 0 ? 1e6 : seed % 3 == 1 ? 0 : 12345.678;
    const std::size_t count = 4 + random.below(12);
    Vertices outline;
    for (std::size_t k = 0; k < count; ++k) {
      const double angle =
          2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(count);
      const double radius = random.uniform(2, 8);
      outline.push_back({offset + 0.1 * std::round(radius * std::cos(angle)),
                         offset + 0.1 * std::round(radius * std::sin(angle))});
    }
    const std::string why = decomposition_error(outline);
    if (why != "accepted") {  // rounded to the grid, some are no outlines any more
      EXPECT_THAT(why, AnyOf(HasSubstr("crosses"), HasSubstr("both at"), HasSubstr("folds back")));
      continue;
    }
    ++made;
    const Point<2> first = outline[0];
    for (Point<2>& corner : outline) corner = difference(corner, first);
    double total = 0;
    for (const Polygon& part : convex_decomposition(outline)) total += part.area();
    EXPECT_NEAR(total, enclosed_area(outline), 1e-9);
  }
  EXPECT_GT(made, 1000);
}

TEST(BadOutline, IsRefusedInOneLine) {
  EXPECT_THAT(decomposition_error({{0, 0}, {1, 1}, {1, 0}, {0, 1}}), HasSubstr("crosses itself"));
  EXPECT_THAT(decomposition_error({{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}),
              HasSubstr("crosses itself"));  // a corner that touches a side
  EXPECT_THAT(decomposition_error({{0, 0}, {1, 0}}), HasSubstr("at least 3"));
  EXPECT_THAT(decomposition_error({{0, 0}, {1, 0}, {2, nan}}), HasSubstr("corner 2"));
}

}  // namespace
}  // namespace abut::testing
