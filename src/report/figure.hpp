#pragma once

#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "io/text_format.hpp"
#include "report/plot.hpp"
#include "report/report.hpp"

namespace abut {

/// Called repeatedly with the completed fraction of the work, 0 … 1.
using ProgressCallback = std::function<void(double)>;

/// The numbers of a figure, written as CSV for programs and formatted for readers.
class ResultTable {
 public:
  struct Column {
    std::string name;   ///< header in the CSV file
    std::string title;  ///< header in the report, with the unit
  };

  explicit ResultTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds one number per column; NaN is an empty cell.
  void add(std::vector<double> row) { rows_.push_back({"", std::move(row)}); }

  /// Adds a row whose first column is a name; `row` has the other columns.
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

/// One figure of a paper or of a validation experiment: its numbers, its plot, and the verdicts
/// derived from the numbers.
struct Figure {
  std::string file;  ///< base name of its files, without extension
  std::string title;
  std::string text;
  ResultTable numbers;
  Plot plot;
  std::vector<Finding> findings;
  std::string svg{};  ///< an SVG drawing that replaces the plot; empty: draw the plot
};

/// "5 000 211", "36.1", "0.0124": integers in full, other numbers with three significant digits,
/// "–" for NaN.
std::string formatted_number(double value);

/// The results of `make` for each element, in order.
template <class Range, class Make>
auto map_to_vector(const Range& range, const Make& make) {
  std::vector<decltype(make(*std::begin(range)))> results;
  results.reserve(std::size(range));
  for (const auto& element : range) results.push_back(make(element));
  return results;
}

}  // namespace abut
