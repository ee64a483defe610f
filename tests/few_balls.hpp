#pragma once

#include <abut/simulation.hpp>
#include <array>
#include <numbers>
#include <span>
#include <vector>

namespace abut::testing {

/// Of density such that a sphere of radius r has this mass.
inline double density_for(double mass, double r) {
  return mass / (4.0 / 3 * std::numbers::pi * r * r * r);
}

struct Grain {
  double x, y, z, radius;
};

inline void add(Simulation3& run, std::span<const Grain> balls,
                const std::vector<Point<3>>& velocity = {}, const std::vector<Point<3>>& spin = {},
                std::size_t material = 0) {
  std::array<std::vector<double>, 4> columns;
  for (const Grain& ball : balls) {
    columns[0].push_back(ball.x);
    columns[1].push_back(ball.y);
    columns[2].push_back(ball.z);
    columns[3].push_back(ball.radius);
  }
  run.add({.places = {columns[0], columns[1], columns[2], columns[3]},
           .material = material,
           .velocity = velocity,
           .spin = spin});
}

}  // namespace abut::testing
