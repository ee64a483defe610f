// Is there a shorter way out than the depth d of a known plane? None, if the ball of radius d about
// the origin is inside the difference a − b. That is shown from inside: the pyramid of the plane's
// own face of the difference (cell.hpp) and of the difference of the centroids is part of it, and
// the plane touches the ball; its sides must keep away from it. Where a side cuts into the ball,
// the farthest corner beyond it takes its place, as in the expanding polytopes of van den Bergen
// (GDC 2001), but only there and without a list of faces: triangles that see the same directions
// from the origin are enough, and they may overlap. Shallow overlaps need the sides of one face.
#include "narrow/ways_out.hpp"

#include <array>

#include "narrow/support.hpp"

namespace abut {
namespace {

constexpr std::size_t most_triangles = 64;
constexpr int most_steps = 100;

using Triangle = std::array<Point<3>, 3>;

struct BallCheck {
  const PolyhedronView& a;
  const PolyhedronView& b;
  CommonPlane<3>& plane;
  double square_depth;  // a little less, so that rounding is no cut
  std::size_t count = 0;
  std::array<Triangle, most_triangles> triangles;  // not set, for there are few

  BallCheck(const PolyhedronView& of_a, const PolyhedronView& of_b, CommonPlane<3>& known,
            double square)
      : a(of_a), b(of_b), plane(known), square_depth(square) {}

  [[nodiscard]] static double height_of(const Triangle& triangle) {
    return dot(cross(triangle[0], triangle[1]), triangle[2]);
  }

  bool push(const Triangle& triangle) {
    if (count == most_triangles) return false;
    triangles[count++] = triangle;
    return true;
  }

  // The side of the pyramid at q → r, which runs counterclockwise seen from outside the base.
  bool add_side(const Point<3>& q, const Point<3>& r, const Point<3>& apex) {
    const Point<3> normal = cross(difference(apex, q), difference(r, q));
    const double height = dot(normal, q);
    if (height <= 0) return surround({q, apex, r});
    return height * height >= square_depth * dot(normal, normal) || push({q, apex, r});
  }

  // The origin is beyond a side: the three triangles of a farther corner take its place, and of
  // those the origin is beyond once more, until it is inside of all. Then the surface they close
  // with the other sides goes around the origin, for each is seen from it in the same turn.
  bool surround(const Triangle& side) {
    constexpr std::size_t most_corners = 16;
    std::array<Triangle, 2 * most_corners + 1> sides;
    std::size_t left = 0;
    sides[left++] = side;
    for (std::size_t tries = 0; left > 0; ++tries) {
      if (tries == most_corners) return false;
      const Triangle next = sides[--left];
      const Point<3> normal = cross(difference(next[1], next[0]), difference(next[2], next[0]));
      const CornerPair far = supports(a, b, normal);
      const Point<3> out = reversed(far.way);
      if (dot(normal, out) <= 0) return false;  // apart
      for (std::size_t k = 0; k < 3; ++k) {
        const Triangle part{next[k], next[(k + 1) % 3], out};
        if (height_of(part) <= 0)
          sides[left++] = part;
        else if (!push(part))
          return false;
      }
    }
    return true;
  }

  bool add_sides_of_face(const PolyhedronView& body, Index face, const Point<3>& corner,
                         bool swapped, const Point<3>& apex) {
    const PolyhedronTopology& topology = *body.topology;
    for (Index h = topology.first[face]; h < topology.first[face + 1]; ++h) {
      const Point<3>& p = body.corners[topology.half_edges[h].origin];
      const Point<3>& q = body.corners[topology.half_edges[topology.half_edges[h].next].origin];
      const bool seen = swapped ? add_side(difference(corner, q), difference(corner, p), apex)
                                : add_side(difference(p, corner), difference(q, corner), apex);
      if (!seen) return false;
    }
    return true;
  }

  bool add_sides_of_edges(const Point<3>& apex) {
    const auto end = [](const PolyhedronView& body, Index h) -> const Point<3>& {
      return body.corners[body.topology->half_edges[h].origin];
    };
    const Index next_a = a.topology->half_edges[plane.part_a].next;
    const Index next_b = b.topology->half_edges[plane.part_b].next;
    const Point<3>& p = end(a, plane.part_a);
    const Point<3>& q = end(a, next_a);
    const Point<3> turn = cross(difference(q, p), difference(end(b, plane.part_b), end(b, next_b)));
    const bool clockwise = dot(turn, plane.normal) < 0;
    const Point<3>& r = end(b, clockwise ? next_b : plane.part_b);
    const Point<3>& s = end(b, clockwise ? plane.part_b : next_b);
    const std::array<Point<3>, 4> base{difference(p, r), difference(q, r), difference(q, s),
                                       difference(p, s)};
    return add_side(base[0], base[1], apex) && add_side(base[1], base[2], apex) &&
           add_side(base[2], base[3], apex) && add_side(base[3], base[0], apex);
  }

  // Replaces a triangle that cuts into the ball by those of a point farther out.
  bool replace(const Triangle& triangle, const Point<3>& out) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Point<3>& p = triangle[k];
      const Point<3>& q = triangle[(k + 1) % 3];
      if (dot(out, cross(p, q)) <= 0) continue;  // sees nothing the others do not
      if (!push({p, q, out})) return false;
    }
    return true;
  }

  WaysOut expand() {
    for (int step = 0; count > 0; ++step) {
      if (step == most_steps) return WaysOut::unseen;
      const Triangle triangle = triangles[--count];
      const auto& [p, q, r] = triangle;
      const Point<3> normal = cross(difference(q, p), difference(r, p));
      const double height = dot(normal, p);
      const double square = dot(normal, normal);
      if (height > 0 && height * height >= square_depth * square) continue;
      const CornerPair far = supports(a, b, normal);
      const Point<3> out = reversed(far.way);
      const double reach = dot(normal, out);
      if (reach <= 0 || reach * reach < square_depth * square) {
        plane = {scaled(normal, 1 / std::sqrt(square)), -reach / std::sqrt(square), far.a, far.b};
        return WaysOut::shorter;
      }
      if (!replace(triangle, out)) return WaysOut::unseen;
    }
    return WaysOut::none_shorter;
  }
};

}  // namespace

WaysOut ways_out(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  constexpr double rounding = 1e-12;
  const double size = a.topology->radius + b.topology->radius;
  const double depth = std::max(-plane.gap - rounding * size, 0.0);
  const Point<3> apex = difference(a.centre, b.centre);
  BallCheck check(a, b, plane, depth * depth);
  bool inside = false;
  if (plane.kind == PlaneKind::side_a)
    inside = check.add_sides_of_face(a, plane.part_a, b.corners[plane.b], false, apex);
  else if (plane.kind == PlaneKind::side_b)
    inside = check.add_sides_of_face(b, plane.part_b, a.corners[plane.a], true, apex);
  else if (plane.kind == PlaneKind::edges)
    inside = check.add_sides_of_edges(apex);
  return inside ? check.expand() : WaysOut::unseen;
}

}  // namespace abut
