#pragma once

#include <array>
#include <cmath>

namespace abut {

/// A vector of what is drawn: single precision is finer than any pixel.
struct Float3 {
  float x = 0;
  float y = 0;
  float z = 0;

  Float3() = default;
  constexpr Float3(float a, float b, float c) : x(a), y(b), z(c) {}
  Float3(const std::array<float, 3>& v) : x(v[0]), y(v[1]), z(v[2]) {}  // NOLINT(*-explicit-*)

  friend Float3 operator+(const Float3& a, const Float3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend Float3 operator-(const Float3& a, const Float3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend Float3 operator*(float f, const Float3& a) { return {f * a.x, f * a.y, f * a.z}; }
  friend Float3 operator*(const Float3& a, const Float3& b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
  }
  friend bool operator==(const Float3&, const Float3&) = default;
};

inline float dot(const Float3& a, const Float3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

inline Float3 cross_product(const Float3& a, const Float3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline float length(const Float3& a) { return std::sqrt(dot(a, a)); }

inline Float3 normalized(const Float3& a) {
  const float size = length(a);
  return size > 0 ? (1 / size) * a : Float3{0, 0, 1};
}

/// Looks at a scene along parallel rays. What it sees is in pixels: x to the right, y down, and z
/// towards the one who looks, so that spheres stay spheres.
struct Camera {
  Float3 right{1, 0, 0};
  Float3 up{0, 0, 1};
  Float3 toward{0, -1, 0};
  Float3 center{};  ///< is seen at `middle`
  float scale = 1;  ///< pixels a length
  std::array<float, 2> image_center{0, 0};

  /// Where a place is seen.
  [[nodiscard]] Float3 project(const Float3& place) const {
    const Float3 p = place - center;
    return {image_center[0] + scale * dot(p, right), image_center[1] - scale * dot(p, up),
            scale * dot(p, toward)};
  }

  /// The place that is seen there.
  [[nodiscard]] Float3 unproject(const Float3& where) const {
    const float x = (where.x - image_center[0]) / scale;
    const float y = (image_center[1] - where.y) / scale;
    return center + x * right + y * up + (where.z / scale) * toward;
  }

  /// A direction as it is seen there, given back in the scene.
  [[nodiscard]] Float3 to_world(const Float3& d) const {
    return d.x * right - d.y * up + d.z * toward;
  }
};

/// Stands at an angle around the vertical (0: in front, where y is least; counterclockwise seen
/// from above) and so high above the horizon, in degrees.
inline Camera camera_at(float around, float above) {
  const float a = around * 3.14159265F / 180;
  const float e = above * 3.14159265F / 180;
  Camera camera;
  camera.toward = {std::sin(a) * std::cos(e), -std::cos(a) * std::cos(e), std::sin(e)};
  camera.right = {std::cos(a), std::sin(a), 0};
  camera.up = cross_product(camera.toward, camera.right);
  return camera;
}

}  // namespace abut
