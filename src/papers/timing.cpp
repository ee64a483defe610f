#include "papers/timing.hpp"

#include <abut/detector.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "report/figure.hpp"

namespace abut {
namespace {

// Only for the time left: what a detection takes for each particle, in nanoseconds.
double cost_of(Method method, const TimingCase& trial) {
  switch (method) {
    case Method::brute_force:
      return 0.5 * static_cast<double>(trial.options.count);
    case Method::screening:
    case Method::mr:
      return 110;
    case Method::nbs:
    case Method::mr_recomputed:
    case Method::mr_quicksort:
      return 200;
    case Method::mmr:
      return 1200;
    default:
      return 500;
  }
}

double work_of(Method method, const TimingCase& trial) {
  return cost_of(method, trial) * static_cast<double>(trial.options.count);
}

double work_of_making(const TimingCase& trial) {
  return (trial.options.spatial_order ? 300.0 : 20.0) * static_cast<double>(trial.options.count);
}

template <std::size_t D>
Timing detect(const TimingCase& trial, Method method, const Spheres<D>& particles,
              ProgressMeter& meter) {
  Timing sum{.count = particles.size()};
  try {
    Detector<D> detector({.method = method});
    for (int i = -trial.warm_up; i < trial.detections; ++i) {
      sum.pairs = 0;
      detector.update(particles);
      detector.for_each_batch(
          [](void* to, std::span<const Pair> pairs) {
            *static_cast<std::size_t*>(to) += pairs.size();
          },
          &sum.pairs);
      meter.add(work_of(method, trial));
      if (i < 0) continue;
      sum.build += detector.statistics().build_seconds;
      sum.search += detector.statistics().search_seconds;
    }
    sum.bytes = detector.statistics().structure_bytes;
  } catch (const MemoryLimitError&) {
    sum.exceeds_memory = true;
  }
  return sum;
}

template <std::size_t D>
std::vector<Timing> one_round(const TimingCase& trial, ProgressMeter& meter) {
  const Scene<D> scene = make_scene<D>(trial.scene, trial.options);
  meter.add(work_of_making(trial));
  std::vector<Timing> all;
  for (const Method method : trial.methods)
    all.push_back(detect<D>(trial, method, scene.view(), meter));
  return all;
}

void keep_fastest(std::vector<Timing>& best, const std::vector<Timing>& now) {
  if (best.empty()) best = now;
  for (std::size_t i = 0; i < best.size(); ++i) {
    best[i].build = std::min(best[i].build, now[i].build);
    best[i].search = std::min(best[i].search, now[i].search);
  }
}

}  // namespace

double work_of(const TimingCase& trial) {
  double once = 0;
  for (const Method method : trial.methods) once += work_of(method, trial);
  return (work_of_making(trial) + once * (trial.detections + trial.warm_up)) * trial.rounds;
}

double work_of(std::span<const TimingCase> trials) {
  double all = 0;
  for (const TimingCase& trial : trials) all += work_of(trial);
  return all;
}

std::vector<std::vector<Timing>> measure(std::span<const TimingCase> trials, ProgressMeter& meter) {
  std::vector<std::vector<Timing>> best(trials.size());
  bool any = true;
  for (int round = 0; any; ++round) {
    any = false;
    for (std::size_t i = 0; i < trials.size(); ++i) {
      const TimingCase& trial = trials[i];
      if (round >= trial.rounds) continue;
      any = true;
      keep_fastest(best[i],
                   trial.dimension == 2 ? one_round<2>(trial, meter) : one_round<3>(trial, meter));
    }
  }
  return best;
}

Points times(std::span<const Timing> runs) {
  return map_to_vector(runs, [](const Timing& run) {
    return std::array{static_cast<double>(run.count), run.seconds()};
  });
}

std::vector<double> time_ratios(std::span<const Timing> runs, std::span<const Timing> others) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < runs.size(); ++i)
    ratios.push_back(runs[i].seconds() / others[i].seconds());
  return ratios;
}

}  // namespace abut
