#pragma once

#include <abut/mesh.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace abut {

// Vector arithmetic on points and vectors of dimension D.

template <std::size_t D>
Vec<D> difference(const Point<D>& a, const Point<D>& b) {
  Vec<D> result;
  for (std::size_t k = 0; k < D; ++k) result[k] = a[k] - b[k];
  return result;
}

template <std::size_t D>
Vec<D> sum(const Vec<D>& a, const Vec<D>& b) {
  Vec<D> result;
  for (std::size_t k = 0; k < D; ++k) result[k] = a[k] + b[k];
  return result;
}

template <std::size_t D>
Vec<D> scaled(const Vec<D>& a, double factor) {
  Vec<D> result;
  for (std::size_t k = 0; k < D; ++k) result[k] = a[k] * factor;
  return result;
}

/// a + t·direction.
template <std::size_t D>
Point<D> add_scaled(const Point<D>& a, double t, const Vec<D>& direction) {
  Point<D> result;
  for (std::size_t k = 0; k < D; ++k) result[k] = a[k] + t * direction[k];
  return result;
}

template <std::size_t D>
double dot(const Vec<D>& a, const Vec<D>& b) {
  double result = a[0] * b[0];
  for (std::size_t k = 1; k < D; ++k) result += a[k] * b[k];
  return result;
}

template <std::size_t D>
double length(const Vec<D>& a) {
  return std::sqrt(dot(a, a));
}

/// Maximum norm, max |a_k|.
template <std::size_t D>
double max_abs(const Vec<D>& a) {
  double largest = 0;
  for (const double component : a) largest = std::max(largest, std::abs(component));
  return largest;
}

/// a/|a|; the zero vector is returned unchanged. Does not overflow or underflow.
template <std::size_t D>
Vec<D> normalized(const Vec<D>& a) {
  const double largest = max_abs(a);
  if (largest == 0) return a;
  Vec<D> rescaled;
  for (std::size_t k = 0; k < D; ++k) rescaled[k] = a[k] / largest;
  return scaled(rescaled, 1 / length(rescaled));
}

inline Vec<3> cross(const Vec<3>& a, const Vec<3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// A unit vector perpendicular to a unit vector; in 2D rotated counterclockwise by 90°, in 3D an
/// arbitrary but reproducible one.
inline Vec<2> perpendicular(const Vec<2>& direction) { return {-direction[1], direction[0]}; }
inline Vec<3> perpendicular(const Vec<3>& direction) {
  Vec<3> axis{};  // the coordinate axis along which the direction has its smallest component
  const auto size = [&](std::size_t k) { return std::abs(direction[k]); };
  axis[size(0) <= size(1) && size(0) <= size(2) ? 0 : size(1) <= size(2) ? 1 : 2] = 1;
  return normalized(cross(direction, axis));
}

/// Volume of a sphere, 4/3·π·r³; in 2D the area of a disk, π·r².
template <std::size_t D>
double sphere_volume(double radius) {
  const double disk = std::numbers::pi * radius * radius;
  return D == 2 ? disk : disk * radius * 4 / 3;
}

}  // namespace abut
