#pragma once

#include <string>
#include <vector>

#include "frames/dataset.hpp"
#include "render/color_field.hpp"
#include "render/geometry.hpp"

namespace abut {

/// An axis-aligned box in world coordinates.
struct ViewBox {
  Float3 min{1, 1, 1};
  Float3 max{0, 0, 0};  ///< less than `min`: empty

  [[nodiscard]] bool is_empty() const { return max.x < min.x; }
  [[nodiscard]] Float3 center() const { return 0.5F * (min + max); }
  /// Extends the box to contain a sphere.
  void include(const Float3& center, float radius);
};

/// A sphere that must be visible in every image.
struct BoundingSphere {
  Float3 center;
  float radius;
};

/// The visible region and the color scales that all images of a run share, so that images are
/// comparable and animations do not jump. Computed from up to 12 evenly spaced frames, including
/// the first and the last.
struct ViewExtents {
  int dimension = 3;
  ViewBox box;                ///< of particles, blocks, and walls that are not much larger
  Float3 container_center{};  ///< center of the fixed particles, or else of `box`
  ColorScale color_scale;
  ColorScale force_chain_scale;
  float typical_radius = 0;  ///< median radius
  std::vector<BoundingSphere> bounding_spheres;

  /// Reads the frames. `color_by` is as for `find_color_field`; throws `Error` likewise.
  ViewExtents(const Dataset& dataset, const std::string& color_by, bool with_force_chains);
};

}  // namespace abut
