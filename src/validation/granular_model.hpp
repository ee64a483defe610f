#pragma once

#include <abut/simulation.hpp>
#include <cstddef>

namespace abut {

/// Of grains whose mean diameter, density and gravity are 1, so that results have no unit: lengths
/// are in diameters d, times in √(d/g).
struct GranularContact {
  double stiffness = 2000;
  double restitution = 0.5;
  double friction = 0.3;
  double wall_friction = 0.3;
  double rolling_friction = 0;
};

inline constexpr MaterialId wall_material{1};  ///< grains have 0

/// Gravity acts along the last axis.
template <std::size_t D>
Model<D> granular_model(const GranularContact& law, double smallest_radius);

/// The part of a slice between two heights that grains fill; `base` is its area, in 2D its length.
template <std::size_t D>
double solid_fraction(const Simulation<D>& run, double low, double high, double base);

/// What touches a grain between two heights, on average, without rattlers: those that nothing but
/// rattlers presses down. Both heights must be far below the surface, where none is pressed.
struct ContactStatistics {
  double coordination_number = 0;
  double rattlers = 0;  ///< the part of all
  double overlap = 0;   ///< on average, in diameters
};
template <std::size_t D>
ContactStatistics contact_statistics(const Simulation<D>& run, double low, double high);

/// The mass of all grains.
double particle_mass(const Simulation3& run);

}  // namespace abut
