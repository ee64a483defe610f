#pragma once

#include <abut/spheres.hpp>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace abut {

/// Gathers strided particles into contiguous arrays, which all searches require. Reuses its memory
/// from one call to the next.
template <std::size_t D>
class ContiguousSpheres {
 public:
  /// The particles themselves if they are contiguous, else a copy that is valid until the next
  /// call. Cost: nothing, or one pass over the particles.
  [[nodiscard]] Spheres<D> view(const Spheres<D>& particles) {
    if (particles.is_contiguous()) return particles;
    std::array<std::span<const double>, D> arrays;
    for (std::size_t k = 0; k < D; ++k) {
      coordinates_[k].resize(particles.size());
      for (std::size_t i = 0; i < particles.size(); ++i)
        coordinates_[k][i] = particles.coordinate(k, i);
      arrays[k] = coordinates_[k];
    }
    radii_.resize(particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i) radii_[i] = particles.radius(i);
    return {arrays, radii_};
  }

 private:
  std::array<std::vector<double>, D> coordinates_;
  std::vector<double> radii_;
};

}  // namespace abut
