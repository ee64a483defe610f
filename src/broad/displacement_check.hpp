#pragma once

#include <abut/detector_options.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/input_checks.hpp"
#include "core/machine.hpp"
#include "core/periodic_domain.hpp"
#include "core/relative_motion.hpp"

namespace abut {

/// Whether particles have moved or grown so far since an update that its pairs may be incomplete.
///
/// Two particles that touch now, |d| ≤ (r_a + r_b)·(1 + tolerance), were at most |d| plus the
/// distance by which they have approached apart at the update, with radii smaller by their growth
/// since. They were a pair then if this is at most (r_a + r_b)·(1 + tolerance)·(1 + expansion) +
/// margin. So no pair is missing while the approach plus both growths is at most
///
///     skin = margin + 2 r_min·(1 + tolerance)·expansion.
///
/// `RelativeMotion` bounds the approach, as in the neighbor list of a simulation.
template <std::size_t D>
class DisplacementCheck {
 public:
  /// Copies positions and radii, unless the skin is 0 or motion is not tracked
  /// (`DetectorOptions::track_motion`).
  void store(const Spheres<D>& particles, const DetectorOptions<D>& options,
             const InputSummary<D>& summary) {
    tolerance_factor_ = 1 + options.tolerance;
    skin_ = options.margin + 2 * summary.min_radius * tolerance_factor_ * options.expansion;
    is_active_ = skin_ > 0 && options.track_motion;
    is_reset_ = false;
    if (!is_active_) return;
    stored_.clear();
    stored_.append(particles);
    parameters_ = {options.fixed_count,
                   {},
                   2 * options.tolerance * summary.max_radius,
                   std::max(4 * skin_, 2 * summary.max_radius)};
    for (std::size_t k = 0; k < D; ++k)
      if (options.periodic[k])
        parameters_.periods[k] = options.domain->max[k] - options.domain->min[k];
  }

  void reset() { is_active_ = false; }

  /// Also true if nothing is stored or the number of particles differs.
  [[nodiscard]] bool is_exceeded(const Spheres<D>& particles, const ThreadPool& pool) {
    if (!is_active_ || particles.size() != stored_.size()) return true;
    if (!is_reset_)
      motion_.reset(
          stored_.size(), [&](std::size_t i) { return stored_sphere(i); }, parameters_);
    is_reset_ = true;
    blocks_.assign(motion_.block_count(), {});
    const Chunks chunks(motion_.block_count(), 64);
    pool.run(chunks.size(), [&](std::size_t chunk, unsigned) {
      for (std::size_t block = chunks.first(chunk); block < chunks.last(chunk); ++block)
        measure(particles, block);
    });
    BlockMotion all;
    for (const BlockMotion& block : blocks_) all.include(block);
    // The skin is reduced by more than the rounding errors of coordinates and differences.
    const double skin = skin_ * (1 - 0x1p-40) - 0x1p-49 * all.magnitude;
    return !all.is_finite || skin < 0 || motion_.exceeds(skin, all.growth * tolerance_factor_);
  }

 private:
  /// Of the particles of a block.
  struct BlockMotion {
    double growth = 0;     ///< largest increase of a radius, m
    double magnitude = 0;  ///< largest coordinate, m
    bool is_finite = true;

    void include(const BlockMotion& other) {
      growth = std::max(growth, other.growth);
      magnitude = std::max(magnitude, other.magnitude);
      is_finite = is_finite && other.is_finite;
    }
  };

  [[nodiscard]] Vec4 stored_sphere(std::size_t i) const {
    Vec4 sphere;
    for (std::size_t k = 0; k < D; ++k) sphere.*vec4_axes[k] = stored_.coordinates[k][i];
    sphere.w = stored_.radii[i];
    return sphere;
  }

  void measure(const Spheres<D>& particles, std::size_t block) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::size_t first = block * DisplacementBounds::block_size;
    const std::size_t last = std::min(stored_.size(), first + DisplacementBounds::block_size);
    DisplacementBounds& bounds = motion_.bounds()[block];
    BlockMotion& motion = blocks_[block];
    for (std::size_t k = 0; k < D; ++k) {
      double low = infinity;
      double high = -infinity;
      for (std::size_t i = first; i < last; ++i) {
        const double now = particles.coordinates(k)[i];
        const double displacement = now - stored_.coordinates[k][i];
        low = std::min(low, displacement);
        high = std::max(high, displacement);
        motion.magnitude = std::max(motion.magnitude, std::abs(now));
        motion.is_finite = motion.is_finite && std::isfinite(now);
      }
      bounds.low.*vec4_axes[k] = low;
      bounds.high.*vec4_axes[k] = high;
    }
    for (std::size_t i = first; i < last; ++i) {
      motion.growth = std::max(motion.growth, particles.radii()[i] - stored_.radii[i]);
      motion.is_finite = motion.is_finite && std::isfinite(particles.radii()[i]);
    }
  }

  bool is_active_ = false;
  bool is_reset_ = false;  ///< `motion_` belongs to the stored positions
  double tolerance_factor_ = 1;
  double skin_ = 0;  ///< m
  RelativeMotion::Parameters parameters_{};
  RelativeMotion motion_;
  SphereArrays<D> stored_;
  std::vector<BlockMotion> blocks_;
};

}  // namespace abut
