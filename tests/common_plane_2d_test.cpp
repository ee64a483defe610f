// Common planes of polygons with known solutions.
#include <gmock/gmock.h>

#include <abut/research/cundall.hpp>

#include "polygon_fixtures.hpp"

namespace abut::testing {
namespace {

constexpr double tolerance = 1e-14;

void expect_plane(const CommonPlane<2>& plane, double gap, const Point<2>& normal, PlaneKind kind) {
  EXPECT_NEAR(plane.gap, gap, tolerance);
  EXPECT_NEAR(plane.normal[0], normal[0], tolerance);
  EXPECT_NEAR(plane.normal[1], normal[1], tolerance);
  EXPECT_EQ(plane.kind, kind);
}

CommonPlane<2> find_plane(const Polygon& a, const Polygon& b) {
  return common_plane(a.view(), b.view());
}

PlaneContact<2> find_contact(const Polygon& a, const Polygon& b) {
  return plane_contact(a.view(), b.view(), find_plane(a, b));
}

void expect_contact(const PlaneContact<2>& contact, const Point<2>& point, double length) {
  EXPECT_NEAR(contact.point[0], point[0], tolerance);
  EXPECT_NEAR(contact.point[1], point[1], tolerance);
  EXPECT_NEAR(contact.area, length, tolerance);
}

const double half = std::sqrt(0.5);
const Polygon diamond = polygon({{0, -1}, {1, 0}, {0, 1}, {-1, 0}});

TEST(CommonPlane2D, IsNormalToLineBetweenTwoVertices) {
  const Polygon other = polygon({{4, 4}, {6, 5}, {5, 6}});
  expect_plane(find_plane(rectangle(0, 0, 1, 1), other), 3 * std::sqrt(2.0), {half, half},
               PlaneKind::vertices);
  expect_contact(find_contact(rectangle(0, 0, 1, 1), other), {2.5, 2.5}, 0);
}

TEST(CommonPlane2D, IsParallelToEdgeOfEitherPolygon) {
  const Polygon floor = rectangle(-5, -1, 10, 1);
  const Polygon tip = polygon({{1, 0.5}, {2, 2}, {0, 2}});
  expect_plane(find_plane(floor, tip), 0.5, {0, 1}, PlaneKind::face_a);
  expect_plane(find_plane(tip, floor), 0.5, {0, -1}, PlaneKind::face_b);
  expect_contact(find_contact(floor, tip), {1, 0.25}, 0);
}

TEST(CommonPlane2D, MeasuresVertexPenetratingEdge) {
  const Polygon floor = rectangle(-5, -1, 10, 1);
  const Polygon tip = polygon({{1, -0.25}, {2, 0.75}, {0, 0.75}});
  expect_plane(find_plane(floor, tip), -0.25, {0, 1}, PlaneKind::face_a);
  expect_contact(find_contact(floor, tip), {1, -0.125}, 0.25);
  expect_contact(find_contact(tip, floor), {1, -0.125}, 0.25);
}

TEST(CommonPlane2D, ReportsClosestVertexAndStartOfEdge) {
  const Polygon floor = rectangle(-5, -1, 10, 1);  // its upper edge starts at vertex 2
  const CommonPlane<2> plane = find_plane(floor, polygon({{0, 2}, {1, 0.5}, {2, 2}}));
  EXPECT_EQ(floor.vertices()[plane.vertex_a], (Point<2>{5, 0}));
  EXPECT_EQ(plane.vertex_b, 1U);
}

// ---- gap exactly 0

TEST(CommonPlane2D, HandlesVertexOnVertexWithZeroGap) {
  const CommonPlane<2> plane = find_plane(rectangle(0, 0, 1, 1), rectangle(1, 1, 1, 1));
  EXPECT_EQ(plane.gap, 0);
  EXPECT_NEAR(length(plane.normal), 1, tolerance);
  EXPECT_NEAR(gap_along(rectangle(0, 0, 1, 1).view(), rectangle(1, 1, 1, 1).view(), plane.normal),
              0, tolerance);
}

TEST(CommonPlane2D, HandlesVertexOnEdgeWithZeroGap) {
  expect_plane(find_plane(rectangle(-5, -1, 10, 1), polygon({{1, 0}, {2, 2}, {0, 2}})), 0, {0, 1},
               PlaneKind::face_a);
}

TEST(CommonPlane2D, HandlesEdgeOnEdgeWithZeroGap) {
  const Polygon a = rectangle(0, 0, 2, 1);
  const Polygon b = rectangle(1, 1, 4, 1);
  const CommonPlane<2> plane = find_plane(a, b);
  EXPECT_EQ(plane.gap, 0);
  EXPECT_EQ(plane.normal, (Point<2>{0, 1}));
  expect_contact(find_contact(a, b), {1.5, 1}, 0);
}

// ---- parallel edges

TEST(CommonPlane2D, HandlesParallelEdgesThatFaceEachOther) {
  for (const double shift : {-2.9, -1.0, 0.0, 1.0, 2.9}) {
    const Polygon a = rectangle(0, 0, 3, 1);
    const Polygon b = rectangle(shift, 1.5, 3, 1);
    const CommonPlane<2> plane = find_plane(a, b);
    EXPECT_NEAR(plane.gap, 0.5, tolerance) << shift;
    EXPECT_NEAR(plane.normal[1], 1, tolerance) << shift;
    expect_contact(find_contact(a, b), {1.5 + shift / 2, 1.25}, 0);
  }
}

TEST(CommonPlane2D, HandlesParallelEdgesThatDoNotFaceEachOther) {
  const Polygon a = rectangle(0, 0, 3, 1);
  expect_plane(find_plane(a, rectangle(6, 5, 3, 1)), 5, {0.6, 0.8}, PlaneKind::vertices);
  expect_plane(find_plane(a, rectangle(-6, 5, 3, 1)), 5, {-0.6, 0.8}, PlaneKind::vertices);
}

TEST(CommonPlane2D, HandlesParallelEdgesThatOverlap) {
  const Polygon a = rectangle(0, 0, 3, 1);
  const Polygon b = rectangle(1, 0.9, 3, 1);
  const CommonPlane<2> plane = find_plane(a, b);
  EXPECT_NEAR(plane.gap, -0.1, tolerance);
  EXPECT_EQ(plane.normal, (Point<2>{0, 1}));
  expect_contact(find_contact(a, b), {2, 0.95}, 2);
}

// ---- collinear vertices, which views may have although Polygon omits them

TEST(CommonPlane2D, HandlesCollinearVertices) {
  const std::vector<Point<2>> many{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 0.5},
                                   {3, 1}, {2, 1}, {1, 1}, {0, 1}, {0, 0.5}};
  const PolygonView a{many, {1.5, 0.5}};
  for (const Polygon& b :
       {rectangle(0.2, 1.5, 0.1, 1), rectangle(2.5, 1.2, 3, 1), rectangle(3.5, 0.2, 1, 0.1),
        rectangle(1, 0.9, 1, 3), diamond, rectangle(4, 3, 1, 1)}) {
    const CommonPlane<2> plane = common_plane(a, b.view());
    EXPECT_NEAR(plane.gap, exact_gap(rectangle(0, 0, 3, 1).view(), b.view()), tolerance);
    EXPECT_NEAR(common_plane(b.view(), a).gap, plane.gap, tolerance);
    EXPECT_NEAR(common_plane(a, b.view(), plane).gap, plane.gap, tolerance);
  }
}

// ---- equal centroids, containment, identical polygons

TEST(CommonPlane2D, HandlesEqualCentroids) {
  const Polygon wide = rectangle(-3, -1, 6, 2);
  const Polygon high = rectangle(-0.5, -2, 1, 4);
  EXPECT_NEAR(find_plane(wide, high).gap, -3, tolerance);  // upward or downward
  EXPECT_NEAR(std::abs(find_plane(wide, high).normal[1]), 1, tolerance);
}

TEST(CommonPlane2D, HandlesContainment) {
  const Polygon outer = rectangle(-10, -10, 20, 20);
  const auto inner = [](double x, double y) {
    return polygon({{x, y - 1}, {x + 1, y}, {x, y + 1}, {x - 1, y}});
  };
  expect_plane(find_plane(outer, inner(8, 1)), -3, {1, 0}, PlaneKind::face_a);
  expect_plane(find_plane(outer, inner(-2, 8.5)), -2.5, {0, 1}, PlaneKind::face_a);
  expect_plane(find_plane(inner(-8, 1), outer), -3, {1, 0}, PlaneKind::face_b);
}

TEST(CommonPlane2D, HandlesIdenticalPolygons) {
  EXPECT_NEAR(find_plane(diamond, diamond).gap, -std::sqrt(2.0), tolerance);
  EXPECT_NEAR(find_plane(rectangle(0, 0, 4, 1), rectangle(0, 0, 4, 1)).gap, -1, tolerance);
  const Polygon triangle = polygon({{0, 0}, {4, 0}, {0, 3}});
  EXPECT_NEAR(find_plane(triangle, triangle).gap, exact_gap(triangle.view(), triangle.view()),
              tolerance);
}

// ---- symmetric vertex contacts: the first axis counterclockwise from the line of centroids

TEST(CommonPlane2D, ResolvesSymmetricVertexContactCounterclockwise) {
  expect_plane(find_plane(rectangle(0, 0, 1, 1), rectangle(0.75, 0.75, 1, 1)), -0.25, {0, 1},
               PlaneKind::face_b);
  expect_plane(find_plane(rectangle(0.75, 0.75, 1, 1), rectangle(0, 0, 1, 1)), -0.25, {0, -1},
               PlaneKind::face_b);
  const Polygon right = polygon({{0.8, 0}, {1.8, -1}, {2.8, 0}, {1.8, 1}});
  const CommonPlane<2> plane = find_plane(diamond, right);
  EXPECT_NEAR(plane.gap, -0.2 * half, tolerance);
  EXPECT_NEAR(plane.normal[0], half, tolerance);
  EXPECT_NEAR(plane.normal[1], half, tolerance);
}

// ---- slivers and plates that are separated, but not along the line of centroids

TEST(CommonPlane2D, FindsGapThatLineOfCentroidsMisses) {
  const Polygon lower = polygon({{0, 0}, {100, 0}, {100, 0.01}});
  const Polygon upper = polygon({{90, 0.02}, {200, 0.02}, {200, 0.03}});
  EXPECT_NEAR(find_plane(lower, upper).gap, exact_gap(lower.view(), upper.view()), tolerance);
  const Polygon plate = rectangle(0, 0, 100, 1);
  const Polygon shifted = rectangle(95, 1.5, 100, 1);
  const Point<2> line = normalized(difference(shifted.centroid(), plate.centroid()));
  EXPECT_LT(gap_along(plate.view(), shifted.view(), line), 0);
  expect_plane(find_plane(plate, shifted), 0.5, {0, 1}, PlaneKind::face_b);
}

TEST(CommonPlane2D, FindsShallowPenetrationFarFromCentroids) {
  expect_plane(find_plane(rectangle(0, 0, 100, 1), rectangle(80, 0.9, 100, 1)), -0.1, {0, 1},
               PlaneKind::face_b);
}

TEST(CommonPlane2D, HandlesNeedlesTipToTip) {
  const Polygon left = polygon({{-1, -1e-9}, {0, 0}, {-1, 1e-9}});
  const Polygon right = polygon({{0.25, 0}, {1, -1e-9}, {1, 1e-9}});
  expect_plane(find_plane(left, right), 0.25, {1, 0}, PlaneKind::vertices);
  EXPECT_NEAR(find_plane(left, polygon({{0, 0.25}, {1e-9, 1}, {-1e-9, 1}})).gap, 0.25, tolerance);
}

// ---- sizes and offsets

TEST(CommonPlane2D, IsAccurateForAllSizesAndOffsets) {
  for (const double size : {1e-100, 1e-6, 1.0, 1e6, 1e100})
    for (const double offset : {0.0, 1e6 * size, -1e6 * size}) {
      const Polygon a = rectangle(offset, offset, size, size);
      const Polygon b = rectangle(offset + 0.5 * size, offset + 1.25 * size, size, size);
      const double rounding = size * (offset == 0 ? 1e-14 : 1e-9);
      EXPECT_NEAR(find_plane(a, b).gap, 0.25 * size, rounding) << size << " " << offset;
      EXPECT_NEAR(find_plane(a, b).normal[1], 1, 1e-9) << size << " " << offset;
      const Polygon c = rectangle(offset + 0.5 * size, offset + 0.75 * size, size, size);
      EXPECT_NEAR(find_plane(a, c).gap, -0.25 * size, rounding) << size << " " << offset;
    }
}

// ---- warm start

TEST(CommonPlane2D, WarmStartOfSeparatedPolygonsAcceptsAnyPlane) {
  const Polygon a = rectangle(0, 0, 3, 1);
  const Polygon b = polygon({{4, 2}, {6, 3}, {5, 6}, {4, 5}});
  const double exact = exact_gap(a.view(), b.view());
  const double nan = std::nan("");
  const double inf = std::numeric_limits<double>::infinity();
  for (const Point<2>& normal : std::vector<Point<2>>{
           {1, 0}, {-1, 0}, {0, -1}, {0.6, 0.8}, {0, 0}, {nan, nan}, {inf, 1}, {7, 7}})
    for (const Index i : {0U, 1U, 3U, 4U, 4000000000U})
      for (const Index j : {0U, 2U, 3U, 4U})
        for (const PlaneKind kind :
             {PlaneKind::vertices, PlaneKind::face_a, PlaneKind::face_b, PlaneKind::edges})
          EXPECT_NEAR(common_plane(a.view(), b.view(), {normal, 1, i, j, kind}).gap, exact,
                      tolerance);
}

TEST(CommonPlane2D, WarmStartOfOverlappingPolygonsKeepsNormal) {
  const Polygon floor = rectangle(-5, -1, 10, 1);
  for (double y = 0.5; y > -0.85; y -= 0.05) {
    const Polygon block = rectangle(0, y, 1, 1);
    const CommonPlane<2> previous{{0, 1}, 0.1, 2, 0, PlaneKind::face_a};
    EXPECT_NEAR(common_plane(floor.view(), block.view(), previous).gap, y, tolerance);
  }
}

TEST(ContactStatus, DependsOnGapAndTolerance) {
  EXPECT_EQ(contact_status(-1e-300, 0.1), ContactStatus::active);
  EXPECT_EQ(contact_status(0, 0.1), ContactStatus::potential);
  EXPECT_EQ(contact_status(0.1, 0.1), ContactStatus::potential);
  EXPECT_EQ(contact_status(0.1000001, 0.1), ContactStatus::separated);
}

// ---- Cundall's iterative search

TEST(CundallPlane2D, FindsNormalWithinItsAccuracy) {
  const Polygon a = rectangle(0, 0, 1, 1);
  const Polygon b = polygon({{2, 2.1}, {4, 2.5}, {3, 5}});
  const IteratedPlane<2> found = cundall_plane(a.view(), b.view());
  const CommonPlane<2> exact = find_plane(a, b);
  EXPECT_LE(found.plane.gap, exact.gap);
  EXPECT_NEAR(found.plane.gap, exact.gap, 1e-6);
  EXPECT_NEAR(found.plane.normal[0], exact.normal[0], 1e-3);
  EXPECT_GT(found.iterations, 9);
}

TEST(CundallPlane2D, EndsWhenGapExceedsTolerance) {
  const Polygon a = rectangle(0, 0, 1, 1);
  const Polygon b = rectangle(5, 3, 1, 1);
  const IteratedPlane<2> found = cundall_plane(a.view(), b.view(), {.tolerance = 0.1});
  EXPECT_EQ(found.iterations, 0);
  EXPECT_EQ(contact_status(found.plane.gap, 0.1), ContactStatus::separated);
}

TEST(CundallPlane2D, StartsFromPreviousPlane) {
  const Polygon a = rectangle(0, 0, 1, 1);
  const Polygon b = rectangle(0.7, 1.1, 1, 1);
  const CommonPlane<2> previous = find_plane(a, b);
  EXPECT_LE(cundall_plane(a.view(), b.view(), {}, &previous).iterations,
            cundall_plane(a.view(), b.view()).iterations);
  EXPECT_EQ(cundall_plane(a.view(), b.view(), {}, &previous).plane.gap, previous.gap);
}

// ---- five candidates as published

TEST(FiveCandidatePlane2D, SolvesExamplesOfPaper) {
  const Polygon floor = rectangle(-5, -1, 10, 1);
  const Polygon tip = polygon({{1, 0.5}, {2, 2}, {0, 2}});
  expect_plane(five_candidate_plane(floor.view(), tip.view()).plane, 0.5, {0, 1},
               PlaneKind::face_a);
  const Polygon other = polygon({{4, 4}, {6, 5}, {5, 6}});
  expect_plane(five_candidate_plane(rectangle(0, 0, 1, 1).view(), other.view()).plane,
               3 * std::sqrt(2.0), {half, half}, PlaneKind::vertices);
}

// When the polygons are separated along the previous normal, the upper edge of a is best; at their
// actual positions its right edge is.
TEST(FiveCandidatePlane2D, KeepsStalePlaneWhenParticleSlidesOverVertex) {
  const Polygon a = rectangle(0, 0, 2, 2);
  const Polygon b = rectangle(1.95, 1.5, 2, 2);
  const CommonPlane<2> previous{{0, 1}, -0.1, 2, 0, PlaneKind::face_a};
  EXPECT_NEAR(five_candidate_plane(a.view(), b.view(), &previous).plane.gap, -0.5, tolerance);
  EXPECT_NEAR(common_plane(a.view(), b.view(), previous).gap, -0.05, tolerance);
}

}  // namespace
}  // namespace abut::testing
