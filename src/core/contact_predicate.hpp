#pragma once

#include <abut/detector_options.hpp>
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
class ContactPredicate {
 public:
  ContactPredicate() = default;
  ContactPredicate(const Spheres<D>& particles, const DetectorOptions<D>& options)
      : radii_(particles.radii().data()),
        radius_scale_((1 + options.tolerance) * (1 + options.expansion)),
        margin_(options.margin) {
    for (std::size_t k = 0; k < D; ++k) coordinates_[k] = particles.coordinates(k).data();
  }

  /// Whether a and b are a pair.
  [[nodiscard]] bool touches(std::size_t a, std::size_t b) const { return excess(a, b) <= 0; }

  /// For the consecutive b from `first`: a number that is not above zero exactly where
  /// touches(a, b), because subtraction keeps the order of its operands. A loop of doubles only,
  /// without branches, is what compilers turn into vectors.
  void excess_row(std::size_t a, std::size_t first, std::span<double> excess) const {
    const ContactPredicate own = *this;  // local, so that writing cannot change it
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
  [[nodiscard]] double cutoff(double radius_a, double radius_b) const {
    return (radius_a + radius_b) * radius_scale_ + margin_;
  }

  /// A particle as the second `excess` takes it.
  [[nodiscard]] std::array<double, D + 1> particle(std::size_t i) const {
    std::array<double, D + 1> values;
    for (std::size_t k = 0; k < D; ++k) values[k] = coordinates_[k][i];
    values[D] = radii_[i];
    return values;
  }

  [[nodiscard]] const double* radii() const { return radii_; }
  [[nodiscard]] double radius_scale() const { return radius_scale_; }
  [[nodiscard]] double margin() const { return margin_; }

 private:
  static double squared(double value) { return value * value; }

  [[nodiscard]] double excess(std::size_t a, std::size_t b) const {
    std::array<double, D> apart;
    for (std::size_t k = 0; k < D; ++k) apart[k] = coordinates_[k][a] - coordinates_[k][b];
    return excess_of(apart, radii_[a], radii_[b]);
  }

  [[nodiscard]] double excess_of(const std::array<double, D>& apart, double radius_a,
                                 double radius_b) const {
    double sum = squared(apart[0]);
    for (std::size_t k = 1; k < D; ++k) sum += squared(apart[k]);
    return sum - squared(cutoff(radius_a, radius_b));
  }

  std::array<const double*, D> coordinates_{};
  const double* radii_ = nullptr;
  double radius_scale_ = 1;
  double margin_ = 0;
};

}  // namespace abut
