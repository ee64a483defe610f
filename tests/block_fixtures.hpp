#pragma once

#include <abut/blocks.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/statistics.hpp"
#include "core/vec.hpp"

namespace abut::testing {

/// A regular polygon or the hull of random points on the unit sphere.
template <std::size_t D>
Convex<D> random_shape(Random& random) {
  std::vector<Point<D>> points;
  const std::size_t count = (D == 2 ? 3 : 5) + random.below(6);
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count);
    if constexpr (D == 2)
      points.push_back({std::cos(angle), std::sin(angle)});
    else
      points.push_back(normalized(
          Point<3>{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}));
  }
  return Convex<D>(std::span<const Point<D>>(points));
}

template <std::size_t D>
RigidTransform<D> random_block_transform(Random& random, double width) {
  RigidTransform<D> transform;
  if constexpr (D == 2)
    transform = rotation_about(Point<2>{}, random.uniform(0, 6));
  else
    transform = rotation_about(
        Point<3>{}, {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.1, 1)},
        random.uniform(0, 6));
  for (double& x : transform.translation) x = random.uniform(0, width);
  return transform;
}

/// `count` particles of ten shapes in a square or cube of side `width`; they may overlap.
template <std::size_t D>
Blocks<D> random_blocks(std::size_t count, double width, std::uint64_t seed) {
  Random random(seed);
  Blocks<D> blocks;
  std::vector<ShapeId> shapes;
  for (std::size_t i = 0; i < 10; ++i)
    shapes.push_back(blocks.add_shape({random_shape<D>(random)}));
  for (std::size_t i = 0; i < count; ++i)
    blocks.add(shapes[random.below(10)], random_block_transform<D>(random, width));
  return blocks;
}

}  // namespace abut::testing
