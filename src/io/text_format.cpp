#include "io/text_format.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "core/message.hpp"

namespace abut {
namespace {

// Removes an entity from the beginning of a text and returns its character; none if there is none.
std::optional<char> take_entity(std::string_view& text) {
  for (const char c : {'<', '>', '&', '"', '\''}) {
    const std::string entity = xml_escaped({&c, 1});
    if (!text.starts_with(entity)) continue;
    text.remove_prefix(entity.size());
    return c;
  }
  return {};
}

// The length in bytes of the first UTF-8 character; 0 if it is invalid or not allowed in XML.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return first >= ' ' && first != 0x7F ? 1 : 0;
  const auto length = static_cast<std::size_t>(std::countl_one(first));
  if (length < 2 || length > 4 || text.size() < length) return 0;
  char32_t code = first & (0x7FU >> length);
  for (const char c : text.substr(1, length - 1)) {
    const auto next = static_cast<unsigned char>(c);
    if ((next & 0xC0U) != 0x80U) return 0;
    code = code << 6U | (next & 0x3FU);
  }
  constexpr std::array<char32_t, 5> min_code{0, 0, 0xA0, 0x800, 0x10000};  // excludes C1 controls
  const bool is_surrogate = code >= 0xD800 && code < 0xE000;
  const bool is_invalid = code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
  return code < min_code.at(length) || is_surrogate || is_invalid ? 0 : length;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  return escaped;
}

std::optional<std::string> xml_unescaped(std::string_view escaped) {
  std::string text;
  while (!escaped.empty()) {
    if (const std::optional<char> character = take_entity(escaped)) {
      text += *character;
      continue;
    }
    if (std::string_view("<>&\"'").find(escaped.front()) != std::string_view::npos) return {};
    text += escaped.front();
    escaped.remove_prefix(1);
  }
  return text;
}

bool is_xml_text(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

namespace {

// Number of characters: continuation bytes of UTF-8 do not count.
std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// Begins with a digit.
bool is_number(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0;
}

std::string csv_quoted(std::string_view cell) {
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
  std::vector<bool> align_right(columns, false);
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i + 1 < row.size() || row.size() == columns)
        width[i] = std::max(width[i], display_width(row[i]));
      align_right[i] = align_right[i] || is_number(row[i]);
    }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t used = display_width(row[i]);
      const std::string padding(width[i] > used ? width[i] - used : 0, ' ');
      const bool is_unaligned = row.size() < columns && i + 1 == row.size();
      if (i > 0) line += "  ";
      line += align_right[i] && !is_unaligned ? padding + row[i] : row[i] + padding;
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
      text += csv_quoted(row[i]);
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
    const std::string_view tag = i == 0 ? "th" : "td";
    text += "<tr>";
    for (const std::string& cell : rows_[i])
      text += message("<", tag, ">", xml_escaped(cell), "</", tag, ">");
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

namespace {

// Rounds to 10 significant digits, because labels must not show rounding errors.
double without_rounding_noise(double value) {
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 9);
  return value == 0 ? 0 : std::round(value / unit) * unit;
}

std::string short_text(double value) { return message(static_cast<float>(value)); }

}  // namespace

// Whole decades, or steps of 1–2–5 if the axis covers less than 2.5 decades.
std::vector<double> logarithmic_ticks(double low, double high) {
  std::vector<double> ticks;
  const double decades = std::log10(high / low);
  for (double power = std::floor(std::log10(low)); power <= std::ceil(std::log10(high)); ++power)
    for (const double step : {1.0, 2.0, 5.0})
      if (step == 1 || decades < 2.5)
        ticks.push_back(without_rounding_noise(step * std::pow(10, power)));
  const auto first = std::ranges::upper_bound(ticks, low * 1.0001);
  if (first != ticks.begin()) ticks.erase(ticks.begin(), first - 1);
  const auto last = std::ranges::lower_bound(ticks, high * 0.9999);
  if (last != ticks.end()) ticks.erase(last + 1, ticks.end());
  if (ticks.size() < 2) ticks.push_back(without_rounding_noise(ticks.back() * 10));
  return ticks;
}

std::vector<double> linear_ticks(double high) {
  constexpr double max_intervals = 5;
  if (!(high > 0)) high = 1;
  const double unit = std::pow(10, std::floor(std::log10(high / max_intervals)));
  double step = 10 * unit;
  for (const double factor : {1.0, 2.0, 2.5, 5.0})
    if (step > factor * unit && factor * unit * max_intervals >= high) step = factor * unit;
  std::vector<double> ticks{0};
  while (ticks.back() < high * 0.9999)
    ticks.push_back(without_rounding_noise(static_cast<double>(ticks.size()) * step));
  return ticks;
}

std::string tick_label(double value) {
  constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  if (value == 0 || (value >= 1e-3 && value < 1e4)) return short_text(value);
  const double power = std::floor(std::log10(value) + 1e-9);
  const double factor = without_rounding_noise(value / std::pow(10, power));
  std::string exponent;
  for (const char c : message(std::abs(power)))
    exponent += digits[static_cast<std::size_t>(c - '0')];
  return message(factor == 1 ? "" : message(short_text(factor), "·"), "10", power < 0 ? "⁻" : "",
                 exponent);
}

}  // namespace abut
