#pragma once

#include <abut/mesh.hpp>

namespace abut {

/// 1 where p, q, r go round counterclockwise, −1 clockwise, 0 where they are on one line: exactly,
/// whatever the rounding of products, as long as these neither overflow nor vanish.
int orientation(const Point<2>& p, const Point<2>& q, const Point<2>& r);

}  // namespace abut
