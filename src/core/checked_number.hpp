#pragma once

#include <abut/error.hpp>
#include <cstddef>
#include <limits>

namespace abut {

/// A number of a smaller type; throws `Error` instead of wrapping around.
template <class Number>
Number checked_number(std::size_t number) {
  if (number > static_cast<std::size_t>(std::numeric_limits<Number>::max()))
    throw Error("this method has no numbers left for so many particles in so many cells");
  return static_cast<Number>(number);
}

}  // namespace abut
