#include "scenes/silo_wall.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/message.hpp"
#include "core/statistics.hpp"

namespace abut {
namespace {

using std::numbers::pi;

/// So much farther out than the wall is meant to be that the balls are tangent to it from outside.
struct Circle {
  double radius;
  double height;
};

std::vector<Circle> wall_circles(const SiloShape& silo, double spacing) {
  const double slope = std::hypot((silo.diameter - silo.outlet_diameter) / 2, silo.hopper_height);
  const auto parts = [&](double length) { return std::max(1.0, std::round(length / spacing)); };
  std::vector<Circle> rings;
  const double along_cone = parts(slope);
  for (double k = 0; k < along_cone; ++k)
    rings.push_back(
        {(silo.outlet_diameter + (silo.diameter - silo.outlet_diameter) * k / along_cone) / 2,
         silo.hopper_height * k / along_cone});
  const double along_cylinder = parts(silo.height);
  for (double k = 0; k <= along_cylinder; ++k)
    rings.push_back({silo.diameter / 2, silo.hopper_height + silo.height * k / along_cylinder});
  return rings;
}

}  // namespace

FixedParticles<3> silo_wall(const SiloShape& silo, double smallest, double largest, double spacing,
                            std::uint64_t seed) {
  if (!(spacing > 0) || spacing > 2 * smallest)
    throw Error(message("spacing = ", spacing, " of the silo's wall: above 0, and at most ",
                        2 * smallest, ", or the wall has holes"));
  constexpr double most_balls = 1e8;
  const double slope = std::hypot(silo.diameter / 2, silo.hopper_height);
  const double area = pi * std::max(silo.diameter, silo.outlet_diameter) * (slope + silo.height);
  if (!(area / (spacing * spacing) < most_balls))
    throw Error(message("spacing = ", spacing, " of the silo's wall: it would take more than ",
                        most_balls, " balls"));
  FixedParticles<3> balls;
  Random random(seed);
  bool turned = false;
  for (const Circle& ring : wall_circles(silo, spacing)) {
    const double radius = ring.radius + (smallest + largest) / 2;
    const double around = std::max(3.0, std::ceil(2 * pi * radius / spacing));
    for (double k = 0; k < around; ++k) {
      const double angle = 2 * pi * (k + (turned ? 0.5 : 0.0)) / around;
      balls.coordinates[0].push_back(radius * std::cos(angle));
      balls.coordinates[1].push_back(radius * std::sin(angle));
      balls.coordinates[2].push_back(ring.height);
      balls.radii.push_back(random.uniform(smallest, largest));
    }
    turned = !turned;
  }
  return balls;
}

}  // namespace abut
