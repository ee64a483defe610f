#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

namespace abut {

/// Memory for data that live only during a part of a time step, so that different parts use the
/// same memory. `allocate` is O(1) apart from initialization; nothing is freed one by one.
class ScratchArena {
 public:
  /// `count` values, initialized as by `new T[count]`; valid until `reset`, or until `release` of
  /// an earlier mark.
  template <class T>
  [[nodiscard]] std::span<T> allocate(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    static_assert(alignof(T) <= alignment);
    if (count == 0) return {};
    return {new (allocate_bytes(count * sizeof(T))) T[count], count};
  }

  /// What is left of the current block.
  [[nodiscard]] std::span<std::byte> allocate_rest() {
    if (blocks_.empty()) return {};
    return allocate<std::byte>((blocks_.back().size - used_) / alignment * alignment);
  }

  /// Invalidates everything that was allocated. Then there is a block for as many bytes as ever
  /// before, and at least `min_bytes`; the parts of it that are never used take no memory.
  void reset(std::size_t min_bytes = 0) {
    peak_ = std::max(peak_, min_bytes);
    // One block of sufficient size replaces several.
    if (blocks_.size() > 1 || bytes() < min_bytes) blocks_.clear();
    used_ = 0;
    if (blocks_.empty() && peak_ > 0) add_block(peak_ + peak_ / 32);
  }

  /// A position in the arena: `release` invalidates everything that was allocated after it.
  struct Mark {
    std::size_t block_count;
    std::size_t used;  ///< bytes of the last block
  };
  [[nodiscard]] Mark mark() const { return {blocks_.size(), used_}; }

  /// Does nothing if the arena has grown by a block since the mark was taken.
  void release(const Mark& mark) {
    if (mark.block_count == blocks_.size()) used_ = mark.used;
  }

  /// Memory in bytes.
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Block& block : blocks_) sum += block.size;
    return sum;
  }

 private:
  static constexpr std::size_t alignment = 64;
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }  // NOLINT(*-no-malloc)
  };
  struct Block {
    std::unique_ptr<std::byte, Free> memory;
    std::size_t size;
  };

  void* allocate_bytes(std::size_t bytes) {
    bytes = (bytes + alignment - 1) / alignment * alignment;
    if (blocks_.empty() || blocks_.back().size - used_ < bytes) add_block(bytes);
    void* const memory = blocks_.back().memory.get() + used_;
    used_ += bytes;
    std::size_t total = used_;
    for (std::size_t k = 0; k + 1 < blocks_.size(); ++k) total += blocks_[k].size;
    peak_ = std::max(peak_, total);
    return memory;
  }

  // Uses huge pages (2 MiB) for the whole multiples of 2 MiB, because sums of forces are accessed
  // in random order; the size is not rounded up.
  void add_block(std::size_t bytes) {
    constexpr std::size_t page = 1UL << 21U;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    auto* const memory =
        static_cast<std::byte*>(std::aligned_alloc(bytes < page ? alignment : page, bytes));
    if (memory == nullptr) throw std::bad_alloc();
    if (bytes >= page) madvise(memory, bytes / page * page, MADV_HUGEPAGE);  // a hint
    blocks_.push_back({std::unique_ptr<std::byte, Free>(memory), bytes});
    used_ = 0;
  }

  std::vector<Block> blocks_;
  std::size_t used_ = 0;  ///< bytes of the last block
  std::size_t peak_ = 0;  ///< largest number of bytes in use so far
};

}  // namespace abut
