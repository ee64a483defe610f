#pragma once

#include <abut/detector.hpp>
#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <tuple>
#include <vector>

#include "core/lookup.hpp"
#include "core/message.hpp"
#include "core/period.hpp"
#include "core/reach.hpp"
#include "core/survey.hpp"

namespace abut {

/// Looks around a point among particles, whatever method finds their pairs. Across periodic faces
/// it is the point that is moved, never a particle.
template <std::size_t D>
class ParticleQueries {
 public:
  [[nodiscard]] bool ready() const { return ready_; }
  void forget() { ready_ = false; }

  void take(const Spheres<D>& particles, const Period<D>& period) {
    period_ = period;
    lookup_.clear();
    moved_by_.assign(period.any() ? particles.size() : 0, {});
    for (std::size_t i = 0; i < particles.size(); ++i) {
      Point<D> centre;
      for (std::size_t k = 0; k < D; ++k) centre[k] = particles.axis(k)[i];
      if (period.any()) moved_by_[i] = bring_back(centre);
      lookup_.add(centre, particles.radius()[i]);
    }
    ready_ = true;
  }

  [[nodiscard]] std::vector<Neighbour<D>> overlaps(Point<D> centre, double radius,
                                                   const Options<D>& options) const {
    check(centre, radius);
    const Shift<D> home = bring_back(centre);
    const Reach<D> reach({}, options);
    std::vector<Neighbour<D>> found;
    const double farthest = reach.of(radius, lookup_.largest_radius());
    for_each_place(centre, farthest, [&](const Point<D>& seen_from, const Shift<D>& shift) {
      (void)lookup_.any_near(seen_from, farthest, [&](Index i) {
        const double squares = squares_to(i, seen_from);
        const double other = lookup_[i].radius;
        const double within = reach.of(radius, other);
        if (squares <= within * within)  // as the predicate does
          found.push_back({i, image(i, shift, home), std::sqrt(squares) - (radius + other)});
        return false;
      });
    });
    std::ranges::sort(found, {},
                      [](const Neighbour<D>& one) { return std::tuple(one.particle, one.image); });
    found.erase(std::unique(found.begin(), found.end()), found.end());  // see Lookup
    return found;
  }

  // Looks farther and farther; what is found within a distance is the nearest if it is that near.
  [[nodiscard]] std::optional<Neighbour<D>> nearest(Point<D> point) const {
    check(point, 0);
    if (lookup_.size() == 0) return {};
    const Shift<D> home = bring_back(point);
    const auto seen = [&](Index i, const Point<D>& from, const Shift<D>& shift) {
      return Neighbour<D>{i, image(i, shift, home),
                          std::sqrt(squares_to(i, from)) - lookup_[i].radius};
    };
    Neighbour<D> best = seen(0, point, {});
    double distance = lookup_.largest_radius();
    while (true) {
      distance = std::min(distance, std::max(best.gap, 0.0));
      for_each_place(point, distance + lookup_.largest_radius(),
                     [&](const Point<D>& from, const Shift<D>& shift) {
                       (void)lookup_.any_near(from, distance, [&](Index i) {
                         const Neighbour<D> other = seen(i, from, shift);
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
      if (!(std::abs(centre[k]) <= largest_length))
        throw Error(message("a look around ", axis_names[k], " = ", centre[k],
                            ": must be a number up to 1e150"));
    if (!(radius >= 0 && radius <= largest_length))
      throw Error(message("a look with radius ", radius, ": must be a number from 0 to 1e150"));
  }

  Shift<D> bring_back(Point<D>& point) const {
    const Point<D> given = point;
    const Shift<D> by = period_.bring_back(point);
    for (std::size_t k = 0; k < D; ++k)
      if (std::abs(by[k]) >= Period<D>::too_far)
        throw Error(message("a look around ", axis_names[k], " = ", given[k],
                            ": more than 1e9 periods away from the domain"));
    return by;
  }

  // A particle moved by −shift is seen as it is seen from a point moved by shift.
  template <class Visit>
  void for_each_place(const Point<D>& centre, double distance, const Visit& visit) const {
    std::array<std::array<double, 2>, D> places;
    double images = 1;
    for (std::size_t k = 0; k < D; ++k) {
      places[k] = period_.places(k, centre[k], distance);
      images *= places[k][1] - places[k][0] + 1;
    }
    constexpr double most_images = 1e8;
    if (!(images <= most_images))
      throw Error(message("a look as far as ", distance, ": ", static_cast<float>(images),
                          " images of the domain are in sight; look less far"));
    for_each_shift<D>(places,
                      [&](const Shift<D>& shift) { visit(period_.moved(centre, shift), shift); });
  }

  // In the caller's coordinates: x + image·L is to the caller's point as the particle that was
  // brought back is to the point that was brought home and moved by shift.
  [[nodiscard]] Shift<D> image(Index i, const Shift<D>& shift, const Shift<D>& home) const {
    Shift<D> by{};
    if (!period_.any()) return by;
    for (std::size_t k = 0; k < D; ++k) by[k] = moved_by_[i][k] - shift[k] - home[k];
    return by;
  }

  [[nodiscard]] double squares_to(Index i, const Point<D>& from) const {
    double squares = 0;
    for (std::size_t k = 0; k < D; ++k) {
      const double apart = from[k] - lookup_[i].centre[k];
      squares += apart * apart;
    }
    return squares;
  }

  static bool is_before(const Neighbour<D>& a, const Neighbour<D>& b) {
    return std::tuple(a.gap, a.particle, a.image) < std::tuple(b.gap, b.particle, b.image);
  }

  bool ready_ = false;
  Period<D> period_;
  Lookup<D> lookup_;
  std::vector<Shift<D>> moved_by_;
};

}  // namespace abut
