#pragma once

#include <abut/simulation.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>

#include "papers/paper.hpp"

namespace abut {

/// Tells how much of an experiment is done; simulations that run side by side share it.
class Workload {
 public:
  /// The sum of what will be added, about.
  Workload(const WorkDone& done, double total) : done_(done), total_(total) {}

  void add(double work) {
    const double reached = reached_.fetch_add(work) + work;
    if (done_) done_(std::min(1.0, reached / total_));
  }

 private:
  const WorkDone& done_;
  double total_;
  std::atomic<double> reached_{0};
};

/// Goes on for so many seconds; each particle is as much work a second.
template <std::size_t D>
void advance(Simulation<D>& run, double seconds, Workload& work) {
  constexpr std::size_t at_once = 200;
  const double step = run.time_step();
  for (auto left = static_cast<std::size_t>(std::llround(seconds / step)); left > 0;) {
    const std::size_t now = std::min(at_once, left);
    run.advance(now);
    work.add(static_cast<double>(run.size() * now) * step);
    left -= now;
  }
}

}  // namespace abut
