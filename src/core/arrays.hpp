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

// Arrays for large data: memory policies, an array that only grows, and huge-page vectors.

/// Allocates zeroed memory. The operating system provides zeroed pages on first access, so the
/// unused part of a huge array costs nothing.
struct ZeroedMemory {
  static void* allocate(std::size_t bytes) { return std::calloc(bytes, 1); }
};

/// Allocates uninitialized memory, aligned to 64 bytes, on huge pages (2 MiB) where the operating
/// system provides them. Intended for arrays accessed at many distant places at once, where small
/// pages would cause TLB misses.
struct HugePages {
  static void* allocate(std::size_t bytes) {
    constexpr std::size_t page = 1UL << 21U;
    const std::size_t alignment = bytes < page ? 64 : page;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, rounded);
    if (memory != nullptr && alignment == page) madvise(memory, rounded, MADV_HUGEPAGE);  // a hint
    return memory;
  }
};

/// Owning array of trivially copyable values that grows on request and never shrinks. `Memory` is
/// `ZeroedMemory` or `HugePages`.
template <class T, class Memory>
class GrowOnlyArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Makes the array at least `size` elements long. Growing discards the old contents and is
  /// O(size) at most. Throws `std::bad_alloc`.
  void ensure_size(std::size_t size) {
    if (size <= size_) return;
    data_.reset();  // before the allocation, so that old and new array never coexist
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

/// Standard allocator on huge pages, for vectors that are read at random places.
template <class T>
struct HugePageAllocator {
  using value_type = T;  // NOLINT(readability-identifier-naming): required by the standard

  HugePageAllocator() = default;
  template <class Other>
  HugePageAllocator(  // NOLINT(*-explicit-*): allocators convert implicitly
      const HugePageAllocator<Other>& /*other*/) {}

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

/// Reserves capacity for `size` values with 3 % to spare, so that slow growth does not reallocate
/// every time; the doubling of std::vector would waste memory.
template <class T>
void reserve_with_slack(std::vector<T>& values, std::size_t size) {
  if (values.capacity() < size) values.reserve(size + size / 32);
}

}  // namespace abut
