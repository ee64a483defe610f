#pragma once

#include <abut/box.hpp>
#include <abut/detector_options.hpp>
#include <abut/error.hpp>
#include <abut/mesh.hpp>
#include <abut/spheres.hpp>
#include <array>
#include <cstddef>
#include <limits>
#include <string_view>

#include "core/thread_pool.hpp"

namespace abut {

/// A number of a smaller type; throws `Error` instead of wrapping around.
template <class Number>
Number checked_cast(std::size_t number) {
  if (number > static_cast<std::size_t>(std::numeric_limits<Number>::max()))
    throw Error("this method has no numbers left for so many particles in so many cells");
  return static_cast<Number>(number);
}

/// Throws `Error` unless the number is one shapes can be made of: finite, at most 1e150.
void check_coordinate(double value, std::string_view what, std::string_view axis);

template <std::size_t D>
void check_point(const Point<D>& point, std::string_view what);

/// What one pass over the particles tells every method.
template <std::size_t D>
struct InputSummary {
  Box<D> center_box{};  ///< smallest box around the centres
  double max_radius = 0;
  double min_radius = 0;
};

/// Beyond these sizes the squares of the predicate would leave the range of double.
inline constexpr double max_length = 1e150;
inline constexpr double min_length = 1e-150;

/// Measures the particles and throws `Error` for the first value no search can work with: not
/// finite, a radius not above zero, a centre outside the domain where that is not periodic.
template <std::size_t D>
InputSummary<D> summarize_input(const Spheres<D>& particles, const DetectorOptions<D>& options,
                                ThreadPool* pool = nullptr);

extern template InputSummary<2> summarize_input(const Spheres<2>&, const DetectorOptions<2>&,
                                                ThreadPool*);
extern template InputSummary<3> summarize_input(const Spheres<3>&, const DetectorOptions<3>&,
                                                ThreadPool*);

/// Throws `Error` for options no search can work with.
template <std::size_t D>
void check_options(const DetectorOptions<D>& options);

extern template void check_options(const DetectorOptions<2>&);
extern template void check_options(const DetectorOptions<3>&);

inline constexpr std::array<std::string_view, 3> axis_names{"x", "y", "z"};

}  // namespace abut
