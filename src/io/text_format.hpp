#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// Escapes a text for HTML, SVG and XML, both in quoted attributes and elsewhere.
std::string xml_escaped(std::string_view text);

/// Inverse of `xml_escaped`; none if the text is not correctly escaped.
std::optional<std::string> xml_unescaped(std::string_view escaped);

/// Whether a text can be part of XML once escaped: valid UTF-8 without control characters.
bool is_xml_text(std::string_view text);

/// A table of text. The first column is aligned left, columns of numbers right.
class Table {
 public:
  explicit Table(std::vector<std::string> titles) : rows_{std::move(titles)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  /// Plain text in aligned columns, separated by two blanks. A row may have fewer cells than there
  /// are titles; its last cell does not widen the column.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string csv() const;
  [[nodiscard]] std::string html() const;
  [[nodiscard]] std::string markdown() const;
  /// Number of rows without the titles.
  [[nodiscard]] std::size_t row_count() const { return rows_.size() - 1; }

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Tick values of a logarithmic axis that covers low … high (both positive); the first and the last
/// are the ends of the axis.
std::vector<double> logarithmic_ticks(double low, double high);

/// Tick values of a linear axis that covers 0 … high; the last is at least `high`.
std::vector<double> linear_ticks(double high);

/// Label of a tick: 200 or 0.5; values below 10⁻³ or from 10⁴ on as 10⁴ or 2·10⁶. `value` must not
/// be negative.
std::string tick_label(double value);

}  // namespace abut
