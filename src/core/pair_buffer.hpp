#pragma once

#include <abut/pair.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace abut {

/// The drain that stores: `list` is a std::vector<Pair>.
inline void append_to_vector(void* list, std::span<const Pair> pairs) {
  auto& kept = *static_cast<std::vector<Pair>*>(list);
  kept.insert(kept.end(), pairs.begin(), pairs.end());
}

/// Where pairs go. Methods offer candidates with the verdict; kept ones pile up in a small buffer
/// that is handed on when full, so that nobody calls through a pointer for a single pair.
class PairSink {
 public:
  PairSink(PairCallback drain, void* to) : callback_(drain), context_(to) {}
  explicit PairSink(std::vector<Pair>& list) : PairSink(append_to_vector, &list) {}

  /// Keeps the pair if told so; without a branch, because verdicts are hard to predict.
  [[gnu::always_inline]] void add_if(Pair pair, bool keep) {
    buffer_[count_] = pair;
    count_ += static_cast<std::size_t>(keep);
    if (count_ == buffer_.size()) flush();
  }

  /// Hands on what the buffer holds; to be called once after the last offer.
  void flush() {
    const std::size_t count = count_;
    count_ = 0;
    if (count > 0) callback_(context_, {buffer_.data(), count});
  }

  /// Passes a ready batch through, after what came before it.
  void append(std::span<const Pair> pairs) {
    flush();
    if (!pairs.empty()) callback_(context_, pairs);
  }

 private:
  PairCallback callback_;
  void* context_;
  std::size_t count_ = 0;
  std::array<Pair, 1024> buffer_;
};

/// Pairs as they come, in blocks: growing never copies what is there, and the memory is kept.
class PairBuffer {
 public:
  void append(std::span<const Pair> pairs) {
    while (!pairs.empty()) {
      if (size_ == blocks_.size() * block_size)
        blocks_.push_back(std::make_unique_for_overwrite<Block>());
      const std::size_t at = size_ % block_size;
      const std::size_t part = std::min(pairs.size(), block_size - at);
      std::copy_n(pairs.begin(), part, blocks_[size_ / block_size]->begin() + at);
      size_ += part;
      pairs = pairs.subspan(part);
    }
  }

  void clear() { size_ = 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  template <class Use>
  void for_each(const Use& use) const {
    for (std::size_t first = 0; first < size_; first += block_size) {
      const Block& block = *blocks_[first / block_size];
      std::for_each_n(block.begin(), std::min(block_size, size_ - first), use);
    }
  }

  /// For a sink: `blocks` is a PairBlocks.
  static void append_to(void* blocks, std::span<const Pair> pairs) {
    static_cast<PairBuffer*>(blocks)->append(pairs);
  }

 private:
  static constexpr std::size_t block_size = 1U << 16U;
  using Block = std::array<Pair, block_size>;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::size_t size_ = 0;
};

/// Sorts what one particle has. It has few partners: inserting each where it belongs beats any
/// other sort.
template <class T>
void sort_neighbors(std::span<T> partners) {
  constexpr std::size_t few = 32;
  if (partners.size() > few) {
    std::ranges::sort(partners);
    return;
  }
  for (std::size_t i = 1; i < partners.size(); ++i) {
    const T value = partners[i];
    std::size_t hole = i;
    for (; hole > 0 && partners[hole - 1] > value; --hole) partners[hole] = partners[hole - 1];
    partners[hole] = value;
  }
}

/// Puts pairs in order in time linear in their number and that of the particles; keeps its memory.
class PairSorter {
 public:
  /// By a, then by b, into `sorted`.
  void sort(const PairBuffer& pairs, std::size_t particles, std::vector<Pair>& sorted);

  /// Into compressed rows: the partners of a from first[a] to first[a + 1], ascending.
  static void sort(const PairBuffer& pairs, std::size_t particles,
                   std::vector<std::uint64_t>& first, std::vector<Index>& partners);

 private:
  std::vector<std::uint64_t> offsets_;
};

/// Sorted pairs seen from the larger particle: for each b, the smaller ones that touch it.
class ReverseNeighbors {
 public:
  ReverseNeighbors(std::span<const Pair> sorted, std::size_t particles);

  /// Ascending.
  [[nodiscard]] std::span<const Index> neighbors_of(std::size_t b) const {
    return std::span(neighbors_).subspan(offsets_[b], offsets_[b + 1] - offsets_[b]);
  }

 private:
  std::vector<std::uint64_t> offsets_;
  std::vector<Index> neighbors_;
};

}  // namespace abut
