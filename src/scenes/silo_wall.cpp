#include "scenes/silo_wall.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/message.hpp"
#include "core/portable_math.hpp"
#include "core/statistics.hpp"

namespace abut {
namespace {

using std::numbers::pi;

/// A horizontal circle on the wall surface.
struct Circle {
  double radius;
  double height;
};

std::vector<Circle> wall_circles(const SiloShape& silo, double spacing) {
  const double slope =
      portable_math::hypot((silo.diameter - silo.outlet_diameter) / 2, silo.hopper_height);
  const auto count = [&](double length) { return std::max(1.0, std::round(length / spacing)); };
  std::vector<Circle> circles;
  const double cone_count = count(slope);
  for (double k = 0; k < cone_count; ++k)
    circles.push_back(
        {(silo.outlet_diameter + (silo.diameter - silo.outlet_diameter) * k / cone_count) / 2,
         silo.hopper_height * k / cone_count});
  const double cylinder_count = count(silo.height);
  for (double k = 0; k <= cylinder_count; ++k)
    circles.push_back({silo.diameter / 2, silo.hopper_height + silo.height * k / cylinder_count});
  return circles;
}

}  // namespace

FixedParticles<3> silo_wall(const SiloShape& silo, double min_radius, double max_radius,
                            double spacing, std::uint64_t seed) {
  if (!(spacing > 0) || spacing > 2 * min_radius)
    throw Error(
        ErrorCode::invalid_argument, {.key = "spacing", .value = message(spacing)},
        message("must be positive and at most ", 2 * min_radius, ", or the silo wall has holes"));
  constexpr double max_spheres = 1e8;
  const double slope = portable_math::hypot(silo.diameter / 2, silo.hopper_height);
  const double area = pi * std::max(silo.diameter, silo.outlet_diameter) * (slope + silo.height);
  if (!(area / (spacing * spacing) < max_spheres))
    throw Error(ErrorCode::invalid_argument, {.key = "spacing", .value = message(spacing)},
                message("the silo wall would have more than ", max_spheres, " spheres"));
  FixedParticles<3> particles;
  Random random(seed);
  bool is_odd = false;
  for (const Circle& circle : wall_circles(silo, spacing)) {
    // The spheres touch the wall surface from outside on average.
    const double radius = circle.radius + (min_radius + max_radius) / 2;
    const double count = std::max(3.0, std::ceil(2 * pi * radius / spacing));
    for (double k = 0; k < count; ++k) {
      const double angle = 2 * pi * (k + (is_odd ? 0.5 : 0.0)) / count;
      particles.push_back(
          {radius * portable_math::cos(angle), radius * portable_math::sin(angle), circle.height},
          random.uniform(min_radius, max_radius));
    }
    is_odd = !is_odd;
  }
  return particles;
}

}  // namespace abut
