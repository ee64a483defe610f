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
  void add(std::vector<double> row) { rows_.push_back(std::move(row)); }

  [[nodiscard]] Table for_programs() const;
  [[nodiscard]] Table for_people() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<double>> rows_;
};

/// 5 000 211, 36.1, 0.0124: whole numbers whole, others with three digits.
std::string readable(double value);

}  // namespace abut
