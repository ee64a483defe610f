#include "core/sort_pairs.hpp"

#include <algorithm>

namespace abut {
namespace {

// A stable counting sort by key(pair) in 0 … keys−1. `place` ends as the end of each key's run.
template <class Key>
void counting_sort(const std::vector<Pair>& from, std::vector<Pair>& to, std::size_t keys,
                   std::vector<std::uint64_t>& place, Key key) {
  place.assign(keys + 1, 0);
  for (const Pair pair : from) ++place[key(pair) + 1];
  for (std::size_t i = 1; i <= keys; ++i) place[i] += place[i - 1];
  to.resize(from.size());
  for (const Pair pair : from) to[place[key(pair)]++] = pair;
}

// A particle has few partners: inserting each where it belongs beats any other sort.
void sort_run(std::vector<Pair>& pairs, std::uint64_t first, std::uint64_t last) {
  constexpr std::uint64_t few = 32;
  if (last - first > few) {
    std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(first),
              pairs.begin() + static_cast<std::ptrdiff_t>(last));
    return;
  }
  for (std::uint64_t i = first + 1; i < last; ++i) {
    const Pair pair = pairs[i];
    std::uint64_t hole = i;
    for (; hole > first && pairs[hole - 1].b > pair.b; --hole) pairs[hole] = pairs[hole - 1];
    pairs[hole] = pair;
  }
}

}  // namespace

void PairSorter::sort(std::vector<Pair>& pairs, std::size_t particles) {
  if (pairs.size() < particles / 32) {  // a pass over all particles would cost more
    std::ranges::sort(pairs);
    return;
  }
  counting_sort(pairs, scratch_, particles, place_, [](Pair pair) { return pair.a; });
  pairs.swap(scratch_);
  std::uint64_t first = 0;
  for (std::size_t a = 0; a < particles; ++a) {
    sort_run(pairs, first, place_[a]);
    first = place_[a];
  }
}

void PairSorter::by_larger_descending(std::vector<Pair>& pairs, std::size_t particles) {
  if (particles == 0) return;
  counting_sort(pairs, scratch_, particles, place_,
                [last = particles - 1](Pair pair) { return last - pair.b; });
  pairs.swap(scratch_);
}

}  // namespace abut
