#include "narrow/outline.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/check_point.hpp"
#include "core/message.hpp"
#include "narrow/flat.hpp"
#include "narrow/orientation.hpp"

namespace abut {
namespace {

std::string at(const Point<2>& point) { return message("(", point[0], ", ", point[1], ")"); }

void check_corners(std::span<const Point<2>> given) {
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
                        at(given[*same]), "; give each corner once"));
}

// What doubles of this size can tell apart.
double rounding_of(std::span<const Point<2>> given) {
  double largest = 0;
  for (const Point<2>& corner : given) largest = std::max(largest, largest_part(corner));
  return 4 * std::numeric_limits<double>::epsilon() * largest;
}

double off_line(const Point<2>& point, const Point<2>& from, const Point<2>& to) {
  return std::abs(wedge(unit(difference(to, from)), difference(point, from)));
}

// The two corners that are about farthest apart.
std::array<Point<2>, 2> ends_of(std::span<const Point<2>> corners) {
  const auto far_from = [&](const Point<2>& point) {
    return *std::ranges::max_element(corners, {}, [&](const Point<2>& corner) {
      return largest_part(difference(corner, point));
    });
  };
  const Point<2> one = far_from(corners[0]);
  return {far_from(one), one};
}

[[noreturn]] void refuse_flat(std::span<const Point<2>> given) {
  const auto [from, to] = ends_of(given);
  throw Error(message("a polygon of ", given.size(), " corners from ", at(from), " to ", at(to),
                      " has no area: they are on one line"));
}

// Squares of lengths must be doubles too.
void check_size(std::span<const Point<2>> given) {
  const auto [from, to] = ends_of(given);
  const double size = largest_part(difference(to, from));
  if (size < 1e-150)
    throw Error(message("a polygon at ", at(from), " is ", size,
                        " across; it takes at least 1e-150: give it in a smaller unit"));
}

double doubled_area(std::span<const Point<2>> corners) {
  double total = 0;
  for (std::size_t k = 2; k < corners.size(); ++k)
    total += wedge(difference(corners[k - 1], corners[0]), difference(corners[k], corners[0]));
  return total;
}

bool within(const Point<2>& point, const Point<2>& from, const Point<2>& to) {
  for (std::size_t k = 0; k < 2; ++k)
    if (point[k] < std::min(from[k], to[k]) || point[k] > std::max(from[k], to[k])) return false;
  return true;
}

bool meet(const Point<2>& p, const Point<2>& q, const Point<2>& r, const Point<2>& s) {
  const int pqr = orientation(p, q, r);
  const int pqs = orientation(p, q, s);
  const int rsp = orientation(r, s, p);
  const int rsq = orientation(r, s, q);
  if (pqr * pqs < 0 && rsp * rsq < 0) return true;
  return (pqr == 0 && within(r, p, q)) || (pqs == 0 && within(s, p, q)) ||
         (rsp == 0 && within(p, r, s)) || (rsq == 0 && within(q, r, s));
}

bool upwards(const Point<2>& direction) {
  return direction[1] > 0 || (direction[1] == 0 && direction[0] > 0);
}

}  // namespace

bool is_flat(std::span<const Point<2>> corners) {
  const auto [from, to] = ends_of(corners);
  const double rounding = rounding_of(corners);
  return std::ranges::all_of(corners, [&, from = from, to = to](const Point<2>& corner) {
    return off_line(corner, from, to) <= rounding;
  });
}

Outline::Outline(std::span<const Point<2>> given)
    : corners(given.begin(), given.end()), places(given.size()) {
  check_corners(given);
  const double rounding = rounding_of(given);
  if (is_flat(given)) refuse_flat(given);
  check_size(given);
  std::iota(places.begin(), places.end(), 0U);
  while (corners.size() > 2 && drop_idle(rounding)) continue;
  if (corners.size() < 3) refuse_flat(given);
  if (doubled_area(corners) < 0) {
    std::ranges::reverse(corners);
    std::ranges::reverse(places);
  }
}

// One round; whether there is need of another.
bool Outline::drop_idle(double rounding) {
  const std::size_t count = corners.size();
  const std::vector<Point<2>> given = std::exchange(corners, {});
  const std::vector<std::size_t> given_places = std::exchange(places, {});
  const auto keep = [&](std::size_t k) {
    corners.push_back(given[k]);
    places.push_back(given_places[k]);
  };
  // From a corner that is needed whatever the others are.
  const auto first = static_cast<std::size_t>(std::ranges::min_element(given) - given.begin());
  keep(first);
  for (std::size_t step = 1; step < count; ++step) {
    const std::size_t k = (first + step) % count;
    const Point<2>& next = given[(k + 1) % count];
    if (off_line(given[k], corners.back(), next) > rounding)
      keep(k);
    else if (dot(difference(given[k], corners.back()), difference(next, given[k])) < 0)
      throw Error(message("a side of a polygon folds back at corner ", given_places[k], ", ",
                          at(given[k]),
                          "; leave it out, or give the corners in the order of the outline"));
  }
  return corners.size() < count;
}

void Outline::check_convex() const {
  std::size_t rounds = 0;
  bool all_left = true;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Point<2> here = difference(corner(k + 1), corner(k));
    const Point<2> next = difference(corner(k + 2), corner(k + 1));
    if (!upwards(here) && upwards(next)) ++rounds;
    all_left = all_left && orientation(corner(k), corner(k + 1), corner(k + 2)) > 0;
  }
  if (all_left && rounds == 1) return;
  check_simple();
  for (std::size_t k = 0; k < corners.size(); ++k)
    if (orientation(corner(k), corner(k + 1), corner(k + 2)) <= 0)
      throw Error(message("corner ", places[(k + 1) % corners.size()], " of a polygon, ",
                          at(corner(k + 1)),
                          ", turns inwards; give it as a cluster of convex parts (convex_parts)"));
}

void Outline::check_simple() const {
  const std::size_t count = corners.size();
  for (std::size_t i = 0; i + 2 < count; ++i)
    for (std::size_t j = i + 2; j < count; ++j) {
      if (i == 0 && j + 1 == count) continue;  // they share a corner
      if (meet(corner(i), corner(i + 1), corner(j), corner(j + 1)))
        throw Error(message("a polygon crosses itself: its sides from corner ", places[i], ", ",
                            at(corner(i)), ", and from corner ", places[j], ", ", at(corner(j)),
                            ", meet; give the corners in the order of the outline"));
    }
}

}  // namespace abut
