#pragma once

#include <abut/error.hpp>
#include <array>
#include <cstddef>
#include <span>

namespace abut {

/// The caller's particles, seen and never copied: one array for each axis, one for the radii.
/// The arrays must outlive every use of the view.
template <std::size_t D>
class Spheres {
  static_assert(D == 2 || D == 3, "particles live in two or three dimensions");

 public:
  using Array = std::span<const double>;

  Spheres() = default;
  Spheres(Array x, Array y, Array radius) requires(D == 2) : Spheres({x, y}, radius) {}
  Spheres(Array x, Array y, Array z, Array radius) requires(D == 3) : Spheres({x, y, z}, radius) {}
  Spheres(const std::array<Array, D>& axes, Array radius) : radii_(radius) {
    for (std::size_t k = 0; k < D; ++k) {
      if (axes[k].size() != radius.size())
        throw Error("the arrays of coordinates and radii differ in length");
      coordinates_[k] = axes[k].data();
    }
  }

  [[nodiscard]] std::size_t size() const { return radii_.size(); }
  [[nodiscard]] Array coordinates(std::size_t k) const { return {coordinates_[k], size()}; }
  [[nodiscard]] Array radii() const { return radii_; }

 private:
  std::array<const double*, D> coordinates_{};
  Array radii_;
};

using Spheres2 = Spheres<2>;
using Spheres3 = Spheres<3>;

}  // namespace abut
