#include "papers/judge.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/median.hpp"

namespace abut {

double exponent_of(const Points& points) {
  double x_mean = 0;
  double y_mean = 0;
  for (const auto& [x, y] : points) {
    x_mean += std::log(x) / static_cast<double>(points.size());
    y_mean += std::log(y) / static_cast<double>(points.size());
  }
  double across = 0;
  double along = 0;
  for (const auto& [x, y] : points) {
    across += (std::log(x) - x_mean) * (std::log(y) - y_mean);
    along += (std::log(x) - x_mean) * (std::log(x) - x_mean);
  }
  return across / along;
}

double spread_of(std::span<const double> values) {
  const auto [low, high] = std::ranges::minmax(values);
  return high / low;
}

Verdict at_most(double value, double good, double fair) {
  if (value <= good) return Verdict::holds;
  return value <= fair ? Verdict::partly : Verdict::holds_not;
}

Verdict linear(double exponent) { return at_most(std::abs(exponent - 1), 0.1, 0.2); }

Verdict both(Verdict one, Verdict other) { return std::max(one, other); }

Verdict above_one(const std::vector<double>& ratios) {
  if (std::ranges::all_of(ratios, [](double ratio) { return ratio > 1; })) return Verdict::holds;
  return median_of(ratios) > 1 ? Verdict::partly : Verdict::holds_not;
}

std::string from_to(const std::vector<double>& values) {
  const auto [low, high] = std::ranges::minmax(values);
  const std::string first = fmt::format("{:.2f}", low);
  const std::string last = fmt::format("{:.2f}", high);
  return first == last ? first : first + " to " + last;
}

}  // namespace abut
