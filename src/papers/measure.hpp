#pragma once

#include <abut/method.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "papers/judge.hpp"
#include "papers/paper.hpp"
#include "scenes/scene.hpp"

namespace abut {

/// Particles, and methods that take turns to find their pairs, with one thread.
struct Trial {
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
  double sorting = 0;    ///< seconds
  double searching = 0;  ///< seconds
  std::size_t pairs = 0;
  std::size_t bytes = 0;  ///< of the search structure
  bool refused = false;   ///< it would not have fitted into memory; nothing was measured

  [[nodiscard]] double seconds() const { return sorting + searching; }
  [[nodiscard]] double nanoseconds_per_particle() const {
    return 1e9 * seconds() / static_cast<double>(count);
  }
};

/// Tells how much of all trials is done.
class Meter {
 public:
  Meter(const WorkDone& done, double total) : done_(done), total_(total) {}
  void add(double work) {
    reached_ += work;
    if (done_) done_(reached_ / total_);
  }

 private:
  const WorkDone& done_;
  double total_;
  double reached_ = 0;
};

/// About how many nanoseconds a trial takes.
double work_of(const Trial& trial);
double work_of(std::span<const Trial> trials);

/// Runs trials, for each of which there is a result for each of its methods. A round goes through
/// all of them, so that a while in which others use the machine does not fall upon one alone.
std::vector<std::vector<Timing>> measure(std::span<const Trial> trials, Meter& meter);

/// Seconds against the number of particles.
Points times(std::span<const Timing> runs);

/// How many times the time of others, particles being the same.
std::vector<double> over(std::span<const Timing> runs, std::span<const Timing> others);

}  // namespace abut
