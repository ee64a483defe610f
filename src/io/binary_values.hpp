#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string_view>
#include <type_traits>

namespace abut {

/// A contiguous array that a view may refer to: anything but a temporary container.
template <class R>
concept BorrowedArray = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    std::ranges::borrowed_range<R>;

/// The bytes of values in memory, for binary files.
template <class T>
requires std::is_trivially_copyable_v<T>
[[nodiscard]] std::string_view raw_bytes(const T* values, std::size_t count = 1) {
  const void* const begin = values;
  return {static_cast<const char*>(begin), count * sizeof(T)};
}

/// Type of the numbers in a binary file. The values are part of file formats and must not change.
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

/// A number type that binary files support.
template <class T>
concept Element = std::is_arithmetic_v<T> && !std::same_as<T, bool> && sizeof(T) <= 8;

/// The element type of T. Depends on size and signedness alone: `long` and `long long` are the
/// same.
template <Element T>
[[nodiscard]] constexpr ElementType element_type() {
  if constexpr (std::floating_point<T>)
    return sizeof(T) == 8 ? ElementType::float64 : ElementType::float32;
  constexpr bool is_signed = std::signed_integral<T>;
  switch (sizeof(T)) {
    case 1:
      return is_signed ? ElementType::int8 : ElementType::uint8;
    case 2:
      return is_signed ? ElementType::int16 : ElementType::uint16;
    case 4:
      return is_signed ? ElementType::int32 : ElementType::uint32;
    default:
      return is_signed ? ElementType::int64 : ElementType::uint64;
  }
}

/// Name (as in VTK files) and size in bytes of an element type.
struct ElementTraits {
  ElementType type{};
  std::string_view name;
  std::size_t size = 0;
};

inline constexpr std::array<ElementTraits, 10> element_types{{{ElementType::float64, "Float64", 8},
                                                              {ElementType::float32, "Float32", 4},
                                                              {ElementType::int8, "Int8", 1},
                                                              {ElementType::int16, "Int16", 2},
                                                              {ElementType::int32, "Int32", 4},
                                                              {ElementType::int64, "Int64", 8},
                                                              {ElementType::uint8, "UInt8", 1},
                                                              {ElementType::uint16, "UInt16", 2},
                                                              {ElementType::uint32, "UInt32", 4},
                                                              {ElementType::uint64, "UInt64", 8}}};

/// The traits of an element type; empty, with size 0, for a number that is not an element type, as
/// may occur in a damaged file.
[[nodiscard]] constexpr ElementTraits traits_of(ElementType type) {
  for (const ElementTraits& traits : element_types)
    if (traits.type == type) return traits;
  return {};
}

}  // namespace abut
