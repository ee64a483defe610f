#pragma once

#include <array>
#include <cmath>

namespace abut {

/// A vector in world or pixel coordinates; single precision is sufficient for drawing.
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

/// The unit vector along `a`; the unit vector along z if `a` is zero.
inline Float3 normalized(const Float3& a) {
  const float magnitude = length(a);
  return magnitude > 0 ? (1 / magnitude) * a : Float3{0, 0, 1};
}

/// An orthographic camera. Camera coordinates are in pixels: x to the right, y down, z toward the
/// viewer. All three axes have the same scale, so spheres remain spheres.
struct Camera {
  Float3 right{1, 0, 0};
  Float3 up{0, 0, 1};
  Float3 toward{0, -1, 0};  ///< unit vector from the scene to the viewer
  Float3 center{};          ///< the point projected to `image_center`
  float scale = 1;          ///< pixels per unit of length
  std::array<float, 2> image_center{0, 0};

  /// From world to camera coordinates.
  [[nodiscard]] Float3 project(const Float3& point) const {
    const Float3 p = point - center;
    return {image_center[0] + scale * dot(p, right), image_center[1] - scale * dot(p, up),
            scale * dot(p, toward)};
  }

  /// From camera to world coordinates.
  [[nodiscard]] Float3 unproject(const Float3& pixel) const {
    const float x = (pixel.x - image_center[0]) / scale;
    const float y = (image_center[1] - pixel.y) / scale;
    return center + x * right + y * up + (pixel.z / scale) * toward;
  }

  /// Rotates a direction from camera to world coordinates; its length is unchanged.
  [[nodiscard]] Float3 to_world(const Float3& d) const {
    return d.x * right - d.y * up + d.z * toward;
  }
};

/// A camera at an azimuth about the z axis (0: at negative y, looking along +y; counterclockwise
/// seen from above) and an elevation above the xy plane, both in degrees.
inline Camera camera_at(float azimuth, float elevation) {
  const float a = azimuth * 3.14159265F / 180;
  const float e = elevation * 3.14159265F / 180;
  Camera camera;
  camera.toward = {std::sin(a) * std::cos(e), -std::cos(a) * std::cos(e), std::sin(e)};
  camera.right = {std::cos(a), std::sin(a), 0};
  camera.up = cross_product(camera.toward, camera.right);
  return camera;
}

}  // namespace abut
