#pragma once

#include <abut/case.hpp>
#include <cstdint>

namespace abut {

/// A cylinder over a cone, about the z axis; the outlet is at z = 0.
struct SiloShape {
  double outlet_diameter;
  double hopper_height;
  double diameter;
  double height;  ///< of the cylinder
};

/// The wall of a silo as Lazarević, Dvornik and Fresl have it (section 4): fixed balls of random
/// radii that overlap, ring above ring, `spacing` apart along the wall and around it.
FixedParticles<3> silo_wall(const SiloShape& silo, double smallest, double largest, double spacing,
                            std::uint64_t seed);

}  // namespace abut
