#include "io/ticks.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/message.hpp"

namespace abut {
namespace {

// Sums and powers carry rounding that no label should show.
double clean(double value) {
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 9);
  return value == 0 ? 0 : std::round(value / unit) * unit;
}

std::string digits_of(double value) { return message(static_cast<float>(value)); }

}  // namespace

// Whole decades, or 1–2–5 steps where two or three decades must do.
std::vector<double> logarithmic_ticks(double low, double high) {
  std::vector<double> ticks;
  const double decades = std::log10(high / low);
  for (double power = std::floor(std::log10(low)); power <= std::ceil(std::log10(high)); ++power)
    for (const double step : {1.0, 2.0, 5.0})
      if (step == 1 || decades < 2.5) ticks.push_back(clean(step * std::pow(10, power)));
  const auto first = std::ranges::upper_bound(ticks, low * 1.0001);
  if (first != ticks.begin()) ticks.erase(ticks.begin(), first - 1);
  const auto last = std::ranges::lower_bound(ticks, high * 0.9999);
  if (last != ticks.end()) ticks.erase(last + 1, ticks.end());
  if (ticks.size() < 2) ticks.push_back(clean(ticks.back() * 10));
  return ticks;
}

std::vector<double> linear_ticks(double high) {
  constexpr double about = 5;
  if (!(high > 0)) high = 1;
  const double unit = std::pow(10, std::floor(std::log10(high / about)));
  double step = 10 * unit;
  for (const double factor : {1.0, 2.0, 2.5, 5.0})
    if (step > factor * unit && factor * unit * about >= high) step = factor * unit;
  std::vector<double> ticks{0};
  while (ticks.back() < high * 0.9999)
    ticks.push_back(clean(static_cast<double>(ticks.size()) * step));
  return ticks;
}

std::string tick_text(double value) {
  constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  if (value == 0 || (value >= 1e-3 && value < 1e4)) return digits_of(value);
  const double power = std::floor(std::log10(value) + 1e-9);
  const double factor = clean(value / std::pow(10, power));
  std::string exponent;
  for (const char c : message(std::abs(power)))
    exponent += digits[static_cast<std::size_t>(c - '0')];
  return message(factor == 1 ? "" : message(digits_of(factor), "·"), "10", power < 0 ? "⁻" : "",
                 exponent);
}

}  // namespace abut
