#include <abut/error.hpp>
#include <abut/rigid_transform.hpp>
#include <cmath>

#include "core/input_checks.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

// Such that the centre stays where it is.
template <std::size_t D>
RigidTransform<D> with_fixed_point(const Point<D>& centre,
                                   const std::array<Point<D>, D>& rotation) {
  RigidTransform<D> where{rotation, {}};
  for (std::size_t k = 0; k < D; ++k) where.translation[k] = centre[k] - dot(rotation[k], centre);
  return where;
}

}  // namespace

RigidTransform<2> rotation_about(const Point<2>& centre, double angle) {
  check_point(centre, "the centre of a rotation");
  check_coordinate(angle, "a rotation", "angle");
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return with_fixed_point<2>(centre, {{{c, -s}, {s, c}}});
}

RigidTransform<3> rotation_about(const Point<3>& centre, const Point<3>& axis, double angle) {
  check_point(centre, "the centre of a rotation");
  check_point(axis, "the axis of a rotation");
  check_coordinate(angle, "a rotation", "angle");
  if (max_abs(axis) == 0) throw Error("the axis of a rotation has length 0");
  const auto [x, y, z] = normalized(axis);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double t = 1 - c;
  return with_fixed_point<3>(centre, {{{c + t * x * x, t * x * y - s * z, t * x * z + s * y},
                                       {t * x * y + s * z, c + t * y * y, t * y * z - s * x},
                                       {t * x * z - s * y, t * y * z + s * x, c + t * z * z}}});
}

}  // namespace abut
