#pragma once

#include <abut/detector_options.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>

#include "core/machine.hpp"

namespace abut {

/// Whether particles have moved or grown so far since an update that its pairs may be incomplete.
///
/// Two particles that touch now, |d| ≤ (r_a + r_b)·(1 + tolerance), were at most |d| plus both
/// displacements apart at the update, with radii smaller by their growth since. They were a pair
/// then if this is at most (r_a + r_b)·(1 + tolerance)·(1 + expansion) + margin. So no pair is
/// missing while displacement plus growth of every particle is at most
///
///     allowance = margin/2 + r_min·(1 + tolerance)·expansion.
template <std::size_t D>
class DisplacementCheck {
 public:
  /// Copies positions and radii, unless the allowance is 0 or motion is not tracked
  /// (`DetectorOptions::track_motion`).
  void store(const Spheres<D>& particles, const DetectorOptions<D>& options, double min_radius) {
    tolerance_factor_ = 1 + options.tolerance;
    allowance_ = options.margin / 2 + min_radius * tolerance_factor_ * options.expansion;
    active_ = allowance_ > 0 && options.track_motion;
    if (!active_) return;
    stored_.clear();
    stored_.append(particles);
  }

  void reset() { active_ = false; }

  /// Also true if nothing is stored or the number of particles differs.
  [[nodiscard]] bool is_exceeded(const Spheres<D>& particles, const ThreadPool& pool) const {
    if (!active_ || particles.size() != stored_.size()) return true;
    const Chunks chunks(stored_.size());
    std::atomic<bool> exceeded = false;
    pool.run(chunks.size(), [&](std::size_t chunk, unsigned) {
      if (!exceeded && !within(particles, chunks.first(chunk), chunks.last(chunk))) exceeded = true;
    });
    return exceeded;
  }

 private:
  // The allowance is reduced by more than the rounding errors of coordinates and differences.
  [[nodiscard]] bool within(const Spheres<D>& particles, std::size_t first,
                            std::size_t last) const {
    bool all = true;
    for (std::size_t i = first; i < last; ++i) {
      double squared = 0;
      double magnitude = 0;
      for (std::size_t k = 0; k < D; ++k) {
        const double now = particles.coordinates(k)[i];
        squared += (now - stored_.coordinates[k][i]) * (now - stored_.coordinates[k][i]);
        magnitude = std::max(magnitude, std::abs(now));
      }
      const double growth =
          std::max(0.0, particles.radii()[i] - stored_.radii[i]) * tolerance_factor_;
      const double allowed = allowance_ * (1 - 0x1p-40) - growth - 0x1p-50 * magnitude;
      all = all && allowed >= 0 && squared <= allowed * allowed;  // false for NaN
    }
    return all;
  }

  bool active_ = false;
  double tolerance_factor_ = 1;
  double allowance_ = 0;
  SphereArrays<D> stored_;
};

}  // namespace abut
