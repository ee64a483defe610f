#include "papers/sheet.hpp"

#include <fmt/core.h>

#include <cmath>

#include "core/message.hpp"
#include "io/ticks.hpp"

namespace abut {

std::string readable(double value) {
  if (std::isnan(value)) return "–";
  const bool whole = value == std::round(value) && std::abs(value) < 1e15;
  if (!whole && std::abs(value) < 1e-3) return tick_text(std::stod(fmt::format("{:.2e}", value)));
  if (!whole && std::abs(value) < 100) return fmt::format("{:.3g}", value);
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (std::size_t at = digits.size(); at > 3 && digits.size() > 4;) {
    at -= 3;
    digits.insert(at, "\u202f");  // narrow, and no place to break the line
  }
  return value < 0 ? message("−", digits) : digits;
}

Table Sheet::for_programs() const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.name);
  Table table(titles);
  for (const auto& row : rows_) {
    std::vector<std::string> cells;
    for (const double value : row) cells.push_back(std::isnan(value) ? "" : message(value));
    table.add(cells);
  }
  return table;
}

Table Sheet::for_people() const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  Table table(titles);
  for (const auto& row : rows_) {
    std::vector<std::string> cells;
    for (const double value : row) cells.push_back(readable(value));
    table.add(cells);
  }
  return table;
}

}  // namespace abut
