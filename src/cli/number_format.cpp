#include "cli/number_format.hpp"

#include <fmt/core.h>

#include <abut/error.hpp>
#include <charconv>
#include <cmath>

namespace abut {
namespace {

// The number at the beginning of a text and the rest of it; −1 if there is no finite number.
std::pair<double, std::string_view> leading_number(std::string_view text) {
  double value = -1;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return {-1, {}};
  return {value, text.substr(static_cast<std::size_t>(stop - text.data()))};
}

}  // namespace

std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::size_t parse_count(std::string_view option, std::string_view text) {
  const auto [value, rest] = leading_number(text);
  if (!(value >= 0 && value <= 2147483647 && std::floor(value) == value && rest.empty()))
    throw Error(fmt::format("{} = '{}': must be a whole number up to 2147483647, as 1000 or 1e6",
                            option, text));
  return static_cast<std::size_t>(value);
}

std::size_t parse_bytes(std::string_view option, std::string_view text) {
  auto [value, unit] = leading_number(text);
  if (unit.ends_with("iB"))
    unit.remove_suffix(2);
  else if (unit.ends_with("B"))
    unit.remove_suffix(1);
  constexpr std::string_view units = "KMGT";
  const std::size_t power = unit.size() == 1 ? units.find(unit) : std::string_view::npos;
  if (!unit.empty() && power == std::string_view::npos) value = -1;
  if (!unit.empty()) value *= std::pow(1024, static_cast<double>(power) + 1);
  if (!(value >= 1 && value < 0x1p62))
    throw Error(fmt::format("{} = '{}': must be a size, as 500M or 4G", option, text));
  return static_cast<std::size_t>(value);
}

}  // namespace abut
