#include "core/pair_buffer.hpp"

namespace abut {
namespace {

// From the number of entries at i + 1 to the place of the first at i.
void prefix_sum(std::vector<std::uint64_t>& counts) {
  for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
}

}  // namespace

void PairSorter::sort(const PairBuffer& pairs, std::size_t particles, std::vector<Pair>& sorted) {
  sorted.resize(pairs.size());
  if (pairs.size() < particles / 32) {  // a pass over all particles would cost more
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
  for (std::size_t a = 0; a < particles; ++a) {  // place_[a] has become the end of a's run
    sort_neighbors(std::span(sorted).subspan(first, offsets_[a] - first));
    first = offsets_[a];
  }
}

void PairSorter::sort(const PairBuffer& pairs, std::size_t particles,
                      std::vector<std::uint64_t>& first, std::vector<Index>& partners) {
  // Counted one further up, so that filling leaves the first places where they belong.
  first.assign(particles + 2, 0);
  partners.resize(pairs.size());
  pairs.for_each([&](Pair pair) { ++first[pair.a + 2]; });
  prefix_sum(first);
  pairs.for_each([&](Pair pair) { partners[first[pair.a + 1]++] = pair.b; });
  first.pop_back();
  for (std::size_t a = 0; a < particles; ++a)
    sort_neighbors(std::span(partners).subspan(first[a], first[a + 1] - first[a]));
}

ReverseNeighbors::ReverseNeighbors(std::span<const Pair> sorted, std::size_t particles)
    : offsets_(particles + 2, 0), neighbors_(sorted.size()) {
  // Counted one further up, so that filling leaves the first places where they belong.
  for (const Pair pair : sorted) ++offsets_[pair.b + 2];
  prefix_sum(offsets_);
  for (const Pair pair : sorted) neighbors_[offsets_[pair.b + 1]++] = pair.a;
}

}  // namespace abut
