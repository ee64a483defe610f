// The common plane of two polyhedra in cases worked out by hand, the degenerate ones above all.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "polyhedron_samples.hpp"

namespace abut::testing {
namespace {

constexpr double close = 1e-12;
constexpr double pi = std::numbers::pi;

void expect_near(const Point<3>& a, const Point<3>& b, double tolerance) {
  EXPECT_LE(length(difference(a, b)), tolerance)
      << a[0] << ' ' << a[1] << ' ' << a[2] << " is not " << b[0] << ' ' << b[1] << ' ' << b[2];
}

// The plane, found from nothing, from itself, and from the wrong thing.
CommonPlane<3> found(const PolyhedronView& a, const PolyhedronView& b) {
  const CommonPlane<3> plane = common_plane(a, b);
  const double size = size_of_pair(a, b);
  EXPECT_NEAR(length(plane.normal), 1, close);
  EXPECT_NEAR(plane.gap, gap_along(a, b, plane.normal), 1e-11 * size);
  const Point<3> way = difference(b.corners[plane.b], a.corners[plane.a]);
  EXPECT_NEAR(plane.gap, dot(plane.normal, way), 1e-11 * size);
  EXPECT_NEAR(common_plane(a, b, plane).gap, plane.gap, 1e-11 * size);
  const CommonPlane<3> back = common_plane(b, a);
  EXPECT_NEAR(back.gap, plane.gap, 1e-11 * size);
  for (const Point<3>& normal : {Point<3>{1, 0, 0}, Point<3>{0, -1, 0}, Point<3>{0, 0, 1}}) {
    if (plane.gap > 0) {
      EXPECT_NEAR(common_plane(a, b, {normal, 0, 0, 0}).gap, plane.gap, 1e-11 * size);
    }
  }
  return plane;
}

CommonPlane<3> found(const Polyhedron& a, const Polyhedron& b, const Placement<3>& where) {
  const Stood moved(b, where);
  return found(a.view(), moved);
}

Placement<3> shifted(const Point<3>& shift) { return {.shift = shift}; }

Placement<3> turned_then_shifted(const Point<3>& axis, double angle, const Point<3>& shift) {
  Placement<3> where = turned({0, 0, 0}, axis, angle);
  where.shift = shift;
  return where;
}

TEST(CommonPlane3D, CubesFaceToFace) {
  const Polyhedron cube = cube_polyhedron();
  for (const double gap : {0.5, 1e-3, 1e-9, 0.0, -1e-9, -1e-3, -0.1})
    for (const Point<2>& aside : {Point<2>{0, 0}, {0.3, 0}, {0.3, -0.4}, {0.9, 0.9}, {-0.5, 0.5}}) {
      const CommonPlane<3> plane = found(cube, cube, shifted({aside[0], aside[1], 1 + gap}));
      EXPECT_NEAR(plane.gap, std::max({gap, std::abs(aside[0]) - 1, std::abs(aside[1]) - 1}), close)
          << gap << ' ' << aside[0] << ' ' << aside[1];
      if (gap > -0.1) expect_near(plane.normal, {0, 0, 1}, 1e-9);
    }
}

TEST(CommonPlane3D, FaceToFaceThatDoNotOverlapSeenAlongTheNormal) {
  const Polyhedron cube = cube_polyhedron();
  const CommonPlane<3> plane = found(cube, cube, shifted({1.3, 0.2, 1.4}));
  EXPECT_NEAR(plane.gap, 0.5, close);
  expect_near(plane.normal, {0.6, 0, 0.8}, close);
}

TEST(CommonPlane3D, TurnedFacesOnEachOther) {
  const Polyhedron cube = cube_polyhedron();
  for (const double angle : {pi / 4, 0.3, 1e-3, 1e-8, 1e-12})
    for (const double gap : {0.2, 1e-6, 0.0, -1e-6, -0.05}) {
      const CommonPlane<3> plane =
          found(cube, cube, turned_then_shifted({0, 0, 1}, angle, {0.1, 0.2, 1 + gap}));
      EXPECT_NEAR(plane.gap, gap, close) << angle;
      expect_near(plane.normal, {0, 0, 1}, 1e-6);
    }
}

TEST(CommonPlane3D, EdgeOnEdge) {
  const Polyhedron cube = cube_polyhedron();
  const Stood lower(cube, turned({0, 0, 0}, {1, 0, 0}, pi / 4));
  for (const double gap : {0.3, 1e-5, 0.0, -1e-5, -0.1}) {
    const double height = std::numbers::sqrt2 + gap;
    // Crossed at right angles, and parallel.
    const Stood crossed(cube, turned_then_shifted({0, 1, 0}, pi / 4, {0, 0, height}));
    const CommonPlane<3> plane = found(lower, crossed);
    EXPECT_NEAR(plane.gap, gap, close);
    expect_near(plane.normal, {0, 0, 1}, 1e-9);
    EXPECT_EQ(plane.kind, PlaneKind::edges);
    const Stood parallel(cube, turned_then_shifted({1, 0, 0}, pi / 4, {0.3, 0, height}));
    const double expected = gap > 0 ? gap : gap / std::numbers::sqrt2;  // along a face
    EXPECT_NEAR(found(lower, parallel).gap, expected, close);
  }
}

TEST(CommonPlane3D, ParallelEdgesBesideEachOther) {
  const Polyhedron cube = cube_polyhedron();
  const CommonPlane<3> plane = found(cube, cube, shifted({0.4, 1.3, 1.4}));
  EXPECT_NEAR(plane.gap, 0.5, close);
  expect_near(plane.normal, {0, 0.6, 0.8}, close);
  EXPECT_TRUE(plane.kind == PlaneKind::edge_a || plane.kind == PlaneKind::edge_b);
}

TEST(CommonPlane3D, CornerOnCorner) {
  const Polyhedron cube = cube_polyhedron();
  const CommonPlane<3> apart = found(cube, cube, shifted({1.2, 1.3, 1.6}));
  EXPECT_NEAR(apart.gap, 0.7, close);
  EXPECT_EQ(apart.kind, PlaneKind::bisector);
  // Touching exactly: the plane across the line of centroids is chosen.
  const CommonPlane<3> touching = found(cube, cube, shifted({1, 1, 1}));
  EXPECT_NEAR(touching.gap, 0, close);
  expect_near(touching.normal, unit(Point<3>{1, 1, 1}), close);
  const Polyhedron star = octahedron_polyhedron({1, 1, 1});
  const CommonPlane<3> tips = found(star, star, shifted({0, 0, 2}));
  EXPECT_NEAR(tips.gap, 0, close);
  expect_near(tips.normal, {0, 0, 1}, close);
  for (const double gap : {1e-3, 1e-7, 1e-10})
    EXPECT_NEAR(found(star, star, shifted({0, 0, 2 + gap})).gap, gap, close) << gap;
}

TEST(CommonPlane3D, CornersThatOverlapTakeTheShortestWay) {
  const Polyhedron star = octahedron_polyhedron({1, 1, 1});
  const CommonPlane<3> plane = found(star, star, shifted({0, 0, 2 - 0.1}));
  EXPECT_NEAR(plane.gap, -0.1 / std::sqrt(3), close);
  const Polyhedron cube = cube_polyhedron();
  EXPECT_NEAR(found(cube, cube, shifted({0.9, 0.8, 0.7})).gap, -0.1, close);
}

TEST(CommonPlane3D, CornerOnFace) {
  const Polyhedron cube = cube_polyhedron();
  const Polyhedron star = octahedron_polyhedron({1, 1, 1});
  for (const double gap : {0.4, 1e-4, 1e-10, 0.0, -1e-10, -1e-4, -0.05}) {
    const CommonPlane<3> plane = found(cube, star, shifted({0.1, -0.2, 1.5 + gap}));
    EXPECT_NEAR(plane.gap, gap, close) << gap;
    expect_near(plane.normal, {0, 0, 1}, 1e-9);
    EXPECT_EQ(plane.kind, PlaneKind::side_a);
    const CommonPlane<3> edge = found(cube, star, shifted({0.5, 0.1, 1.5 + gap}));
    EXPECT_NEAR(edge.gap, gap > 0 ? gap : gap / std::numbers::sqrt2, close) << gap;
    const CommonPlane<3> corner = found(cube, star, shifted({0.5, 0.5, 1.5 + gap}));
    EXPECT_NEAR(corner.gap, gap > 0 ? gap : gap / std::sqrt(3), close) << gap;
  }
}

TEST(CommonPlane3D, CornerBesideAnEdge) {
  const Polyhedron cube = cube_polyhedron();
  const Polyhedron star = octahedron_polyhedron({0.1, 0.1, 0.1});
  const double reach = 0.1 / std::numbers::sqrt2;  // of its edges
  const CommonPlane<3> plane =
      found(cube, star, shifted({0.2, 0.5 + reach + 0.3, 0.5 + reach + 0.3}));
  EXPECT_NEAR(plane.gap, std::hypot(reach + 0.3, reach + 0.3) - reach, close);
}

TEST(CommonPlane3D, EqualCentroids) {
  const Polyhedron cube = cube_polyhedron();
  EXPECT_NEAR(found(cube, cube, {}).gap, -1, close);                               // identical
  EXPECT_NEAR(found(cube, box_polyhedron({0.1, 0.1, 0.1}), {}).gap, -0.6, close);  // contained
  EXPECT_NEAR(found(box_polyhedron({0.1, 0.1, 0.1}), cube, {}).gap, -0.6, close);
  EXPECT_NEAR(found(cube, box_polyhedron({2, 0.1, 0.1}), {}).gap, -0.6, close);  // pierced
  EXPECT_NEAR(found(cube, octahedron_polyhedron({0.2, 0.3, 0.4}), {}).gap, -0.7, close);
}

TEST(CommonPlane3D, Contained) {
  const Polyhedron cube = box_polyhedron({5, 5, 5});
  const Polyhedron small = box_polyhedron({0.5, 0.5, 0.5});
  const CommonPlane<3> plane = found(cube, small, shifted({1, 2, -3}));
  EXPECT_NEAR(plane.gap, -2.5, close);
  expect_near(plane.normal, {0, 0, -1}, close);
}

TEST(CommonPlane3D, PlatesWhoseFirstGuessOverlaps) {
  // Across the line of centroids these overlap by half their length; they are apart.
  const Polyhedron plate = box_polyhedron({5, 5, 0.01});
  const CommonPlane<3> plane = found(plate, plate, shifted({4, 3, 0.03}));
  EXPECT_NEAR(plane.gap, 0.01, close);
  expect_near(plane.normal, {0, 0, 1}, 1e-9);
  const Polyhedron needle = box_polyhedron({5, 0.01, 0.01});
  EXPECT_NEAR(found(needle, needle, shifted({9, 0.03, 0})).gap, 0.01, close);
  const Stood tilted(needle, turned_then_shifted({0, 0, 1}, 0.1, {4, 0.8, 0}));
  EXPECT_NEAR(found(needle.view(), tilted).gap, brute_force_distance(needle.view(), tilted), close);
}

TEST(CommonPlane3D, NearlyFlatFacesAndManyCorners) {
  // A lens of 800 corners on another: neighbouring faces differ by little.
  Random random(9);
  const Polyhedron lens = random_hull(random, 800, {1, 1, 0.05});
  for (const double height : {0.2, 0.1, 0.0999}) {
    const Stood upper(lens, shifted({0.3, 0.1, height}));
    const CommonPlane<3> plane = found(lens.view(), upper);
    if (plane.gap > 0) {
      EXPECT_EQ(not_the_distance(lens.view(), upper, plane.normal, plane.gap, 1e-9), "");
    }
  }
}

TEST(CommonPlane3D, SizesAndOffsets) {
  for (const double size : {1e-25, 1e-6, 1.0, 1e9, 1e25}) {
    const Polyhedron box = box_polyhedron({0.5 * size, 0.5 * size, 0.5 * size});
    for (const double gap : {0.25, 0.0, -0.125}) {
      const CommonPlane<3> plane =
          found(box, box, shifted({0.25 * size, 0.125 * size, (1 + gap) * size}));
      EXPECT_NEAR(plane.gap, gap * size, 1e-12 * size) << size;
    }
  }
  const Polyhedron cube = cube_polyhedron();
  const Stood a(cube, Point<3>{1e6, -1e6, 1e6});
  for (const double gap : {0.25, 0.0, -0.125}) {
    const Stood b(cube, Point<3>{1e6 + 0.25, -1e6 + 0.125, 1e6 + 1 + gap});
    EXPECT_NEAR(found(a, b).gap, gap, 1e-9);
  }
}

TEST(CommonPlane3D, WrongHistoryIsNoHarm) {
  const Polyhedron cube = cube_polyhedron();
  const Stood b(cube, Point<3>{0.2, 0.1, 1.5});
  for (const PlaneKind kind : {PlaneKind::bisector, PlaneKind::side_a, PlaneKind::side_b,
                               PlaneKind::edges, PlaneKind::edge_a, PlaneKind::edge_b})
    for (Index part = 0; part < 30; ++part)
      for (const Point<3>& normal : {Point<3>{0, 0, 0}, {0, 0, 1}, {0, 0, -1}, {1, 0, 0}}) {
        const CommonPlane<3> previous{normal, 0, part % 11, part % 7, kind, part, (5 * part) % 29};
        EXPECT_NEAR(common_plane(cube.view(), b, previous).gap, 0.5, close)
            << static_cast<int>(kind) << ' ' << part;
      }
}

TEST(PlaneContact3D, FaceOnFaceIsWhereTheyOverlap) {
  const Polyhedron cube = cube_polyhedron();
  for (const double gap : {-0.01, 0.0, 0.01}) {
    const Stood b(cube, Point<3>{0.3, -0.2, 1 + gap});
    const PlaneContact<3> contact = plane_contact(cube.view(), b, common_plane(cube.view(), b));
    EXPECT_NEAR(contact.measure, gap < 0 ? 0.7 * 0.8 : 0, 1e-9) << gap;
    expect_near(contact.point, {0.15, -0.1, 0.5 + gap / 2}, 1e-6);
  }
}

TEST(PlaneContact3D, CornerInFaceCutsASquare) {
  const Polyhedron cube = cube_polyhedron();
  const Polyhedron star = octahedron_polyhedron({1, 1, 1});
  const double depth = 0.1;
  const Stood b(star, Point<3>{0.1, 0.2, 1.5 - depth});
  const PlaneContact<3> contact = plane_contact(cube.view(), b, common_plane(cube.view(), b));
  EXPECT_NEAR(contact.measure, 2 * depth * depth / 4, 1e-12);  // diagonals of twice half the depth
  expect_near(contact.point, {0.1, 0.2, 0.5 - depth / 2}, 1e-12);
  const Stood apart(star, Point<3>{0.1, 0.2, 1.5 + depth});
  const PlaneContact<3> none = plane_contact(cube.view(), apart, common_plane(cube.view(), apart));
  EXPECT_EQ(none.measure, 0);
  expect_near(none.point, {0.1, 0.2, 0.5 + depth / 2}, 1e-5);
}

TEST(PlaneContact3D, CrossedEdgesCutARectangle) {
  const Polyhedron cube = cube_polyhedron();
  const double depth = 0.02;
  const Stood lower(cube, turned({0, 0, 0}, {1, 0, 0}, pi / 4));
  const Stood upper(cube,
                    turned_then_shifted({0, 1, 0}, pi / 4, {0, 0, std::numbers::sqrt2 - depth}));
  const PlaneContact<3> contact = plane_contact(lower, upper, common_plane(lower, upper));
  EXPECT_NEAR(contact.measure, depth * depth, 1e-12);
  expect_near(contact.point, {0, 0, std::numbers::sqrt2 / 2 - depth / 2}, 1e-12);
}

TEST(PlaneContact3D, SwappingChangesNothing) {
  Random random(11);
  int real = 0;
  int missed = 0;
  for (int i = 0; i < 2000; ++i) {
    const Polyhedron a = random_hull(random, 12, {1, 1, 1});
    const Polyhedron b = random_hull(random, 12, {1, 0.6, 0.3});
    const Stood moved(b, random_placement(random, scaled(random_direction(random), 1.2)));
    const CommonPlane<3> plane = common_plane(a.view(), moved);
    const PlaneContact<3> one = plane_contact(a.view(), moved, plane);
    const PlaneContact<3> other = plane_contact(moved, a.view(), common_plane(moved, a.view()));
    EXPECT_NEAR(one.measure, other.measure, 1e-9) << i;
    expect_near(one.point, other.point, plane.gap < -1e-3 ? 1e-7 : 1e-4);
    if (plane.gap >= -1e-3) continue;
    ++real;
    const PolyhedronView whole = a.view();
    if (one.measure == 0) {  // deep, and the plane misses what they share
      ++missed;
      EXPECT_LT(plane.gap, -0.05) << i;
      continue;
    }
    // The middle is in both.
    for (const PolyhedronView* body : {&whole, &moved.view()})
      for (Index face = 0; face < body->topology->faces(); ++face) {
        const auto& [p, q, r] = body->topology->frame[face];
        const auto at = [&](Index c) { return body->corners[c]; };
        const Point<3> normal = unit(cross(difference(at(q), at(p)), difference(at(r), at(p))));
        EXPECT_LE(dot(normal, difference(one.point, at(p))), 1e-9) << i;
      }
  }
  EXPECT_LE(missed, real / 100);
  EXPECT_GT(real, 300);
}

}  // namespace
}  // namespace abut::testing
