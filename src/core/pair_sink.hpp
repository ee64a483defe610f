#pragma once

#include <abut/pair.hpp>
#include <array>
#include <cstddef>
#include <vector>

namespace abut {

/// The drain that stores: `list` is a std::vector<Pair>.
inline void append_pairs(void* list, std::span<const Pair> pairs) {
  auto& kept = *static_cast<std::vector<Pair>*>(list);
  kept.insert(kept.end(), pairs.begin(), pairs.end());
}

/// Where pairs go. Methods offer candidates with the verdict; kept ones pile up in a small buffer
/// that is handed on when full, so that nobody calls through a pointer for a single pair.
class PairSink {
 public:
  PairSink(PairDrain drain, void* to) : drain_(drain), to_(to) {}
  explicit PairSink(std::vector<Pair>& list) : PairSink(append_pairs, &list) {}

  /// Keeps the pair if told so; without a branch, because verdicts are hard to predict.
  [[gnu::always_inline]] void offer(Pair pair, bool keep) {
    buffer_[count_] = pair;
    count_ += static_cast<std::size_t>(keep);
    if (count_ == buffer_.size()) hand_on();
  }

  /// Hands on what the buffer holds; to be called once after the last offer.
  void hand_on() {
    const std::size_t count = count_;
    count_ = 0;
    if (count > 0) drain_(to_, {buffer_.data(), count});
  }

  /// Passes a ready batch through, after what came before it.
  void pass(std::span<const Pair> pairs) {
    hand_on();
    if (!pairs.empty()) drain_(to_, pairs);
  }

 private:
  PairDrain drain_;
  void* to_;
  std::size_t count_ = 0;
  std::array<Pair, 1024> buffer_;
};

}  // namespace abut
