#pragma once

#include <abut/mesh.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace abut {

// The little arithmetic of points that walls and common planes need.

template <std::size_t D>
Point<D> difference(const Point<D>& a, const Point<D>& b) {
  Point<D> result;
  for (std::size_t k = 0; k < D; ++k) result[k] = a[k] - b[k];
  return result;
}

template <std::size_t D>
Point<D> sum(const Point<D>& a, const Point<D>& b) {
  Point<D> result;
  for (std::size_t k = 0; k < D; ++k) result[k] = a[k] + b[k];
  return result;
}

template <std::size_t D>
Point<D> scaled(const Point<D>& a, double factor) {
  Point<D> result;
  for (std::size_t k = 0; k < D; ++k) result[k] = a[k] * factor;
  return result;
}

/// a + t·direction
template <std::size_t D>
Point<D> add_scaled(const Point<D>& a, double t, const Point<D>& direction) {
  Point<D> result;
  for (std::size_t k = 0; k < D; ++k) result[k] = a[k] + t * direction[k];
  return result;
}

template <std::size_t D>
double dot(const Point<D>& a, const Point<D>& b) {
  double result = a[0] * b[0];
  for (std::size_t k = 1; k < D; ++k) result += a[k] * b[k];
  return result;
}

template <std::size_t D>
double length(const Point<D>& a) {
  return std::sqrt(dot(a, a));
}

template <std::size_t D>
double max_abs(const Point<D>& a) {
  double largest = 0;
  for (const double part : a) largest = std::max(largest, std::abs(part));
  return largest;
}

/// Of length one; zero stays zero. Sizes whose squares leave the range of double are no trouble.
template <std::size_t D>
Point<D> normalized(const Point<D>& a) {
  const double largest = max_abs(a);
  if (largest == 0) return a;
  Point<D> small;
  for (std::size_t k = 0; k < D; ++k) small[k] = a[k] / largest;
  return scaled(small, 1 / length(small));
}

inline Point<3> cross(const Point<3>& a, const Point<3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Some direction at right angles to a unit vector, always the same one.
inline Point<2> perpendicular(const Point<2>& direction) { return {-direction[1], direction[0]}; }
inline Point<3> perpendicular(const Point<3>& direction) {
  Point<3> other{};  // the axis the direction is least along
  const auto part = [&](std::size_t k) { return std::abs(direction[k]); };
  other[part(0) <= part(1) && part(0) <= part(2) ? 0 : part(1) <= part(2) ? 1 : 2] = 1;
  return normalized(cross(direction, other));
}

/// The volume of a sphere, in 2D the area of a disc.
template <std::size_t D>
double sphere_volume(double radius) {
  const double disc = std::numbers::pi * radius * radius;
  return D == 2 ? disc : disc * radius * 4 / 3;
}

}  // namespace abut
