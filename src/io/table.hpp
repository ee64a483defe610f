#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace abut {

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
  [[nodiscard]] std::size_t size() const { return rows_.size() - 1; }

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace abut
