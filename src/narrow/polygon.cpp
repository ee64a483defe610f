// The sign of a determinant, after J. R. Shewchuk, Adaptive precision floating-point arithmetic and
// fast robust geometric predicates (1997): doubles where they are sure; else its six products, each
// an exact sum of two doubles, are added up without error.
#include <abut/error.hpp>
#include <abut/polygon.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "narrow/geometry_2d.hpp"
#include "narrow/polygon_check.hpp"

namespace abut {
namespace {

struct ExactSum {
  std::array<double, 12> terms{};  // none of which overlaps another, by size
  std::size_t count = 0;

  void add(double value) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const double total = value + terms[k];
      const double taken = total - value;
      const double rest = (value - (total - taken)) + (terms[k] - taken);
      if (rest != 0) terms[kept++] = rest;
      value = total;
    }
    if (value != 0) terms[kept++] = value;
    count = kept;
  }

  void add_product(double x, double y) {
    const double product = x * y;
    add(std::fma(x, y, -product));
    add(product);
  }

  [[nodiscard]] int sign() const {
    if (count == 0) return 0;
    return terms[count - 1] > 0 ? 1 : -1;
  }
};

}  // namespace

int orientation(const Point<2>& p, const Point<2>& q, const Point<2>& r) {
  const double left = (q[0] - p[0]) * (r[1] - p[1]);
  const double right = (q[1] - p[1]) * (r[0] - p[0]);
  const double rounding = 3.4e-16 * (std::abs(left) + std::abs(right));
  if (left - right > rounding) return 1;
  if (right - left > rounding) return -1;
  ExactSum sum;
  sum.add_product(p[0], q[1]);
  sum.add_product(-p[0], r[1]);
  sum.add_product(q[0], r[1]);
  sum.add_product(-q[0], p[1]);
  sum.add_product(r[0], p[1]);
  sum.add_product(-r[0], q[1]);
  return sum.sign();
}

namespace {

std::string format_point(const Point<2>& point) {
  return message("(", point[0], ", ", point[1], ")");
}

void check_vertices(std::span<const Point<2>> given) {
  if (given.size() < 3)
    throw Error(message("a polygon of ", given.size(), " corners: it takes at least 3"));
  for (std::size_t k = 0; k < given.size(); ++k)
    check_point(given[k], message("corner ", k, " of a polygon"));
  std::vector<std::size_t> order(given.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](auto i, auto j) { return given[i] < given[j]; });
  const auto same =
      std::ranges::adjacent_find(order, [&](auto i, auto j) { return given[i] == given[j]; });
  if (same != order.end())
    throw Error(message("corners ", same[0], " and ", same[1], " of a polygon are both at ",
                        format_point(given[*same]), "; give each corner once"));
}

// What doubles of this size can tell apart.
double rounding_tolerance(std::span<const Point<2>> given) {
  double largest = 0;
  for (const Point<2>& corner : given) largest = std::max(largest, max_abs(corner));
  return 4 * std::numeric_limits<double>::epsilon() * largest;
}

double distance_to_line(const Point<2>& point, const Point<2>& from, const Point<2>& to) {
  return std::abs(cross_2d(normalized(difference(to, from)), difference(point, from)));
}

// The two corners that are about farthest apart.
std::array<Point<2>, 2> extreme_vertices(std::span<const Point<2>> corners) {
  const auto far_from = [&](const Point<2>& point) {
    return *std::ranges::max_element(
        corners, {}, [&](const Point<2>& corner) { return max_abs(difference(corner, point)); });
  };
  const Point<2> one = far_from(corners[0]);
  return {far_from(one), one};
}

[[noreturn]] void throw_no_area(std::span<const Point<2>> given) {
  const auto [from, to] = extreme_vertices(given);
  throw Error(message("a polygon of ", given.size(), " corners from ", format_point(from), " to ",
                      format_point(to), " has no area: they are on one line"));
}

// Squares of lengths must be doubles too.
void check_size(std::span<const Point<2>> given) {
  const auto [from, to] = extreme_vertices(given);
  const double size = max_abs(difference(to, from));
  if (size < 1e-150)
    throw Error(message("a polygon at ", format_point(from), " is ", size,
                        " across; it takes at least 1e-150: give it in a smaller unit"));
}

double doubled_area(std::span<const Point<2>> corners) {
  double total = 0;
  for (std::size_t k = 2; k < corners.size(); ++k)
    total += cross_2d(difference(corners[k - 1], corners[0]), difference(corners[k], corners[0]));
  return total;
}

bool in_segment_box(const Point<2>& point, const Point<2>& from, const Point<2>& to) {
  for (std::size_t k = 0; k < 2; ++k)
    if (point[k] < std::min(from[k], to[k]) || point[k] > std::max(from[k], to[k])) return false;
  return true;
}

bool segments_intersect(const Point<2>& p, const Point<2>& q, const Point<2>& r,
                        const Point<2>& s) {
  const int pqr = orientation(p, q, r);
  const int pqs = orientation(p, q, s);
  const int rsp = orientation(r, s, p);
  const int rsq = orientation(r, s, q);
  if (pqr * pqs < 0 && rsp * rsq < 0) return true;
  return (pqr == 0 && in_segment_box(r, p, q)) || (pqs == 0 && in_segment_box(s, p, q)) ||
         (rsp == 0 && in_segment_box(p, r, s)) || (rsq == 0 && in_segment_box(q, r, s));
}

bool points_up(const Point<2>& direction) {
  return direction[1] > 0 || (direction[1] == 0 && direction[0] > 0);
}

}  // namespace

bool is_collinear(std::span<const Point<2>> corners) {
  const auto [from, to] = extreme_vertices(corners);
  const double rounding = rounding_tolerance(corners);
  return std::ranges::all_of(corners, [&, from = from, to = to](const Point<2>& corner) {
    return distance_to_line(corner, from, to) <= rounding;
  });
}

PolygonOutline::PolygonOutline(std::span<const Point<2>> given)
    : vertices(given.begin(), given.end()), input_indices(given.size()) {
  check_vertices(given);
  const double rounding = rounding_tolerance(given);
  if (is_collinear(given)) throw_no_area(given);
  check_size(given);
  std::iota(input_indices.begin(), input_indices.end(), 0U);
  while (vertices.size() > 2 && remove_redundant(rounding)) continue;
  if (vertices.size() < 3) throw_no_area(given);
  if (doubled_area(vertices) < 0) {
    std::ranges::reverse(vertices);
    std::ranges::reverse(input_indices);
  }
}

// One round; whether there is need of another.
bool PolygonOutline::remove_redundant(double rounding) {
  const std::size_t count = vertices.size();
  const std::vector<Point<2>> given = std::exchange(vertices, {});
  const std::vector<std::size_t> given_places = std::exchange(input_indices, {});
  const auto keep = [&](std::size_t k) {
    vertices.push_back(given[k]);
    input_indices.push_back(given_places[k]);
  };
  // From a corner that is needed whatever the others are.
  const auto first = static_cast<std::size_t>(std::ranges::min_element(given) - given.begin());
  keep(first);
  for (std::size_t step = 1; step < count; ++step) {
    const std::size_t k = (first + step) % count;
    const Point<2>& next = given[(k + 1) % count];
    if (distance_to_line(given[k], vertices.back(), next) > rounding)
      keep(k);
    else if (dot(difference(given[k], vertices.back()), difference(next, given[k])) < 0)
      throw Error(message("a side of a polygon folds back at corner ", given_places[k], ", ",
                          format_point(given[k]),
                          "; leave it out, or give the corners in the order of the outline"));
  }
  return vertices.size() < count;
}

void PolygonOutline::check_convex() const {
  std::size_t rounds = 0;
  bool all_left = true;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const Point<2> here = difference(vertex(k + 1), vertex(k));
    const Point<2> next = difference(vertex(k + 2), vertex(k + 1));
    if (!points_up(here) && points_up(next)) ++rounds;
    all_left = all_left && orientation(vertex(k), vertex(k + 1), vertex(k + 2)) > 0;
  }
  if (all_left && rounds == 1) return;
  check_simple();
  for (std::size_t k = 0; k < vertices.size(); ++k)
    if (orientation(vertex(k), vertex(k + 1), vertex(k + 2)) <= 0)
      throw Error(message("corner ", input_indices[(k + 1) % vertices.size()], " of a polygon, ",
                          format_point(vertex(k + 1)),
                          ", turns inwards; give it as a cluster of convex parts (convex_parts)"));
}

void PolygonOutline::check_simple() const {
  const std::size_t count = vertices.size();
  for (std::size_t i = 0; i + 2 < count; ++i)
    for (std::size_t j = i + 2; j < count; ++j) {
      if (i == 0 && j + 1 == count) continue;  // they share a corner
      if (segments_intersect(vertex(i), vertex(i + 1), vertex(j), vertex(j + 1)))
        throw Error(message("a polygon crosses itself: its sides from corner ", input_indices[i],
                            ", ", format_point(vertex(i)), ", and from corner ", input_indices[j],
                            ", ", format_point(vertex(j)),
                            ", meet; give the corners in the order of the outline"));
    }
}

namespace {

Point<2> transform_point(const RigidTransform<2>& where, const Point<2>& point) {
  return {dot(where.rotation[0], point) + where.translation[0],
          dot(where.rotation[1], point) + where.translation[1]};
}

// Arms from a point near by: far from the origin, products of coordinates would lose all digits.
template <class Work>
void for_each_triangle(std::span<const Point<2>> corners, const Point<2>& near, const Work& work) {
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Point<2> p = difference(corners[k], near);
    const Point<2> q = difference(corners[(k + 1) % corners.size()], near);
    work(cross_2d(p, q), p, q);
  }
}

}  // namespace

Polygon::Polygon(std::span<const Point<2>> corners) {
  PolygonOutline outline(corners);
  outline.check_convex();
  vertices_ = std::move(outline.vertices);
  const Point<2> near = vertices_[0];
  double doubled = 0;
  Point<2> moment{};
  for_each_triangle(vertices_, near, [&](double area, const Point<2>& p, const Point<2>& q) {
    doubled += area;
    moment = add_scaled(moment, area, sum(p, q));
  });
  area_ = doubled / 2;
  centroid_ = add_scaled(near, 1 / (3 * doubled), moment);
  for_each_triangle(vertices_, centroid_, [&](double area, const Point<2>& p, const Point<2>& q) {
    inertia_ += area * (dot(p, p) + dot(p, q) + dot(q, q)) / 12;
  });
  for (const Point<2>& corner : vertices_)
    bounding_radius_ = std::max(bounding_radius_, length(difference(corner, centroid_)));
}

PolygonView Polygon::transformed(const RigidTransform<2>& where, std::span<Point<2>> into) const {
  if (into.size() < vertices_.size())
    throw Error(
        message("room for ", into.size(), " corners, and the polygon has ", vertices_.size()));
  std::ranges::transform(vertices_, into.begin(),
                         [&](const Point<2>& corner) { return transform_point(where, corner); });
  return {into.first(vertices_.size()), transform_point(where, centroid_)};
}

}  // namespace abut
