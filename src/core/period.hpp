#pragma once

#include <abut/box.hpp>
#include <abut/mesh.hpp>
#include <abut/pair.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace abut {

/// Whole periods along each axis.
template <std::size_t D>
using Shift = std::array<std::int32_t, D>;

template <std::size_t D>
Shift<D> opposite(const Shift<D>& shift) {
  Shift<D> other;
  for (std::size_t k = 0; k < D; ++k) other[k] = -shift[k];
  return other;
}

/// Where a domain repeats, and how far it goes on.
template <std::size_t D>
struct Period {
  std::array<bool, D> along{};
  std::array<double, D> origin{};
  std::array<double, D> length{};

  Period() = default;

  /// Where an axis is periodic there must be a domain.
  Period(const std::optional<Box<D>>& domain, const std::array<bool, D>& periodic)
      : along(periodic) {
    for (std::size_t k = 0; k < D; ++k) {
      if (!along[k]) continue;
      origin[k] = domain->min[k];
      length[k] = domain->max[k] - domain->min[k];
    }
  }

  [[nodiscard]] bool any() const {
    return std::ranges::any_of(along, [](bool axis) { return axis; });
  }

  /// By how many periods x has to be moved to be in the domain; −`too_far` or less, `too_far` or
  /// more if that has no number.
  static constexpr std::int32_t too_far = 1000000000;
  [[nodiscard]] std::int32_t back(std::size_t k, double x) const {
    const double above = std::floor((x - origin[k]) / length[k]);
    return -static_cast<std::int32_t>(std::clamp<double>(above, -too_far, too_far));
  }

  /// From which to which period a point has to be moved to be within `distance` of the domain along
  /// an axis, rounded up; 0 is always among them. Whole numbers, which may be beyond any integer.
  [[nodiscard]] std::array<double, 2> places(std::size_t k, double x, double distance) const {
    if (!along[k]) return {0, 0};
    const double near = distance + 0x1p-40 * (distance + length[k] + std::abs(origin[k]));
    return {std::min(0.0, std::ceil((origin[k] - near - x) / length[k])),
            std::max(0.0, std::floor((origin[k] + length[k] + near - x) / length[k]))};
  }

  /// x moved by whole periods. One within the first stays as it is, to the last bit.
  [[nodiscard]] double moved(std::size_t k, double x, std::int32_t periods) const {
    return x + periods * length[k];
  }

  [[nodiscard]] Point<D> moved(Point<D> point, const Shift<D>& periods) const {
    for (std::size_t k = 0; k < D; ++k)
      if (along[k]) point[k] = moved(k, point[k], periods[k]);
    return point;
  }

  /// Moves a point into the domain and says by how many periods.
  Shift<D> bring_back(Point<D>& point) const {
    Shift<D> by{};
    for (std::size_t k = 0; k < D; ++k)
      if (along[k]) by[k] = back(k, point[k]);
    point = moved(point, by);
    return by;
  }
};

/// Calls visit(shift) for all shifts from the first to the second number along each axis.
template <std::size_t D, class Visit>
void for_each_shift(const std::array<std::array<double, 2>, D>& places, const Visit& visit) {
  Shift<D> first;
  for (std::size_t k = 0; k < D; ++k) first[k] = static_cast<std::int32_t>(places[k][0]);
  Shift<D> shift = first;
  while (true) {
    visit(shift);
    std::size_t k = 0;  // the next place, as a counter turns
    for (; k < D && ++shift[k] > places[k][1]; ++k) shift[k] = first[k];
    if (k == D) return;
  }
}

/// Of two particles across a face it is the larger that is moved to the other side, of like ones
/// that of the larger number, of a particle and its own image the one farther up. So all methods
/// compare the same two positions, bit by bit, and a small particle never needs an image to be
/// found by a large one.
template <std::size_t D, class Radii>
bool is_moved(Index still, Index moved, const Shift<D>& shift, const Radii& radius) {
  if (still == moved) return shift > Shift<D>{};
  return radius[still] < radius[moved] || (radius[still] == radius[moved] && still < moved);
}

/// The pair of a particle and an image of another; each was moved by so many periods from where the
/// caller has it.
template <std::size_t D>
PeriodicPair<D> pair_of(Index still, const Shift<D>& still_by, Index moved,
                        const Shift<D>& moved_by) {
  Shift<D> image;
  for (std::size_t k = 0; k < D; ++k) image[k] = moved_by[k] - still_by[k];
  if (still > moved) return {moved, still, opposite<D>(image)};
  return {still, moved, image};
}

/// A method that looks across faces itself names the image of a particle by a number beyond those
/// of the particles, one for each of the 3^D − 1 places around the domain.
template <std::size_t D>
struct NeighbourImages {
  static constexpr std::uint32_t places = D == 2 ? 9 : 27;

  [[nodiscard]] static bool have_numbers(std::size_t particles) {
    return particles <= UINT32_MAX / places;
  }

  /// Shifts are −1, 0 or 1 along each axis: the digits of the place, in balanced ternary.
  [[nodiscard]] static Index number(Index particle, const Shift<D>& shift, std::size_t particles) {
    std::int32_t place = 0;
    for (std::size_t k = D; k-- > 0;) place = 3 * place + shift[k];
    if (place < 0) place += static_cast<std::int32_t>(places);
    return particle + static_cast<Index>(place) * static_cast<Index>(particles);
  }

  [[nodiscard]] static Shift<D> shift(Index number, std::size_t particles) {
    auto place = static_cast<std::int32_t>(number / particles);
    Shift<D> shift;
    for (std::size_t k = 0; k < D; ++k) {
      const std::int32_t digit = (place + 1) % 3 - 1;
      shift[k] = digit;
      place = (place - digit) / 3;
    }
    return shift;
  }
};

}  // namespace abut
