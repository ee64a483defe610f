#include <abut/error.hpp>
#include <abut/insertion.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "core/periodic_domain.hpp"
#include "core/sphere_hash_grid.hpp"
#include "core/statistics.hpp"
#include "core/vec.hpp"
#include "insertion/region.hpp"

namespace abut {
namespace {

void check_radii(double smallest, double largest) {
  if (!(smallest > 0 && smallest <= largest && std::isfinite(largest)))
    throw Error(message("sizes from ", smallest, " to ", largest,
                        ": radii must be above 0, the smaller first"));
}

}  // namespace

SizeDistribution monodisperse(double radius) { return uniform_by_number(radius, radius); }

SizeDistribution uniform_by_number(double smallest, double largest) {
  check_radii(smallest, largest);
  return [=](double u) { return smallest + (largest - smallest) * u; };
}

// As much volume of each radius means numbers in proportion to r^−D; their sum from the smallest to
// r, divided by that to the largest, is u. Roots and quotients are rounded alike on every machine.
template <std::size_t D>
SizeDistribution uniform_by_mass(double smallest, double largest) {
  check_radii(smallest, largest);
  const double ratio = smallest / largest;
  if constexpr (D == 2)
    return [=](double u) { return smallest / (1 - u * (1 - ratio)); };
  else
    return [=](double u) { return smallest / std::sqrt(1 - u * (1 - ratio * ratio)); };
}

template SizeDistribution uniform_by_mass<2>(double, double);
template SizeDistribution uniform_by_mass<3>(double, double);

namespace {

void check_radius(std::string_view what, double radius) {
  if (!(radius > 0 && std::isfinite(radius)))
    throw Error(message("region: a ", what, " of radius ", radius, "; it must be above 0"));
}

template <std::size_t D>
double squared_distance(const Point<D>& one, const Point<D>& other) {
  double squares = 0;
  for (std::size_t k = 0; k < D; ++k) squares += (one[k] - other[k]) * (one[k] - other[k]);
  return squares;
}

template <std::size_t D>
bool contains_sphere(const Box<D>& box, const Point<D>& center, double radius,
                     const std::array<bool, D>& open) {
  for (std::size_t k = 0; k < D; ++k) {
    const double room = open[k] ? 0 : radius;
    if (!(center[k] - room >= box.min[k] && center[k] + room <= box.max[k])) return false;
  }
  return true;
}

template <std::size_t D>
bool contains_sphere(const SphereRegion<D>& ball, const Point<D>& center, double radius) {
  const double room = ball.radius - radius;
  return room >= 0 && squared_distance<D>(center, ball.center) <= room * room;
}

// How far along the axis, as a part of it, and how far from it.
bool contains_sphere(const CylinderRegion& barrel, const Point<3>& center, double radius) {
  const double length = std::sqrt(squared_distance<3>(barrel.from, barrel.to));
  double along = 0;
  for (std::size_t k = 0; k < 3; ++k)
    along += (center[k] - barrel.from[k]) * (barrel.to[k] - barrel.from[k]) / length;
  const double room = barrel.radius - radius;
  const double squares = squared_distance<3>(center, barrel.from) - along * along;
  return along >= radius && along <= length - radius && room >= 0 && squares <= room * room;
}

}  // namespace

template <std::size_t D>
void RegionShape<D>::initialize(const Box<D>& box) {
  volume_ = 1;
  for (std::size_t k = 0; k < D; ++k) {
    if (!(std::isfinite(box.min[k]) && std::isfinite(box.max[k]) && box.min[k] < box.max[k]))
      throw Error(message("region: a box with ", axis_names[k], " from ", box.min[k], " to ",
                          box.max[k], "; it needs two finite numbers, the smaller first"));
    volume_ *= box.max[k] - box.min[k];
  }
  box_ = box;
}

template <std::size_t D>
void RegionShape<D>::initialize(const SphereRegion<D>& ball) {
  check_radius(D == 2 ? "disc" : "sphere", ball.radius);
  for (std::size_t k = 0; k < D; ++k) {
    box_.min[k] = ball.center[k] - ball.radius;
    box_.max[k] = ball.center[k] + ball.radius;
  }
  volume_ = sphere_volume<D>(ball.radius);
}

template <std::size_t D>
void RegionShape<D>::initialize(const CylinderRegion& barrel) requires(D == 3) {
  check_radius("cylinder", barrel.radius);
  const double length = std::sqrt(squared_distance<3>(barrel.from, barrel.to));
  if (!(length > 0 && std::isfinite(length)))
    throw Error("region: a cylinder needs two ends that are apart");
  for (std::size_t k = 0; k < 3; ++k) {
    const double lean = (barrel.to[k] - barrel.from[k]) / length;
    const double beside = barrel.radius * std::sqrt(std::max(0.0, 1 - lean * lean));
    box_.min[k] = std::min(barrel.from[k], barrel.to[k]) - beside;
    box_.max[k] = std::max(barrel.from[k], barrel.to[k]) + beside;
  }
  volume_ = sphere_volume<2>(barrel.radius) * length;
}

template <std::size_t D>
void RegionShape<D>::initialize(const MeshRegion<D>& inside) {
  mesh_interior_.emplace(inside.mesh);
  mesh_boundary_.emplace();
  mesh_boundary_->add(inside.mesh);
  box_ = mesh_interior_->bounding_box();
  volume_ = mesh_interior_->volume();
}

template <std::size_t D>
RegionShape<D>::RegionShape(const Region<D>& region) : region_(region) {
  std::visit([&](const auto& shape) { initialize(shape); }, region_);
}

template <std::size_t D>
bool RegionShape<D>::contains(const Point<D>& center, double radius,
                              const std::array<bool, D>& open) const {
  return std::visit(
      [&](const auto& shape) {
        using Shape = std::decay_t<decltype(shape)>;
        if constexpr (std::is_same_v<Shape, Box<D>>)
          return abut::contains_sphere<D>(shape, center, radius, open);
        else if constexpr (std::is_same_v<Shape, MeshRegion<D>>)
          return mesh_interior_->contains(center) && mesh_boundary_->overlap(center, radius) <= 0;
        else
          return abut::contains_sphere(shape, center, radius);
      },
      region_);
}

template <std::size_t D>
Box<D> bounding_box(const Region<D>& region) {
  return RegionShape<D>(region).bounding_box();
}

template class RegionShape<2>;
template class RegionShape<3>;
template Box<2> bounding_box<2>(const Region<2>&);
template Box<3> bounding_box<3>(const Region<3>&);

namespace {

/// Finds places for one particle after the other.
template <std::size_t D>
class Inserter {
 public:
  explicit Inserter(const InsertionOptions<D>& options)
      : options_(options),
        shape_(options.region),
        random_(options.seed),
        period_(checked_period(options)),
        wall_options_{.domain = options.domain, .periodic = options.periodic} {
    check_options();
    clip_to_domain();
    (void)summarize_input(options.existing,
                          search_options(options));  // complains of what cannot be
    for (std::size_t i = 0; i < options.existing.size(); ++i) {
      Point<D> center;
      for (std::size_t k = 0; k < D; ++k) center[k] = options.existing.coordinates(k)[i];
      add_sphere(center, options.existing.radii()[i]);
    }
    for (std::size_t k = 0; k < D; ++k)
      unbounded_axes_[k] = period_.is_periodic[k] &&
                           std::holds_alternative<Box<D>>(options.region) &&
                           shape_.bounding_box().min[k] == options.domain->min[k] &&
                           shape_.bounding_box().max[k] == options.domain->max[k];
  }

  InsertionResult<D> run() {
    report_.requested = options_.count;
    const std::vector<double> radii = draw_radii();
    std::vector<std::size_t> order(radii.size());  // large ones find room while there is some
    std::iota(order.begin(), order.end(), 0UL);
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return radii[i]; });
    std::vector<std::optional<Point<D>>> places(radii.size());
    for (std::size_t done = 0; done < order.size(); ++done) {
      constexpr std::size_t now_and_then = 64;
      if (options_.progress && done % now_and_then == 0)
        options_.progress(static_cast<double>(done) / static_cast<double>(order.size()));
      if (consecutive_failures_ < max_failures)
        places[order[done]] = find_position(radii[order[done]]);
      else
        ++report_.not_attempted;
    }
    return collect(radii, places);
  }

 private:
  static DetectorOptions<D> search_options(const InsertionOptions<D>& options) {
    return {.domain = options.domain, .periodic = options.periodic};
  }
  static PeriodicDomain<D> checked_period(const InsertionOptions<D>& options) {
    abut::check_options(search_options(options));
    return PeriodicDomain<D>(options.domain, options.periodic);
  }

  void check_options() const {
    if (!options_.sizes) throw Error("release: no sizes given");
    if (!(options_.max_overlap >= 0 && options_.max_overlap <= 1))
      throw Error(
          message("max_overlap = ", options_.max_overlap, ": must be a number from 0 to 1"));
    if (options_.max_attempts == 0) throw Error("attempts = 0: must be at least 1");
    if (options_.count > INT32_MAX)
      throw Error(message("count = ", options_.count, ": at most 2147483647 have a number"));
  }

  std::vector<double> draw_radii() {
    std::vector<double> radii(options_.count);
    for (double& radius : radii) {
      radius = options_.sizes(random_.uniform());
      if (!(radius >= min_length && radius <= max_length))
        throw Error(message("sizes: a radius of ", radius, "; it must be above 0"));
    }
    return radii;
  }

  // Where the region is out of the domain nothing is tried.
  void clip_to_domain() {
    sampling_box_ = shape_.bounding_box();
    if (!options_.within_domain || !options_.domain) return;
    for (std::size_t k = 0; k < D; ++k) {
      if (period_.is_periodic[k]) continue;
      const auto [low, high] = std::pair(options_.domain->min[k], options_.domain->max[k]);
      if (sampling_box_.max[k] <= low || sampling_box_.min[k] >= high)
        throw Error(message("region: ", axis_names[k], " from ", sampling_box_.min[k], " to ",
                            sampling_box_.max[k], " is outside the domain, ", low, " to ", high));
      sampling_box_.min[k] = std::max(sampling_box_.min[k], low);
      sampling_box_.max[k] = std::min(sampling_box_.max[k], high);
    }
  }

  // A particle larger than all room there is needs no attempt.
  [[nodiscard]] bool fits(double radius) const {
    for (std::size_t k = 0; k < D; ++k) {
      const double room = sampling_box_.max[k] - sampling_box_.min[k];
      if (!unbounded_axes_[k] && 2 * radius > room) return false;
      if (period_.is_periodic[k] && radius * (2 - options_.max_overlap) > period_.length[k])
        return false;
    }
    return true;
  }

  std::optional<Point<D>> find_position(double radius) {
    if (!fits(radius)) {
      ++report_.too_large;
      return {};
    }
    for (std::size_t attempt = 0; attempt < options_.max_attempts; ++attempt) {
      ++report_.attempts;
      const Point<D> center = random_position(radius);
      if (!shape_.contains(center, radius, unbounded_axes_)) {
        ++report_.rejected_by_region;
      } else if (is_free(center, radius)) {
        add_sphere(center, radius);
        consecutive_failures_ = 0;
        return center;
      }
    }
    ++report_.no_space;
    ++consecutive_failures_;
    return {};
  }

  void add_sphere(Point<D> center, double radius) {
    (void)period_.wrap(center);
    sphere_grid_.add(center, radius);
  }

  Point<D> random_position(double radius) {
    Point<D> center;
    for (std::size_t k = 0; k < D; ++k) {
      const double room = unbounded_axes_[k] ? 0 : radius;
      center[k] = random_.uniform(sampling_box_.min[k] + room, sampling_box_.max[k] - room);
    }
    return center;
  }

  bool is_free(const Point<D>& center, double radius) {
    Point<D> home = center;
    (void)period_.wrap(home);
    const double farthest = radius + sphere_grid_.max_radius();
    std::array<std::array<double, 2>, D> places;
    for (std::size_t k = 0; k < D; ++k) places[k] = period_.image_range(k, home[k], farthest);
    bool free = true;
    for_each_image_offset<D>(places, [&](const ImageOffset<D>& shift) {
      if (!free) return;
      const Point<D> from = period_.shifted(home, shift);
      free = !overlaps_particle(from, radius, shift);
    });
    return free && !overlaps_wall(home, radius);
  }

  bool overlaps_particle(const Point<D>& center, double radius, const ImageOffset<D>& shift) {
    const bool met = sphere_grid_.any_near(center, radius, [&](Index i) {
      const auto& other = sphere_grid_[i];
      const double apart =
          radius + other.radius - options_.max_overlap * std::min(radius, other.radius);
      double squares = 0;
      for (std::size_t k = 0; k < D; ++k)
        squares += (center[k] - other.center[k]) * (center[k] - other.center[k]);
      return squares < apart * apart;
    });
    if (met)
      ++(shift == ImageOffset<D>{} ? report_.rejected_by_particles : report_.rejected_by_images);
    return met;
  }

  bool overlaps_wall(const Point<D>& center, double radius) {
    if (options_.walls == nullptr) return false;
    const double overlap = period_.any_periodic()
                               ? options_.walls->overlap(center, radius, wall_options_)
                               : options_.walls->overlap(center, radius);
    const bool met = overlap > options_.max_overlap * radius;
    if (met) ++report_.rejected_by_walls;
    return met;
  }

  InsertionResult<D> collect(const std::vector<double>& radii,
                             const std::vector<std::optional<Point<D>>>& places) {
    InsertionResult<D> released;
    double volume = 0;
    for (std::size_t i = 0; i < radii.size(); ++i) {
      if (!places[i]) continue;
      for (std::size_t k = 0; k < D; ++k) released.coordinates[k].push_back((*places[i])[k]);
      released.radius.push_back(radii[i]);
      volume += sphere_volume<D>(radii[i]);
    }
    report_.inserted = released.radius.size();
    report_.solid_fraction = volume / shape_.volume();
    released.report = report_;
    return released;
  }

  static constexpr int max_failures = 100;

  const InsertionOptions<D>& options_;
  RegionShape<D> shape_;
  Box<D> sampling_box_{};  // around the region, as far as it is in the domain
  Random random_;
  PeriodicDomain<D> period_;
  WallOptions<D> wall_options_;  // walls have images too
  std::array<bool, D>
      unbounded_axes_{};           // axes along which the region goes on beyond a periodic face
  SphereHashGrid<D> sphere_grid_;  // what is there, within the domain
  InsertionReport report_;
  int consecutive_failures_ = 0;  // particles in a row that found no room
};

}  // namespace

std::string InsertionReport::summary() const {
  std::string text = message("placed ", inserted, " of ", requested, " particles, solid fraction ",
                             static_cast<float>(solid_fraction), ", ", attempts, " attempts");
  std::string met;
  const auto tell = [&](std::size_t number, std::string_view what) {
    if (number > 0) met += message(met.empty() ? "" : ", ", number, " met ", what);
  };
  tell(rejected_by_particles, "particles");
  tell(rejected_by_images, "images");
  tell(rejected_by_walls, "walls");
  tell(rejected_by_region, "the border of the region");
  if (!met.empty()) text += message(", of which ", met);
  if (too_large > 0) text += message("; ", too_large, " were too large for the region");
  if (no_space > 0) text += message("; ", no_space, " found no room in all their attempts");
  if (not_attempted > 0)
    text += message("; ", not_attempted, " were not tried, the region being full");
  return text;
}

template <std::size_t D>
InsertionResult<D> insert_particles(const InsertionOptions<D>& options) {
  return Inserter<D>(options).run();
}

template InsertionResult<2> insert_particles(const InsertionOptions<2>&);
template InsertionResult<3> insert_particles(const InsertionOptions<3>&);

}  // namespace abut
