#pragma once

#include <array>
#include <vector>

#include "render/image.hpp"

namespace abut {

struct SolidBall {
  Float3 at;
  float radius;
  Colour colour;
};

/// A cylinder with round ends.
struct SolidRod {
  std::array<Float3, 2> ends;
  float radius;
  Colour colour;
};

struct SolidTriangle {
  std::array<Float3, 3> corners;
  Colour colour;
};

/// Bodies in space.
struct Solids {
  std::vector<SolidBall> balls;
  std::vector<SolidRod> rods;
  std::vector<SolidTriangle> triangles;
};

/// What is drawn: bodies one cannot look through, and those one can.
struct SolidScene {
  Solids opaque;
  Solids glass;
};

}  // namespace abut
