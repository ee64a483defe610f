#pragma once

#include <abut/polyhedron.hpp>

namespace abut {

enum class WaysOut : std::uint8_t {
  none_shorter,  ///< the bodies overlap, and the plane has the largest gap of all
  shorter,       ///< it is another plane now, with a larger gap
  unseen         ///< neither could be shown
};

/// Whether a plane that leans on a face or two edges, with a gap not above 0, larger than all
/// around it, has the largest gap of all.
WaysOut ways_out(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane);

}  // namespace abut
