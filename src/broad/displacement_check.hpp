#pragma once

#include <abut/detector_options.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/thread_pool.hpp"

namespace abut {

/// How much of the margin of a search particles have used up since.
///
/// Two particles that touch now, |d| ≤ (r_a + r_b)(1 + tolerance), were at most |d| plus what each
/// has moved apart then, and smaller by what each has grown. They were found if that is not more
/// than (r_a + r_b)(1 + tolerance)(1 + expansion) + margin of then: if no particle has moved and
/// grown by more than half of the margin and the least that the expansion adds.
template <std::size_t D>
class DisplacementCheck {
 public:
  void store(const Spheres<D>& particles, const DetectorOptions<D>& options,
             double smallest_radius) {
    tolerance_factor_ = 1 + options.tolerance;
    allowance_ = options.margin / 2 + smallest_radius * tolerance_factor_ * options.expansion;
    active_ = allowance_ > 0 && options.track_motion;
    if (!active_) return;
    for (std::size_t k = 0; k < D; ++k)
      coordinates_[k].assign(particles.coordinates(k).begin(), particles.coordinates(k).end());
    radii_.assign(particles.radii().begin(), particles.radii().end());
  }

  void reset() { active_ = false; }

  [[nodiscard]] bool is_exceeded(const Spheres<D>& particles, ThreadPool& pool) const {
    if (!active_ || particles.size() != radii_.size()) return true;
    const Chunks runs(radii_.size());
    std::atomic<bool> used_up = false;
    pool.run(runs.size(), [&](std::size_t run, unsigned) {
      if (!used_up && !within(particles, runs.first(run), runs.last(run))) used_up = true;
    });
    return used_up;
  }

 private:
  // What rounding may hide is far below this part of the room, and of the coordinates.
  [[nodiscard]] bool within(const Spheres<D>& particles, std::size_t first,
                            std::size_t last) const {
    bool all = true;
    for (std::size_t i = first; i < last; ++i) {
      double squares = 0;
      double size = 0;
      for (std::size_t k = 0; k < D; ++k) {
        const double now = particles.coordinates(k)[i];
        squares += (now - coordinates_[k][i]) * (now - coordinates_[k][i]);
        size = std::max(size, std::abs(now));
      }
      const double grown = std::max(0.0, particles.radii()[i] - radii_[i]) * tolerance_factor_;
      const double room = allowance_ * (1 - 0x1p-40) - grown - 0x1p-50 * size;
      all = all && room >= 0 && squares <= room * room;  // also where something is no number
    }
    return all;
  }

  bool active_ = false;
  double tolerance_factor_ = 1;
  double allowance_ = 0;
  std::array<std::vector<double>, D> coordinates_;
  std::vector<double> radii_;
};

}  // namespace abut
