#pragma once

#include <abut/pair.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/pair_buffer.hpp"

namespace abut {

/// Sets lists of pairs, in whatever order, against the first that was shown.
class PairCheck {
 public:
  explicit PairCheck(std::size_t particles) : particle_count_(particles) {}

  /// What is wrong with the pairs that `name` has found; none if they are those of the first.
  std::optional<std::string> mismatch(const std::string& name, const std::vector<Pair>& pairs);

  /// The next list is the first again.
  void reset() { reference_.reset(); }

  /// What it takes to sort these pairs, all memory being there: the median of some runs.
  double seconds_to_sort(const std::vector<Pair>& pairs, int repeat);

 private:
  void load(const std::vector<Pair>& pairs);

  std::size_t particle_count_;
  std::string reference_name_;
  std::optional<std::vector<Pair>> reference_;
  PairBuffer buffer_;
  PairSorter sorter_;
  std::vector<Pair> sorted_;
};

}  // namespace abut
