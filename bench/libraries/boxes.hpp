#pragma once

#include <abut/box.hpp>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

#include "core/contact_predicate.hpp"
#include "core/message.hpp"
#include "libraries/library.hpp"

namespace abut {

/// Bounding boxes that overlap whenever particles touch by abut's contact predicate: enlarged by
/// more than all rounding errors.
template <std::size_t D>
class Boxes {
 public:
  explicit Boxes(const Spheres<D>& particles)
      : particles_(particles), predicate_(particles, DetectorOptions<D>{}) {}

  [[nodiscard]] Box<D> of(std::size_t i) const {
    const double half = 0.5 * max_distance(i);
    Box<D> box;
    for (std::size_t k = 0; k < D; ++k) {
      const double x = particles_.coordinates(k)[i];
      const double slack = epsilon * (std::abs(x) + half);
      box.min[k] = x - half - slack;
      box.max[k] = x + half + slack;
    }
    return box;
  }

  /// Upper bound of the center distance of i and any touching particle that is not larger.
  [[nodiscard]] double max_distance(std::size_t i) const {
    const double radius = particles_.radii()[i];
    return predicate_.cutoff(radius, radius) * (1 + 8 * epsilon);
  }

 private:
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();
  Spheres<D> particles_;
  ContactPredicate<D> predicate_;
};

/// Bounding box for libraries that compute in single precision and always in 3D.
struct FloatBox {
  std::array<float, 3> min{};
  std::array<float, 3> max{};
};

template <std::size_t D>
FloatBox rounded_outward(const Box<D>& box) {
  constexpr double step = std::numeric_limits<float>::epsilon();
  FloatBox rounded;
  for (std::size_t k = 0; k < D; ++k) {
    rounded.min[k] = static_cast<float>(box.min[k] - step * std::abs(box.min[k]));
    rounded.max[k] = static_cast<float>(box.max[k] + step * std::abs(box.max[k]));
  }
  return rounded;
}

/// Throws `UnsupportedInput` if radii or coordinates are outside the range of floats, where boxes
/// would be infinite and all overlap.
template <std::size_t D>
void check_single_precision(std::string_view library, const Spheres<D>& particles) {
  constexpr double small = 1e-30;
  constexpr double large = 1e30;
  const auto reject = [&](std::string_view field, std::size_t i, double value) {
    throw UnsupportedInput(message(library, " computes in single precision: ", field, "[", i,
                                   "] = ", value, " is out of range; use --diameter 1"));
  };
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const double radius = particles.radii()[i];
    if (radius < small || radius > large) reject("radius", i, radius);
    for (std::size_t k = 0; k < D; ++k)
      if (std::abs(particles.coordinates(k)[i]) > large)
        reject("center", i, particles.coordinates(k)[i]);
  }
}

}  // namespace abut
