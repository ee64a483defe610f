#pragma once

#include <cstdint>

namespace abut {

/// What the papers count of a search.
struct Counts {
  std::uint64_t candidates = 0;    ///< pairs handed to the predicate
  std::uint64_t examinations = 0;  ///< comparisons that place a particle or descend a tree
  std::uint64_t list_moves = 0;    ///< particles relinked within a list that is kept

  Counts& operator+=(const Counts& more) {
    candidates += more.candidates;
    examinations += more.examinations;
    list_moves += more.list_moves;
    return *this;
  }
};

/// The counter every method counts with. Whether it counts is a template parameter, so that it
/// costs nothing when it is off.
template <bool On>
class Counter {
 public:
  void candidates(std::uint64_t more) {
    if constexpr (On) counts_.candidates += more;
  }
  void examinations(std::uint64_t more) {
    if constexpr (On) counts_.examinations += more;
  }
  void list_moves(std::uint64_t more) {
    if constexpr (On) counts_.list_moves += more;
  }
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  Counts counts_;
};

}  // namespace abut
