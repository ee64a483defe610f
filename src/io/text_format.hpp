#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// Text that stands for itself in HTML, SVG and XML, inside and outside of quoted attributes.
std::string xml_escaped(std::string_view text);

/// What `escaped` was given; nothing for what it cannot have returned.
std::optional<std::string> xml_unescaped(std::string_view safe);

/// Whether XML can hold this text, escaped: UTF-8 without control characters.
bool is_xml_text(std::string_view text);

/// Rows of text in aligned columns: the first column to the left, numbers to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> titles) : rows_{std::move(titles)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  /// Columns two blanks apart; a row may be shorter than the titles, and a last cell without
  /// successors may run on.
  [[nodiscard]] std::string text() const;
  /// The same as comma-separated values.
  [[nodiscard]] std::string csv() const;
  /// The same for a page.
  [[nodiscard]] std::string html() const;
  /// The same for a document.
  [[nodiscard]] std::string markdown() const;
  /// How many there are below the titles.
  [[nodiscard]] std::size_t row_count() const { return rows_.size() - 1; }

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// The values marked on an axis; the first and the last are its ends.
std::vector<double> logarithmic_ticks(double low, double high);

/// The same from zero.
std::vector<double> linear_ticks(double high);

/// 200, 0.5, but 10⁴ and 2·10⁶ where zeros would have to be counted.
std::string tick_label(double value);

}  // namespace abut
