#pragma once

#include <abut/detector_options.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "papers/paper.hpp"
#include "report/verdicts.hpp"
#include "scenes/scene.hpp"

namespace abut {

/// A scene and the methods that are timed on it, one after the other, with one thread.
struct TimingCase {
  std::string scene;
  SceneOptions options{};
  int dimension = 3;
  std::vector<Method> methods{};
  int detections = 10;  ///< number of timed detections per round, by one detector
  int warm_up = 0;      ///< untimed detections before those
  int rounds = 1;       ///< the fastest round counts; slower ones were disturbed by other processes
};

/// Times of one method, summed over the detections of a round; build and search are each the
/// fastest of all rounds.
struct Timing {
  std::size_t count = 0;  ///< number of particles
  double build = 0;       ///< s
  double search = 0;      ///< s
  std::size_t pairs = 0;
  std::size_t bytes = 0;        ///< memory of the search structure of the method
  bool exceeds_memory = false;  ///< the structure does not fit into memory; nothing was measured

  [[nodiscard]] double seconds() const { return build + search; }
  [[nodiscard]] double nanoseconds_per_particle() const {
    return 1e9 * seconds() / static_cast<double>(count);
  }
};

/// Reports the completed fraction of all work of a paper. Work is measured in estimated ns.
class ProgressMeter {
 public:
  /// `progress` must outlive the meter.
  ProgressMeter(const ProgressCallback& progress, double total)
      : progress_(progress), total_(total) {}

  void add(double work) {
    work_done_ += work;
    if (progress_) progress_(work_done_ / total_);
  }

 private:
  const ProgressCallback& progress_;
  double total_;
  double work_done_ = 0;
};

/// Estimated time of all rounds, in ns.
double work_of(const TimingCase& timing_case);
double work_of(std::span<const TimingCase> timing_cases);

/// Times every method of every case; result[case][method]. Each round runs all cases, so that a
/// temporary load of the machine does not affect only one case.
std::vector<std::vector<Timing>> measure(std::span<const TimingCase> timing_cases,
                                         ProgressMeter& meter);

/// Points (number of particles, seconds).
Points times(std::span<const Timing> timings);

/// Ratios of the times to those of `references`, which have the same numbers of particles.
std::vector<double> time_ratios(std::span<const Timing> timings,
                                std::span<const Timing> references);

/// Mean time of `search(a, b)` over `calls` calls, in ns. `search` returns a gap.
template <class View, class Search>
double nanoseconds_of(const View& a, const View& b, int calls, const Search& search) {
  const auto start = std::chrono::steady_clock::now();
  double sum = 0;
  for (int i = 0; i < calls; ++i) sum += search(a, b);
  const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
  return sum == 0.125 ? 0 : elapsed.count() / calls;  // using the sum prevents dead-code removal
}

}  // namespace abut
