#pragma once

#include <abut/pair.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace abut {

/// Pairs as they come, in blocks: growing never copies what is there, and the memory is kept.
class PairBlocks {
 public:
  void append(std::span<const Pair> pairs) {
    while (!pairs.empty()) {
      if (size_ == blocks_.size() * length)
        blocks_.push_back(std::make_unique_for_overwrite<Block>());
      const std::size_t at = size_ % length;
      const std::size_t part = std::min(pairs.size(), length - at);
      std::copy_n(pairs.begin(), part, blocks_[size_ / length]->begin() + at);
      size_ += part;
      pairs = pairs.subspan(part);
    }
  }

  void clear() { size_ = 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  template <class Use>
  void for_each(const Use& use) const {
    for (std::size_t first = 0; first < size_; first += length) {
      const Block& block = *blocks_[first / length];
      std::for_each_n(block.begin(), std::min(length, size_ - first), use);
    }
  }

  /// For a sink: `blocks` is a PairBlocks.
  static void drain(void* blocks, std::span<const Pair> pairs) {
    static_cast<PairBlocks*>(blocks)->append(pairs);
  }

 private:
  static constexpr std::size_t length = 1U << 16U;
  using Block = std::array<Pair, length>;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::size_t size_ = 0;
};

}  // namespace abut
