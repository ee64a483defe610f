#pragma once

#include <abut/box.hpp>
#include <abut/mesh.hpp>
#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace abut {

/// Whole periods along each axis.
template <std::size_t D>
using ImageOffset = std::array<std::int32_t, D>;

template <std::size_t D>
ImageOffset<D> negated(const ImageOffset<D>& shift) {
  ImageOffset<D> other;
  for (std::size_t k = 0; k < D; ++k) other[k] = -shift[k];
  return other;
}

/// Where a domain repeats, and how far it goes on.
template <std::size_t D>
struct PeriodicDomain {
  std::array<bool, D> is_periodic{};
  std::array<double, D> origin{};
  std::array<double, D> length{};

  PeriodicDomain() = default;

  /// Where an axis is periodic there must be a domain.
  PeriodicDomain(const std::optional<Box<D>>& domain, const std::array<bool, D>& periodic)
      : is_periodic(periodic) {
    for (std::size_t k = 0; k < D; ++k) {
      if (!is_periodic[k]) continue;
      origin[k] = domain->min[k];
      length[k] = domain->max[k] - domain->min[k];
    }
  }

  [[nodiscard]] bool any_periodic() const {
    return std::ranges::any_of(is_periodic, [](bool axis) { return axis; });
  }

  /// By how many periods x has to be moved to be in the domain; −`offset_limit` or less,
  /// `offset_limit` or more if that has no number.
  static constexpr std::int32_t offset_limit = 1000000000;
  [[nodiscard]] std::int32_t wrap_offset(std::size_t k, double x) const {
    const double above = std::floor((x - origin[k]) / length[k]);
    return -static_cast<std::int32_t>(std::clamp<double>(above, -offset_limit, offset_limit));
  }

  /// From which to which period a point has to be moved to be within `distance` of the domain along
  /// an axis, rounded up; 0 is always among them. Whole numbers, which may be beyond any integer.
  [[nodiscard]] std::array<double, 2> image_range(std::size_t k, double x, double distance) const {
    if (!is_periodic[k]) return {0, 0};
    const double near = distance + 0x1p-40 * (distance + length[k] + std::abs(origin[k]));
    return {std::min(0.0, std::ceil((origin[k] - near - x) / length[k])),
            std::max(0.0, std::floor((origin[k] + length[k] + near - x) / length[k]))};
  }

  /// x moved by whole periods. One within the first stays as it is, to the last bit.
  [[nodiscard]] double shifted(std::size_t k, double x, std::int32_t periods) const {
    return x + periods * length[k];
  }

  [[nodiscard]] Point<D> shifted(Point<D> point, const ImageOffset<D>& periods) const {
    for (std::size_t k = 0; k < D; ++k)
      if (is_periodic[k]) point[k] = shifted(k, point[k], periods[k]);
    return point;
  }

  /// Moves a point into the domain and says by how many periods.
  ImageOffset<D> wrap(Point<D>& point) const {
    ImageOffset<D> by{};
    for (std::size_t k = 0; k < D; ++k)
      if (is_periodic[k]) by[k] = wrap_offset(k, point[k]);
    point = shifted(point, by);
    return by;
  }
};

/// Calls visit(shift) for all shifts from the first to the second number along each axis.
template <std::size_t D, class Visit>
void for_each_image_offset(const std::array<std::array<double, 2>, D>& places, const Visit& visit) {
  ImageOffset<D> first;
  for (std::size_t k = 0; k < D; ++k) first[k] = static_cast<std::int32_t>(places[k][0]);
  ImageOffset<D> shift = first;
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
bool is_canonical_image(Index still, Index moved, const ImageOffset<D>& shift,
                        const Radii& radius) {
  if (still == moved) return shift > ImageOffset<D>{};
  return radius[still] < radius[moved] || (radius[still] == radius[moved] && still < moved);
}

/// The pair of a particle and an image of another; each was moved by so many periods from where the
/// caller has it.
template <std::size_t D>
PeriodicPair<D> make_periodic_pair(Index still, const ImageOffset<D>& still_by, Index moved,
                                   const ImageOffset<D>& moved_by) {
  ImageOffset<D> image;
  for (std::size_t k = 0; k < D; ++k) image[k] = moved_by[k] - still_by[k];
  if (still > moved) return {moved, still, negated<D>(image)};
  return {still, moved, image};
}

/// A method that looks across faces itself names the image of a particle by a number beyond those
/// of the particles, one for each of the 3^D − 1 places around the domain.
template <std::size_t D>
struct NeighborImageIndex {
  static constexpr std::uint32_t image_count = D == 2 ? 9 : 27;

  [[nodiscard]] static bool indices_fit(std::size_t particles) {
    return particles <= UINT32_MAX / image_count;
  }

  /// Shifts are −1, 0 or 1 along each axis: the digits of the place, in balanced ternary.
  [[nodiscard]] static Index encode(Index particle, const ImageOffset<D>& shift,
                                    std::size_t particles) {
    std::int32_t place = 0;
    for (std::size_t k = D; k-- > 0;) place = 3 * place + shift[k];
    if (place < 0) place += static_cast<std::int32_t>(image_count);
    return particle + static_cast<Index>(place) * static_cast<Index>(particles);
  }

  [[nodiscard]] static ImageOffset<D> decode(Index number, std::size_t particles) {
    auto place = static_cast<std::int32_t>(number / particles);
    ImageOffset<D> shift;
    for (std::size_t k = 0; k < D; ++k) {
      const std::int32_t digit = (place + 1) % 3 - 1;
      shift[k] = digit;
      place = (place - digit) / 3;
    }
    return shift;
  }
};

/// A domain that holds all of some particles: along axes that do not repeat, as wide as it takes.
/// Particles that may leave are outside for some steps before they are taken out.
template <std::size_t D>
[[nodiscard]] Box<D> enclosing_domain(Box<D> domain, const std::array<bool, D>& periodic,
                                      const Spheres<D>& particles) {
  for (std::size_t k = 0; k < D; ++k) {
    if (periodic[k]) continue;
    for (const double x : particles.coordinates(k)) {
      domain.min[k] = std::min(domain.min[k], x);
      domain.max[k] = std::max(domain.max[k], x);
    }
  }
  return domain;
}

}  // namespace abut
