#pragma once

#include <abut/simulation.hpp>
#include <cstddef>

#include "validation/grains.hpp"

namespace abut {

/// A cylinder on a flat floor at height 0 with a round outlet, and what is filled in.
struct SiloPlan {
  double diameter;
  std::size_t count;
  GrainLaw law = {};
  double outlet = 1;      ///< its diameter
  Motion<3> motion = {};  ///< of the cylinder

  [[nodiscard]] double base() const;

  /// About what the grains will fill.
  [[nodiscard]] double height() const;

  /// About when they have come to rest.
  [[nodiscard]] double settling_time() const;
};

/// The numbers of its walls.
inline constexpr std::size_t silo_cylinder = 0;
inline constexpr std::size_t silo_lid = 1;
inline constexpr std::size_t silo_floor = 2;

/// The walls and the sink under the outlet, which a lid closes.
Simulation3 empty_silo(const SiloPlan& plan);

/// The same with grains at random places, about to fall.
Simulation3 filled_silo(const SiloPlan& plan);

}  // namespace abut
