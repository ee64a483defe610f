#pragma once

#include <abut/spheres.hpp>
#include <array>
#include <cstddef>
#include <cstdint>

namespace abut {

/// A vector and a scalar that is used with it: position and radius, velocity and inverse mass,
/// angular velocity and inverse moment of inertia. A contact reads them for two particles anywhere
/// in memory; with one array per component that would be four cache misses instead of one. In 2D z
/// of positions and velocities is 0.
struct alignas(32) Vec4 {
  double x = 0;
  double y = 0;
  double z = 0;
  double w = 0;
};

/// Numbers of periods along x, y and z; 0 along axes that are not periodic.
using PeriodCounts = std::array<std::int32_t, 3>;

inline constexpr std::array<double Vec4::*, 3> vec4_axes{&Vec4::x, &Vec4::y, &Vec4::z};

template <std::size_t D>
[[nodiscard]] constexpr Vec4 to_vec4(const std::array<double, D>& vector, double w = 0) {
  Vec4 result;
  for (std::size_t k = 0; k < D; ++k) result.*vec4_axes[k] = vector[k];
  result.w = w;
  return result;
}

template <std::size_t D>
[[nodiscard]] constexpr std::array<double, D> to_point(const Vec4& v) {
  std::array<double, D> point;
  for (std::size_t k = 0; k < D; ++k) point[k] = v.*vec4_axes[k];
  return point;
}

}  // namespace abut
