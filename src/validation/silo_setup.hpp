#pragma once

#include <abut/simulation.hpp>
#include <cstddef>
#include <cstdint>

#include "validation/experiment.hpp"
#include "validation/granular_model.hpp"

namespace abut {

/// A cylinder on a flat floor at height 0 with a round outlet, and what is filled in.
struct SiloSetup {
  double diameter;
  std::size_t count;
  GranularContact law = {};
  double outlet = 1;          ///< its diameter
  WallMotion<3> motion = {};  ///< of the cylinder

  [[nodiscard]] double base() const;

  /// About what the grains will fill.
  [[nodiscard]] double height() const;

  /// How long pouring takes.
  [[nodiscard]] double pouring_time() const;
};

/// The numbers of its walls.
inline constexpr WallId silo_cylinder{0};
inline constexpr WallId silo_lid{1};
inline constexpr WallId silo_floor{2};

/// The walls and the sink under the outlet, which a lid closes.
Simulation3 empty_silo(const SiloSetup& plan);

/// Pours the grains in, layer by layer from little above: a column that falls at once would be
/// pressed together by its impact.
void pour(Simulation3& silo, const SiloSetup& plan, SharedProgress& work);

/// Lets all grains fall from a loose cloud at once, as one empties a bucket: what rests then is
/// packed less densely than what rained in, as a poured bulk is. Takes `settling_time`.
void settle(Simulation3& silo, const SiloSetup& plan, std::uint64_t seed, SharedProgress& work);
double settling_time(const SiloSetup& plan);

}  // namespace abut
