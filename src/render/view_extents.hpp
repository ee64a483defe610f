#pragma once

#include <array>
#include <string>
#include <vector>

#include "frames/dataset.hpp"
#include "render/color_field.hpp"
#include "render/geometry.hpp"

namespace abut {

/// A box around what is shown.
struct ViewBox {
  Float3 min{1, 1, 1};
  Float3 max{0, 0, 0};  ///< below min: empty

  [[nodiscard]] bool is_empty() const { return max.x < min.x; }
  [[nodiscard]] Float3 center() const { return 0.5F * (min + max); }
  void include(const Float3& place, float around);
};

/// What colours stand for.
struct ColorScale {
  std::string label;
  float low = 0;
  float high = 1;
  bool has_overflow = false;  ///< some values are higher, and have the last colour
  std::vector<double> ticks;

  [[nodiscard]] float fraction(float value) const {
    return high > low ? (value - low) / (high - low) : 0.5F;
  }
};

/// Something a picture has to show as a whole.
struct BoundingSphere {
  Float3 center;
  float radius;
};

/// What all pictures of a run have in common, so that they can be compared, and an animation does
/// not jump: measured at some times, from the first to the last.
struct ViewExtents {
  int dimension = 3;
  ViewBox box;                ///< around particles, blocks, and walls unless these are far larger
  Float3 container_center{};  ///< a point in the middle of what holds the particles
  ColorScale color_scale;
  ColorScale force_chain_scale;
  float typical_radius = 0;
  std::vector<BoundingSphere> bounding_spheres;  ///< all that belongs into the picture

  ViewExtents(const Dataset& shown, const std::string& colour, bool with_chains);
};

}  // namespace abut
