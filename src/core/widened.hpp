#pragma once

#include <abut/box.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <array>
#include <cstddef>

namespace abut {

/// A domain that holds all of some particles: along axes that do not repeat, as wide as it takes.
/// Particles that may leave are outside for some steps before they are taken out.
template <std::size_t D>
[[nodiscard]] Box<D> widened(Box<D> domain, const std::array<bool, D>& periodic,
                             const Spheres<D>& particles) {
  for (std::size_t k = 0; k < D; ++k) {
    if (periodic[k]) continue;
    for (const double x : particles.axis(k)) {
      domain.min[k] = std::min(domain.min[k], x);
      domain.max[k] = std::max(domain.max[k], x);
    }
  }
  return domain;
}

}  // namespace abut
