#pragma once

#include <abut/mesh.hpp>
#include <cstdint>

#include "scenes/scene.hpp"

namespace abut {

/// A hopper and what is in it.
struct Vessel {
  Mesh<3> mesh;
  Scene<3> particles;
};

/// A hopper of about so many triangles, half filled by volume with particles of diameter 1 at
/// random. The centres of a part `near` of them are within a diameter of the wall, all others
/// farther away; of those near it half touch it, as deep as a hundredth of their diameter.
Vessel make_vessel(std::size_t particles, std::size_t triangles, double near, std::uint64_t seed);

}  // namespace abut
