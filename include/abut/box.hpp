#pragma once

#include <array>

namespace abut {

/// An axis-aligned box, faces included.
template <int D>
struct Box {
  std::array<double, D> min;
  std::array<double, D> max;
  friend bool operator==(const Box&, const Box&) = default;
};

}  // namespace abut
