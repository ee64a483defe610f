#pragma once

#include <abut/case.hpp>
#include <cstdint>

namespace abut {

/// A cylinder above a cone, both around the z axis; the outlet is at z = 0. Lengths in m.
struct SiloShape {
  double outlet_diameter;
  double hopper_height;  ///< of the cone
  double diameter;
  double height;  ///< of the cylinder
};

/// The wall of a silo as in Lazarević, Dvornik and Fresl (section 4): rings of overlapping fixed
/// spheres with random radii from `min_radius` to `max_radius`, `spacing` apart along the wall and
/// around it. Throws `Error` if the wall would have holes or too many spheres.
FixedParticles<3> silo_wall(const SiloShape& silo, double min_radius, double max_radius,
                            double spacing, std::uint64_t seed);

}  // namespace abut
