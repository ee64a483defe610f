#pragma once

#include <abut/pair.hpp>
#include <algorithm>
#include <vector>

#include "core/contact_predicate.hpp"

namespace abut {

/// Libraries propose; the predicate of all methods decides.
template <std::size_t D>
class PairPredicate {
 public:
  explicit PairPredicate(const Spheres<D>& particles)
      : predicate_(particles, DetectorOptions<D>{}) {}

  void test(Index i, Index j, std::vector<Pair>& pairs) const {
    if (predicate_.touches(i, j)) pairs.push_back({std::min(i, j), std::max(i, j)});
  }

 private:
  ContactPredicate<D> predicate_;
};

}  // namespace abut
