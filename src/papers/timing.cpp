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

// Estimated time of a detection per particle, in ns. Used only to report progress.
double cost_of(Method method, const TimingCase& timing_case) {
  switch (method) {
    case Method::brute_force:
      return 0.5 * static_cast<double>(timing_case.options.count);
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

double work_of(Method method, const TimingCase& timing_case) {
  return cost_of(method, timing_case) * static_cast<double>(timing_case.options.count);
}

double scene_work(const TimingCase& timing_case) {
  return (timing_case.options.spatial_order ? 300.0 : 20.0) *
         static_cast<double>(timing_case.options.count);
}

template <std::size_t D>
Timing detect(const TimingCase& timing_case, Method method, const Spheres<D>& particles,
              ProgressMeter& meter) {
  Timing timing{.count = particles.size()};
  try {
    Detector<D> detector({.method = method});
    for (int i = -timing_case.warm_up; i < timing_case.detections; ++i) {
      timing.pairs = 0;
      detector.update(particles);
      detector.for_each_batch(
          [](void* count, std::span<const Pair> pairs) {
            *static_cast<std::size_t*>(count) += pairs.size();
          },
          &timing.pairs);
      meter.add(work_of(method, timing_case));
      if (i < 0) continue;
      timing.build += detector.statistics().build_seconds;
      timing.search += detector.statistics().search_seconds;
    }
    timing.bytes = detector.statistics().structure_bytes;
  } catch (const MemoryLimitError&) {
    timing.exceeds_memory = true;
  }
  return timing;
}

template <std::size_t D>
std::vector<Timing> run_round(const TimingCase& timing_case, ProgressMeter& meter) {
  const Scene<D> scene = make_scene<D>(timing_case.scene, timing_case.options);
  meter.add(scene_work(timing_case));
  std::vector<Timing> timings;
  for (const Method method : timing_case.methods)
    timings.push_back(detect<D>(timing_case, method, scene.view(), meter));
  return timings;
}

void keep_fastest(std::vector<Timing>& fastest, const std::vector<Timing>& timings) {
  if (fastest.empty()) fastest = timings;
  for (std::size_t i = 0; i < fastest.size(); ++i) {
    fastest[i].build = std::min(fastest[i].build, timings[i].build);
    fastest[i].search = std::min(fastest[i].search, timings[i].search);
  }
}

}  // namespace

double work_of(const TimingCase& timing_case) {
  double detection = 0;
  for (const Method method : timing_case.methods) detection += work_of(method, timing_case);
  return (scene_work(timing_case) + detection * (timing_case.detections + timing_case.warm_up)) *
         timing_case.rounds;
}

double work_of(std::span<const TimingCase> timing_cases) {
  double total = 0;
  for (const TimingCase& timing_case : timing_cases) total += work_of(timing_case);
  return total;
}

std::vector<std::vector<Timing>> measure(std::span<const TimingCase> timing_cases,
                                         ProgressMeter& meter) {
  std::vector<std::vector<Timing>> fastest(timing_cases.size());
  bool any = true;
  for (int round = 0; any; ++round) {
    any = false;
    for (std::size_t i = 0; i < timing_cases.size(); ++i) {
      const TimingCase& timing_case = timing_cases[i];
      if (round >= timing_case.rounds) continue;
      any = true;
      keep_fastest(fastest[i], timing_case.dimension == 2 ? run_round<2>(timing_case, meter)
                                                          : run_round<3>(timing_case, meter));
    }
  }
  return fastest;
}

Points times(std::span<const Timing> timings) {
  return map_to_vector(timings, [](const Timing& timing) {
    return std::array{static_cast<double>(timing.count), timing.seconds()};
  });
}

std::vector<double> time_ratios(std::span<const Timing> timings,
                                std::span<const Timing> references) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < timings.size(); ++i)
    ratios.push_back(timings[i].seconds() / references[i].seconds());
  return ratios;
}

}  // namespace abut
