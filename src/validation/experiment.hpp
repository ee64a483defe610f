#pragma once

#include <abut/simulation.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "report/figure.hpp"

namespace abut {

/// Tells how much of an experiment is done; simulations that run side by side share it.
class SharedProgress {
 public:
  /// The sum of what will be added, about.
  SharedProgress(const ProgressCallback& done, double total) : done_(done), total_(total) {}

  void add(double work) {
    const double reached = work_done_.fetch_add(work) + work;
    if (done_) done_(std::min(1.0, reached / total_));
  }

 private:
  const ProgressCallback& done_;
  double total_;
  std::atomic<double> work_done_{0};
};

/// Goes on for so many seconds; each particle is as much work a second.
template <std::size_t D>
void advance(Simulation<D>& run, double seconds, SharedProgress& work) {
  constexpr std::size_t at_once = 200;
  const double step = run.time_step();
  for (auto left = static_cast<std::size_t>(std::llround(seconds / step)); left > 0;) {
    const std::size_t now = std::min(at_once, left);
    run.advance(now);
    work.add(static_cast<double>(run.particle_count() * now) * step);
    left -= now;
  }
}

/// The simulation held against published forms. Quick ones are smaller and allow for it.
struct Experiment {
  std::string_view name;
  std::string_view title;
  std::span<const std::string_view> files;  ///< of its figures, known before the work begins
  double seconds;                           ///< about, on two cores, to tell how much is done
  double quick_seconds;
  std::vector<Figure> (*run)(bool quick, const ProgressCallback& done);
};

std::span<const Experiment> experiments();

// One file each, validation/<name>.cpp.
extern const Experiment two_bodies_experiment;
extern const Experiment janssen_experiment;
extern const Experiment beverloo_experiment;
extern const Experiment packing_experiment;

}  // namespace abut
