#pragma once

#include <abut/simulation.hpp>
#include <cstddef>

namespace abut {

/// Contact parameters of grains in reduced units: mean diameter d, density ρ and gravity g are 1,
/// so that lengths are in d, times in √(d/g), forces in ρgd³.
struct GranularContact {
  double stiffness = 2000;
  double restitution = 0.5;
  double friction = 0.3;
  double wall_friction = 0.3;
  double rolling_friction = 0;
};

inline constexpr MaterialId wall_material{1};  ///< grains have material 0

/// A model with gravity in the negative direction of the last axis. The time step resolves contacts
/// of grains of `min_radius`.
template <std::size_t D>
Model<D> granular_model(const GranularContact& law, double min_radius);

/// Solid fraction of the slice between two heights. `base` is its cross-sectional area (length in
/// 2D).
template <std::size_t D>
double solid_fraction(const Simulation<D>& simulation, double low, double high, double base);

/// Contact statistics of the grains between two heights, without rattlers. A rattler is a grain
/// that is not loaded from above by any grain that is not itself a rattler. Both heights must be
/// far below the free surface, where no grain is loaded from above.
struct ContactStatistics {
  double coordination_number = 0;  ///< mean number of contacts of a grain that is not a rattler
  double rattler_fraction = 0;     ///< of all grains
  double overlap = 0;              ///< mean, in diameters
};
template <std::size_t D>
ContactStatistics contact_statistics(const Simulation<D>& simulation, double low, double high);

/// Total mass of all grains.
double particle_mass(const Simulation3& simulation);

}  // namespace abut
