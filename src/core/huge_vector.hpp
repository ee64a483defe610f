#pragma once

#include <limits>
#include <new>
#include <vector>

#include "core/grown_array.hpp"

namespace abut {

/// Large pages for what is read in many places, one after the other: with small ones the machine
/// spends its time on finding where they are.
template <class T>
struct HugeAllocator {
  using value_type = T;  // NOLINT(readability-identifier-naming): the standard's name

  HugeAllocator() = default;
  template <class Other>
  HugeAllocator(const HugeAllocator<Other>& /*other*/) {}  // NOLINT(*-explicit-*): as is the custom

  [[nodiscard]] T* allocate(std::size_t count) {
    static_assert(alignof(T) <= 64);
    if (count > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T)) throw std::bad_alloc();
    void* const memory = HugePages::take(count * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t /*count*/) { std::free(memory); }  // NOLINT(*-no-malloc)

  template <class Other>
  bool operator==(const HugeAllocator<Other>& /*other*/) const {
    return true;
  }
};

template <class T>
using HugeVector = std::vector<T, HugeAllocator<T>>;

}  // namespace abut
