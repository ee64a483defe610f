#include "dem/integrate.hpp"

#include <algorithm>
#include <cmath>

namespace abut {
namespace {

#define ABUT_INLINE [[gnu::always_inline]] inline

using Lanes [[gnu::vector_size(32)]] = double;
using Loose [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): that is how vectors are loaded
ABUT_INLINE Loose& lanes(Record& record) { return *reinterpret_cast<Loose*>(&record); }
ABUT_INLINE const Loose& lanes(const Record& record) {
  return *reinterpret_cast<const Loose*>(&record);
}
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

ABUT_INLINE Lanes splat(double value) { return Lanes{value, value, value, value}; }

/// What moves and how fast, and what changes that: a place with its velocity, or only a spin. The
/// fourth lane of accelerations is 0, so radius, mass and inertia stay what they are.
struct CentralDifference {
  static constexpr bool remembers = false;
  ABUT_INLINE static void end(Loose*, Loose&, const Lanes&, Loose*, double) {}
  ABUT_INLINE static void begin(Loose* place, Loose& velocity, const Lanes& acceleration, Loose*,
                                double step) {
    velocity = velocity + splat(step) * acceleration;
    if (place != nullptr) *place = *place + splat(step) * (velocity * Lanes{1, 1, 1, 0});
  }
};

struct VelocityVerlet {
  static constexpr bool remembers = false;
  ABUT_INLINE static void end(Loose*, Loose& velocity, const Lanes& acceleration, Loose*,
                              double step) {
    velocity = velocity + splat(step / 2) * acceleration;
  }
  ABUT_INLINE static void begin(Loose* place, Loose& velocity, const Lanes& acceleration, Loose*,
                                double step) {
    velocity = velocity + splat(step / 2) * acceleration;
    if (place != nullptr) *place = *place + splat(step) * (velocity * Lanes{1, 1, 1, 0});
  }
};

struct PredictorCorrector {
  static constexpr bool remembers = true;
  ABUT_INLINE static void end(Loose* place, Loose& velocity, const Lanes& acceleration,
                              Loose* before, double step) {
    const Lanes change = acceleration - *before;
    velocity = velocity + splat(step / 2) * change;
    if (place != nullptr) *place = *place + splat(step * step / 4) * change;
  }
  ABUT_INLINE static void begin(Loose* place, Loose& velocity, const Lanes& acceleration,
                                Loose* before, double step) {
    if (place != nullptr)
      *place = *place + splat(step) * (velocity * Lanes{1, 1, 1, 0}) +
               splat(step * step / 2) * acceleration;
    velocity = velocity + splat(step) * acceleration;
    *before = acceleration;
  }
};

template <class Rule, StepPart part>
ABUT_INLINE void move(Loose* place, Loose& velocity, Loose& push, Loose* before,
                      const Lanes& gravity, double step) {
  const Lanes acceleration = splat(velocity[3]) * push + gravity;
  if constexpr (part != StepPart::begin) Rule::end(place, velocity, acceleration, before, step);
  if constexpr (part != StepPart::end) {
    Rule::begin(place, velocity, acceleration, before, step);
    push = splat(0);
  }
}

template <class Rule, StepPart part>
MotionReport move_all(const MotionRun& run) {
  const Lanes gravity = lanes(run.gravity);
  const Lanes low = lanes(run.low);
  const Lanes high = lanes(run.high);
  MotionReport report;
  auto well = ~(low < low);
  for (std::size_t i = run.first; i < run.last; ++i) {
    Loose& place = lanes(run.place[i]);
    Loose& velocity = lanes(run.velocity[i]);
    move<Rule, part>(&place, velocity, lanes(run.push[i]),
                     Rule::remembers ? &lanes(run.acceleration[i]) : nullptr, gravity, run.step);
    if (run.rough)
      move<Rule, part>(nullptr, lanes(run.spin[i]), lanes(run.twist[i]),
                       Rule::remembers ? &lanes(run.turning[i]) : nullptr, splat(0), run.step);
    // A NaN is not within the domain either.
    well = well & (place >= low) & (place <= high);
    const double square =
        velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2];
    report.speed_squared = std::max(report.speed_squared, square);
  }
  report.all_well = well[0] != 0 && well[1] != 0 && well[2] != 0;
  return report;
}

template <class Rule>
MotionReport move_part(StepPart part, const MotionRun& run) {
  switch (part) {
    case StepPart::begin:
      return move_all<Rule, StepPart::begin>(run);
    case StepPart::end:
      return move_all<Rule, StepPart::end>(run);
    default:
      return move_all<Rule, StepPart::end_and_begin>(run);
  }
}

}  // namespace

MotionReport integrate(Integrator integrator, StepPart part, const MotionRun& run) {
  switch (integrator) {
    case Integrator::central_difference:
      return move_part<CentralDifference>(part, run);
    case Integrator::velocity_verlet:
      return move_part<VelocityVerlet>(part, run);
    default:
      return move_part<PredictorCorrector>(part, run);
  }
}

}  // namespace abut
