#include "core/check_point.hpp"

#include <abut/error.hpp>
#include <cmath>

#include "core/message.hpp"
#include "core/survey.hpp"

namespace abut {

void check_coordinate(double value, std::string_view what, std::string_view axis) {
  if (!std::isfinite(value))
    throw Error(message(what, " has ", axis, " = ", value, "; coordinates must be finite"));
  if (std::abs(value) > largest_length)
    throw Error(message(what, " has ", axis, " = ", value, "; coordinates must be within 1e150"));
}

template <std::size_t D>
void check_point(const Point<D>& point, std::string_view what) {
  for (std::size_t k = 0; k < D; ++k) check_coordinate(point[k], what, axis_names[k]);
}

template void check_point(const Point<2>&, std::string_view);
template void check_point(const Point<3>&, std::string_view);

}  // namespace abut
