#include <abut/error.hpp>
#include <abut/release.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/ball_volume.hpp"
#include "core/lookup.hpp"
#include "core/message.hpp"
#include "core/period.hpp"
#include "core/random.hpp"
#include "core/survey.hpp"
#include "release/region_shape.hpp"

namespace abut {
namespace {

/// Finds places for one particle after the other.
template <std::size_t D>
class Releasing {
 public:
  explicit Releasing(const ReleaseOptions<D>& options)
      : options_(options),
        shape_(options.region),
        random_(options.seed),
        period_(checked_period(options)),
        repeated_{.domain = options.domain, .periodic = options.periodic} {
    check_options();
    limit_room();
    (void)survey(options.among, searched(options));  // complains of what cannot be
    for (std::size_t i = 0; i < options.among.size(); ++i) {
      Point<D> centre;
      for (std::size_t k = 0; k < D; ++k) centre[k] = options.among.axis(k)[i];
      put(centre, options.among.radius()[i]);
    }
    for (std::size_t k = 0; k < D; ++k)
      open_[k] = period_.along[k] && std::holds_alternative<Box<D>>(options.region) &&
                 shape_.box().min[k] == options.domain->min[k] &&
                 shape_.box().max[k] == options.domain->max[k];
  }

  Released<D> run() {
    report_.asked = options_.count;
    const std::vector<double> radii = draw_radii();
    std::vector<std::size_t> order(radii.size());  // large ones find room while there is some
    std::iota(order.begin(), order.end(), 0UL);
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return radii[i]; });
    std::vector<std::optional<Point<D>>> places(radii.size());
    for (std::size_t done = 0; done < order.size(); ++done) {
      constexpr std::size_t now_and_then = 64;
      if (options_.progress && done % now_and_then == 0)
        options_.progress(static_cast<double>(done) / static_cast<double>(order.size()));
      if (in_vain_ < give_up_after)
        places[order[done]] = place(radii[order[done]]);
      else
        ++report_.not_tried;
    }
    return collected(radii, places);
  }

 private:
  static Options<D> searched(const ReleaseOptions<D>& options) {
    return {.domain = options.domain, .periodic = options.periodic};
  }
  static Period<D> checked_period(const ReleaseOptions<D>& options) {
    check(searched(options));
    return Period<D>(options.domain, options.periodic);
  }

  void check_options() const {
    if (!options_.sizes) throw Error("release: no sizes given");
    if (!(options_.max_overlap >= 0 && options_.max_overlap <= 1))
      throw Error(
          message("max_overlap = ", options_.max_overlap, ": must be a number from 0 to 1"));
    if (options_.attempts == 0) throw Error("attempts = 0: must be at least 1");
    if (options_.count > INT32_MAX)
      throw Error(message("count = ", options_.count, ": at most 2147483647 have a number"));
  }

  std::vector<double> draw_radii() {
    std::vector<double> radii(options_.count);
    for (double& radius : radii) {
      radius = options_.sizes(random_.uniform());
      if (!(radius >= smallest_length && radius <= largest_length))
        throw Error(message("sizes: a radius of ", radius, "; it must be above 0"));
    }
    return radii;
  }

  // Where the region is out of the domain nothing is tried.
  void limit_room() {
    room_ = shape_.box();
    if (!options_.within_domain || !options_.domain) return;
    for (std::size_t k = 0; k < D; ++k) {
      if (period_.along[k]) continue;
      const auto [low, high] = std::pair(options_.domain->min[k], options_.domain->max[k]);
      if (room_.max[k] <= low || room_.min[k] >= high)
        throw Error(message("region: ", axis_names[k], " from ", room_.min[k], " to ", room_.max[k],
                            " is outside the domain, ", low, " to ", high));
      room_.min[k] = std::max(room_.min[k], low);
      room_.max[k] = std::min(room_.max[k], high);
    }
  }

  // A particle larger than all room there is needs no attempt.
  [[nodiscard]] bool fits(double radius) const {
    for (std::size_t k = 0; k < D; ++k) {
      const double room = room_.max[k] - room_.min[k];
      if (!open_[k] && 2 * radius > room) return false;
      if (period_.along[k] && radius * (2 - options_.max_overlap) > period_.length[k]) return false;
    }
    return true;
  }

  std::optional<Point<D>> place(double radius) {
    if (!fits(radius)) {
      ++report_.too_large;
      return {};
    }
    for (std::size_t attempt = 0; attempt < options_.attempts; ++attempt) {
      ++report_.attempts;
      const Point<D> centre = anywhere(radius);
      if (!shape_.holds(centre, radius, open_)) {
        ++report_.met_region;
      } else if (is_free(centre, radius)) {
        put(centre, radius);
        in_vain_ = 0;
        return centre;
      }
    }
    ++report_.no_room;
    ++in_vain_;
    return {};
  }

  void put(Point<D> centre, double radius) {
    (void)period_.bring_back(centre);
    lookup_.add(centre, radius);
  }

  Point<D> anywhere(double radius) {
    Point<D> centre;
    for (std::size_t k = 0; k < D; ++k) {
      const double room = open_[k] ? 0 : radius;
      centre[k] = random_.uniform(room_.min[k] + room, room_.max[k] - room);
    }
    return centre;
  }

  bool is_free(const Point<D>& centre, double radius) {
    Point<D> home = centre;
    (void)period_.bring_back(home);
    const double farthest = radius + lookup_.largest_radius();
    std::array<std::array<double, 2>, D> places;
    for (std::size_t k = 0; k < D; ++k) places[k] = period_.places(k, home[k], farthest);
    bool free = true;
    for_each_shift<D>(places, [&](const Shift<D>& shift) {
      if (!free) return;
      const Point<D> from = period_.moved(home, shift);
      free = !meets_particle(from, radius, shift);
    });
    return free && !meets_wall(home, radius);
  }

  bool meets_particle(const Point<D>& centre, double radius, const Shift<D>& shift) {
    const bool met = lookup_.any_near(centre, radius, [&](Index i) {
      const auto& other = lookup_[i];
      const double apart =
          radius + other.radius - options_.max_overlap * std::min(radius, other.radius);
      double squares = 0;
      for (std::size_t k = 0; k < D; ++k)
        squares += (centre[k] - other.centre[k]) * (centre[k] - other.centre[k]);
      return squares < apart * apart;
    });
    if (met) ++(shift == Shift<D>{} ? report_.met_particles : report_.met_images);
    return met;
  }

  bool meets_wall(const Point<D>& centre, double radius) {
    if (options_.walls == nullptr) return false;
    const double overlap = period_.any() ? options_.walls->overlap(centre, radius, repeated_)
                                         : options_.walls->overlap(centre, radius);
    const bool met = overlap > options_.max_overlap * radius;
    if (met) ++report_.met_walls;
    return met;
  }

  Released<D> collected(const std::vector<double>& radii,
                        const std::vector<std::optional<Point<D>>>& places) {
    Released<D> released;
    double volume = 0;
    for (std::size_t i = 0; i < radii.size(); ++i) {
      if (!places[i]) continue;
      for (std::size_t k = 0; k < D; ++k) released.axes[k].push_back((*places[i])[k]);
      released.radius.push_back(radii[i]);
      volume += ball_volume<D>(radii[i]);
    }
    report_.placed = released.radius.size();
    report_.solid_fraction = volume / shape_.volume();
    released.report = report_;
    return released;
  }

  static constexpr int give_up_after = 100;

  const ReleaseOptions<D>& options_;
  RegionShape<D> shape_;
  Box<D> room_{};  // around the region, as far as it is in the domain
  Random random_;
  Period<D> period_;
  WallOptions<D> repeated_;     // walls have images too
  std::array<bool, D> open_{};  // axes along which the region goes on beyond a periodic face
  Lookup<D> lookup_;            // what is there, within the domain
  ReleaseReport report_;
  int in_vain_ = 0;  // particles in a row that found no room
};

}  // namespace

std::string ReleaseReport::text() const {
  std::string text = message("placed ", placed, " of ", asked, " particles, solid fraction ",
                             static_cast<float>(solid_fraction), ", ", attempts, " attempts");
  std::string met;
  const auto tell = [&](std::size_t number, std::string_view what) {
    if (number > 0) met += message(met.empty() ? "" : ", ", number, " met ", what);
  };
  tell(met_particles, "particles");
  tell(met_images, "images");
  tell(met_walls, "walls");
  tell(met_region, "the border of the region");
  if (!met.empty()) text += message(", of which ", met);
  if (too_large > 0) text += message("; ", too_large, " were too large for the region");
  if (no_room > 0) text += message("; ", no_room, " found no room in all their attempts");
  if (not_tried > 0) text += message("; ", not_tried, " were not tried, the region being full");
  return text;
}

template <std::size_t D>
Released<D> release(const ReleaseOptions<D>& options) {
  return Releasing<D>(options).run();
}

template Released<2> release(const ReleaseOptions<2>&);
template Released<3> release(const ReleaseOptions<3>&);

}  // namespace abut
