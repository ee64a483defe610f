#include "dem/found_pairs.hpp"

#include <algorithm>

#include "core/make_room.hpp"
#include "core/runs.hpp"
#include "core/sort_pairs.hpp"

namespace abut {

// All the memory there is, or half as much again; pairs are bytes that move along.
void FoundPairs::grow() {
  std::size_t records = coming_.capacity();
  if (records * sizeof(Record) / sizeof(Pair) <= room_) {
    records += records / 2 + 256;
    coming_.reserve(records);
  }
  coming_.resize(records);
  room_ = records * sizeof(Record) / sizeof(Pair);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): put to another use, see `borrowed`
  pairs_ = reinterpret_cast<Pair*>(coming_.data());
}

std::span<const Pair> FoundPairs::in_order(std::size_t particles, ThreadPool& pool,
                                           std::vector<Index>& first) {
  const std::span<const Pair> pairs(pairs_, count_);
  const std::span<Pair> sorted = borrowed<Pair>(sorted_, count_);
  // Counted one further up, so that filling leaves the first places where they belong.
  make_room(first, particles + 2);
  first.assign(particles + 2, 0);
  for (const Pair& pair : pairs) ++first[pair.a + 2];
  for (std::size_t a = 1; a < first.size(); ++a) first[a] += first[a - 1];
  for (const Pair& pair : pairs) sorted[first[pair.a + 1]++] = pair;
  const Runs runs(particles, 4096);
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    for (std::size_t a = runs.first(run); a < runs.last(run); ++a)
      sort_partners(sorted.subspan(first[a], first[a + 1] - first[a]));
  });
  return sorted;
}

}  // namespace abut
