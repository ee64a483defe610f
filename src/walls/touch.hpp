#pragma once

#include <abut/walls.hpp>

namespace abut {

/// The point of a piece of wall that is nearest to a particle.
template <std::size_t D>
struct Touch {
  double distance;  ///< from the centre
  Point<D> normal;  ///< of length one, from the wall to the centre
  Point<D> point;
  Index wall;
  Feature feature;
};

}  // namespace abut
