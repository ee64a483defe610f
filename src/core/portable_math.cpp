// Arguments are reduced to a small interval, where the leading terms of a Taylor series are
// computed in double-double arithmetic (Dekker, Numerische Mathematik 18 (1971) 224) and the
// others, which are small compared with them, in double precision. The error before the final
// rounding, stated at each function in units of the result, is therefore well below 2^-53.

#include "core/portable_math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace abut::portable_math {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// An unevaluated sum; |low| is at most about an ulp of `high`. Operations have relative errors of
/// less than 2^-100.
struct DoubleDouble {
  double high = 0;
  double low = 0;
};

constexpr DoubleDouble pi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr DoubleDouble half_pi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr DoubleDouble ln_2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr DoubleDouble one_third{0x1.5555555555555p-2, 0x1.5555555555555p-56};
constexpr DoubleDouble one_fifth{0x1.999999999999ap-3, -0x1.999999999999ap-57};
constexpr DoubleDouble one_sixth{0x1.5555555555555p-3, 0x1.5555555555555p-57};

double value(const DoubleDouble& a) { return a.high + a.low; }
DoubleDouble operator-(const DoubleDouble& a) { return {-a.high, -a.low}; }

/// a + b without error if |a| ≥ |b| or a = 0.
DoubleDouble ordered_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b without error.
DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

/// The upper 26 bits of a number, and the others; |a| < 2⁹⁹⁵.
DoubleDouble split(double a) {
  const double scaled = 0x1p27 * a + a;
  const double high = scaled - (scaled - a);
  return {high, a - high};
}

/// a b without error, unless it underflows.
DoubleDouble exact_product(double a, double b) {
  const double product = a * b;
  const DoubleDouble x = split(a);
  const DoubleDouble y = split(b);
  return {product, ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

DoubleDouble operator+(const DoubleDouble& a, double b) {
  const DoubleDouble sum = exact_sum(a.high, b);
  return ordered_sum(sum.high, sum.low + a.low);
}

DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble high = exact_sum(a.high, b.high);
  const DoubleDouble low = exact_sum(a.low, b.low);
  const DoubleDouble sum = ordered_sum(high.high, high.low + low.high);
  return ordered_sum(sum.high, sum.low + low.low);
}

DoubleDouble operator*(const DoubleDouble& a, double b) {
  const DoubleDouble product = exact_product(a.high, b);
  return ordered_sum(product.high, product.low + a.low * b);
}

DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble product = exact_product(a.high, b.high);
  return ordered_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
  const double quotient = a.high / b.high;
  const DoubleDouble remainder = a + -(b * quotient);
  return ordered_sum(quotient, value(remainder) / b.high);
}

/// Σ c_k x^k.
template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
  double sum = 0;
  for (std::size_t k = N; k-- > 0;) sum = sum * x + coefficients[k];
  return sum;
}

/// a 2^exponent for any exponent from −2200 to 2200; rounded once, also if the result is subnormal.
double scaled_by_power_of_2(double a, double exponent) {
  return std::ldexp(a, static_cast<int>(exponent));
}

struct ReducedAngle {
  DoubleDouble angle;  ///< from −π/4 to π/4, up to rounding
  int quadrant;        ///< number of quarter turns to be added, 0 to 3
};

/// Subtracts the nearest multiple k π/2. π/2 is given by four numbers, with an error of 2^-217, and
/// the products with k < 2⁴⁰ are exact, so the absolute error is that of sums of numbers not much
/// larger than an ulp of x: no number up to 2⁴⁰ is closer to a multiple than 2^-95.
ReducedAngle reduced(double x) {
  constexpr std::array<double, 4> half_pi_parts{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                                                -0x1.f1976b7ed8fbcp-110, 0x1.4cf98e804177dp-164};
  constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
  // The relative error of 2π rounded to a double, 2^-54.5, is less than half an ulp of x.
  if (std::abs(x) > 0x1p40) x = std::fmod(x, 4 * half_pi.high);
  const double k = std::floor(x * two_over_pi + 0.5);
  DoubleDouble angle{x, 0};
  for (const double part : half_pi_parts) {
    const DoubleDouble multiple = exact_product(k, part);
    angle = angle + -multiple.high;
    angle = angle + -multiple.low;
  }
  return {angle, static_cast<int>(k - 4 * std::floor(k / 4))};
}

/// sin x = x + x z (−1/6 + z/120 − …), z = x² ≤ π²/16. Error 2^-60: the terms from z² on are less
/// than 2^-8 of the result; the first omitted one is less than 2^-70.
DoubleDouble sine_series(const DoubleDouble& x) {
  constexpr std::array<double, 8> tail{
      1.0 / 120,        -1.0 / 5040,          1.0 / 362880,          -1.0 / 39916800,
      1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000, -1.0 / 121645100408832000.0};
  const DoubleDouble z = x * x;
  return x + x * (z * (-one_sixth + z.high * polynomial(tail, z.high)));
}

/// cos x = 1 + z (−1/2 + z/24 − …). Error 2^-57: the terms from z² on are less than 2^-5.5 of the
/// result and their sum has two rounding errors of that size; the first omitted one is less than
/// 2^-66.
DoubleDouble cosine_series(const DoubleDouble& x) {
  constexpr std::array<double, 8> tail{
      1.0 / 24,        -1.0 / 720,         1.0 / 40320,          -1.0 / 3628800,
      1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000, -1.0 / 6402373705728000};
  const DoubleDouble z = x * x;
  return z * (DoubleDouble{-0.5, 0} + z.high * polynomial(tail, z.high)) + 1;
}

/// sin(x + quarter_turns π/2).
double shifted_sine(double x, int quarter_turns) {
  if (!std::isfinite(x)) return nan;
  const ReducedAngle reduction = reduced(x);
  const int quadrant = (reduction.quadrant + quarter_turns) % 4;
  const double magnitude =
      value(quadrant % 2 == 0 ? sine_series(reduction.angle) : cosine_series(reduction.angle));
  return quadrant < 2 ? magnitude : -magnitude;
}

/// arctan(y/x) for 0 ≤ y ≤ x, 1 ≤ x < 2. With an approximation a of the angle, which is wrong by
/// less than 0.005, rotation of (x, y) by −a leaves an angle d, tan d = t = y'/x', for which the
/// series t − t³/3 + t⁵/5 − t⁷/7 suffices. Error 2^-57, mostly that of sine and cosine of a.
DoubleDouble first_octant_angle(double y, double x) {
  const double slope = y / x;
  const double approximation = slope / (1 + 0.28125 * slope * slope);
  const DoubleDouble sine = sine_series({approximation, 0});
  const DoubleDouble cosine = cosine_series({approximation, 0});
  const DoubleDouble t = (cosine * y + -(sine * x)) / (cosine * x + sine * y);
  constexpr std::array<double, 4> series{-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9};
  const double square = t.high * t.high;
  return t + t.high * square * polynomial(series, square) + approximation;
}

/// e^x for |x| < 1000. With x = k ln 2 + r, |r| ≤ 0.347: e^r = 1 + r + r²/2 + r³/6 + r⁴/24 + …,
/// where the terms from r⁴ on are less than 2^-10 of the result. Error 2^-62.
double exponential(const DoubleDouble& x) {
  const double k = std::floor(x.high / ln_2.high + 0.5);
  const DoubleDouble r = x + -(ln_2 * k);
  constexpr std::array<double, 12> tail{1.0 / 24,         1.0 / 120,         1.0 / 720,
                                        1.0 / 5040,       1.0 / 40320,       1.0 / 362880,
                                        1.0 / 3628800,    1.0 / 39916800,    1.0 / 479001600,
                                        1.0 / 6227020800, 1.0 / 87178291200, 1.0 / 1307674368000};
  const DoubleDouble third_order = one_sixth + r.high * polynomial(tail, r.high);
  const DoubleDouble sum = r + r * r * (third_order * r + 0.5);
  // The exact sum of high and low parts is rounded once, unless it is subnormal.
  return scaled_by_power_of_2(value(sum + 1), k);
}

constexpr double max_exponent = 709.8;   // of exp: larger ones give ∞
constexpr double min_exponent = -745.2;  // smaller ones give 0

/// ln x for finite x > 0. With x = 2^k m, m from √½ to √2, and s = (m − 1)/(m + 1), |s| ≤ 0.172:
/// ln m = 2 (s + s³/3 + s⁵/5 + s⁷/7 + …), where the terms from s⁷ on are less than 2^-18 of the
/// result. Relative error 2^-69.
DoubleDouble logarithm(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // from 1/2 to 1
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2;
    --exponent;
  }
  const DoubleDouble s = DoubleDouble{m - 1, 0} / exact_sum(m, 1);
  constexpr std::array<double, 10> tail{1.0 / 7,  1.0 / 9,  1.0 / 11, 1.0 / 13, 1.0 / 15,
                                        1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23, 1.0 / 25};
  const DoubleDouble z = s * s;
  const DoubleDouble fifth_order = one_fifth + z.high * polynomial(tail, z.high);
  const DoubleDouble sum = s + s * (z * (one_third + z * fifth_order));
  return ln_2 * static_cast<double>(exponent) + sum * 2;
}

}  // namespace

double sin(double x) {
  if (std::abs(x) < 0x1p-30) return x;  // error x²/6 < 2^-62; keeps the sign of zero
  return shifted_sine(x, 0);
}

double cos(double x) { return shifted_sine(x, 1); }

double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return nan;
  double a = std::abs(x);
  double b = std::abs(y);
  if (std::isinf(a) || std::isinf(b)) {
    a = std::isinf(a) ? 1 : 0;
    b = std::isinf(b) ? 1 : 0;
  }
  const bool is_steep = b > a;
  if (is_steep) std::swap(a, b);
  DoubleDouble angle;
  if (b >= 0x1p-30 * a && b > 0) {
    const int exponent = std::ilogb(a);
    angle = first_octant_angle(std::ldexp(b, -exponent), std::ldexp(a, -exponent));
  } else if (b > 0) {
    angle.high = b / a;  // error (b/a)²/3 < 2^-61
  }
  if (is_steep) angle = half_pi + -angle;
  if (std::signbit(x)) angle = pi + -angle;
  return std::copysign(value(angle), y);
}

double exp(double x) {
  if (std::isnan(x)) return nan;
  if (x > max_exponent) return infinity;
  if (x < min_exponent) return 0;
  return exponential({x, 0});
}

double log(double x) {
  if (std::isnan(x) || x < 0) return nan;
  if (x == 0) return -infinity;
  return std::isinf(x) ? x : value(logarithm(x));
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y) || x < 0) return nan;
  if (x == 0 || std::isinf(x)) return (x == 0) == (y > 0) ? 0 : infinity;
  const DoubleDouble log = logarithm(x);
  const double exponent = y * log.high;
  if (exponent > max_exponent) return infinity;
  if (exponent < min_exponent) return 0;
  // The error of the logarithm is multiplied by at most 745: 2^-59 in the result.
  return exponential(log * y);
}

// A Newton step y + (x − y³)/(3 y²) whose residual is computed in double-double arithmetic squares
// the relative error of y, which is a few ulps.
double cbrt(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  const double thirds = std::floor(static_cast<double>(std::ilogb(x)) / 3);
  const double m = std::abs(scaled_by_power_of_2(x, -3 * thirds));  // from 1 to 8
  double y = 0.84 + 0.17 * m;                                       // relative error below 0.2
  for (int k = 0; k < 5; ++k) y -= (y * y * y - m) / (3 * y * y);
  const DoubleDouble residual = -(exact_product(y, y) * y) + m;
  const double root = y + value(residual) / (3 * y * y);
  return std::copysign(scaled_by_power_of_2(root, thirds), x);
}

// As `cbrt`: one Newton step from the rounded root of the double-double sum.
double hypot(double x, double y) {
  if (std::isinf(x) || std::isinf(y)) return infinity;
  if (std::isnan(x) || std::isnan(y)) return nan;
  const double larger = std::max(std::abs(x), std::abs(y));
  if (larger == 0) return 0;
  const int exponent = std::ilogb(larger);
  const double a = std::ldexp(x, -exponent);
  const double b = std::ldexp(y, -exponent);
  const DoubleDouble square = exact_product(a, a) + exact_product(b, b);
  const double root = std::sqrt(square.high);
  const DoubleDouble residual = square + -exact_product(root, root);
  return std::ldexp(root + value(residual) / (2 * root), exponent);
}

}  // namespace abut::portable_math
