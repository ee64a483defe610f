#pragma once

#include <abut/mesh.hpp>
#include <string_view>

namespace abut {

/// Throws `Error` unless the number is one shapes can be made of: finite, at most 1e150.
void check_coordinate(double value, std::string_view what, std::string_view axis);

template <std::size_t D>
void check_point(const Point<D>& point, std::string_view what);

}  // namespace abut
