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

#include "core/machine.hpp"

namespace abut {

// Checks of particles and options, and the summary of the particles that every search needs.

/// Converts to a narrower integer type; throws `Error` if the number does not fit.
template <class Number>
Number checked_cast(std::size_t number) {
  if (number > static_cast<std::size_t>(std::numeric_limits<Number>::max()))
    throw Error("too many particles and cells for the indices of this method; use another method",
                ErrorCode::unsupported);
  return static_cast<Number>(number);
}

/// Throws `Error` unless the value is finite and |value| ≤ 1e150. `what` and `axis` name it in the
/// text: "what has axis = value: must be …".
void check_coordinate(double value, std::string_view what, std::string_view axis);

/// `check_coordinate` for all coordinates of a point.
template <std::size_t D>
void check_point(const Point<D>& point, std::string_view what);

/// Result of one pass over the particles; all zero if there are none.
template <std::size_t D>
struct InputSummary {
  Box<D> center_box{};  ///< bounding box of the centers
  double max_radius = 0;
  double min_radius = 0;
};

/// Limits of coordinates and radii, so that the squares in `ContactPredicate` neither overflow nor
/// underflow.
inline constexpr double max_length = 1e150;
inline constexpr double min_length = 1e-150;

/// Summarizes the particles in O(N), in parallel if a pool is given. Throws `Error` for the first
/// invalid value: not finite, out of the limits above, a radius ≤ 0, or a center outside the domain
/// along an axis that is not periodic.
template <std::size_t D>
InputSummary<D> summarize_input(const Spheres<D>& particles, const DetectorOptions<D>& options,
                                ThreadPool* pool = nullptr);

extern template InputSummary<2> summarize_input(const Spheres<2>&, const DetectorOptions<2>&,
                                                ThreadPool*);
extern template InputSummary<3> summarize_input(const Spheres<3>&, const DetectorOptions<3>&,
                                                ThreadPool*);

/// Throws `Error` for the first invalid option.
template <std::size_t D>
void check_options(const DetectorOptions<D>& options);

extern template void check_options(const DetectorOptions<2>&);
extern template void check_options(const DetectorOptions<3>&);

inline constexpr std::array<std::string_view, 3> axis_names{"x", "y", "z"};

}  // namespace abut
