#pragma once

#include <string>
#include <vector>

#include "io/table.hpp"

namespace abut {

/// The numbers of a figure, once for programs to read and once for people.
class Sheet {
 public:
  struct Column {
    std::string name;   ///< in the file
    std::string title;  ///< in the report, with the unit
  };

  explicit Sheet(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// A number for each column; NaN where there is none.
  void add(std::vector<double> row) { rows_.push_back({"", std::move(row)}); }

  /// The same for the columns after the first, which has a name.
  void add(std::string name, std::vector<double> row) {
    rows_.push_back({std::move(name), std::move(row)});
  }

  [[nodiscard]] Table for_programs() const;
  [[nodiscard]] Table for_people() const;

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
std::string readable(double value);

}  // namespace abut
