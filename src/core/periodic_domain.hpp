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

/// Number of periods by which an image is displaced along each axis.
template <std::size_t D>
using ImageOffset = std::array<std::int32_t, D>;

template <std::size_t D>
ImageOffset<D> negated(const ImageOffset<D>& offset) {
  ImageOffset<D> result;
  for (std::size_t k = 0; k < D; ++k) result[k] = -offset[k];
  return result;
}

/// A domain that repeats along its periodic axes with the period `length[k]`. `origin` and `length`
/// are 0 along the other axes.
template <std::size_t D>
struct PeriodicDomain {
  std::array<bool, D> is_periodic{};
  std::array<double, D> origin{};
  std::array<double, D> length{};

  PeriodicDomain() = default;

  /// `domain` is required if any axis is periodic.
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

  /// Offsets of this magnitude or more are treated as out of range.
  static constexpr std::int32_t offset_limit = 1000000000;

  /// Number of periods to add to x along axis k so that it lies in the domain; clamped to
  /// ±`offset_limit`.
  [[nodiscard]] std::int32_t wrap_offset(std::size_t k, double x) const {
    const double above = std::floor((x - origin[k]) / length[k]);
    return -static_cast<std::int32_t>(std::clamp<double>(above, -offset_limit, offset_limit));
  }

  /// Whether a point in the domain may have an image within `distance` of the domain along axis k;
  /// conservative with respect to rounding, and cheaper than `image_range`.
  [[nodiscard]] bool is_near_face(std::size_t k, double x, double distance) const {
    if (!is_periodic[k]) return false;
    const double padded = padded_distance(k, distance);
    return !(x > origin[k] + padded && x < origin[k] + length[k] - padded);
  }

  /// Smallest and largest number of periods by which a point can be displaced along axis k and
  /// still be within `distance` of the domain; conservative with respect to rounding, and always
  /// includes 0. Returned as doubles, since the numbers may exceed every integer type.
  [[nodiscard]] std::array<double, 2> image_range(std::size_t k, double x, double distance) const {
    if (!is_periodic[k]) return {0, 0};
    const double padded = padded_distance(k, distance);
    return {std::min(0.0, std::ceil((origin[k] - padded - x) / length[k])),
            std::max(0.0, std::floor((origin[k] + length[k] + padded - x) / length[k]))};
  }

  /// Exceeds the distance by more than rounding errors of coordinates.
  [[nodiscard]] double padded_distance(std::size_t k, double distance) const {
    return distance + 0x1p-40 * (distance + length[k] + std::abs(origin[k]));
  }

  /// x displaced by a number of periods; bitwise unchanged for 0 periods.
  [[nodiscard]] double shifted(std::size_t k, double x, std::int32_t periods) const {
    return x + periods * length[k];
  }

  [[nodiscard]] Point<D> shifted(Point<D> point, const ImageOffset<D>& periods) const {
    for (std::size_t k = 0; k < D; ++k)
      if (is_periodic[k]) point[k] = shifted(k, point[k], periods[k]);
    return point;
  }

  /// Moves a point into the domain; returns the number of periods added.
  ImageOffset<D> wrap(Point<D>& point) const {
    ImageOffset<D> offset{};
    for (std::size_t k = 0; k < D; ++k)
      if (is_periodic[k]) offset[k] = wrap_offset(k, point[k]);
    point = shifted(point, offset);
    return offset;
  }
};

/// Calls visit(offset) for all image offsets in the given ranges, which are inclusive.
template <std::size_t D, class Visit>
void for_each_image_offset(const std::array<std::array<double, 2>, D>& ranges, const Visit& visit) {
  ImageOffset<D> first;
  for (std::size_t k = 0; k < D; ++k) first[k] = static_cast<std::int32_t>(ranges[k][0]);
  ImageOffset<D> offset = first;
  while (true) {
    visit(offset);
    std::size_t k = 0;  // increments the offset like an odometer
    for (; k < D && ++offset[k] > ranges[k][1]; ++k) offset[k] = first[k];
    if (k == D) return;
  }
}

/// Whether, of a pair across a periodic face, the particle `moved` is the one to be displaced by
/// `offset`. By convention this is the larger particle; for equal radii the one with the larger
/// index; for a particle and its own image the image with the lexicographically positive offset.
/// All methods thus compare bitwise the same two positions, and a small particle needs no ghost to
/// be found by a large one.
template <std::size_t D, class Radii>
bool is_canonical_image(Index fixed, Index moved, const ImageOffset<D>& offset,
                        const Radii& radii) {
  if (fixed == moved) return offset > ImageOffset<D>{};
  return radii[fixed] < radii[moved] || (radii[fixed] == radii[moved] && fixed < moved);
}

/// The pair of two particles that touch after they were displaced by the given numbers of periods
/// from the caller's coordinates, with a < b and the image of b relative to a.
template <std::size_t D>
PeriodicPair<D> make_periodic_pair(Index i, const ImageOffset<D>& offset_i, Index j,
                                   const ImageOffset<D>& offset_j) {
  ImageOffset<D> image;
  for (std::size_t k = 0; k < D; ++k) image[k] = offset_j[k] - offset_i[k];
  if (i > j) return {j, i, negated<D>(image)};
  return {i, j, image};
}

/// Encodes a particle and its image in one of the 3^D − 1 neighboring periods as a single index
/// ≥ `particles`, for methods that search across periodic faces themselves.
template <std::size_t D>
struct NeighborImageIndex {
  /// Number of images, including the particle itself.
  static constexpr std::uint32_t image_count = D == 2 ? 9 : 27;

  [[nodiscard]] static bool indices_fit(std::size_t particles) {
    return particles <= UINT32_MAX / image_count;
  }

  /// The offset must be −1, 0 or 1 along each axis; these are the digits of the image's number in
  /// balanced ternary.
  [[nodiscard]] static Index encode(Index particle, const ImageOffset<D>& offset,
                                    std::size_t particles) {
    std::int32_t image = 0;
    for (std::size_t k = D; k-- > 0;) image = 3 * image + offset[k];
    if (image < 0) image += static_cast<std::int32_t>(image_count);
    return particle + static_cast<Index>(image) * static_cast<Index>(particles);
  }

  /// The offset of an encoded image; the particle is index % particles.
  [[nodiscard]] static ImageOffset<D> decode(Index index, std::size_t particles) {
    auto image = static_cast<std::int32_t>(index / particles);
    ImageOffset<D> offset;
    for (std::size_t k = 0; k < D; ++k) {
      const std::int32_t digit = (image + 1) % 3 - 1;
      offset[k] = digit;
      image = (image - digit) / 3;
    }
    return offset;
  }
};

/// The domain, extended along its non-periodic axes to contain all particle centers. Needed where
/// particles that leave the domain are removed only some steps later.
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
