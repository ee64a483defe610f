#pragma once

#include <abut/simulation.hpp>
#include <cstddef>
#include <cstdint>

#include "validation/experiment.hpp"
#include "validation/granular_model.hpp"

namespace abut {

/// A vertical cylinder on a flat floor at z = 0 with a circular outlet, and its grains. Reduced
/// units as in `GranularContact`.
struct SiloSetup {
  double diameter;
  std::size_t count;  ///< number of grains
  GranularContact law = {};
  double outlet = 1;          ///< diameter
  WallMotion<3> motion = {};  ///< of the cylinder

  /// Cross-sectional area.
  [[nodiscard]] double base() const;

  /// Approximate height of the fill at rest.
  [[nodiscard]] double height() const;

  /// Duration of `pour`.
  [[nodiscard]] double pouring_time() const;
};

/// Wall indices of `empty_silo`.
inline constexpr WallId silo_cylinder{0};
inline constexpr WallId silo_lid{1};
inline constexpr WallId silo_floor{2};

/// A simulation with the walls, and a sink below the outlet. A lid closes the outlet.
Simulation3 empty_silo(const SiloSetup& setup);

/// Pours the grains layer by layer from a small height above the fill. If all grains fell at once,
/// the impact would compact them.
void pour(Simulation3& silo, const SiloSetup& setup, SharedProgress& progress);

/// Lets all grains fall at once from a loose random arrangement, as from a bucket. The packing is
/// looser than that of `pour`, as in a silo that is filled quickly. Advances by `settling_time`.
void settle(Simulation3& silo, const SiloSetup& setup, std::uint64_t seed,
            SharedProgress& progress);
double settling_time(const SiloSetup& setup);

}  // namespace abut
