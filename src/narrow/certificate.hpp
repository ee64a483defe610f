#pragma once

#include <abut/polyhedron.hpp>

namespace abut {

enum class Certificate : std::uint8_t {
  none,     ///< another plane has a larger gap
  leans,    ///< the gap is not above 0, and nothing is known but that it leans on its parts
  largest,  ///< no plane has a larger gap
};

/// The plane made of the same corners, edges or faces as `previous`, where these now are, and what
/// is sure of it. Nothing is said of the plane if there is none.
Certificate certified(const PolyhedronView& a, const PolyhedronView& b,
                      const CommonPlane<3>& previous, CommonPlane<3>& plane);

}  // namespace abut
