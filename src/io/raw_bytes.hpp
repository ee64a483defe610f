#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace abut {

/// Values as they are in memory, for binary files.
template <class T>
requires std::is_trivially_copyable_v<T>
[[nodiscard]] std::string_view raw_bytes(const T* values, std::size_t count = 1) {
  const void* const begin = values;
  return {static_cast<const char*>(begin), count * sizeof(T)};
}

}  // namespace abut
