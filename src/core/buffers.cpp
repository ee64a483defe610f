#include "core/buffers.hpp"

namespace abut {
namespace {

// Turns the lengths of rows, with that of row i stored at i + 1, into the offsets of the rows.
void prefix_sum(std::vector<std::uint64_t>& counts) {
  for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
}

}  // namespace

void PairSorter::sort(const PairBuffer& pairs, std::size_t particles, std::vector<Pair>& sorted) {
  sorted.resize(pairs.size());
  if (pairs.size() < particles / 32) {  // cheaper than a pass over all particles
    std::size_t at = 0;
    pairs.for_each([&](Pair pair) { sorted[at++] = pair; });
    std::ranges::sort(sorted);
    return;
  }
  offsets_.assign(particles + 1, 0);
  pairs.for_each([&](Pair pair) { ++offsets_[pair.a + 1]; });
  prefix_sum(offsets_);
  pairs.for_each([&](Pair pair) { sorted[offsets_[pair.a]++] = pair; });
  std::size_t first = 0;
  for (std::size_t a = 0; a < particles; ++a) {  // offsets_[a] is now the end of a's pairs
    sort_neighbors(std::span(sorted).subspan(first, offsets_[a] - first));
    first = offsets_[a];
  }
}

void PairSorter::sort(const PairBuffer& pairs, std::size_t particles,
                      std::vector<std::uint64_t>& offsets, std::vector<Index>& neighbors) {
  // Counts are stored at a + 2, so that after filling offsets[a] is the start of row a.
  offsets.assign(particles + 2, 0);
  neighbors.resize(pairs.size());
  pairs.for_each([&](Pair pair) { ++offsets[pair.a + 2]; });
  prefix_sum(offsets);
  pairs.for_each([&](Pair pair) { neighbors[offsets[pair.a + 1]++] = pair.b; });
  offsets.pop_back();
  for (std::size_t a = 0; a < particles; ++a)
    sort_neighbors(std::span(neighbors).subspan(offsets[a], offsets[a + 1] - offsets[a]));
}

ReverseNeighbors::ReverseNeighbors(std::span<const Pair> sorted, std::size_t particles)
    : offsets_(particles + 2, 0), neighbors_(sorted.size()) {
  // Counts are stored at b + 2, so that after filling offsets_[b] is the start of row b.
  for (const Pair pair : sorted) ++offsets_[pair.b + 2];
  prefix_sum(offsets_);
  for (const Pair pair : sorted) neighbors_[offsets_[pair.b + 1]++] = pair.a;
}

}  // namespace abut
