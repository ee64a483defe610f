// Is there a shorter way out than the depth d of a known plane? None, if the ball of radius d about
// the origin is inside the difference a − b. That is shown from inside: the pyramid of the plane's
// own face of the difference (cell.hpp) and of the difference of the centroids is part of it, and
// the plane touches the ball; its sides must keep away from it. Where a side cuts into the ball, a
// corner beyond it takes its place, the next one around or else the farthest, as in the expanding
// polytopes of van den Bergen (GDC 2001), but only there and without a list of faces: triangles
// that see the same directions from the origin are enough, and they may overlap. Shallow overlaps
// need the sides of one face.
#include "narrow/ways_out.hpp"

#include <array>

#include "narrow/support.hpp"

namespace abut {
namespace {

constexpr std::size_t most_triangles = 64;
constexpr int most_expansions = 100;

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

  bool push(const Triangle& triangle) {
    if (count == most_triangles) return false;
    triangles[count++] = triangle;
    return true;
  }

  // The side of the pyramid at q → r, which runs counterclockwise seen from outside the base. Where
  // it cuts into the ball, what is next to the base beyond it is tried first: it is at hand.
  bool add_side(const Point<3>& q, const Point<3>& r, const Point<3>& apex, const Point<3>& next) {
    const Point<3> normal = cross(difference(apex, q), difference(r, q));
    const double height = dot(normal, q);
    if (height <= 0) return surround({q, apex, r});
    if (height * height >= square_depth * dot(normal, normal)) return true;
    return dot(normal, next) > height ? replace({q, apex, r}, next) : push({q, apex, r});
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
        bool is_seen = true;
        if (!keep(part, is_seen)) return false;
        if (!is_seen) sides[left++] = part;
      }
    }
    return true;
  }

  bool add_sides_of_face(const PolyhedronView& body, Index face, const Point<3>& corner,
                         bool swapped, const Point<3>& apex) {
    const PolyhedronTopology& topology = *body.topology;
    const auto from_corner = [&](Index k) {
      return swapped ? difference(corner, body.corners[k]) : difference(body.corners[k], corner);
    };
    for (Index h = topology.first[face]; h < topology.first[face + 1]; ++h) {
      const Ridge& side = topology.ridges[h];
      const Point<3> p = from_corner(swapped ? side.tip : side.origin);
      const Point<3> q = from_corner(swapped ? side.origin : side.tip);
      if (!add_side(p, q, apex, from_corner(side.right))) return false;
    }
    return true;
  }

  bool add_sides_of_edges(const Point<3>& apex) {
    const Ridge& of_a = a.topology->ridges[plane.part_a];
    Ridge of_b = b.topology->ridges[plane.part_b];
    const auto between = [&](Index i, Index j) { return difference(a.corners[i], b.corners[j]); };
    const Point<3> turn = cross(difference(a.corners[of_a.tip], a.corners[of_a.origin]),
                                difference(b.corners[of_b.origin], b.corners[of_b.tip]));
    if (dot(turn, plane.normal) < 0) of_b = {of_b.tip, of_b.origin, of_b.right, of_b.left};
    const std::array<Point<3>, 4> base{between(of_a.origin, of_b.origin),
                                       between(of_a.tip, of_b.origin), between(of_a.tip, of_b.tip),
                                       between(of_a.origin, of_b.tip)};
    return add_side(base[0], base[1], apex, between(of_a.right, of_b.origin)) &&
           add_side(base[1], base[2], apex, between(of_a.tip, of_b.left)) &&
           add_side(base[2], base[3], apex, between(of_a.left, of_b.tip)) &&
           add_side(base[3], base[0], apex, between(of_a.origin, of_b.right));
  }

  // Keeps a triangle if it cuts into the ball; it is not seen if the origin is beyond it.
  bool keep(const Triangle& triangle, bool& is_seen) {
    const auto& [p, q, r] = triangle;
    const Point<3> normal = cross(difference(q, p), difference(r, p));
    const double height = dot(normal, p);
    is_seen = height > 0;
    return !is_seen || height * height >= square_depth * dot(normal, normal) || push(triangle);
  }

  // Puts those of a point farther out in the place of a triangle that cuts into the ball. What is
  // not seen of them shows nothing the others do not.
  bool replace(const Triangle& triangle, const Point<3>& out) {
    bool is_seen = true;
    for (std::size_t k = 0; k < 3; ++k)
      if (!keep({triangle[k], triangle[(k + 1) % 3], out}, is_seen)) return false;
    return true;
  }

  WaysOut expand() {
    for (int step = 0; count > 0; ++step) {
      if (step == most_expansions) return WaysOut::unseen;
      const Triangle triangle = triangles[--count];
      const auto& [p, q, r] = triangle;
      const Point<3> normal = cross(difference(q, p), difference(r, p));
      const double square = dot(normal, normal);
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
