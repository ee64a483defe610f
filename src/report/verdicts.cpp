#include "report/verdicts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/statistics.hpp"

namespace abut {

FittedLine fitted_line(const Points& points) {
  const auto count = static_cast<double>(points.size());
  double x_mean = 0;
  double y_mean = 0;
  for (const auto& [x, y] : points) {
    x_mean += x / count;
    y_mean += y / count;
  }
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (const auto& [x, y] : points) {
    xx += (x - x_mean) * (x - x_mean);
    xy += (x - x_mean) * (y - y_mean);
    yy += (y - y_mean) * (y - y_mean);
  }
  const double slope = xy / xx;
  return {slope, y_mean - slope * x_mean, xy * xy / (xx * yy)};
}

double exponent_of(const Points& points) {
  Points logarithms;
  for (const auto& [x, y] : points) logarithms.push_back({std::log(x), std::log(y)});
  return fitted_line(logarithms).slope;
}

double spread_of(std::span<const double> values) {
  const auto [low, high] = std::ranges::minmax(values);
  return high / low;
}

double minimize(double low, double high, const std::function<double(double)>& error) {
  constexpr double golden_ratio = std::numbers::phi - 1;
  for (int k = 0; k < 100; ++k) {
    const double step = golden_ratio * (high - low);
    if (error(high - step) < error(low + step))
      high = low + step;
    else
      low = high - step;
  }
  return (low + high) / 2;
}

Verdict at_most(double value, double good, double fair) {
  if (value <= good) return Verdict::holds;
  return value <= fair ? Verdict::partly_holds : Verdict::does_not_hold;
}

Verdict within(double value, double low, double high) {
  return low <= value && value <= high ? Verdict::holds : Verdict::does_not_hold;
}

Finding between(const std::string& name, double value, double low, double high) {
  return {fmt::format("{} is between {} and {}", name, low, high), fmt::format("{:.3f}", value),
          within(value, low, high)};
}

Verdict linear(double exponent) { return at_most(std::abs(exponent - 1), 0.1, 0.2); }

Verdict worse_of(Verdict a, Verdict b) { return std::max(a, b); }

Verdict above_one(const std::vector<double>& ratios) {
  if (std::ranges::all_of(ratios, [](double ratio) { return ratio > 1; })) return Verdict::holds;
  return median_of(ratios) > 1 ? Verdict::partly_holds : Verdict::does_not_hold;
}

std::string range_text(const std::vector<double>& values) {
  const auto [low, high] = std::ranges::minmax(values);
  const std::string first = fmt::format("{:.2f}", low);
  const std::string last = fmt::format("{:.2f}", high);
  return first == last ? first : first + " to " + last;
}

}  // namespace abut
