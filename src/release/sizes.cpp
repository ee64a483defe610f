#include <abut/error.hpp>
#include <abut/release.hpp>
#include <cmath>

#include "core/message.hpp"

namespace abut {
namespace {

void check_sizes(double smallest, double largest) {
  if (!(smallest > 0 && smallest <= largest && std::isfinite(largest)))
    throw Error(message("sizes from ", smallest, " to ", largest,
                        ": radii must be above 0, the smaller first"));
}

}  // namespace

Sizes one_size(double radius) { return uniform_by_number(radius, radius); }

Sizes uniform_by_number(double smallest, double largest) {
  check_sizes(smallest, largest);
  return [=](double u) { return smallest + (largest - smallest) * u; };
}

// As much volume of each radius means numbers in proportion to r^−D; their sum from the smallest to
// r, divided by that to the largest, is u. Roots and quotients are rounded alike on every machine.
template <std::size_t D>
Sizes uniform_by_mass(double smallest, double largest) {
  check_sizes(smallest, largest);
  const double ratio = smallest / largest;
  if constexpr (D == 2)
    return [=](double u) { return smallest / (1 - u * (1 - ratio)); };
  else
    return [=](double u) { return smallest / std::sqrt(1 - u * (1 - ratio * ratio)); };
}

template Sizes uniform_by_mass<2>(double, double);
template Sizes uniform_by_mass<3>(double, double);

}  // namespace abut
