#include "io/table.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

#include "core/message.hpp"
#include "io/markup.hpp"

namespace abut {
namespace {

// Width on screen: bytes that continue a UTF-8 character take no room.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool is_number(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0;
}

std::string quoted_cell(std::string_view cell) {
  if (cell.find_first_of(",\"\n") == std::string_view::npos) return std::string(cell);
  std::string text = "\"";
  for (const char c : cell) {
    text += c;
    if (c == '"') text += c;
  }
  return text + '"';
}

}  // namespace

std::string Table::text() const {
  const std::size_t columns = rows_.front().size();
  std::vector<std::size_t> width(columns, 0);
  std::vector<bool> right(columns, false);
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i + 1 < row.size() || row.size() == columns)
        width[i] = std::max(width[i], width_of(row[i]));
      right[i] = right[i] || is_number(row[i]);
    }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t used = width_of(row[i]);
      const std::string fill(width[i] > used ? width[i] - used : 0, ' ');
      const bool runs_on = row.size() < columns && i + 1 == row.size();
      if (i > 0) line += "  ";
      line += right[i] && !runs_on ? fill + row[i] : row[i] + fill;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string Table::csv() const {
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += ',';
      text += quoted_cell(row[i]);
    }
    text += '\n';
  }
  return text;
}

std::string Table::markdown() const {
  std::string text;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    text += "|";
    for (const std::string& cell : rows_[i]) text += " " + cell + " |";
    text += "\n";
    if (i > 0) continue;
    text += "|";
    for (std::size_t k = 0; k < rows_[i].size(); ++k) text += "---|";
    text += "\n";
  }
  return text;
}

std::string Table::html() const {
  std::string text = "<table>\n";
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::string_view kind = i == 0 ? "th" : "td";
    text += "<tr>";
    for (const std::string& cell : rows_[i])
      text += message("<", kind, ">", escaped(cell), "</", kind, ">");
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

}  // namespace abut
