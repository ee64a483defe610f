#pragma once

#include <abut/spheres.hpp>
#include <array>
#include <cstddef>

namespace abut {

/// A vector and a number that is used with it, in one load: place and radius, velocity and inverse
/// mass, spin and inverse moment of inertia. A contact needs those of two particles that are
/// anywhere in memory; one array for each coordinate would mean four misses in place of one.
struct alignas(32) Record {
  double x = 0;
  double y = 0;
  double z = 0;
  double w = 0;
};

inline constexpr std::array<double Record::*, 3> record_axes{&Record::x, &Record::y, &Record::z};

template <std::size_t D>
[[nodiscard]] constexpr Record record_of(const std::array<double, D>& vector, double w = 0) {
  Record record;
  for (std::size_t k = 0; k < D; ++k) record.*record_axes[k] = vector[k];
  record.w = w;
  return record;
}

template <std::size_t D>
[[nodiscard]] constexpr std::array<double, D> vector_of(const Record& record) {
  std::array<double, D> vector;
  for (std::size_t k = 0; k < D; ++k) vector[k] = record.*record_axes[k];
  return vector;
}

}  // namespace abut
