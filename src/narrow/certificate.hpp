#pragma once

#include <abut/polyhedron.hpp>

namespace abut {

enum class Certificate : std::uint8_t {
  none,     ///< another plane has a larger gap
  leans,    ///< the gap is not above 0, and nothing is known but that it leans on its parts
  largest,  ///< no plane has a larger gap
};

/// Moves a plane to where the corners, edges or faces it is made of now are, and says what is sure
/// of it. Nothing is said of the plane if there is none.
Certificate certified(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane);

}  // namespace abut
