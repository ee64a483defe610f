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

/// Looks around a point among particles, whatever method finds their pairs. Across periodic faces
/// it is the point that is moved, never a particle.
template <std::size_t D>
class SphereQueries {
 public:
  [[nodiscard]] bool ready() const { return ready_; }
  void reset() { ready_ = false; }

  void build(const Spheres<D>& particles, const PeriodicDomain<D>& period) {
    periodic_domain_ = period;
    hash_grid_.clear();
    wrap_offsets_.assign(period.any_periodic() ? particles.size() : 0, {});
    for (std::size_t i = 0; i < particles.size(); ++i) {
      Point<D> centre;
      for (std::size_t k = 0; k < D; ++k) centre[k] = particles.coordinates(k)[i];
      if (period.any_periodic()) wrap_offsets_[i] = wrap(centre);
      hash_grid_.add(centre, particles.radii()[i]);
    }
    ready_ = true;
  }

  [[nodiscard]] std::vector<Neighbor<D>> overlaps(Point<D> centre, double radius,
                                                  const DetectorOptions<D>& options) const {
    check(centre, radius);
    const ImageOffset<D> home = wrap(centre);
    const ContactPredicate<D> reach({}, options);
    std::vector<Neighbor<D>> found;
    const double farthest = reach.cutoff(radius, hash_grid_.max_radius());
    for_each_shifted_point(
        centre, farthest, [&](const Point<D>& seen_from, const ImageOffset<D>& shift) {
          (void)hash_grid_.any_near(seen_from, farthest, [&](Index i) {
            const double squares = squared_distance(i, seen_from);
            const double other = hash_grid_[i].radius;
            const double within = reach.cutoff(radius, other);
            if (squares <= within * within)  // as the predicate does
              found.push_back({i, image(i, shift, home), std::sqrt(squares) - (radius + other)});
            return false;
          });
        });
    std::ranges::sort(found, {},
                      [](const Neighbor<D>& one) { return std::tuple(one.particle, one.image); });
    found.erase(std::unique(found.begin(), found.end()), found.end());  // see Lookup
    return found;
  }

  // Looks farther and farther; what is found within a distance is the nearest if it is that near.
  [[nodiscard]] std::optional<Neighbor<D>> nearest(Point<D> point) const {
    check(point, 0);
    if (hash_grid_.size() == 0) return {};
    const ImageOffset<D> home = wrap(point);
    const auto seen = [&](Index i, const Point<D>& from, const ImageOffset<D>& shift) {
      return Neighbor<D>{i, image(i, shift, home),
                         std::sqrt(squared_distance(i, from)) - hash_grid_[i].radius};
    };
    Neighbor<D> best = seen(0, point, {});
    double distance = hash_grid_.max_radius();
    while (true) {
      distance = std::min(distance, std::max(best.gap, 0.0));
      for_each_shifted_point(point, distance + hash_grid_.max_radius(),
                             [&](const Point<D>& from, const ImageOffset<D>& shift) {
                               (void)hash_grid_.any_near(from, distance, [&](Index i) {
                                 const Neighbor<D> other = seen(i, from, shift);
                                 if (is_before(other, best)) best = other;
                                 return false;
                               });
                             });
      if (best.gap <= distance) return best;
      distance *= 2;
    }
  }

 private:
  static void check(const Point<D>& centre, double radius) {
    for (std::size_t k = 0; k < D; ++k)
      if (!(std::abs(centre[k]) <= max_length))
        throw Error(message("a look around ", axis_names[k], " = ", centre[k],
                            ": must be a number up to 1e150"));
    if (!(radius >= 0 && radius <= max_length))
      throw Error(message("a look with radius ", radius, ": must be a number from 0 to 1e150"));
  }

  ImageOffset<D> wrap(Point<D>& point) const {
    const Point<D> given = point;
    const ImageOffset<D> by = periodic_domain_.wrap(point);
    for (std::size_t k = 0; k < D; ++k)
      if (std::abs(by[k]) >= PeriodicDomain<D>::offset_limit)
        throw Error(message("a look around ", axis_names[k], " = ", given[k],
                            ": more than 1e9 periods away from the domain"));
    return by;
  }

  // A particle moved by −shift is seen as it is seen from a point moved by shift.
  template <class Visit>
  void for_each_shifted_point(const Point<D>& centre, double distance, const Visit& visit) const {
    std::array<std::array<double, 2>, D> places;
    double images = 1;
    for (std::size_t k = 0; k < D; ++k) {
      places[k] = periodic_domain_.image_range(k, centre[k], distance);
      images *= places[k][1] - places[k][0] + 1;
    }
    constexpr double most_images = 1e8;
    if (!(images <= most_images))
      throw Error(message("a look as far as ", distance, ": ", static_cast<float>(images),
                          " images of the domain are in sight; look less far"));
    for_each_image_offset<D>(places, [&](const ImageOffset<D>& shift) {
      visit(periodic_domain_.shifted(centre, shift), shift);
    });
  }

  // In the caller's coordinates: x + image·L is to the caller's point as the particle that was
  // brought back is to the point that was brought home and moved by shift.
  [[nodiscard]] ImageOffset<D> image(Index i, const ImageOffset<D>& shift,
                                     const ImageOffset<D>& home) const {
    ImageOffset<D> by{};
    if (!periodic_domain_.any_periodic()) return by;
    for (std::size_t k = 0; k < D; ++k) by[k] = wrap_offsets_[i][k] - shift[k] - home[k];
    return by;
  }

  [[nodiscard]] double squared_distance(Index i, const Point<D>& from) const {
    double squares = 0;
    for (std::size_t k = 0; k < D; ++k) {
      const double apart = from[k] - hash_grid_[i].center[k];
      squares += apart * apart;
    }
    return squares;
  }

  static bool is_before(const Neighbor<D>& a, const Neighbor<D>& b) {
    return std::tuple(a.gap, a.particle, a.image) < std::tuple(b.gap, b.particle, b.image);
  }

  bool ready_ = false;
  PeriodicDomain<D> periodic_domain_;
  SphereHashGrid<D> hash_grid_;
  std::vector<ImageOffset<D>> wrap_offsets_;
};

}  // namespace abut
