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

}  // namespace abut
