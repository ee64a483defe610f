#pragma once

/// Mathematical functions with the same bits on every machine. Those of the standard library may
/// differ in the last bit between processors and versions. Everything that enters the state of a
/// simulation uses these functions instead (checked by tools/check_math).
///
/// Only operations that IEEE 754 rounds exactly are used: + − * / sqrt, rounding to integers, exact
/// remainders and scaling by powers of two. The build disables contraction to fused multiply-add.
/// Errors are less than 0.55 ulp, and less than 1 ulp where the result is subnormal. NaN arguments
/// give NaN.
namespace abut::portable_math {

/// Sine and cosine of an angle in rad; NaN for infinite angles. For |x| > 2⁴⁰ the result is that of
/// an angle that differs from x by less than half an ulp of x.
[[nodiscard]] double sin(double x);
[[nodiscard]] double cos(double x);

/// The angle from −π to π of the point (x, y), in rad, with the signs of zeros and the infinities
/// of IEEE 754.
[[nodiscard]] double atan2(double y, double x);

[[nodiscard]] double exp(double x);

/// Natural logarithm: −∞ for 0, NaN for negative arguments.
[[nodiscard]] double log(double x);

/// x^y for x ≥ 0, with 0⁰ = ∞⁰ = 1; NaN for negative x. Exact if x^y is a double.
[[nodiscard]] double pow(double x, double y);

/// Cube root; exact if it is a double.
[[nodiscard]] double cbrt(double x);

/// √(x² + y²) without intermediate overflow or underflow; ∞ if x or y is infinite.
[[nodiscard]] double hypot(double x, double y);

}  // namespace abut::portable_math
