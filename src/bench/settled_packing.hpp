#pragma once

#include <abut/simulation.hpp>
#include <array>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace abut {

/// Properties of the spheres of `bench-dem`, the same for every program. Units: diameter and mass
/// of the smallest sphere, and gravity, are 1.
struct PackingParameters {
  static constexpr double density = 6 / std::numbers::pi;  ///< a sphere of diameter 1 has mass 1
  static constexpr double max_diameter = 1.05;             ///< the minimum is 1
  static constexpr double gravity = 1;
  static constexpr double stiffness = 1e4;
  static constexpr double tangential_stiffness_ratio = 2.0 / 7;  ///< K_t / K_n
  static constexpr double damping_rate = 60;  ///< of the normal; tangential: half
  static constexpr double friction = 0.5;     ///< coefficient, if any
  static constexpr double time_step = 1e-3;
};

/// Selects a packing.
struct PackingOptions {
  std::size_t count = 0;
  bool has_friction = false;
  std::uint64_t seed = 1;
};

/// Spheres at rest under gravity in an open box: walls at 0 and `width` along x and y, floor at
/// z = 0. Spheres are in the order of their ids.
struct SettledPacking {
  bool has_friction = false;
  double width = 0;
  std::array<std::vector<double>, 3> coordinates;
  std::vector<double> radius;
  std::vector<Point<3>> velocity;
  std::vector<Point<3>> angular_velocity;

  [[nodiscard]] std::size_t size() const { return radius.size(); }
  [[nodiscard]] Spheres<3> spheres() const {
    return {{coordinates[0], coordinates[1], coordinates[2]}, radius};
  }
};

/// Simulates a loose lattice until it has settled. `progress` is called with the completed
/// fraction.
[[nodiscard]] SettledPacking settle_packing(const PackingOptions& options,
                                            const std::function<void(double)>& progress);

/// A simulation of the packing with its walls and contact law; friction springs start at zero.
[[nodiscard]] Simulation3 simulation_of(const SettledPacking& packing, unsigned threads);

void write_packing(const std::string& path, const SettledPacking& packing);

/// Throws `Error` if the file is damaged or holds a different packing.
[[nodiscard]] SettledPacking read_packing(const std::string& path, const PackingOptions& options);

}  // namespace abut
