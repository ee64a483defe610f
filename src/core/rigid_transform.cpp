#include <abut/error.hpp>
#include <abut/rigid_transform.hpp>

#include "core/input_checks.hpp"
#include "core/portable_math.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

// The rotation about `center`: the translation is chosen such that the center stays fixed.
template <std::size_t D>
RigidTransform<D> with_fixed_point(const Point<D>& center,
                                   const std::array<Point<D>, D>& rotation) {
  RigidTransform<D> transform{rotation, {}};
  for (std::size_t k = 0; k < D; ++k)
    transform.translation[k] = center[k] - dot(rotation[k], center);
  return transform;
}

}  // namespace

RigidTransform<2> rotation_about(const Point<2>& center, double angle) {
  check_point(center, "the center of a rotation");
  check_coordinate(angle, "a rotation", "angle");
  const double c = portable_math::cos(angle);
  const double s = portable_math::sin(angle);
  return with_fixed_point<2>(center, {{{c, -s}, {s, c}}});
}

RigidTransform<3> rotation_about(const Point<3>& center, const Point<3>& axis, double angle) {
  check_point(center, "the center of a rotation");
  check_point(axis, "the axis of a rotation");
  check_coordinate(angle, "a rotation", "angle");
  if (max_abs(axis) == 0) throw Error("the axis of a rotation has length 0");
  // Rodrigues' formula: R = c·I + s·[n]× + (1 − c)·n·nᵀ with the unit axis n = (x, y, z).
  const auto [x, y, z] = normalized(axis);
  const double c = portable_math::cos(angle);
  const double s = portable_math::sin(angle);
  const double t = 1 - c;
  return with_fixed_point<3>(center, {{{c + t * x * x, t * x * y - s * z, t * x * z + s * y},
                                       {t * x * y + s * z, c + t * y * y, t * y * z - s * x},
                                       {t * x * z - s * y, t * y * z + s * x, c + t * z * z}}});
}

}  // namespace abut
