#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace abut {

/// Finds λ ≥ 0 with w = G λ − d ≥ 0 and λ·w = 0, for a square G of numbers that are not below 0,
/// with ones on the diagonal. There is always a solution, and Lemke's method finds one: it pivots
/// from the solution of an easier problem, in which everything is pushed by the same amount too
/// much, until that amount is 0.
///
/// C. E. Lemke, Management Science 11 (1965) 681–689.
class Complementarity {
 public:
  /// G by rows. False if rounding kept it from arriving; the result is then all zeros.
  bool solve(std::span<const double> matrix, std::span<const double> depth,
             std::vector<double>& overlaps);

 private:
  [[nodiscard]] double& at(std::size_t row, std::size_t column) {
    return table_[row * width_ + column];
  }
  [[nodiscard]] std::size_t leaving(std::size_t column);
  void pivot(std::size_t row, std::size_t column);

  std::size_t size_ = 0;
  std::size_t width_ = 0;  // w, then λ, then what is too much, then the right side
  std::vector<double> table_;
  std::vector<std::size_t> inside_;  // the variable of each row
};

}  // namespace abut
