// Checked construction of convex polygons, and the exact predicate it relies on.
#include <abut/error.hpp>
#include <abut/polygon.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "narrow/geometry_2d.hpp"
#include "narrow/polygon_check.hpp"
#include "narrow/polygon_edges.hpp"

namespace abut {
namespace {

// ---- exact orientation predicate

// A sum of doubles without rounding errors, as nonoverlapping terms of increasing magnitude (J. R.
// Shewchuk, Adaptive precision floating-point arithmetic and fast robust geometric predicates,
// 1997).
struct ExactSum {
  std::array<double, 12> terms{};
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
  ExactSum sum;  // the determinant as six exact products
  sum.add_product(p[0], q[1]);
  sum.add_product(-p[0], r[1]);
  sum.add_product(q[0], r[1]);
  sum.add_product(-q[0], p[1]);
  sum.add_product(r[0], p[1]);
  sum.add_product(-r[0], q[1]);
  return sum.sign();
}

// ---- outlines

namespace {

std::string format_point(const Point<2>& point) {
  return message("(", point[0], ", ", point[1], ")");
}

void check_vertices(std::span<const Point<2>> input) {
  if (input.size() < 3)
    throw Error(message("a polygon of ", input.size(), " vertices; must have at least 3"));
  for (std::size_t k = 0; k < input.size(); ++k)
    check_point(input[k], message("vertex ", k, " of a polygon"));
  std::vector<std::size_t> order(input.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](auto i, auto j) { return input[i] < input[j]; });
  const auto same =
      std::ranges::adjacent_find(order, [&](auto i, auto j) { return input[i] == input[j]; });
  if (same != order.end())
    throw Error(message("vertices ", same[0], " and ", same[1], " of a polygon coincide at ",
                        format_point(input[*same]), "; give each vertex once"));
}

// The rounding error of coordinates of this magnitude.
double rounding_tolerance(std::span<const Point<2>> points) {
  double largest = 0;
  for (const Point<2>& point : points) largest = std::max(largest, max_abs(point));
  return 4 * std::numeric_limits<double>::epsilon() * largest;
}

double distance_to_line(const Point<2>& point, const Point<2>& from, const Point<2>& to) {
  return std::abs(cross_2d(normalized(difference(to, from)), difference(point, from)));
}

// Two points whose distance is close to the diameter of the set.
std::array<Point<2>, 2> extreme_vertices(std::span<const Point<2>> points) {
  const auto farthest_from = [&](const Point<2>& origin) {
    return *std::ranges::max_element(
        points, {}, [&](const Point<2>& point) { return max_abs(difference(point, origin)); });
  };
  const Point<2> first = farthest_from(points[0]);
  return {farthest_from(first), first};
}

[[noreturn]] void throw_no_area(std::span<const Point<2>> input) {
  const auto [from, to] = extreme_vertices(input);
  throw Error(message("a polygon of ", input.size(), " vertices from ", format_point(from), " to ",
                      format_point(to), " has no area: they are collinear"));
}

// Squares of lengths must not underflow.
void check_extent(std::span<const Point<2>> input) {
  const auto [from, to] = extreme_vertices(input);
  const double extent = max_abs(difference(to, from));
  if (extent < 1e-150)
    throw Error(message("a polygon at ", format_point(from), " has an extent of ", extent,
                        "; must be at least 1e-150, so use a smaller unit of length"));
}

double doubled_area(std::span<const Point<2>> vertices) {
  double total = 0;
  for (std::size_t k = 2; k < vertices.size(); ++k)
    total +=
        cross_2d(difference(vertices[k - 1], vertices[0]), difference(vertices[k], vertices[0]));
  return total;
}

bool points_up(const Point<2>& direction) {
  return direction[1] > 0 || (direction[1] == 0 && direction[0] > 0);
}

}  // namespace

bool is_collinear(std::span<const Point<2>> points) {
  const auto [from, to] = extreme_vertices(points);
  const double tolerance = rounding_tolerance(points);
  return std::ranges::all_of(points, [&, from = from, to = to](const Point<2>& point) {
    return distance_to_line(point, from, to) <= tolerance;
  });
}

PolygonOutline::PolygonOutline(std::span<const Point<2>> input)
    : vertices(input.begin(), input.end()), input_indices(input.size()) {
  check_vertices(input);
  const double tolerance = rounding_tolerance(input);
  if (is_collinear(input)) throw_no_area(input);
  check_extent(input);
  std::iota(input_indices.begin(), input_indices.end(), 0U);
  while (vertices.size() > 2 && remove_redundant(tolerance)) continue;
  if (vertices.size() < 3) throw_no_area(input);
  if (doubled_area(vertices) < 0) {
    std::ranges::reverse(vertices);
    std::ranges::reverse(input_indices);
  }
}

// One pass; returns whether vertices were removed, so that another pass is needed.
bool PolygonOutline::remove_redundant(double tolerance) {
  const std::size_t count = vertices.size();
  const std::vector<Point<2>> old_vertices = std::exchange(vertices, {});
  const std::vector<std::size_t> old_indices = std::exchange(input_indices, {});
  const auto keep = [&](std::size_t k) {
    vertices.push_back(old_vertices[k]);
    input_indices.push_back(old_indices[k]);
  };
  // Starts at a vertex that is certainly needed.
  const auto first =
      static_cast<std::size_t>(std::ranges::min_element(old_vertices) - old_vertices.begin());
  keep(first);
  for (std::size_t step = 1; step < count; ++step) {
    const std::size_t k = (first + step) % count;
    const Point<2>& next = old_vertices[(k + 1) % count];
    if (distance_to_line(old_vertices[k], vertices.back(), next) > tolerance)
      keep(k);
    else if (dot(difference(old_vertices[k], vertices.back()), difference(next, old_vertices[k])) <
             0)
      throw Error(message("the outline of a polygon folds back at vertex ", old_indices[k], ", ",
                          format_point(old_vertices[k]),
                          "; omit it, or give the vertices in the order of the outline"));
  }
  return vertices.size() < count;
}

void PolygonOutline::check_convex() const {
  std::size_t windings = 0;
  bool all_left = true;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const Point<2> edge = difference(vertex(k + 1), vertex(k));
    const Point<2> next_edge = difference(vertex(k + 2), vertex(k + 1));
    if (!points_up(edge) && points_up(next_edge)) ++windings;
    all_left = all_left && orientation(vertex(k), vertex(k + 1), vertex(k + 2)) > 0;
  }
  if (all_left && windings == 1) return;
  check_simple();
  for (std::size_t k = 0; k < vertices.size(); ++k)
    if (orientation(vertex(k), vertex(k + 1), vertex(k + 2)) <= 0)
      throw Error(message("vertex ", input_indices[(k + 1) % vertices.size()], " of a polygon, ",
                          format_point(vertex(k + 1)),
                          ", is reflex; use convex_decomposition for concave polygons"));
}

void PolygonOutline::check_simple() const {
  const auto edges = first_edge_intersection(vertices);
  if (!edges) return;
  const auto [i, j] = *edges;
  throw Error(message("a polygon crosses itself: its edges from vertex ", input_indices[i], ", ",
                      format_point(vertex(i)), ", and from vertex ", input_indices[j], ", ",
                      format_point(vertex(j)),
                      ", meet; give the vertices in the order of the outline"));
}

// ---- convex polygons

namespace {

Point<2> transform_point(const RigidTransform<2>& transform, const Point<2>& point) {
  return {dot(transform.rotation[0], point) + transform.translation[0],
          dot(transform.rotation[1], point) + transform.translation[1]};
}

// Calls visit(p × q, p, q) for the triangle of each edge and `origin`, with p and q relative to the
// origin. It should be close: otherwise products of coordinates lose all digits.
template <class Visit>
void for_each_triangle(std::span<const Point<2>> vertices, const Point<2>& origin,
                       const Visit& visit) {
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const Point<2> p = difference(vertices[k], origin);
    const Point<2> q = difference(vertices[(k + 1) % vertices.size()], origin);
    visit(cross_2d(p, q), p, q);
  }
}

}  // namespace

Polygon::Polygon(std::span<const Point<2>> vertices) {
  PolygonOutline outline(vertices);
  outline.check_convex();
  vertices_ = std::move(outline.vertices);
  const Point<2> origin = vertices_[0];
  double doubled = 0;
  Point<2> moment{};
  for_each_triangle(vertices_, origin, [&](double area, const Point<2>& p, const Point<2>& q) {
    doubled += area;
    moment = add_scaled(moment, area, sum(p, q));
  });
  area_ = doubled / 2;
  centroid_ = add_scaled(origin, 1 / (3 * doubled), moment);
  for_each_triangle(vertices_, centroid_, [&](double area, const Point<2>& p, const Point<2>& q) {
    inertia_ += area * (dot(p, p) + dot(p, q) + dot(q, q)) / 12;
  });
  for (const Point<2>& vertex : vertices_)
    bounding_radius_ = std::max(bounding_radius_, length(difference(vertex, centroid_)));
}

void Polygon::throw_moved_from() {
  throw Error("the polygon has been moved from", ErrorCode::moved_from);
}

PolygonView Polygon::transformed(const RigidTransform<2>& transform,
                                 std::span<Point<2>> buffer) const {
  if (vertices_.empty()) throw_moved_from();
  if (buffer.size() < vertices_.size())
    throw Error(message("a buffer for ", buffer.size(), " vertices is too small for a polygon of ",
                        vertices_.size()));
  std::ranges::transform(vertices_, buffer.begin(), [&](const Point<2>& vertex) {
    return transform_point(transform, vertex);
  });
  return {buffer.first(vertices_.size()), transform_point(transform, centroid_)};
}

}  // namespace abut
