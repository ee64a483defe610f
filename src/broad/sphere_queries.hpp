#pragma once

#include <abut/detector.hpp>
#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <tuple>
#include <vector>

#include "core/contact_predicate.hpp"
#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "core/periodic_domain.hpp"
#include "core/sphere_hash_grid.hpp"

namespace abut {

/// Point and sphere queries among particles, independent of the method that finds their pairs. In a
/// periodic domain the queried point is shifted, never a particle.
template <std::size_t D>
class SphereQueries {
 public:
  [[nodiscard]] bool ready() const { return ready_; }
  void reset() { ready_ = false; }

  /// Copies the particles, wrapped into the domain, into a hash grid.
  void build(const Spheres<D>& particles, const PeriodicDomain<D>& domain) {
    periodic_domain_ = domain;
    hash_grid_.clear();
    wrap_offsets_.assign(domain.any_periodic() ? particles.size() : 0, {});
    for (std::size_t i = 0; i < particles.size(); ++i) {
      Point<D> center;
      for (std::size_t k = 0; k < D; ++k) center[k] = particles.coordinates(k)[i];
      if (domain.any_periodic()) wrap_offsets_[i] = wrap(center);
      hash_grid_.add(center, particles.radii()[i]);
    }
    ready_ = true;
  }

  [[nodiscard]] std::vector<Neighbor<D>> overlaps(Point<D> center, double radius,
                                                  const DetectorOptions<D>& options) const {
    check(center, radius);
    const ImageOffset<D> wrap_offset = wrap(center);
    const ContactPredicate<D> predicate({}, options);
    std::vector<Neighbor<D>> found;
    const double max_cutoff = predicate.cutoff(radius, hash_grid_.max_radius());
    for_each_shifted_point(
        center, max_cutoff, [&](const Point<D>& point, const ImageOffset<D>& offset) {
          (void)hash_grid_.any_near(point, max_cutoff, [&](Index i) {
            const double squared = squared_distance(i, point);
            const double other = hash_grid_[i].radius;
            const double cutoff = predicate.cutoff(radius, other);
            if (squared <= cutoff * cutoff)  // the comparison of ContactPredicate
              found.push_back(
                  {i, image(i, offset, wrap_offset), std::sqrt(squared) - (radius + other)});
            return false;
          });
        });
    std::ranges::sort(found, {},
                      [](const Neighbor<D>& one) { return std::tuple(one.particle, one.image); });
    // The hash grid may visit a particle twice.
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  /// Doubles the search distance until a particle within it is found, which then is the nearest.
  [[nodiscard]] std::optional<Neighbor<D>> nearest(Point<D> point) const {
    check(point, 0);
    if (hash_grid_.size() == 0) return {};
    const ImageOffset<D> wrap_offset = wrap(point);
    const auto neighbor = [&](Index i, const Point<D>& from, const ImageOffset<D>& offset) {
      return Neighbor<D>{i, image(i, offset, wrap_offset),
                         std::sqrt(squared_distance(i, from)) - hash_grid_[i].radius};
    };
    Neighbor<D> best = neighbor(0, point, {});
    double distance = hash_grid_.max_radius();
    while (true) {
      distance = std::min(distance, std::max(best.gap, 0.0));
      for_each_shifted_point(point, distance + hash_grid_.max_radius(),
                             [&](const Point<D>& from, const ImageOffset<D>& offset) {
                               (void)hash_grid_.any_near(from, distance, [&](Index i) {
                                 const Neighbor<D> other = neighbor(i, from, offset);
                                 if (is_before(other, best)) best = other;
                                 return false;
                               });
                             });
      if (best.gap <= distance) return best;
      distance *= 2;
    }
  }

 private:
  static void check(const Point<D>& center, double radius) {
    for (std::size_t k = 0; k < D; ++k)
      if (!(std::abs(center[k]) <= max_length))
        throw Error(message("query point, ", axis_names[k], " = ", center[k],
                            ": must be finite and at most 1e150 in magnitude"));
    if (!(radius >= 0 && radius <= max_length))
      throw Error(message("query radius = ", radius, ": must be from 0 to 1e150"));
  }

  ImageOffset<D> wrap(Point<D>& point) const {
    const Point<D> given = point;
    const ImageOffset<D> offset = periodic_domain_.wrap(point);
    for (std::size_t k = 0; k < D; ++k)
      if (std::abs(offset[k]) >= PeriodicDomain<D>::offset_limit)
        throw Error(message("query point, ", axis_names[k], " = ", given[k],
                            ": must be at most 1e9 periods away from the domain"));
    return offset;
  }

  // Shifting the point by +offset instead of the particles by −offset gives the same distances.
  template <class Visit>
  void for_each_shifted_point(const Point<D>& center, double distance, const Visit& visit) const {
    std::array<std::array<double, 2>, D> range;
    double images = 1;
    for (std::size_t k = 0; k < D; ++k) {
      range[k] = periodic_domain_.image_range(k, center[k], distance);
      images *= range[k][1] - range[k][0] + 1;
    }
    constexpr double max_images = 1e8;
    if (!(images <= max_images))
      throw Error(message("query distance ", distance, ": ", static_cast<float>(images),
                          " periodic images of the domain are within it; reduce the distance"));
    for_each_image_offset<D>(range, [&](const ImageOffset<D>& offset) {
      visit(periodic_domain_.shifted(center, offset), offset);
    });
  }

  // The image in the caller's coordinates. Particle and point were wrapped, the point was then
  // shifted by `offset`: image = wrap(particle) − offset − wrap(point).
  [[nodiscard]] ImageOffset<D> image(Index i, const ImageOffset<D>& offset,
                                     const ImageOffset<D>& point_wrap) const {
    ImageOffset<D> image{};
    if (!periodic_domain_.any_periodic()) return image;
    for (std::size_t k = 0; k < D; ++k) image[k] = wrap_offsets_[i][k] - offset[k] - point_wrap[k];
    return image;
  }

  [[nodiscard]] double squared_distance(Index i, const Point<D>& from) const {
    double squared = 0;
    for (std::size_t k = 0; k < D; ++k) {
      const double difference = from[k] - hash_grid_[i].center[k];
      squared += difference * difference;
    }
    return squared;
  }

  // By gap, then particle and image, so that the result does not depend on the order of visits.
  static bool is_before(const Neighbor<D>& a, const Neighbor<D>& b) {
    return std::tuple(a.gap, a.particle, a.image) < std::tuple(b.gap, b.particle, b.image);
  }

  bool ready_ = false;
  PeriodicDomain<D> periodic_domain_;
  SphereHashGrid<D> hash_grid_;
  std::vector<ImageOffset<D>> wrap_offsets_;
};

}  // namespace abut
