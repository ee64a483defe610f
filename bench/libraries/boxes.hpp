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

/// Boxes that overlap wherever the predicate may say that particles touch: a little larger than
/// the particles, by more than all rounding on the way.
template <std::size_t D>
class Boxes {
 public:
  explicit Boxes(const Spheres<D>& particles)
      : particles_(particles), predicate_(particles, DetectorOptions<D>{}) {}

  [[nodiscard]] Box<D> of(std::size_t i) const {
    const double half = 0.5 * around(i);
    Box<D> box;
    for (std::size_t k = 0; k < D; ++k) {
      const double x = particles_.coordinates(k)[i];
      const double slack = epsilon * (std::abs(x) + half);
      box.min[k] = x - half - slack;
      box.max[k] = x + half + slack;
    }
    return box;
  }

  /// How far the centre of any particle that touches i and is no larger can be.
  [[nodiscard]] double around(std::size_t i) const {
    const double radius = particles_.radii()[i];
    return predicate_.cutoff(radius, radius) * (1 + 8 * epsilon);
  }

 private:
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();
  Spheres<D> particles_;
  ContactPredicate<D> predicate_;
};

/// The same for libraries that compute in single precision and always in 3D.
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

/// Far outside of what floats hold, every box would overlap every other.
template <std::size_t D>
void check_single_precision(std::string_view library, const Spheres<D>& particles) {
  constexpr double small = 1e-30;
  constexpr double large = 1e30;
  const auto refuse = [&](std::string_view field, std::size_t i, double value) {
    throw UnsupportedInput(message(library, " computes in single precision: ", field, "[", i,
                                   "] = ", value, " is beyond it; take --diameter 1"));
  };
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const double radius = particles.radii()[i];
    if (radius < small || radius > large) refuse("radius", i, radius);
    for (std::size_t k = 0; k < D; ++k)
      if (std::abs(particles.coordinates(k)[i]) > large)
        refuse("centre", i, particles.coordinates(k)[i]);
  }
}

}  // namespace abut
