#pragma once

#include <abut/simulation.hpp>
#include <array>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace abut {

/// What spheres of `bench-dem` are made of, in units of the smallest: every program is told the
/// same.
struct PackingParameters {
  static constexpr double density = 6 / std::numbers::pi;  ///< a diameter of 1 weighs 1
  static constexpr double max_diameter = 1.05;             ///< the smallest is 1
  static constexpr double gravity = 1;
  static constexpr double stiffness = 1e4;
  static constexpr double tangential_stiffness_ratio = 2.0 / 7;  ///< as a part of the stiffness
  static constexpr double damping_rate = 60;                     ///< half of it along the contact
  static constexpr double friction = 0.5;                        ///< of rough ones
  static constexpr double time_step = 1e-3;
};

/// Which box: how many spheres, rough or smooth ones.
struct PackingOptions {
  std::size_t count = 0;
  bool has_friction = false;
  std::uint64_t seed = 1;
};

/// Spheres at rest under their weight, in a box without lid: between walls at 0 and `side` along x
/// and y, on a floor at z = 0. In the order they were made.
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

/// Lets a loose lattice fall and come to rest; tells what part is done.
[[nodiscard]] SettledPacking settle_packing(const PackingOptions& plan,
                                            const std::function<void(double)>& progress);

/// The box, its walls and the common law, without any springs yet.
[[nodiscard]] Simulation3 simulation_of(const SettledPacking& box, unsigned threads);

void write_packing(const std::string& path, const SettledPacking& box);

/// Throws `Error` if the file is damaged or is of another plan.
[[nodiscard]] SettledPacking read_packing(const std::string& path, const PackingOptions& plan);

}  // namespace abut
