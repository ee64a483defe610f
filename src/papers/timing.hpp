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

/// Particles, and methods that take turns to find their pairs, with one thread.
struct TimingCase {
  std::string scene;
  SceneOptions options{};
  int dimension = 3;
  std::vector<Method> methods{};
  int detections = 10;  ///< summed, by one detector
  int warm_up = 0;      ///< detections before those, not counted
  int rounds = 1;       ///< of which the fastest counts: the others had to share the machine
};

/// What one method took for the detections of a round; sort and search of the fastest each.
struct Timing {
  std::size_t count = 0;
  double build = 0;   ///< seconds
  double search = 0;  ///< seconds
  std::size_t pairs = 0;
  std::size_t bytes = 0;        ///< of the search structure
  bool exceeds_memory = false;  ///< it would not have fitted into memory; nothing was measured

  [[nodiscard]] double seconds() const { return build + search; }
  [[nodiscard]] double nanoseconds_per_particle() const {
    return 1e9 * seconds() / static_cast<double>(count);
  }
};

/// Tells how much of all trials is done.
class ProgressMeter {
 public:
  ProgressMeter(const ProgressCallback& done, double total) : done_(done), total_(total) {}
  void add(double work) {
    work_done_ += work;
    if (done_) done_(work_done_ / total_);
  }

 private:
  const ProgressCallback& done_;
  double total_;
  double work_done_ = 0;
};

/// About how many nanoseconds a trial takes.
double work_of(const TimingCase& trial);
double work_of(std::span<const TimingCase> trials);

/// Runs trials, for each of which there is a result for each of its methods. A round goes through
/// all of them, so that a while in which others use the machine does not fall upon one alone.
std::vector<std::vector<Timing>> measure(std::span<const TimingCase> trials, ProgressMeter& meter);

/// Seconds against the number of particles.
Points times(std::span<const Timing> runs);

/// How many times the time of others, particles being the same.
std::vector<double> time_ratios(std::span<const Timing> runs, std::span<const Timing> others);

/// What a search for the plane between two views takes, in nanoseconds; it returns a gap.
template <class View, class Search>
double nanoseconds_of(const View& a, const View& b, int times, const Search& search) {
  const auto start = std::chrono::steady_clock::now();
  double kept = 0;
  for (int i = 0; i < times; ++i) kept += search(a, b);
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  return kept == 0.125 ? 0 : took.count() / times;  // what is not used is not computed
}

}  // namespace abut
