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

/// Reports the completed fraction of an experiment. Thread-safe: parallel simulations share it.
class SharedProgress {
 public:
  /// `total` is the approximate sum of all `add` calls. `progress` must outlive this object.
  SharedProgress(const ProgressCallback& progress, double total)
      : progress_(progress), total_(total) {}

  void add(double work) {
    const double done = work_done_.fetch_add(work) + work;
    if (progress_) progress_(std::min(1.0, done / total_));
  }

 private:
  const ProgressCallback& progress_;
  double total_;
  std::atomic<double> work_done_{0};
};

/// Advances the simulation by a duration in simulated time. Work is counted as particles × time.
template <std::size_t D>
void advance(Simulation<D>& simulation, double duration, SharedProgress& progress) {
  constexpr std::size_t max_batch = 200;
  const double step = simulation.time_step();
  for (auto remaining = static_cast<std::size_t>(std::llround(duration / step)); remaining > 0;) {
    const std::size_t batch = std::min(max_batch, remaining);
    simulation.advance(batch);
    progress.add(static_cast<double>(simulation.particle_count() * batch) * step);
    remaining -= batch;
  }
}

/// A comparison of simulations with analytical or published results. Quick runs are smaller and
/// have wider tolerances.
struct Experiment {
  std::string_view name;
  std::string_view title;
  std::span<const std::string_view> files;  ///< base names of its figures
  double seconds;                           ///< approximate run time on two cores, for progress
  double quick_seconds;
  std::vector<Figure> (*run)(bool quick, const ProgressCallback& progress);
};

std::span<const Experiment> experiments();

// Each defined in validation/<name>.cpp, two-bodies in two_bodies.cpp.
extern const Experiment two_bodies_experiment;
extern const Experiment janssen_experiment;
extern const Experiment beverloo_experiment;
extern const Experiment packing_experiment;

}  // namespace abut
