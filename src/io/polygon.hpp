#pragma once

#include <abut/mesh.hpp>
#include <cstddef>
#include <span>

namespace abut {

/// How a polygon is best cut into triangles that share one corner.
struct Fan {
  std::size_t corner = 0;  ///< the first from which no triangle is folded back, else 0
  bool folded = false;     ///< there is none: the triangles cover more than the polygon encloses
  bool bent = false;       ///< a corner is off the plane by more than 1/10000 of the size
};

/// Looks at a polygon of at least four corners. One with very many is not tried from each.
Fan fan(std::span<const Point<3>> polygon);

}  // namespace abut
