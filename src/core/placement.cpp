#include <abut/error.hpp>
#include <abut/placement.hpp>
#include <cmath>

#include "core/check_point.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

// Such that the centre stays where it is.
template <std::size_t D>
Placement<D> about(const Point<D>& centre, const std::array<Point<D>, D>& rotation) {
  Placement<D> where{rotation, {}};
  for (std::size_t k = 0; k < D; ++k) where.shift[k] = centre[k] - dot(rotation[k], centre);
  return where;
}

}  // namespace

Placement<2> turned(const Point<2>& centre, double angle) {
  check_point(centre, "the centre of a rotation");
  check_coordinate(angle, "a rotation", "angle");
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return about<2>(centre, {{{c, -s}, {s, c}}});
}

Placement<3> turned(const Point<3>& centre, const Point<3>& axis, double angle) {
  check_point(centre, "the centre of a rotation");
  check_point(axis, "the axis of a rotation");
  check_coordinate(angle, "a rotation", "angle");
  if (largest_part(axis) == 0) throw Error("the axis of a rotation has length 0");
  const auto [x, y, z] = unit(axis);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double t = 1 - c;
  return about<3>(centre, {{{c + t * x * x, t * x * y - s * z, t * x * z + s * y},
                            {t * x * y + s * z, c + t * y * y, t * y * z - s * x},
                            {t * x * z - s * y, t * y * z + s * x, c + t * z * z}}});
}

}  // namespace abut
