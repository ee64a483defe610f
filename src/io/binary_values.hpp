#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string_view>
#include <type_traits>

namespace abut {

/// An array that outlives a view of it: any but a temporary vector.
template <class R>
concept BorrowedArray = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    std::ranges::borrowed_range<R>;

/// Values as they are in memory, for binary files.
template <class T>
requires std::is_trivially_copyable_v<T>
[[nodiscard]] std::string_view raw_bytes(const T* values, std::size_t count = 1) {
  const void* const begin = values;
  return {static_cast<const char*>(begin), count * sizeof(T)};
}

/// What binary files say their numbers are. These values are in files: none may ever change.
enum class ElementType : std::uint32_t {
  float64 = 1,
  float32 = 2,
  int8 = 3,
  int16 = 4,
  int32 = 5,
  int64 = 6,
  uint8 = 7,
  uint16 = 8,
  uint32 = 9,
  uint64 = 10,
};

/// A number that binary files can hold.
template <class T>
concept Element = std::is_arithmetic_v<T> && !std::same_as<T, bool> && sizeof(T) <= 8;

/// By size, not by name: `long` and `long long` are one type in a file.
template <Element T>
[[nodiscard]] constexpr ElementType element_type() {
  constexpr bool wide = sizeof(T) == 8;
  if constexpr (std::floating_point<T>) return wide ? ElementType::float64 : ElementType::float32;
  constexpr ElementType first = std::signed_integral<T> ? ElementType::int8 : ElementType::uint8;
  constexpr std::uint32_t doublings = (wide ? 3 : sizeof(T) / 2);  // of one byte
  return static_cast<ElementType>(static_cast<std::uint32_t>(first) + doublings);
}

/// Nothing for what is no type: the number may come from a damaged file.
struct ElementTraits {
  std::string_view name;
  std::size_t size = 0;
};

[[nodiscard]] constexpr ElementTraits traits_of(ElementType type) {
  constexpr std::array<ElementTraits, 11> all{{{},
                                               {"Float64", 8},
                                               {"Float32", 4},
                                               {"Int8", 1},
                                               {"Int16", 2},
                                               {"Int32", 4},
                                               {"Int64", 8},
                                               {"UInt8", 1},
                                               {"UInt16", 2},
                                               {"UInt32", 4},
                                               {"UInt64", 8}}};
  const auto number = static_cast<std::size_t>(type);
  return number < all.size() ? all[number] : ElementTraits{};
}

}  // namespace abut
