#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace abut {

/// Memory that is zero. The system hands out zeroed pages on first touch, so a huge array of which
/// little is used costs little.
struct ZeroedMemory {
  static void* take(std::size_t bytes) { return std::calloc(bytes, 1); }
};

/// Memory that is not initialised, on large pages where the system has them: for arrays that are
/// written in a thousand places at once, each on a page of its own.
struct HugePages {
  static void* take(std::size_t bytes) {
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
class GrownArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Makes room for `size` elements. Old contents are not carried over when it grows.
  void at_least(std::size_t size) {
    if (size <= size_) return;
    data_.reset();  // first, so that the two never stand side by side
    size_ = 0;
    data_.reset(static_cast<T*>(Memory::take(size * sizeof(T))));
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
using ZeroedArray = GrownArray<T, ZeroedMemory>;
template <class T>
using HugeArray = GrownArray<T, HugePages>;

}  // namespace abut
