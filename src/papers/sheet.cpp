#include "papers/sheet.hpp"

#include <fmt/core.h>

#include <cmath>

#include "core/message.hpp"
#include "io/ticks.hpp"
#include "papers/collect.hpp"

namespace abut {

std::string readable(double value) {
  if (std::isnan(value)) return "–";
  if (value < 0) return message("−", readable(-value));
  const bool whole = value == std::round(value) && value < 1e15;
  if (!whole && value < 1e-3) return tick_text(std::stod(fmt::format("{:.2e}", value)));
  if (!whole && value < 100) return fmt::format("{:.3g}", value);
  std::string digits = fmt::format("{:.0f}", value);
  for (std::size_t at = digits.size(); at > 3 && digits.size() > 4;) {
    at -= 3;
    digits.insert(at, "\u202f");  // narrow, and no place to break the line
  }
  return digits;
}

Table Sheet::for_programs() const {
  Table table(collect(columns_, [](const Column& column) { return column.name; }));
  for (const auto& row : rows_)
    table.add(collect(row, [](double value) { return std::isnan(value) ? "" : message(value); }));
  return table;
}

Table Sheet::for_people() const {
  Table table(collect(columns_, [](const Column& column) { return column.title; }));
  for (const auto& row : rows_) table.add(collect(row, readable));
  return table;
}

}  // namespace abut
