#pragma once

#include <array>
#include <cmath>

#include "render/float3.hpp"

namespace abut {

/// Looks at a scene along parallel rays. What it sees is in pixels: x to the right, y down, and z
/// towards the one who looks, so that spheres stay spheres.
struct Camera {
  Float3 right{1, 0, 0};
  Float3 up{0, 0, 1};
  Float3 toward{0, -1, 0};
  Float3 centre{};  ///< is seen at `middle`
  float scale = 1;  ///< pixels a length
  std::array<float, 2> middle{0, 0};

  /// Where a place is seen.
  [[nodiscard]] Float3 seen(const Float3& place) const {
    const Float3 p = place - centre;
    return {middle[0] + scale * dot(p, right), middle[1] - scale * dot(p, up),
            scale * dot(p, toward)};
  }

  /// The place that is seen there.
  [[nodiscard]] Float3 place(const Float3& where) const {
    const float x = (where.x - middle[0]) / scale;
    const float y = (middle[1] - where.y) / scale;
    return centre + x * right + y * up + (where.z / scale) * toward;
  }

  /// A direction as it is seen there, given back in the scene.
  [[nodiscard]] Float3 direction(const Float3& d) const {
    return d.x * right - d.y * up + d.z * toward;
  }
};

/// Stands at an angle around the vertical (0: in front, where y is least; counterclockwise seen
/// from above) and so high above the horizon, in degrees.
inline Camera camera_from(float around, float above) {
  const float a = around * 3.14159265F / 180;
  const float e = above * 3.14159265F / 180;
  Camera camera;
  camera.toward = {std::sin(a) * std::cos(e), -std::cos(a) * std::cos(e), std::sin(e)};
  camera.right = {std::cos(a), std::sin(a), 0};
  camera.up = cross_product(camera.toward, camera.right);
  return camera;
}

}  // namespace abut
