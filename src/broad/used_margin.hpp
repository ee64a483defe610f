#pragma once

#include <abut/options.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/runs.hpp"
#include "core/thread_pool.hpp"

namespace abut {

/// How much of the margin of a search particles have used up since.
///
/// Two particles that touch now, |d| ≤ (r_a + r_b)(1 + tolerance), were at most |d| plus what each
/// has moved apart then, and smaller by what each has grown. They were found if that is not more
/// than (r_a + r_b)(1 + tolerance)(1 + expansion) + margin of then: if no particle has moved and
/// grown by more than half of the margin and the least that the expansion adds.
template <std::size_t D>
class UsedMargin {
 public:
  void remember(const Spheres<D>& particles, const Options<D>& options, double smallest_radius) {
    stretch_ = 1 + options.tolerance;
    room_ = options.margin / 2 + smallest_radius * stretch_ * options.expansion;
    kept_ = room_ > 0 && options.watched;
    if (!kept_) return;
    for (std::size_t k = 0; k < D; ++k)
      axes_[k].assign(particles.axis(k).begin(), particles.axis(k).end());
    radius_.assign(particles.radius().begin(), particles.radius().end());
  }

  void forget() { kept_ = false; }

  [[nodiscard]] bool is_used_up(const Spheres<D>& particles, ThreadPool& pool) const {
    if (!kept_ || particles.size() != radius_.size()) return true;
    const Runs runs(radius_.size());
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
        const double now = particles.axis(k)[i];
        squares += (now - axes_[k][i]) * (now - axes_[k][i]);
        size = std::max(size, std::abs(now));
      }
      const double grown = std::max(0.0, particles.radius()[i] - radius_[i]) * stretch_;
      const double room = room_ * (1 - 0x1p-40) - grown - 0x1p-50 * size;
      all = all && room >= 0 && squares <= room * room;  // also where something is no number
    }
    return all;
  }

  bool kept_ = false;
  double stretch_ = 1;
  double room_ = 0;
  std::array<std::vector<double>, D> axes_;
  std::vector<double> radius_;
};

}  // namespace abut
