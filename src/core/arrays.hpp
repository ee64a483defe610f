#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace abut {

/// Memory that is zero. The system hands out zeroed pages on first touch, so a huge array of which
/// little is used costs little.
struct ZeroedMemory {
  static void* allocate(std::size_t bytes) { return std::calloc(bytes, 1); }
};

/// Memory that is not initialised, on large pages where the system has them: for arrays that are
/// written in a thousand places at once, each on a page of its own.
struct HugePages {
  static void* allocate(std::size_t bytes) {
    constexpr std::size_t page = 1UL << 21U;
    const std::size_t alignment = bytes < page ? 64 : page;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, rounded);
    if (memory != nullptr && alignment == page) madvise(memory, rounded, MADV_HUGEPAGE);  // a wish
    return memory;
  }
};

/// A growing array of plain values.
template <class T, class Memory>
class GrowOnlyArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Makes room for `size` elements. Old contents are not carried over when it grows.
  void ensure_size(std::size_t size) {
    if (size <= size_) return;
    data_.reset();  // first, so that the two never stand side by side
    size_ = 0;
    data_.reset(static_cast<T*>(Memory::allocate(size * sizeof(T))));
    if (!data_) throw std::bad_alloc();
    size_ = size;
  }

  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] const T* data() const { return data_.get(); }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

template <class T>
using ZeroedArray = GrowOnlyArray<T, ZeroedMemory>;
template <class T>
using HugePageArray = GrowOnlyArray<T, HugePages>;

/// Large pages for what is read in many places, one after the other: with small ones the machine
/// spends its time on finding where they are.
template <class T>
struct HugePageAllocator {
  using value_type = T;  // NOLINT(readability-identifier-naming): the standard's name

  HugePageAllocator() = default;
  template <class Other>
  HugePageAllocator(const HugePageAllocator<Other>& /*other*/) {
  }  // NOLINT(*-explicit-*): as is the custom

  [[nodiscard]] T* allocate(std::size_t count) {
    static_assert(alignof(T) <= 64);
    if (count > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T)) throw std::bad_alloc();
    void* const memory = HugePages::allocate(count * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t /*count*/) { std::free(memory); }  // NOLINT(*-no-malloc)

  template <class Other>
  bool operator==(const HugePageAllocator<Other>& /*other*/) const {
    return true;
  }
};

template <class T>
using HugePageVector = std::vector<T, HugePageAllocator<T>>;

/// Room for so many values and a few more: what grows a little at a time need not move each time,
/// and twice as much, as a vector would take, is too much where memory counts.
template <class T>
void reserve_with_slack(std::vector<T>& values, std::size_t size) {
  if (values.capacity() < size) values.reserve(size + size / 32);
}

}  // namespace abut
