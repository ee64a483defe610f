#include "report/figure.hpp"

#include <fmt/core.h>

#include <cmath>

#include "core/message.hpp"
#include "io/text_format.hpp"

namespace abut {

std::string formatted_number(double value) {
  if (std::isnan(value)) return "–";
  if (value < 0) return message("−", formatted_number(-value));
  const bool whole = value == std::round(value) && value < 1e15;
  if (!whole && value < 1e-3) return tick_label(std::stod(fmt::format("{:.2e}", value)));
  if (!whole && value < 100) return fmt::format("{:.3g}", value);
  std::string digits = fmt::format("{:.0f}", value);
  for (std::size_t position = digits.size(); position > 3 && digits.size() > 4;) {
    position -= 3;
    digits.insert(position, "\u202f");  // narrow no-break space
  }
  return digits;
}

template <class Text>
Table ResultTable::table(std::string Column::*title, const Text& text) const {
  Table table(map_to_vector(columns_, [&](const Column& column) { return column.*title; }));
  for (const auto& [name, values] : rows_) {
    std::vector<std::string> cells = map_to_vector(values, text);
    if (!name.empty()) cells.insert(cells.begin(), name);
    table.add(std::move(cells));
  }
  return table;
}

Table ResultTable::csv() const {
  return table(&Column::name,
               [](double value) { return std::isnan(value) ? std::string() : message(value); });
}

Table ResultTable::formatted() const { return table(&Column::title, formatted_number); }

}  // namespace abut
