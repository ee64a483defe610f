#pragma once

#include <abut/pair.hpp>
#include <algorithm>
#include <vector>

#include "core/reach.hpp"

namespace abut {

/// Libraries propose; the predicate of all methods decides.
template <std::size_t D>
class Umpire {
 public:
  explicit Umpire(const Spheres<D>& particles) : reach_(particles, Options<D>{}) {}

  void offer(Index i, Index j, std::vector<Pair>& pairs) const {
    if (reach_.touches(i, j)) pairs.push_back({std::min(i, j), std::max(i, j)});
  }

 private:
  Reach<D> reach_;
};

}  // namespace abut
