// Convex polygons: properties, rejected input, and the decomposition of concave outlines.
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

TEST(Polygon, ComputesAreaCentroidAndInertiaOfRectangle) {
  const Polygon shape = rectangle(1, 2, 4, 3);
  EXPECT_DOUBLE_EQ(shape.area(), 12);
  EXPECT_THAT(shape.centroid(), ElementsAre(3, 3.5));
  EXPECT_DOUBLE_EQ(shape.inertia(), 12 * (16 + 9) / 12.0);
  EXPECT_DOUBLE_EQ(shape.bounding_radius(), 2.5);
}

TEST(Polygon, ComputesAreaCentroidAndInertiaOfTriangle) {
  const Polygon shape = polygon({{0, 0}, {6, 0}, {0, 3}});
  EXPECT_DOUBLE_EQ(shape.area(), 9);
  EXPECT_THAT(shape.centroid(), ElementsAre(2, 1));
  EXPECT_DOUBLE_EQ(shape.inertia(), 9 * (36 + 9) / 18.0);  // A (b² + h²) / 18
  EXPECT_DOUBLE_EQ(shape.bounding_radius(), std::sqrt(17.0));
}

TEST(Polygon, ComputesPropertiesOfTinyPolygonFarFromOrigin) {
  const double size = 1e-3;
  const Polygon shape = rectangle(1e6, -1e6, size, size);
  const double side = shape.vertices()[1][0] - shape.vertices()[0][0];  // as represented by doubles
  EXPECT_NEAR(shape.area() / (side * side), 1, 1e-6);
  EXPECT_NEAR(shape.inertia() / (side * side * side * side / 6), 1, 1e-6);
  EXPECT_NEAR(shape.centroid()[0], 1e6 + side / 2, 1e-9);
}

TEST(Polygon, StoresVerticesCounterclockwise) {
  EXPECT_THAT(rectangle(0, 0, 1, 1).vertices(),
              ElementsAre(Point<2>{0, 0}, Point<2>{1, 0}, Point<2>{1, 1}, Point<2>{0, 1}));
  const Polygon clockwise = polygon({{0, 0}, {0, 1}, {1, 1}, {1, 0}});
  EXPECT_DOUBLE_EQ(clockwise.area(), 1);
  EXPECT_THAT(clockwise.vertices(), SizeIs(4));
}

TEST(Polygon, OmitsCollinearVertices) {
  const Polygon shape =
      polygon({{0, 0}, {0.1, 0}, {0.5, 0}, {1, 0}, {1, 0.5}, {1, 1}, {0.5, 1}, {0, 1}, {0, 0.3}});
  EXPECT_THAT(shape.vertices(), SizeIs(4));
  EXPECT_DOUBLE_EQ(shape.area(), 1);
}

// Multiples of a tenth are collinear only up to rounding, with errors of either sign.
TEST(Polygon, OmitsVerticesThatAreCollinearUpToRounding) {
  for (const double offset : {0.0, 1e6}) {
    Vertices vertices{{offset, offset}};
    for (int k = 1; k < 10; ++k) vertices.push_back({offset + 0.1 * k, offset + 0.3 * k});
    vertices.push_back({offset, offset + 4});
    EXPECT_THAT(Polygon(vertices).vertices(), SizeIs(3)) << offset;
  }
}

TEST(Polygon, AcceptsManyVertices) {
  Vertices vertices;
  for (int k = 0; k < 20000; ++k)
    vertices.push_back(
        {std::cos(k * std::numbers::pi / 10000), std::sin(k * std::numbers::pi / 10000)});
  const Polygon disk(vertices);
  EXPECT_THAT(disk.vertices(), SizeIs(20000));
  EXPECT_NEAR(disk.area(), std::numbers::pi, 1e-6);
}

TEST(Polygon, WritesTransformedVerticesToBuffer) {
  const Polygon shape = rectangle(0, 0, 2, 1);
  std::vector<Point<2>> buffer(10);
  RigidTransform<2> transform = rotation_about({0, 0}, std::numbers::pi / 2);
  transform.translation = {5, 7};
  const PolygonView view = shape.transformed(transform, std::span(buffer).subspan(3));
  EXPECT_EQ(view.vertices.data(), buffer.data() + 3);
  ASSERT_THAT(view.vertices, SizeIs(4));
  EXPECT_NEAR(view.vertices[1][0], 5, 1e-15);
  EXPECT_NEAR(view.vertices[1][1], 9, 1e-15);
  EXPECT_NEAR(view.centroid[0], 4.5, 1e-15);
  EXPECT_NEAR(view.centroid[1], 8, 1e-15);
}

std::string polygon_error(const Vertices& vertices) {
  try {
    const Polygon made(vertices);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

std::string decomposition_error(const Vertices& vertices) {
  try {
    const auto made = convex_decomposition(vertices);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Polygon, RejectsFewerThanThreeVertices) {
  EXPECT_EQ(polygon_error({}), "a polygon of 0 vertices; must have at least 3");
  EXPECT_EQ(polygon_error({{0, 0}, {1, 0}}), "a polygon of 2 vertices; must have at least 3");
}

TEST(Polygon, RejectsNonFiniteAndHugeCoordinates) {
  EXPECT_EQ(polygon_error({{0, 0}, {1, nan}, {1, 1}}),
            "vertex 1 of a polygon has y = nan: must be finite");
  EXPECT_EQ(polygon_error({{0, 0}, {1, 0}, {-inf, 1}}),
            "vertex 2 of a polygon has x = -inf: must be finite");
  EXPECT_THAT(polygon_error({{0, 0}, {1, 0}, {1, 1e200}}), HasSubstr("vertex 2"));
}

TEST(Polygon, RejectsRepeatedVertices) {
  EXPECT_EQ(polygon_error({{0, 0}, {1, 0}, {1, 0}, {0, 1}}),
            "vertices 1 and 2 of a polygon coincide at (1, 0); give each vertex once");
  EXPECT_THAT(polygon_error({{0, 0}, {1, 0}, {0, 1}, {0, 0}}), HasSubstr("vertices 0 and 3"));
}

TEST(Polygon, RejectsZeroArea) {
  EXPECT_EQ(polygon_error({{0, 0}, {1, 1}, {3, 3}}),
            "a polygon of 3 vertices from (0, 0) to (3, 3) has no area: they are collinear");
  EXPECT_THAT(polygon_error({{0.1, 0.3}, {0.2, 0.6}, {0.3, 0.9}, {0.7, 2.1}}),
              HasSubstr("no area"));
  EXPECT_THAT(polygon_error({{1e6, 0}, {1e6 + 1, 0}, {1e6, 1e-11}}), HasSubstr("no area"));
}

TEST(Polygon, RejectsExtentWhoseSquareUnderflows) {
  EXPECT_EQ(polygon_error({{0, 0}, {1e-170, 0}, {0, 1e-170}}),
            "a polygon at (0, 0) has an extent of 1e-170; must be at least 1e-150, so use a "
            "smaller unit of length");
  EXPECT_EQ(polygon_error({{0, 0}, {1e-150, 0}, {0, 1e-150}}), "accepted");
}

TEST(Polygon, RejectsSelfIntersections) {
  EXPECT_EQ(polygon_error({{0, 0}, {1, 1}, {1, 0}, {0, 1}}),
            "a polygon crosses itself: its edges from vertex 0, (0, 0), and from vertex 2, (1, 0), "
            "meet; give the vertices in the order of the outline");
  Vertices star;  // turns left at every vertex and winds around twice
  for (int k = 0; k < 5; ++k)
    star.push_back({std::cos(0.8 * std::numbers::pi * k), std::sin(0.8 * std::numbers::pi * k)});
  EXPECT_THAT(polygon_error(star), HasSubstr("crosses itself"));
  EXPECT_THAT(polygon_error({{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}), HasSubstr("crosses itself"));
}

TEST(Polygon, RejectsEdgesThatFoldBack) {
  EXPECT_THAT(polygon_error({{0, 0}, {2, 0}, {1, 0}, {1, 3}}),
              AllOf(HasSubstr("folds back at vertex 1, (2, 0)"), Not(HasSubstr("\n"))));
}

TEST(Polygon, RejectsReflexVertices) {
  EXPECT_EQ(
      polygon_error({{0, 0}, {4, 0}, {4, 4}, {2, 1}}),
      "vertex 3 of a polygon, (2, 1), is reflex; use convex_decomposition for concave polygons");
  EXPECT_THAT(polygon_error({{2, 1}, {4, 4}, {4, 0}, {0, 0}}), HasSubstr("vertex 0"));  // clockwise
}

TEST(Polygon, RejectsBufferThatIsTooSmall) {
  std::vector<Point<2>> buffer(3);
  EXPECT_THROW((void)rectangle(0, 0, 1, 1).transformed({}, buffer), Error);
}

TEST(Polygon, RejectsUseAfterMove) {
  Polygon shape = rectangle(0, 0, 1, 1);
  const Polygon moved = std::move(shape);
  EXPECT_THAT(moved.vertices(), SizeIs(4));
  EXPECT_THROW((void)shape.view(), Error);  // NOLINT(bugprone-use-after-move)
  EXPECT_THROW((void)shape.vertices(), Error);
  EXPECT_THROW((void)shape.area(), Error);
  EXPECT_THROW((void)shape.centroid(), Error);
  EXPECT_THROW((void)shape.inertia(), Error);
  EXPECT_THROW((void)shape.bounding_radius(), Error);
  std::vector<Point<2>> buffer(4);
  EXPECT_THROW((void)shape.transformed({}, buffer), Error);
}

TEST(PolygonOrientation, IsExact) {
  const double e = std::numeric_limits<double>::epsilon();
  EXPECT_EQ(orientation({0, 0}, {1, 0}, {0, 1}), 1);
  EXPECT_EQ(orientation({0, 0}, {0, 1}, {1, 0}), -1);
  EXPECT_EQ(orientation({0.1, 0.1}, {0.3, 0.3}, {0.7, 0.7}), 0);
  for (int i = -3; i <= 3; ++i) {  // one unit in the last place to either side of the line
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

TEST(ConvexDecomposition2D, KeepsConvexPolygon) {
  const auto parts = convex_decomposition(Vertices{{0, 0}, {2, 0}, {3, 1}, {2, 2}, {0, 2}});
  ASSERT_THAT(parts, SizeIs(1));
  EXPECT_THAT(parts[0].vertices(), SizeIs(5));
}

TEST(ConvexDecomposition2D, SplitsLShapeInTwo) {
  const auto parts = convex_decomposition(Vertices{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}});
  EXPECT_THAT(parts, SizeIs(2));
  EXPECT_DOUBLE_EQ(total_area(parts), 5);
}

TEST(ConvexDecomposition2D, CoversStarAndComb) {
  Vertices star;
  for (int k = 0; k < 10; ++k) {
    const double r = k % 2 == 0 ? 2 : 0.7;
    star.push_back(
        {r * std::cos(std::numbers::pi * k / 5), r * std::sin(std::numbers::pi * k / 5)});
  }
  const auto parts = convex_decomposition(star);
  EXPECT_LE(parts.size(), 2U * 5 + 1);  // bound of Hertel and Mehlhorn for five reflex vertices
  EXPECT_NEAR(total_area(parts), 10 * 0.5 * 2 * 0.7 * std::sin(std::numbers::pi / 5), 1e-14);

  Vertices comb{{0, 0}, {10, 0}};
  for (int k = 9; k >= 0; --k) {
    comb.push_back({k + 0.9, 3});
    comb.push_back({k + 0.1, 3});
    if (k > 0) comb.push_back({static_cast<double>(k), 1});
  }
  EXPECT_NEAR(total_area(convex_decomposition(comb)), enclosed_area(comb), 1e-12);
}

TEST(ConvexDecomposition2D, KeepsConvexPolygonOfManyVertices) {
  Vertices circle;
  constexpr int count = 20'000;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * k / count;
    circle.push_back({std::cos(angle), std::sin(angle)});
  }
  const auto parts = convex_decomposition(circle);
  ASSERT_THAT(parts, SizeIs(1));
  EXPECT_THAT(parts[0].vertices(), SizeIs(count));
}

TEST(ConvexDecomposition2D, SplitsCombOfManyTeethIntoTeethAndSpine) {
  constexpr int count = 5'000;
  Vertices comb{{0, -1}, {4 * count - 2, -1}};
  for (int k = count - 1; k >= 0; --k)
    for (const Point<2>& vertex : Vertices{{2, 0}, {2, 3}, {0, 3}, {0, 0}})
      if (vertex[1] != 0 || (k != count - 1 && vertex[0] != 0) || (k != 0 && vertex[0] == 0))
        comb.push_back({4.0 * k + vertex[0], vertex[1]});
  const auto parts = convex_decomposition(comb);
  EXPECT_NEAR(total_area(parts), enclosed_area(comb), 1e-6);
  EXPECT_LE(parts.size(), 2U * (2 * count - 2) + 1);  // bound of Hertel and Mehlhorn
}

TEST(ConvexDecomposition2D, CoversSpiralOfManyTurns) {
  Vertices outward;
  Vertices inward;
  constexpr int count = 5'000;
  for (int k = 0; k < count; ++k) {
    const double angle = 0.05 * k;
    const Point<2> direction{std::cos(angle), std::sin(angle)};
    outward.push_back(scaled(direction, 1 + 0.1 * angle));
    inward.push_back(scaled(direction, 1.3 + 0.1 * angle));
  }
  outward.insert(outward.end(), inward.rbegin(), inward.rend());
  const auto parts = convex_decomposition(outward);
  EXPECT_NEAR(total_area(parts), enclosed_area(outward), 1e-9);
  EXPECT_LE(parts.size(), 2U * count + 1);
}

TEST(ConvexDecomposition2D, CoversStarOfManyPoints) {
  Vertices star;
  constexpr int count = 20'000;
  Random random(3);
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * k / count;
    const double radius = k % 2 == 0 ? random.uniform(2, 3) : random.uniform(0.5, 1);
    star.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  const auto parts = convex_decomposition(star);
  EXPECT_NEAR(total_area(parts), enclosed_area(star), 1e-9);
}

// Random radii around a point: simple and strongly concave.
TEST(ConvexDecomposition2D, CoversRandomOutlinesWithoutOverlap) {
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

TEST(ConvexDecomposition2D, CoversSawtoothWithCollinearVertices) {
  Vertices sawtooth;  // all vertices of the teeth lie on two lines
  for (int k = 0; k <= 20; ++k) sawtooth.push_back({0.1 * k, 0.3 * k + (k % 2 == 0 ? 0.0 : -0.2)});
  sawtooth.push_back({-3, 6});
  sawtooth.push_back({-3, 0});
  const auto parts = convex_decomposition(sawtooth);
  EXPECT_NEAR(total_area(parts), enclosed_area(sawtooth), 1e-13);
}

// Three vertices may be collinear up to rounding, with an ear of zero area between them.
TEST(ConvexDecomposition2D, CoversOutlinesOnGridOfTenths) {
  int decomposed = 0;
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
    const std::string error = decomposition_error(outline);
    if (error != "accepted") {  // rounding to the grid makes some outlines invalid
      EXPECT_THAT(error,
                  AnyOf(HasSubstr("crosses"), HasSubstr("coincide"), HasSubstr("folds back")));
      continue;
    }
    ++decomposed;
    const Point<2> first = outline[0];
    for (Point<2>& vertex : outline) vertex = difference(vertex, first);
    double total = 0;
    for (const Polygon& part : convex_decomposition(outline)) total += part.area();
    EXPECT_NEAR(total, enclosed_area(outline), 1e-9);
  }
  EXPECT_GT(decomposed, 1000);
}

TEST(ConvexDecomposition2D, RejectsInvalidOutlines) {
  EXPECT_THAT(decomposition_error({{0, 0}, {1, 1}, {1, 0}, {0, 1}}), HasSubstr("crosses itself"));
  EXPECT_THAT(decomposition_error({{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}),
              HasSubstr("crosses itself"));  // a vertex that touches an edge
  EXPECT_THAT(decomposition_error({{0, 0}, {1, 0}}), HasSubstr("at least 3"));
  EXPECT_THAT(decomposition_error({{0, 0}, {1, 0}, {2, nan}}), HasSubstr("vertex 2"));
}

}  // namespace
}  // namespace abut::testing
