#include "core/portable_math.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>

namespace abut::testing {
namespace {

constexpr double math_infinity = std::numeric_limits<double>::infinity();
constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();
constexpr int argument_count = 20000;

class RandomArguments {
 public:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(bits_);
  }
  /// Positive, the logarithm uniformly distributed.
  double log_uniform(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  double with_random_sign(double x) { return bits_() % 2 == 0 ? x : -x; }

 private:
  std::mt19937_64 bits_{1};
};

/// The error in ulps of the exact value, which the standard library computes with extended
/// precision.
double ulps(double value, long double exact) {
  const double rounded = std::abs(static_cast<double>(exact));
  const double ulp = std::nextafter(rounded, math_infinity) - rounded;
  return static_cast<double>(std::abs(value - exact) / ulp);
}

constexpr double max_ulps = 0.56;  // with the error of the extended-precision value

TEST(PortableMath, SineAndCosineAreWithinOneUlp) {
  RandomArguments random;
  const auto check = [](double x) {
    const auto exact = static_cast<long double>(x);
    ASSERT_LT(ulps(portable_math::sin(x), std::sin(exact)), max_ulps) << x;
    ASSERT_LT(ulps(portable_math::cos(x), std::cos(exact)), max_ulps) << x;
  };
  for (int k = 0; k < argument_count; ++k) {
    check(random.uniform(-1, 1));
    check(random.uniform(-10, 10));
    check(random.with_random_sign(random.log_uniform(1e-300, 1)));
    check(random.with_random_sign(random.log_uniform(1, 0x1p40)));
    check(std::floor(random.log_uniform(1, 6e11)) * (std::numbers::pi / 2));
  }
}

TEST(PortableMath, HugeAnglesAreWithinHalfAnUlpOfTheArgument) {
  RandomArguments random;
  for (int k = 0; k < argument_count; ++k) {
    const double x = random.log_uniform(0x1p40, 0x1p50);
    const double half_ulp = (std::nextafter(x, math_infinity) - x) / 2;
    const auto exact = static_cast<long double>(x);
    ASSERT_NEAR(portable_math::sin(x), static_cast<double>(std::sin(exact)), half_ulp) << x;
    ASSERT_NEAR(portable_math::cos(x), static_cast<double>(std::cos(exact)), half_ulp) << x;
  }
  EXPECT_LE(std::abs(portable_math::sin(std::numeric_limits<double>::max())), 1);
}

TEST(PortableMath, ArctangentIsWithinOneUlp) {
  RandomArguments random;
  const auto check = [](double y, double x) {
    ASSERT_LT(ulps(portable_math::atan2(y, x),
                   std::atan2(static_cast<long double>(y), static_cast<long double>(x))),
              max_ulps)
        << y << " " << x;
  };
  for (int k = 0; k < argument_count; ++k) {
    check(random.uniform(-1, 1), random.uniform(-1, 1));
    check(random.with_random_sign(random.log_uniform(1e-100, 1e100)),
          random.with_random_sign(random.log_uniform(1e-100, 1e100)));
  }
}

TEST(PortableMath, ArctangentHasTheSpecialValuesOfTheStandard) {
  for (const double y : {-math_infinity, -1.0, -5e-324, -0.0, 0.0, 5e-324, 1.0, math_infinity})
    for (const double x : {-math_infinity, -1.0, -5e-324, -0.0, 0.0, 5e-324, 1.0, math_infinity})
      EXPECT_EQ(std::bit_cast<std::uint64_t>(portable_math::atan2(y, x)),
                std::bit_cast<std::uint64_t>(std::atan2(y, x)))
          << y << " " << x;
}

TEST(PortableMath, ExponentialAndLogarithmAreWithinOneUlp) {
  RandomArguments random;
  const auto check_exp = [](double x) {
    ASSERT_LT(ulps(portable_math::exp(x), std::exp(static_cast<long double>(x))), max_ulps) << x;
  };
  const auto check_log = [](double x) {
    ASSERT_LT(ulps(portable_math::log(x), std::log(static_cast<long double>(x))), max_ulps) << x;
  };
  for (int k = 0; k < argument_count; ++k) {
    check_exp(random.uniform(-1, 1));
    check_exp(random.uniform(-708, 709.7));
    check_exp(random.with_random_sign(random.log_uniform(1e-300, 1)));
    const double subnormal = random.uniform(-744, -709);
    ASSERT_LT(ulps(portable_math::exp(subnormal), std::exp(static_cast<long double>(subnormal))), 1)
        << subnormal;
    check_log(random.log_uniform(0.5, 2));
    check_log(random.log_uniform(5e-324, 1e308));
    check_log(1 + random.with_random_sign(random.log_uniform(1e-15, 0.1)));
  }
}

TEST(PortableMath, PowerIsWithinOneUlp) {
  RandomArguments random;
  const auto check = [](double x, double y) {
    // Extended precision does not suffice for a check of half an ulp at large exponents.
    ASSERT_LT(ulps(portable_math::pow(x, y),
                   std::pow(static_cast<long double>(x), static_cast<long double>(y))),
              0.6)
        << x << " " << y;
  };
  for (int k = 0; k < argument_count; ++k) {
    check(random.log_uniform(1e-30, 1e30), random.uniform(-10, 10));
    check(random.log_uniform(1, 1e9), 1.0 / 3);
    check(1 + random.log_uniform(1e-10, 1e-3), random.uniform(-1e5, 1e5));
  }
}

TEST(PortableMath, RootsAreWithinOneUlp) {
  RandomArguments random;
  for (int k = 0; k < argument_count; ++k) {
    const double x = random.with_random_sign(random.log_uniform(5e-324, 1e308));
    ASSERT_LT(ulps(portable_math::cbrt(x), std::cbrt(static_cast<long double>(x))), max_ulps) << x;
    const double y = random.with_random_sign(
        random.log_uniform(std::abs(x) / 100 + 1e-300, std::abs(x) + 1e-299));
    ASSERT_LT(ulps(portable_math::hypot(x, y),
                   std::hypot(static_cast<long double>(x), static_cast<long double>(y))),
              max_ulps)
        << x << " " << y;
  }
}

TEST(PortableMath, ExactResultsAreExact) {
  for (double k = 1; k < argument_count; ++k) {
    ASSERT_EQ(portable_math::cbrt(k * k * k), k);
    ASSERT_EQ(portable_math::hypot(3 * k, -4 * k), 5 * k);
    ASSERT_EQ(portable_math::pow(k, 3), k * k * k);
    ASSERT_EQ(portable_math::pow(k * k, 0.5), k);
  }
  for (int k = -1074; k < 1024; ++k)
    ASSERT_EQ(portable_math::pow(2, static_cast<double>(k)), std::ldexp(1.0, k));
}

TEST(PortableMath, SpecialValues) {
  for (const double x : {math_infinity, -math_infinity, quiet_nan}) {
    EXPECT_TRUE(std::isnan(portable_math::sin(x)));
    EXPECT_TRUE(std::isnan(portable_math::cos(x)));
  }
  EXPECT_TRUE(std::signbit(portable_math::sin(-0.0)));
  EXPECT_EQ(portable_math::cos(0), 1);
  EXPECT_TRUE(std::isnan(portable_math::atan2(quiet_nan, 1)));
  EXPECT_EQ(portable_math::exp(0), 1);
  EXPECT_EQ(portable_math::exp(-math_infinity), 0);
  EXPECT_EQ(portable_math::exp(-746), 0);
  EXPECT_EQ(portable_math::exp(710), math_infinity);
  EXPECT_EQ(portable_math::exp(math_infinity), math_infinity);
  EXPECT_TRUE(std::isnan(portable_math::exp(quiet_nan)));
  EXPECT_EQ(portable_math::log(0), -math_infinity);
  EXPECT_EQ(portable_math::log(1), 0);
  EXPECT_EQ(portable_math::log(math_infinity), math_infinity);
  EXPECT_TRUE(std::isnan(portable_math::log(-1)));
  EXPECT_EQ(portable_math::pow(0, 0), 1);
  EXPECT_EQ(portable_math::pow(quiet_nan, 0), 1);
  EXPECT_EQ(portable_math::pow(0, 2), 0);
  EXPECT_EQ(portable_math::pow(0, -2), math_infinity);
  EXPECT_EQ(portable_math::pow(math_infinity, 2), math_infinity);
  EXPECT_EQ(portable_math::pow(math_infinity, -2), 0);
  EXPECT_EQ(portable_math::pow(2, math_infinity), math_infinity);
  EXPECT_EQ(portable_math::pow(2, -math_infinity), 0);
  EXPECT_EQ(portable_math::pow(0.5, math_infinity), 0);
  EXPECT_EQ(portable_math::pow(1e300, 1e300), math_infinity);
  EXPECT_TRUE(std::isnan(portable_math::pow(-2, 2)));
  EXPECT_TRUE(std::signbit(portable_math::cbrt(-0.0)));
  EXPECT_EQ(portable_math::cbrt(-math_infinity), -math_infinity);
  EXPECT_EQ(portable_math::hypot(0, -0.0), 0);
  EXPECT_EQ(portable_math::hypot(quiet_nan, -math_infinity), math_infinity);
  EXPECT_EQ(portable_math::hypot(5e-324, 0), 5e-324);
  EXPECT_EQ(portable_math::hypot(1e308, 1e308), 1e308 * std::numbers::sqrt2);
}

// Known bits, so that a machine or compiler that rounds differently is noticed.
TEST(PortableMath, BitsAreTheSameOnEveryMachine) {
  std::uint64_t hash = 0;
  const auto add = [&](double value) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29;
  };
  for (int k = 1; k < argument_count; ++k) {
    const double x = static_cast<double>(k) * 0x1.23456789abcdp-3;
    add(portable_math::sin(x));
    add(portable_math::cos(x));
    add(portable_math::atan2(x, 100 - x));
    add(portable_math::exp(x / 10));
    add(portable_math::log(x));
    add(portable_math::pow(x, 0.3));
    add(portable_math::cbrt(x));
    add(portable_math::hypot(x, 7));
  }
  EXPECT_EQ(hash, 11413330323750263102U);
}

}  // namespace
}  // namespace abut::testing
