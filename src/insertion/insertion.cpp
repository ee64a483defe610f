#include <abut/error.hpp>
#include <abut/insertion.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/buffers.hpp"
#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "core/periodic_domain.hpp"
#include "core/sphere_hash_grid.hpp"
#include "core/statistics.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

void check_radii(double min_radius, double max_radius) {
  if (!(min_radius > 0 && min_radius <= max_radius && std::isfinite(max_radius)))
    throw Error(message("sizes from ", min_radius, " to ", max_radius,
                        ": radii must be positive, finite and in ascending order"));
}

}  // namespace

SizeDistribution monodisperse(double radius) { return uniform_by_number(radius, radius); }

SizeDistribution uniform_by_number(double min_radius, double max_radius) {
  check_radii(min_radius, max_radius);
  return [=](double u) { return min_radius + (max_radius - min_radius) * u; };
}

// Equal volume per interval of radii means a number density ∝ r^−D. With q = r_min / r_max,
// inverting its cumulative distribution gives
//
//     2D: r = r_min / (1 − u·(1 − q)),   3D: r = r_min / √(1 − u·(1 − q²)).
//
// Division and square root are rounded in the same way on every machine.
template <std::size_t D>
SizeDistribution uniform_by_mass(double min_radius, double max_radius) {
  check_radii(min_radius, max_radius);
  const double ratio = min_radius / max_radius;
  if constexpr (D == 2)
    return [=](double u) { return min_radius / (1 - u * (1 - ratio)); };
  else
    return [=](double u) { return min_radius / std::sqrt(1 - u * (1 - ratio * ratio)); };
}

template SizeDistribution uniform_by_mass<2>(double, double);
template SizeDistribution uniform_by_mass<3>(double, double);

namespace {

// A validated region: bounding box, volume, and containment test.
template <std::size_t D>
class RegionShape {
 public:
  // Throws `Error` for a region without interior.
  explicit RegionShape(const Region<D>& region);

  [[nodiscard]] const Box<D>& bounding_box() const { return box_; }
  [[nodiscard]] double volume() const { return volume_; }

  // Whether a particle is entirely inside. Along unbounded axes, where the region continues beyond
  // a periodic boundary, only its center has to be.
  [[nodiscard]] bool contains(const Point<D>& center, double radius,
                              const std::array<bool, D>& unbounded) const;

 private:
  void initialize(const Box<D>& box);
  void initialize(const SphereRegion<D>& sphere);
  void initialize(const CylinderRegion& cylinder) requires(D == 3);
  void initialize(const MeshRegion<D>& region);

  Region<D> region_;
  Box<D> box_{};
  double volume_ = 0;
  std::optional<MeshInterior<D>> mesh_interior_;  // of a mesh region
  std::optional<Walls<D>> mesh_boundary_;
};

void check_radius(std::string_view what, double radius) {
  if (!(radius > 0 && std::isfinite(radius)))
    throw Error(ErrorCode::invalid_argument,
                {.key = message("region: ", what, ": radius"), .value = message(radius)},
                "must be positive and finite");
}

// Centers of particles lie in the bounding box of a region.
template <std::size_t D>
void check_reach(const Box<D>& box) {
  for (std::size_t k = 0; k < D; ++k)
    if (!(box.min[k] >= -max_length && box.max[k] <= max_length))
      throw Error(message("region: ", axis_names[k], " from ", box.min[k], " to ", box.max[k],
                          ": must lie within 1e150 of the origin"));
}

template <std::size_t D>
double squared_distance(const Point<D>& a, const Point<D>& b) {
  double squared = 0;
  for (std::size_t k = 0; k < D; ++k) squared += (a[k] - b[k]) * (a[k] - b[k]);
  return squared;
}

template <std::size_t D>
bool contains_sphere(const Box<D>& box, const Point<D>& center, double radius,
                     const std::array<bool, D>& unbounded) {
  for (std::size_t k = 0; k < D; ++k) {
    const double margin = unbounded[k] ? 0 : radius;
    if (!(center[k] - margin >= box.min[k] && center[k] + margin <= box.max[k])) return false;
  }
  return true;
}

template <std::size_t D>
bool contains_sphere(const SphereRegion<D>& sphere, const Point<D>& center, double radius) {
  const double margin = sphere.radius - radius;
  return margin >= 0 && squared_distance<D>(center, sphere.center) <= margin * margin;
}

bool contains_sphere(const CylinderRegion& cylinder, const Point<3>& center, double radius) {
  const double length = std::sqrt(squared_distance<3>(cylinder.from, cylinder.to));
  double position = 0;
  for (std::size_t k = 0; k < 3; ++k)
    position += (center[k] - cylinder.from[k]) * (cylinder.to[k] - cylinder.from[k]) / length;
  const double margin = cylinder.radius - radius;
  const double squared_radial = squared_distance<3>(center, cylinder.from) - position * position;
  return position >= radius && position <= length - radius && margin >= 0 &&
         squared_radial <= margin * margin;
}

template <std::size_t D>
void RegionShape<D>::initialize(const Box<D>& box) {
  volume_ = 1;
  for (std::size_t k = 0; k < D; ++k) {
    if (!(std::isfinite(box.min[k]) && std::isfinite(box.max[k]) && box.min[k] < box.max[k]))
      throw Error(message("region: box: ", axis_names[k], " from ", box.min[k], " to ", box.max[k],
                          ": must be two finite numbers in ascending order"));
    volume_ *= box.max[k] - box.min[k];
  }
  box_ = box;
}

template <std::size_t D>
void RegionShape<D>::initialize(const SphereRegion<D>& sphere) {
  check_radius(D == 2 ? "disk" : "sphere", sphere.radius);
  for (std::size_t k = 0; k < D; ++k) {
    box_.min[k] = sphere.center[k] - sphere.radius;
    box_.max[k] = sphere.center[k] + sphere.radius;
  }
  volume_ = sphere_volume<D>(sphere.radius);
}

template <std::size_t D>
void RegionShape<D>::initialize(const CylinderRegion& cylinder) requires(D == 3) {
  check_radius("cylinder", cylinder.radius);
  const double length = std::sqrt(squared_distance<3>(cylinder.from, cylinder.to));
  if (!(length > 0 && std::isfinite(length)))
    throw Error("region: cylinder: from and to must be different points");
  for (std::size_t k = 0; k < 3; ++k) {
    const double direction = (cylinder.to[k] - cylinder.from[k]) / length;
    const double extent = cylinder.radius * std::sqrt(std::max(0.0, 1 - direction * direction));
    box_.min[k] = std::min(cylinder.from[k], cylinder.to[k]) - extent;
    box_.max[k] = std::max(cylinder.from[k], cylinder.to[k]) + extent;
  }
  volume_ = sphere_volume<2>(cylinder.radius) * length;
}

template <std::size_t D>
void RegionShape<D>::initialize(const MeshRegion<D>& region) {
  mesh_interior_.emplace(region.mesh, region.weld_tolerance);
  mesh_boundary_.emplace();
  mesh_boundary_->add(region.mesh);
  box_ = mesh_interior_->bounding_box();
  volume_ = mesh_interior_->volume();
  constexpr double rounding = 1e-14;
  double box_volume = 1;
  for (std::size_t k = 0; k < D; ++k) box_volume *= box_.max[k] - box_.min[k];
  if (!(volume_ > rounding * box_volume))
    throw Error(message("region: mesh: its signed ", D == 2 ? "area" : "volume",
                        " is zero; it is flat or intersects itself"));
}

template <std::size_t D>
RegionShape<D>::RegionShape(const Region<D>& region) : region_(region) {
  std::visit([&](const auto& shape) { initialize(shape); }, region_);
  check_reach<D>(box_);
}

template <std::size_t D>
bool RegionShape<D>::contains(const Point<D>& center, double radius,
                              const std::array<bool, D>& unbounded) const {
  return std::visit(
      [&](const auto& shape) {
        using Shape = std::decay_t<decltype(shape)>;
        if constexpr (std::is_same_v<Shape, Box<D>>)
          return abut::contains_sphere<D>(shape, center, radius, unbounded);
        else if constexpr (std::is_same_v<Shape, MeshRegion<D>>)
          return mesh_interior_->contains(center) && mesh_boundary_->overlap(center, radius) <= 0;
        else
          return abut::contains_sphere(shape, center, radius);
      },
      region_);
}

}  // namespace

template <std::size_t D>
Box<D> bounding_box(const Region<D>& region) {
  return RegionShape<D>(region).bounding_box();
}

template Box<2> bounding_box<2>(const Region<2>&);
template Box<3> bounding_box<3>(const Region<3>&);

namespace {

// Random sequential addition.
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
    ContiguousSpheres<D> gathered;
    const Spheres<D> existing = gathered.view(options.existing);
    (void)summarize_input(existing, search_options(options));  // throws if invalid
    for (std::size_t i = 0; i < existing.size(); ++i) {
      Point<D> center;
      for (std::size_t k = 0; k < D; ++k) center[k] = existing.coordinates(k)[i];
      add_sphere(center, existing.radii()[i]);
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
    std::vector<std::size_t> order(radii.size());  // the largest first, while there is space
    std::iota(order.begin(), order.end(), 0UL);
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return radii[i]; });
    std::vector<std::optional<Point<D>>> positions(radii.size());
    for (std::size_t done = 0; done < order.size(); ++done) {
      constexpr std::size_t progress_interval = 64;
      progress_begin_ = static_cast<double>(done) / static_cast<double>(order.size());
      if (options_.progress && done % progress_interval == 0) options_.progress(progress_begin_);
      if (consecutive_failures_ < max_failures)
        positions[order[done]] = find_position(radii[order[done]]);
      else
        ++report_.not_attempted;
    }
    return collect(radii, positions);
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
    if (!options_.sizes) throw Error("insertion: sizes must be given");
    if (!(options_.max_overlap >= 0 && options_.max_overlap <= 1))
      throw Error(ErrorCode::invalid_argument,
                  {.key = "max_overlap", .value = message(options_.max_overlap)},
                  "must be a number from 0 to 1");
    if (options_.max_attempts == 0)
      throw Error(ErrorCode::invalid_argument, {.key = "max_attempts", .value = "0"},
                  "must be at least 1");
    if (options_.count > INT32_MAX)
      throw Error(ErrorCode::invalid_argument, {.key = "count", .value = message(options_.count)},
                  "must be at most 2147483647");
  }

  std::vector<double> draw_radii() {
    std::vector<double> radii(options_.count);
    for (double& radius : radii) {
      radius = options_.sizes(random_.uniform());
      if (!(radius >= min_length && radius <= max_length))
        throw Error(ErrorCode::invalid_argument, {.key = "sizes: radius", .value = message(radius)},
                    "must be positive");
    }
    return radii;
  }

  // No positions are sampled outside the domain.
  void clip_to_domain() {
    sampling_box_ = shape_.bounding_box();
    if (!options_.within_domain || !options_.domain) return;
    for (std::size_t k = 0; k < D; ++k) {
      if (period_.is_periodic[k]) continue;
      const auto [low, high] = std::pair(options_.domain->min[k], options_.domain->max[k]);
      if (sampling_box_.max[k] <= low || sampling_box_.min[k] >= high)
        throw Error(message("region: ", axis_names[k], " from ", sampling_box_.min[k], " to ",
                            sampling_box_.max[k], ": must overlap the domain, ", low, " to ",
                            high));
      sampling_box_.min[k] = std::max(sampling_box_.min[k], low);
      sampling_box_.max[k] = std::min(sampling_box_.max[k], high);
    }
  }

  // False if the particle is larger than the sampling box or overlaps its own periodic image.
  [[nodiscard]] bool fits(double radius) const {
    for (std::size_t k = 0; k < D; ++k) {
      const double extent = sampling_box_.max[k] - sampling_box_.min[k];
      if (!unbounded_axes_[k] && 2 * radius > extent) return false;
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
      if (attempt > 0) report_failed_attempts(attempt);
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

  // A particle that does not fit is counted in proportion to its attempts.
  void report_failed_attempts(std::size_t attempts) const {
    constexpr std::size_t progress_interval = 256;
    if (!options_.progress || attempts % progress_interval != 0) return;
    const double share = static_cast<double>(attempts) /
                         static_cast<double>(options_.max_attempts) /
                         static_cast<double>(options_.count);
    options_.progress(std::min(1.0, progress_begin_ + share));
  }

  void add_sphere(Point<D> center, double radius) {
    (void)period_.wrap(center);
    sphere_grid_.add(center, radius);
  }

  Point<D> random_position(double radius) {
    Point<D> center;
    for (std::size_t k = 0; k < D; ++k) {
      const double margin = unbounded_axes_[k] ? 0 : radius;
      center[k] = random_.uniform(sampling_box_.min[k] + margin, sampling_box_.max[k] - margin);
    }
    return center;
  }

  bool is_free(const Point<D>& center, double radius) {
    Point<D> wrapped = center;
    (void)period_.wrap(wrapped);
    const double max_distance = radius + sphere_grid_.max_radius();
    std::array<std::array<double, 2>, D> ranges;
    for (std::size_t k = 0; k < D; ++k)
      ranges[k] = period_.image_range(k, wrapped[k], max_distance);
    bool free = true;
    for_each_image_offset<D>(ranges, [&](const ImageOffset<D>& offset) {
      if (!free) return;
      const Point<D> image = period_.shifted(wrapped, offset);
      free = !overlaps_particle(image, radius, offset);
    });
    return free && !overlaps_wall(wrapped, radius);
  }

  bool overlaps_particle(const Point<D>& center, double radius, const ImageOffset<D>& offset) {
    const bool overlaps = sphere_grid_.any_near(center, radius, [&](Index i) {
      const auto& other = sphere_grid_[i];
      const double min_distance =
          radius + other.radius - options_.max_overlap * std::min(radius, other.radius);
      double squared = 0;
      for (std::size_t k = 0; k < D; ++k)
        squared += (center[k] - other.center[k]) * (center[k] - other.center[k]);
      return squared < min_distance * min_distance;
    });
    if (overlaps)
      ++(offset == ImageOffset<D>{} ? report_.rejected_by_particles : report_.rejected_by_images);
    return overlaps;
  }

  bool overlaps_wall(const Point<D>& center, double radius) {
    if (options_.walls == nullptr) return false;
    const double overlap = period_.any_periodic()
                               ? options_.walls->overlap(center, radius, wall_options_)
                               : options_.walls->overlap(center, radius);
    const bool overlaps = overlap > options_.max_overlap * radius;
    if (overlaps) ++report_.rejected_by_walls;
    return overlaps;
  }

  InsertionResult<D> collect(const std::vector<double>& radii,
                             const std::vector<std::optional<Point<D>>>& positions) {
    InsertionResult<D> result;
    double volume = 0;
    for (std::size_t i = 0; i < radii.size(); ++i) {
      if (!positions[i]) continue;
      result.push_back(*positions[i], radii[i]);
      volume += sphere_volume<D>(radii[i]);
    }
    report_.inserted = result.size();
    report_.solid_fraction = volume / shape_.volume();
    result.report = report_;
    return result;
  }

  static constexpr int max_failures = 100;  // in a row: the region is full

  const InsertionOptions<D>& options_;
  RegionShape<D> shape_;
  Box<D> sampling_box_{};  // of the region, clipped to the domain
  Random random_;
  PeriodicDomain<D> period_;
  WallOptions<D> wall_options_;
  std::array<bool, D> unbounded_axes_{};  // where the region continues beyond a periodic boundary
  SphereHashGrid<D> sphere_grid_;  // existing and inserted particles, wrapped into the domain
  InsertionReport report_;
  int consecutive_failures_ = 0;
  double progress_begin_ = 0;  // fraction done before the current particle
};

}  // namespace

std::string InsertionReport::summary() const {
  std::string text = message("inserted ", inserted, " of ", requested, " particles");
  // It would exceed 1 if particles overlap much, or if the region is a mesh that intersects itself:
  // its signed volume is smaller than its interior.
  if (solid_fraction >= 0 && solid_fraction <= 1)
    text += message(" (solid fraction ", static_cast<float>(solid_fraction), ")");
  text += message(", ", attempts, " attempts");
  std::string rejected;
  const auto add = [&](std::size_t count, std::string_view reason) {
    if (count > 0) rejected += message(rejected.empty() ? "" : ", ", count, " by ", reason);
  };
  add(rejected_by_particles, "particles");
  add(rejected_by_images, "periodic images");
  add(rejected_by_walls, "walls");
  add(rejected_by_region, "the region boundary");
  if (!rejected.empty()) text += message(", rejected: ", rejected);
  if (no_space > 0) text += message("; ", no_space, " did not fit");
  if (too_large > 0) text += message("; ", too_large, " are too large for the region");
  if (not_attempted > 0)
    text += message("; ", not_attempted, " not attempted because the region is full");
  return text;
}

template <std::size_t D>
InsertionResult<D> insert_particles(const InsertionOptions<D>& options) {
  return Inserter<D>(options).run();
}

template InsertionResult<2> insert_particles(const InsertionOptions<2>&);
template InsertionResult<3> insert_particles(const InsertionOptions<3>&);

}  // namespace abut
