#pragma once

#include <abut/pair.hpp>
#include <cstddef>
#include <new>
#include <span>
#include <vector>

#include "core/thread_pool.hpp"
#include "dem/record.hpp"

namespace abut {

/// Memory of records, put to another use for a while: what they held is gone.
template <class T>
std::span<T> borrowed(std::vector<Record>& records, std::size_t count) {
  static_assert(sizeof(Record) % sizeof(T) == 0);
  records.resize((count * sizeof(T) + sizeof(Record) - 1) / sizeof(Record));
  if (count == 0) return {};  // there may be no memory
  return {new (records.data()) T[count], count};
}

/// Pairs as a search finds them, then sorted: both in memory that nobody else needs just then,
/// since a simulation needs most of its memory for particles and springs.
class FoundPairs {
 public:
  /// Pairs come into one, and go in order into the other, which may be in use until all have come.
  FoundPairs(std::vector<Record>& coming, std::vector<Record>& sorted)
      : coming_(coming), sorted_(sorted) {}

  void put(Pair pair) {
    if (count_ == room_) grow();
    pairs_[count_++] = pair;
  }

  /// All of them by a, then by b. `first` is kept for its memory.
  [[nodiscard]] std::span<const Pair> in_order(std::size_t particles, ThreadPool& pool,
                                               std::vector<Index>& first);

 private:
  void grow();

  std::vector<Record>& coming_;
  std::vector<Record>& sorted_;
  Pair* pairs_ = nullptr;  ///< in `coming_`
  std::size_t count_ = 0;
  std::size_t room_ = 0;
};

}  // namespace abut
