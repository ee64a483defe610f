#pragma once

#include <abut/spheres.hpp>
#include <array>
#include <cstddef>

namespace abut {

/// A vector and a number that is used with it, in one load: place and radius, velocity and inverse
/// mass, spin and inverse moment of inertia. A contact needs those of two particles that are
/// anywhere in memory; one array for each coordinate would mean four misses in place of one.
struct alignas(32) Vec4 {
  double x = 0;
  double y = 0;
  double z = 0;
  double w = 0;
};

inline constexpr std::array<double Vec4::*, 3> vec4_axes{&Vec4::x, &Vec4::y, &Vec4::z};

template <std::size_t D>
[[nodiscard]] constexpr Vec4 to_vec4(const std::array<double, D>& vector, double w = 0) {
  Vec4 record;
  for (std::size_t k = 0; k < D; ++k) record.*vec4_axes[k] = vector[k];
  record.w = w;
  return record;
}

template <std::size_t D>
[[nodiscard]] constexpr std::array<double, D> to_point(const Vec4& record) {
  std::array<double, D> vector;
  for (std::size_t k = 0; k < D; ++k) vector[k] = record.*vec4_axes[k];
  return vector;
}

}  // namespace abut
