#pragma once

#include <iterator>
#include <string>
#include <vector>

#include "io/text_format.hpp"

namespace abut {

/// The numbers of a figure, once for programs to read and once for people.
class ResultTable {
 public:
  struct Column {
    std::string name;   ///< in the file
    std::string title;  ///< in the report, with the unit
  };

  explicit ResultTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// A number for each column; NaN where there is none.
  void add(std::vector<double> row) { rows_.push_back({"", std::move(row)}); }

  /// The same for the columns after the first, which has a name.
  void add(std::string name, std::vector<double> row) {
    rows_.push_back({std::move(name), std::move(row)});
  }

  [[nodiscard]] Table csv() const;
  [[nodiscard]] Table formatted() const;

 private:
  struct Row {
    std::string name;
    std::vector<double> values;
  };

  template <class Text>
  [[nodiscard]] Table table(std::string Column::*title, const Text& text) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

/// 5 000 211, 36.1, 0.0124: whole numbers whole, others with three digits.
std::string formatted_number(double value);

/// What `make` makes of each element.
template <class Range, class Make>
auto map_to_vector(const Range& range, const Make& make) {
  std::vector<decltype(make(*std::begin(range)))> all;
  all.reserve(std::size(range));
  for (const auto& element : range) all.push_back(make(element));
  return all;
}

}  // namespace abut
