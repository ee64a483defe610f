// Common planes of polyhedra with known solutions, in particular degenerate ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "polyhedron_fixtures.hpp"

namespace abut::testing {
namespace {

constexpr double rounding = 1e-12;
using std::numbers::pi;

void expect_near(const Point<3>& a, const Point<3>& b, double tolerance) {
  EXPECT_LE(length(difference(a, b)), tolerance)
      << a[0] << ' ' << a[1] << ' ' << a[2] << " is not " << b[0] << ' ' << b[1] << ' ' << b[2];
}

// The plane of a cold start, checked against warm starts from itself and from wrong planes.
CommonPlane<3> find_plane(const PolyhedronView& a, const PolyhedronView& b) {
  const CommonPlane<3> plane = common_plane(a, b);
  const double size = pair_size(a, b);
  EXPECT_NEAR(length(plane.normal), 1, rounding);
  EXPECT_NEAR(plane.gap, gap_along(a, b, plane.normal), 1e-11 * size);
  const Point<3> separation = difference(b.vertices[plane.vertex_b], a.vertices[plane.vertex_a]);
  EXPECT_NEAR(plane.gap, dot(plane.normal, separation), 1e-11 * size);
  EXPECT_NEAR(common_plane(a, b, plane).gap, plane.gap, 1e-11 * size);
  const CommonPlane<3> swapped = common_plane(b, a);
  EXPECT_NEAR(swapped.gap, plane.gap, 1e-11 * size);
  for (const Point<3>& normal : {Point<3>{1, 0, 0}, Point<3>{0, -1, 0}, Point<3>{0, 0, 1}}) {
    if (plane.gap > 0) {
      EXPECT_NEAR(common_plane(a, b, {normal, 0, 0, 0}).gap, plane.gap, 1e-11 * size);
    }
  }
  return plane;
}

CommonPlane<3> find_plane(const Polyhedron& a, const Polyhedron& b,
                          const RigidTransform<3>& transform) {
  const TransformedPolyhedron moved(b, transform);
  return find_plane(a.view(), moved);
}

RigidTransform<3> translated(const Point<3>& translation) { return {.translation = translation}; }

RigidTransform<3> rotated_then_translated(const Point<3>& axis, double angle,
                                          const Point<3>& translation) {
  RigidTransform<3> transform = rotation_about({0, 0, 0}, axis, angle);
  transform.translation = translation;
  return transform;
}

TEST(CommonPlane3D, HandlesCubesFaceToFace) {
  const Polyhedron cube = cube_polyhedron();
  for (const double gap : {0.5, 1e-3, 1e-9, 0.0, -1e-9, -1e-3, -0.1})
    for (const Point<2>& offset :
         {Point<2>{0, 0}, {0.3, 0}, {0.3, -0.4}, {0.9, 0.9}, {-0.5, 0.5}}) {
      const CommonPlane<3> plane =
          find_plane(cube, cube, translated({offset[0], offset[1], 1 + gap}));
      EXPECT_NEAR(plane.gap, std::max({gap, std::abs(offset[0]) - 1, std::abs(offset[1]) - 1}),
                  rounding)
          << gap << ' ' << offset[0] << ' ' << offset[1];
      if (gap > -0.1) expect_near(plane.normal, {0, 0, 1}, 1e-9);
    }
}

TEST(CommonPlane3D, HandlesParallelFacesThatDoNotOverlapInProjection) {
  const Polyhedron cube = cube_polyhedron();
  const CommonPlane<3> plane = find_plane(cube, cube, translated({1.3, 0.2, 1.4}));
  EXPECT_NEAR(plane.gap, 0.5, rounding);
  expect_near(plane.normal, {0.6, 0, 0.8}, rounding);
}

TEST(CommonPlane3D, HandlesRotatedFacesOnEachOther) {
  const Polyhedron cube = cube_polyhedron();
  for (const double angle : {pi / 4, 0.3, 1e-3, 1e-8, 1e-12})
    for (const double gap : {0.2, 1e-6, 0.0, -1e-6, -0.05}) {
      const CommonPlane<3> plane =
          find_plane(cube, cube, rotated_then_translated({0, 0, 1}, angle, {0.1, 0.2, 1 + gap}));
      EXPECT_NEAR(plane.gap, gap, rounding) << angle;
      expect_near(plane.normal, {0, 0, 1}, 1e-6);
    }
}

TEST(CommonPlane3D, HandlesCrossedAndParallelEdges) {
  const Polyhedron cube = cube_polyhedron();
  const TransformedPolyhedron lower(cube, rotation_about({0, 0, 0}, {1, 0, 0}, pi / 4));
  for (const double gap : {0.3, 1e-5, 0.0, -1e-5, -0.1}) {
    const double height = std::numbers::sqrt2 + gap;
    // Crossed at right angles, and parallel.
    const TransformedPolyhedron crossed(cube,
                                        rotated_then_translated({0, 1, 0}, pi / 4, {0, 0, height}));
    const CommonPlane<3> plane = find_plane(lower, crossed);
    EXPECT_NEAR(plane.gap, gap, rounding);
    expect_near(plane.normal, {0, 0, 1}, 1e-9);
    EXPECT_EQ(plane.kind, PlaneKind::edges);
    const TransformedPolyhedron parallel(
        cube, rotated_then_translated({1, 0, 0}, pi / 4, {0.3, 0, height}));
    const double expected = gap > 0 ? gap : gap / std::numbers::sqrt2;  // along a face
    EXPECT_NEAR(find_plane(lower, parallel).gap, expected, rounding);
  }
}

TEST(CommonPlane3D, HandlesParallelEdgesWithOffset) {
  const Polyhedron cube = cube_polyhedron();
  const CommonPlane<3> plane = find_plane(cube, cube, translated({0.4, 1.3, 1.4}));
  EXPECT_NEAR(plane.gap, 0.5, rounding);
  expect_near(plane.normal, {0, 0.6, 0.8}, rounding);
  EXPECT_TRUE(plane.kind == PlaneKind::edge_a || plane.kind == PlaneKind::edge_b);
}

TEST(CommonPlane3D, HandlesVertexOnVertex) {
  const Polyhedron cube = cube_polyhedron();
  const CommonPlane<3> separated = find_plane(cube, cube, translated({1.2, 1.3, 1.6}));
  EXPECT_NEAR(separated.gap, 0.7, rounding);
  EXPECT_EQ(separated.kind, PlaneKind::vertices);
  // Touching exactly: the plane normal to the line of centroids is chosen.
  const CommonPlane<3> touching = find_plane(cube, cube, translated({1, 1, 1}));
  EXPECT_NEAR(touching.gap, 0, rounding);
  expect_near(touching.normal, normalized(Point<3>{1, 1, 1}), rounding);
  const Polyhedron octahedron = octahedron_polyhedron({1, 1, 1});
  const CommonPlane<3> tips = find_plane(octahedron, octahedron, translated({0, 0, 2}));
  EXPECT_NEAR(tips.gap, 0, rounding);
  expect_near(tips.normal, {0, 0, 1}, rounding);
  for (const double gap : {1e-3, 1e-7, 1e-10})
    EXPECT_NEAR(find_plane(octahedron, octahedron, translated({0, 0, 2 + gap})).gap, gap, rounding)
        << gap;
}

TEST(CommonPlane3D, OverlappingVerticesTakeMinimumTranslation) {
  const Polyhedron octahedron = octahedron_polyhedron({1, 1, 1});
  const CommonPlane<3> plane = find_plane(octahedron, octahedron, translated({0, 0, 2 - 0.1}));
  EXPECT_NEAR(plane.gap, -0.1 / std::sqrt(3), rounding);
  const Polyhedron cube = cube_polyhedron();
  EXPECT_NEAR(find_plane(cube, cube, translated({0.9, 0.8, 0.7})).gap, -0.1, rounding);
}

TEST(CommonPlane3D, HandlesVertexOnFaceEdgeAndVertex) {
  const Polyhedron cube = cube_polyhedron();
  const Polyhedron octahedron = octahedron_polyhedron({1, 1, 1});
  for (const double gap : {0.4, 1e-4, 1e-10, 0.0, -1e-10, -1e-4, -0.05}) {
    const CommonPlane<3> plane = find_plane(cube, octahedron, translated({0.1, -0.2, 1.5 + gap}));
    EXPECT_NEAR(plane.gap, gap, rounding) << gap;
    expect_near(plane.normal, {0, 0, 1}, 1e-9);
    EXPECT_EQ(plane.kind, PlaneKind::face_a);
    const CommonPlane<3> edge = find_plane(cube, octahedron, translated({0.5, 0.1, 1.5 + gap}));
    EXPECT_NEAR(edge.gap, gap > 0 ? gap : gap / std::numbers::sqrt2, rounding) << gap;
    const CommonPlane<3> vertex = find_plane(cube, octahedron, translated({0.5, 0.5, 1.5 + gap}));
    EXPECT_NEAR(vertex.gap, gap > 0 ? gap : gap / std::sqrt(3), rounding) << gap;
  }
}

TEST(CommonPlane3D, HandlesEdgeNextToEdge) {
  const Polyhedron cube = cube_polyhedron();
  const Polyhedron octahedron = octahedron_polyhedron({0.1, 0.1, 0.1});
  const double inradius = 0.1 / std::numbers::sqrt2;  // distance of its edges from the center
  const CommonPlane<3> plane =
      find_plane(cube, octahedron, translated({0.2, 0.5 + inradius + 0.3, 0.5 + inradius + 0.3}));
  EXPECT_NEAR(plane.gap, std::hypot(inradius + 0.3, inradius + 0.3) - inradius, rounding);
}

TEST(CommonPlane3D, HandlesEqualCentroids) {
  const Polyhedron cube = cube_polyhedron();
  EXPECT_NEAR(find_plane(cube, cube, {}).gap, -1, rounding);  // identical
  EXPECT_NEAR(find_plane(cube, box_polyhedron({0.1, 0.1, 0.1}), {}).gap, -0.6,
              rounding);  // contained
  EXPECT_NEAR(find_plane(box_polyhedron({0.1, 0.1, 0.1}), cube, {}).gap, -0.6, rounding);
  EXPECT_NEAR(find_plane(cube, box_polyhedron({2, 0.1, 0.1}), {}).gap, -0.6, rounding);  // pierced
  EXPECT_NEAR(find_plane(cube, octahedron_polyhedron({0.2, 0.3, 0.4}), {}).gap, -0.7, rounding);
}

TEST(CommonPlane3D, HandlesContainment) {
  const Polyhedron cube = box_polyhedron({5, 5, 5});
  const Polyhedron small = box_polyhedron({0.5, 0.5, 0.5});
  const CommonPlane<3> plane = find_plane(cube, small, translated({1, 2, -3}));
  EXPECT_NEAR(plane.gap, -2.5, rounding);
  expect_near(plane.normal, {0, 0, -1}, rounding);
}

TEST(CommonPlane3D, FindsGapThatLineOfCentroidsMisses) {
  // Along the line of centroids these overlap by half their length, but they are separated.
  const Polyhedron plate = box_polyhedron({5, 5, 0.01});
  const CommonPlane<3> plane = find_plane(plate, plate, translated({4, 3, 0.03}));
  EXPECT_NEAR(plane.gap, 0.01, rounding);
  expect_near(plane.normal, {0, 0, 1}, 1e-9);
  const Polyhedron needle = box_polyhedron({5, 0.01, 0.01});
  EXPECT_NEAR(find_plane(needle, needle, translated({9, 0.03, 0})).gap, 0.01, rounding);
  const TransformedPolyhedron tilted(needle, rotated_then_translated({0, 0, 1}, 0.1, {4, 0.8, 0}));
  EXPECT_NEAR(find_plane(needle.view(), tilted).gap, brute_force_distance(needle.view(), tilted),
              rounding);
}

TEST(CommonPlane3D, HandlesNearlyCoplanarFacesAndManyVertices) {
  // Two lenses of 800 vertices each: adjacent faces are almost coplanar.
  Random random(9);
  const Polyhedron lens = random_hull(random, 800, {1, 1, 0.05});
  for (const double height : {0.2, 0.1, 0.0999}) {
    const TransformedPolyhedron upper(lens, translated({0.3, 0.1, height}));
    const CommonPlane<3> plane = find_plane(lens.view(), upper);
    if (plane.gap > 0) {
      EXPECT_EQ(distance_mismatch(lens.view(), upper, plane.normal, plane.gap, 1e-9), "");
    }
  }
}

TEST(CommonPlane3D, IsAccurateForAllSizesAndOffsets) {
  for (const double size : {1e-25, 1e-6, 1.0, 1e9, 1e25}) {
    const Polyhedron box = box_polyhedron({0.5 * size, 0.5 * size, 0.5 * size});
    for (const double gap : {0.25, 0.0, -0.125}) {
      const CommonPlane<3> plane =
          find_plane(box, box, translated({0.25 * size, 0.125 * size, (1 + gap) * size}));
      EXPECT_NEAR(plane.gap, gap * size, 1e-12 * size) << size;
    }
  }
  const Polyhedron cube = cube_polyhedron();
  const TransformedPolyhedron a(cube, Point<3>{1e6, -1e6, 1e6});
  for (const double gap : {0.25, 0.0, -0.125}) {
    const TransformedPolyhedron b(cube, Point<3>{1e6 + 0.25, -1e6 + 0.125, 1e6 + 1 + gap});
    EXPECT_NEAR(find_plane(a, b).gap, gap, 1e-9);
  }
}

TEST(CommonPlane3D, WarmStartAcceptsAnyPlane) {
  const Polyhedron cube = cube_polyhedron();
  const TransformedPolyhedron b(cube, Point<3>{0.2, 0.1, 1.5});
  for (const PlaneKind kind : {PlaneKind::vertices, PlaneKind::face_a, PlaneKind::face_b,
                               PlaneKind::edges, PlaneKind::edge_a, PlaneKind::edge_b})
    for (Index feature = 0; feature < 30; ++feature)
      for (const Point<3>& normal : {Point<3>{0, 0, 0}, {0, 0, 1}, {0, 0, -1}, {1, 0, 0}}) {
        const CommonPlane<3> previous{normal, 0,       feature % 11,      feature % 7,
                                      kind,   feature, (5 * feature) % 29};
        EXPECT_NEAR(common_plane(cube.view(), b, previous).gap, 0.5, rounding)
            << static_cast<int>(kind) << ' ' << feature;
      }
}

TEST(PlaneContact3D, FaceContactIsOverlapOfFaces) {
  const Polyhedron cube = cube_polyhedron();
  for (const double gap : {-0.01, 0.0, 0.01}) {
    const TransformedPolyhedron b(cube, Point<3>{0.3, -0.2, 1 + gap});
    const PlaneContact<3> contact = plane_contact(cube.view(), b, common_plane(cube.view(), b));
    EXPECT_NEAR(contact.area, gap < 0 ? 0.7 * 0.8 : 0, 1e-9) << gap;
    expect_near(contact.point, {0.15, -0.1, 0.5 + gap / 2}, 1e-6);
  }
}

TEST(PlaneContact3D, VertexInFaceHasSquareSection) {
  const Polyhedron cube = cube_polyhedron();
  const Polyhedron octahedron = octahedron_polyhedron({1, 1, 1});
  const double depth = 0.1;
  const TransformedPolyhedron b(octahedron, Point<3>{0.1, 0.2, 1.5 - depth});
  const PlaneContact<3> contact = plane_contact(cube.view(), b, common_plane(cube.view(), b));
  EXPECT_NEAR(contact.area, 2 * depth * depth / 4,
              1e-12);  // square with diagonals of length `depth`
  expect_near(contact.point, {0.1, 0.2, 0.5 - depth / 2}, 1e-12);
  const TransformedPolyhedron separated(octahedron, Point<3>{0.1, 0.2, 1.5 + depth});
  const PlaneContact<3> none =
      plane_contact(cube.view(), separated, common_plane(cube.view(), separated));
  EXPECT_EQ(none.area, 0);
  expect_near(none.point, {0.1, 0.2, 0.5 + depth / 2}, 1e-5);
}

TEST(PlaneContact3D, CrossedEdgesHaveRectangularSection) {
  const Polyhedron cube = cube_polyhedron();
  const double depth = 0.02;
  const TransformedPolyhedron lower(cube, rotation_about({0, 0, 0}, {1, 0, 0}, pi / 4));
  const TransformedPolyhedron upper(
      cube, rotated_then_translated({0, 1, 0}, pi / 4, {0, 0, std::numbers::sqrt2 - depth}));
  const PlaneContact<3> contact = plane_contact(lower, upper, common_plane(lower, upper));
  EXPECT_NEAR(contact.area, depth * depth, 1e-12);
  expect_near(contact.point, {0, 0, std::numbers::sqrt2 / 2 - depth / 2}, 1e-12);
}

TEST(PlaneContact3D, IsIndependentOfOrderAndLiesInBothBodies) {
  Random random(11);
  int active = 0;
  int missed = 0;
  for (int i = 0; i < 2000; ++i) {
    const Polyhedron a = random_hull(random, 12, {1, 1, 1});
    const Polyhedron b = random_hull(random, 12, {1, 0.6, 0.3});
    const TransformedPolyhedron moved(
        b, random_transform(random, scaled(random_direction(random), 1.2)));
    const CommonPlane<3> plane = common_plane(a.view(), moved);
    const PlaneContact<3> one = plane_contact(a.view(), moved, plane);
    const PlaneContact<3> other = plane_contact(moved, a.view(), common_plane(moved, a.view()));
    EXPECT_NEAR(one.area, other.area, 1e-9) << i;
    expect_near(one.point, other.point, plane.gap < -1e-3 ? 1e-7 : 1e-4);
    if (plane.gap >= -1e-3) continue;
    ++active;
    const PolyhedronView view_a = a.view();
    if (one.area == 0) {  // deep penetration: the plane misses the intersection
      ++missed;
      EXPECT_LT(plane.gap, -0.05) << i;
      continue;
    }
    // The point lies in both bodies.
    for (const PolyhedronView* body : {&view_a, &moved.view()})
      for (Index face = 0; face < body->topology->face_count(); ++face) {
        const auto& [p, q, r] = body->topology->face_frames[face];
        const auto vertex = [&](Index k) { return body->vertices[k]; };
        const Point<3> normal =
            normalized(cross(difference(vertex(q), vertex(p)), difference(vertex(r), vertex(p))));
        EXPECT_LE(dot(normal, difference(one.point, vertex(p))), 1e-9) << i;
      }
  }
  EXPECT_LE(missed, active / 100);
  EXPECT_GT(active, 300);
}

}  // namespace
}  // namespace abut::testing
