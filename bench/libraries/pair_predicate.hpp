#pragma once

#include <abut/pair.hpp>
#include <algorithm>
#include <vector>

#include "core/contact_predicate.hpp"

namespace abut {

/// Tests the candidate pairs of a library with the contact predicate of abut.
template <std::size_t D>
class PairPredicate {
 public:
  explicit PairPredicate(const Spheres<D>& particles)
      : predicate_(particles, DetectorOptions<D>{}) {}

  /// Appends the pair to `pairs` if i and j touch.
  void test(Index i, Index j, std::vector<Pair>& pairs) const {
    if (predicate_.touches(i, j)) pairs.push_back({std::min(i, j), std::max(i, j)});
  }

 private:
  ContactPredicate<D> predicate_;
};

}  // namespace abut
