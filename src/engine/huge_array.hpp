#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace abut {

/// A growing array of plain values that are not initialised. It lies on large pages where the
/// system has them: sorting writes to a thousand places at once, each on a page of its own.
template <class T>
class HugeArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Makes room for `size` elements. Old contents are not carried over when it grows.
  void at_least(std::size_t size) {
    if (size <= size_) return;
    data_.reset();  // first, so that the two never stand side by side
    size_ = 0;
    const std::size_t alignment = size * sizeof(T) < page ? 64 : page;
    const std::size_t bytes = (size * sizeof(T) + alignment - 1) / alignment * alignment;
    data_.reset(static_cast<T*>(std::aligned_alloc(alignment, bytes)));
    if (!data_) throw std::bad_alloc();
    if (alignment == page) madvise(data_.get(), bytes, MADV_HUGEPAGE);  // a wish, no more
    size_ = size;
  }

  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] const T* data() const { return data_.get(); }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  static constexpr std::size_t page = 1UL << 21U;
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace abut
