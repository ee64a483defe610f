#pragma once

#include <abut/error.hpp>
#include <array>
#include <cstddef>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>

#include "core/message.hpp"
#include "io/element_type.hpp"
#include "io/lasting_array.hpp"

namespace abut {

/// A view of scalars or of vectors of three: each component a column with a step from one row to
/// the next, so that separate arrays and arrays of tuples are one thing. A missing column is 0.
class VtkValues {
 public:
  VtkValues() = default;

  /// Scalars, or vectors that are `std::array`s of two or three.
  template <LastingArray R>
  VtkValues(R&& values)  // NOLINT(*-explicit-*, *-forwarding-reference-overload)
      : count_(std::ranges::size(values)) {
    take(std::ranges::data(values));
  }

  /// Vectors of three arrays; z may be empty, as it is in 2D.
  template <LastingArray X, LastingArray Y, LastingArray Z>
  VtkValues(X&& x, Y&& y, Z&& z)
      : type_(element_type<std::ranges::range_value_t<X>>()),
        components_(3),
        count_(std::ranges::size(x)),
        columns_{std::ranges::data(x), std::ranges::data(y), nullptr} {
    static_assert(std::is_same_v<std::ranges::range_value_t<X>, std::ranges::range_value_t<Y>> &&
                  std::is_same_v<std::ranges::range_value_t<X>, std::ranges::range_value_t<Z>>);
    if (!std::ranges::empty(z)) columns_[2] = std::ranges::data(z);
    if (std::ranges::size(y) != count_ || (columns_[2] && std::ranges::size(z) != count_))
      throw Error(message("x, y and z of a vector have ", count_, ", ", std::ranges::size(y),
                          " and ", std::ranges::size(z), " values; they must be as many"));
  }

  [[nodiscard]] ElementType type() const { return type_; }
  [[nodiscard]] std::size_t components() const { return components_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t bytes() const { return count_ * components_ * traits_of(type_).size; }
  /// From one row to the next, in elements.
  [[nodiscard]] std::size_t step() const { return step_; }
  [[nodiscard]] const void* column(std::size_t component) const { return columns_[component]; }

  /// Whether the rows lie in memory as they do in the file.
  [[nodiscard]] bool is_packed() const { return step_ == components_; }

 private:
  template <Element T>
  void take(const T* values) {
    type_ = element_type<T>();
    columns_ = {values};
  }

  template <Element T, std::size_t N>
  void take(const std::array<T, N>* rows) {
    static_assert(N == 2 || N == 3, "a vector has two or three components");
    static_assert(sizeof(*rows) == N * sizeof(T));
    type_ = element_type<T>();
    components_ = 3;
    step_ = N;
    if (count_ == 0) return;
    const T* const first = rows->data();
    columns_ = {first, first + 1, N == 3 ? first + 2 : nullptr};
  }

  ElementType type_ = ElementType::float64;
  std::size_t components_ = 1;
  std::size_t step_ = 1;
  std::size_t count_ = 0;
  std::array<const void*, 3> columns_{};
};

}  // namespace abut
