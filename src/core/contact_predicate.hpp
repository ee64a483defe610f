#pragma once

#include <abut/detector_options.hpp>
#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <array>
#include <cstddef>
#include <span>

namespace abut {

/// The contact predicate shared by all search methods. Particles a and b are a pair if
///
///     |x_a − x_b| ≤ cutoff(r_a, r_b) = (r_a + r_b)·(1 + tolerance)·(1 + expansion) + margin.
///
/// The squares of both sides are compared. The result is bitwise symmetric in a and b, since
/// differences are squared and radii are added. The build disables floating-point contraction, so
/// every method, thread count and compiler gives the same result.
///
/// Holds pointers into the caller's arrays, which must outlive it.
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

  /// Whether particles a and b are a pair.
  [[nodiscard]] bool touches(std::size_t a, std::size_t b) const { return excess(a, b) <= 0; }

  /// excess[i] = |x_a − x_b|² − cutoff² for b = first + i. It is ≤ 0 exactly where touches(a, b),
  /// since rounding of a difference preserves its sign. The loop has no branches, so compilers
  /// vectorize it.
  void excess_row(std::size_t a, std::size_t first, std::span<double> excess) const {
    const ContactPredicate local = *this;  // a copy cannot alias the output
    for (std::size_t i = 0; i < excess.size(); ++i) excess[i] = local.excess(a, first + i);
  }

  /// |x_a − x_b|² − cutoff² for two particles given as coordinates followed by the radius.
  [[nodiscard]] double excess(const std::array<double, D + 1>& a,
                              const std::array<double, D + 1>& b) const {
    std::array<double, D> delta;
    for (std::size_t k = 0; k < D; ++k) delta[k] = a[k] - b[k];
    return excess_of(delta, a[D], b[D]);
  }

  /// Largest distance of the centers of a pair with these radii.
  [[nodiscard]] double cutoff(double radius_a, double radius_b) const {
    return (radius_a + radius_b) * radius_scale_ + margin_;
  }

  /// Coordinates of particle i followed by its radius.
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
    std::array<double, D> delta;
    for (std::size_t k = 0; k < D; ++k) delta[k] = coordinates_[k][a] - coordinates_[k][b];
    return excess_of(delta, radii_[a], radii_[b]);
  }

  [[nodiscard]] double excess_of(const std::array<double, D>& delta, double radius_a,
                                 double radius_b) const {
    double sum = squared(delta[0]);
    for (std::size_t k = 1; k < D; ++k) sum += squared(delta[k]);
    return sum - squared(cutoff(radius_a, radius_b));
  }

  std::array<const double*, D> coordinates_{};
  const double* radii_ = nullptr;
  double radius_scale_ = 1;
  double margin_ = 0;
};

}  // namespace abut
