#include "scenes/block_scene.hpp"

#include <cmath>

#include "core/random.hpp"
#include "core/vec.hpp"
#include "scenes/polygon_pairs.hpp"

namespace abut {

std::vector<std::vector<Point<2>>> make_polygons(std::size_t count, std::uint64_t seed) {
  constexpr double apart = 1.7;  // less than they are across
  constexpr double shaken = 0.15;
  Random random(seed);
  const auto columns =
      static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count) * 1.6)));
  std::vector<std::vector<Point<2>>> polygons;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = i / columns;
    const double place = static_cast<double>(i % columns) + (row % 2 == 0 ? 0 : 0.5);
    const Point<2> at{place * apart + random.uniform(-shaken, shaken),
                      static_cast<double>(row) * apart * 0.87 + random.uniform(-shaken, shaken)};
    polygons.push_back(random_corners(random, 3 + random.below(6), random.uniform(0.6, 1)));
    for (Point<2>& corner : polygons.back()) corner = sum(at, corner);
  }
  return polygons;
}

}  // namespace abut
