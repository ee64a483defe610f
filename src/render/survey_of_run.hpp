#pragma once

#include <array>
#include <string>
#include <vector>

#include "render/camera.hpp"
#include "render/quantity.hpp"
#include "show/shown.hpp"

namespace abut {

/// A box around what is shown.
struct ShownBox {
  Float3 min{1, 1, 1};
  Float3 max{0, 0, 0};  ///< below min: empty

  [[nodiscard]] bool is_empty() const { return max.x < min.x; }
  [[nodiscard]] Float3 middle() const { return 0.5F * (min + max); }
  void include(const Float3& place, float around);
};

/// What colours stand for.
struct ColourScale {
  std::string label;
  float low = 0;
  float high = 1;
  bool beyond = false;  ///< some values are higher, and have the last colour
  std::vector<double> ticks;

  [[nodiscard]] float part(float value) const {
    return high > low ? (value - low) / (high - low) : 0.5F;
  }
};

/// Something a picture has to show as a whole.
struct OuterBall {
  Float3 at;
  float radius;
};

/// What all pictures of a run have in common, so that they can be compared, and an animation does
/// not jump: measured at some times, from the first to the last.
struct RunSurvey {
  int dimension = 3;
  ShownBox box;   ///< around particles, blocks, and walls unless these are far larger
  Float3 axis{};  ///< a point in the middle of what holds the particles
  ColourScale colours;
  ColourScale chains;
  float typical_radius = 0;
  std::vector<OuterBall> outer;  ///< all that belongs into the picture

  RunSurvey(const Shown& shown, const std::string& colour, bool with_chains);
};

}  // namespace abut
