#include "walls/complementarity.hpp"

#include <algorithm>
#include <limits>

namespace abut {
namespace {

constexpr std::size_t no_row = std::numeric_limits<std::size_t>::max();
constexpr double tiny = 1e-13;

}  // namespace

bool Complementarity::solve(std::span<const double> matrix, std::span<const double> depth,
                            std::vector<double>& overlaps) {
  size_ = depth.size();
  width_ = 2 * size_ + 2;
  const std::size_t excess = 2 * size_;
  table_.assign(size_ * width_, 0);
  inside_.resize(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    at(i, i) = 1;
    for (std::size_t j = 0; j < size_; ++j) at(i, size_ + j) = -matrix[i * size_ + j];
    at(i, excess) = -1;
    at(i, excess + 1) = -depth[i];
    inside_[i] = i;
  }
  overlaps.assign(size_, 0);
  const auto deepest = static_cast<std::size_t>(std::ranges::max_element(depth) - depth.begin());
  if (size_ == 0 || depth[deepest] <= 0) return true;
  // What leaves is followed by its partner, until what is too much leaves.
  std::size_t row = deepest;
  std::size_t entering = excess;
  for (std::size_t round = 0; round < 50 * size_; ++round) {
    const std::size_t left = inside_[row];
    pivot(row, entering);
    if (left == excess) {
      for (std::size_t i = 0; i < size_; ++i)
        if (inside_[i] >= size_ && inside_[i] < excess)
          overlaps[inside_[i] - size_] = std::max(0.0, at(i, excess + 1));
      return true;
    }
    entering = left < size_ ? left + size_ : left - size_;
    row = leaving(entering);
    if (row == no_row) return false;
  }
  return false;
}

// The row that first comes to zero when the column's variable grows; where several do, the one of
// what is too much, which ends it.
std::size_t Complementarity::leaving(std::size_t column) {
  std::size_t best = no_row;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < size_; ++i) {
    if (at(i, column) <= tiny) continue;
    const double ratio = at(i, width_ - 1) / at(i, column);
    const bool ends = inside_[i] == 2 * size_;
    if (ratio > least || (ratio == least && !ends)) continue;
    least = ratio;
    best = i;
  }
  return best;
}

void Complementarity::pivot(std::size_t row, std::size_t column) {
  const double by = 1 / at(row, column);
  for (std::size_t j = 0; j < width_; ++j) at(row, j) *= by;
  for (std::size_t i = 0; i < size_; ++i) {
    const double part = at(i, column);
    if (i == row || part == 0) continue;
    for (std::size_t j = 0; j < width_; ++j) at(i, j) -= part * at(row, j);
  }
  inside_[row] = column;
}

}  // namespace abut
