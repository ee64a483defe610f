// The sign of a determinant, after J. R. Shewchuk, Adaptive precision floating-point arithmetic and
// fast robust geometric predicates (1997): doubles where they are sure; else its six products, each
// an exact sum of two doubles, are added up without error.
#include "narrow/orientation.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace abut {
namespace {

struct ExactSum {
  std::array<double, 12> parts{};  // none of which overlaps another, by size
  std::size_t count = 0;

  void add(double value) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const double total = value + parts[k];
      const double taken = total - value;
      const double rest = (value - (total - taken)) + (parts[k] - taken);
      if (rest != 0) parts[kept++] = rest;
      value = total;
    }
    if (value != 0) parts[kept++] = value;
    count = kept;
  }

  void add_product(double x, double y) {
    const double product = x * y;
    add(std::fma(x, y, -product));
    add(product);
  }

  [[nodiscard]] int sign() const {
    if (count == 0) return 0;
    return parts[count - 1] > 0 ? 1 : -1;
  }
};

}  // namespace

int orientation(const Point<2>& p, const Point<2>& q, const Point<2>& r) {
  const double left = (q[0] - p[0]) * (r[1] - p[1]);
  const double right = (q[1] - p[1]) * (r[0] - p[0]);
  const double rounding = 3.4e-16 * (std::abs(left) + std::abs(right));
  if (left - right > rounding) return 1;
  if (right - left > rounding) return -1;
  ExactSum sum;
  sum.add_product(p[0], q[1]);
  sum.add_product(-p[0], r[1]);
  sum.add_product(q[0], r[1]);
  sum.add_product(-q[0], p[1]);
  sum.add_product(r[0], p[1]);
  sum.add_product(-r[0], q[1]);
  return sum.sign();
}

}  // namespace abut
