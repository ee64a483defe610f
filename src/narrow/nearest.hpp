#pragma once

#include "narrow/support.hpp"

namespace abut {

enum class Meeting : std::uint8_t {
  apart,     ///< the gap is the distance
  touch,     ///< they overlap, or are closer than rounding can tell
  unsettled  ///< rounding stood in the way: the gap is one that is there, perhaps not the largest
};

struct Nearest {
  Meeting meeting = Meeting::unsettled;
  Point<3> normal{};
  double gap = 0;
  Index a = 0;
  Index b = 0;
  int steps = 0;
};

/// The largest gap between two bodies that may be apart, beginning with two corners.
Nearest nearest(const PolyhedronView& a, const PolyhedronView& b, const CornerPair& start);

}  // namespace abut
