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
struct BoxLaw {
  static constexpr double density = 6 / std::numbers::pi;  ///< a diameter of 1 weighs 1
  static constexpr double largest_diameter = 1.05;         ///< the smallest is 1
  static constexpr double gravity = 1;
  static constexpr double stiffness = 1e4;
  static constexpr double tangential_stiffness = 2.0 / 7;  ///< as a part of the stiffness
  static constexpr double damping_rate = 60;               ///< half of it along the contact
  static constexpr double friction = 0.5;                  ///< of rough ones
  static constexpr double time_step = 1e-3;
};

/// Which box: how many spheres, rough or smooth ones.
struct BoxPlan {
  std::size_t count = 0;
  bool rough = false;
  std::uint64_t seed = 1;
};

/// Spheres at rest under their weight, in a box without lid: between walls at 0 and `side` along x
/// and y, on a floor at z = 0. In the order they were made.
struct SettledBox {
  bool rough = false;
  double side = 0;
  std::array<std::vector<double>, 3> axes;
  std::vector<double> radius;
  std::vector<Point<3>> velocity;
  std::vector<Point<3>> spin;

  [[nodiscard]] std::size_t size() const { return radius.size(); }
  [[nodiscard]] Spheres<3> places() const { return {{axes[0], axes[1], axes[2]}, radius}; }
};

/// Lets a loose lattice fall and come to rest; tells what part is done.
[[nodiscard]] SettledBox settle(const BoxPlan& plan, const std::function<void(double)>& progress);

/// The box, its walls and the common law, without any springs yet.
[[nodiscard]] Simulation3 simulation_of(const SettledBox& box, unsigned threads);

void write_settled(const std::string& path, const SettledBox& box);

/// Throws `Error` if the file is damaged or is of another plan.
[[nodiscard]] SettledBox read_settled(const std::string& path, const BoxPlan& plan);

}  // namespace abut
