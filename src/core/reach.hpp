#pragma once

#include <abut/options.hpp>
#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <array>
#include <cstddef>
#include <span>

namespace abut {

/// The one predicate. A pair touches when
///
///     |x_a − x_b| ≤ (r_a + r_b)·(1 + tolerance)·(1 + expansion) + margin,
///
/// compared as squares. Differences are squared and radii are added, so a and b may be swapped
/// without changing a bit; the build keeps contraction off, so every method, thread and compiler
/// decides alike.
template <std::size_t D>
class Reach {
 public:
  Reach() = default;
  Reach(const Spheres<D>& particles, const Options<D>& options)
      : radius_(particles.radius().data()),
        stretch_((1 + options.tolerance) * (1 + options.expansion)),
        margin_(options.margin) {
    for (std::size_t k = 0; k < D; ++k) axes_[k] = particles.axis(k).data();
  }

  /// Whether a and b are a pair.
  [[nodiscard]] bool touches(std::size_t a, std::size_t b) const { return excess(a, b) <= 0; }

  /// For the consecutive b from `first`: a number that is not above zero exactly where
  /// touches(a, b), because subtraction keeps the order of its operands. A loop of doubles only,
  /// without branches, is what compilers turn into vectors.
  void excess_each(std::size_t a, std::size_t first, std::span<double> excess) const {
    const Reach own = *this;  // local, so that writing cannot change it
    for (std::size_t i = 0; i < excess.size(); ++i) excess[i] = own.excess(a, first + i);
  }

  /// The same number for two particles given as coordinates, then radius.
  [[nodiscard]] double excess(const std::array<double, D + 1>& a,
                              const std::array<double, D + 1>& b) const {
    std::array<double, D> apart;
    for (std::size_t k = 0; k < D; ++k) apart[k] = a[k] - b[k];
    return excess_of(apart, a[D], b[D]);
  }

  /// How far apart the centres of particles with these radii may be.
  [[nodiscard]] double of(double radius_a, double radius_b) const {
    return (radius_a + radius_b) * stretch_ + margin_;
  }

  /// A particle as the second `excess` takes it.
  [[nodiscard]] std::array<double, D + 1> particle(std::size_t i) const {
    std::array<double, D + 1> values;
    for (std::size_t k = 0; k < D; ++k) values[k] = axes_[k][i];
    values[D] = radius_[i];
    return values;
  }

  [[nodiscard]] const double* radii() const { return radius_; }
  [[nodiscard]] double stretch() const { return stretch_; }
  [[nodiscard]] double margin() const { return margin_; }

 private:
  static double squared(double value) { return value * value; }

  [[nodiscard]] double excess(std::size_t a, std::size_t b) const {
    std::array<double, D> apart;
    for (std::size_t k = 0; k < D; ++k) apart[k] = axes_[k][a] - axes_[k][b];
    return excess_of(apart, radius_[a], radius_[b]);
  }

  [[nodiscard]] double excess_of(const std::array<double, D>& apart, double radius_a,
                                 double radius_b) const {
    double sum = squared(apart[0]);
    for (std::size_t k = 1; k < D; ++k) sum += squared(apart[k]);
    return sum - squared(of(radius_a, radius_b));
  }

  std::array<const double*, D> axes_{};
  const double* radius_ = nullptr;
  double stretch_ = 1;
  double margin_ = 0;
};

}  // namespace abut
