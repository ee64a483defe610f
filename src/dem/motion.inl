// How particles move on, one at a time: its three coordinates lie side by side. Included after
// forces.inl.

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): that is how vectors are stored
ABUT_INLINE void put(const Lanes& lanes, Record& record) {
  *reinterpret_cast<Loose*>(&record) = lanes;
}
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

/// What moves and how fast, and what changes that: a place with its velocity, or only a spin. The
/// fourth lane of accelerations is 0, so radius, mass and inertia stay what they are.
struct CentralDifference {
  static constexpr bool remembers = false;
  ABUT_INLINE static void end(Lanes*, Lanes&, const Lanes&, Lanes*, double) {}
  ABUT_INLINE static void begin(Lanes* place, Lanes& velocity, const Lanes& acceleration, Lanes*,
                                double step) {
    velocity = velocity + splat(step) * acceleration;
    if (place != nullptr) *place = *place + splat(step) * (velocity * Lanes{1, 1, 1, 0});
  }
};

struct VelocityVerlet {
  static constexpr bool remembers = false;
  ABUT_INLINE static void end(Lanes*, Lanes& velocity, const Lanes& acceleration, Lanes*,
                              double step) {
    velocity = velocity + splat(step / 2) * acceleration;
  }
  ABUT_INLINE static void begin(Lanes* place, Lanes& velocity, const Lanes& acceleration, Lanes*,
                                double step) {
    velocity = velocity + splat(step / 2) * acceleration;
    if (place != nullptr) *place = *place + splat(step) * (velocity * Lanes{1, 1, 1, 0});
  }
};

struct PredictorCorrector {
  static constexpr bool remembers = true;
  ABUT_INLINE static void end(Lanes* place, Lanes& velocity, const Lanes& acceleration,
                              Lanes* before, double step) {
    const Lanes change = acceleration - *before;
    velocity = velocity + splat(step / 2) * change;
    if (place != nullptr) *place = *place + splat(step * step / 4) * change;
  }
  ABUT_INLINE static void begin(Lanes* place, Lanes& velocity, const Lanes& acceleration,
                                Lanes* before, double step) {
    if (place != nullptr)
      *place = *place + splat(step) * (velocity * Lanes{1, 1, 1, 0}) +
               splat(step * step / 2) * acceleration;
    velocity = velocity + splat(step) * acceleration;
    *before = acceleration;
  }
};

template <class Rule, StepPart Part>
ABUT_INLINE void move(Lanes* place, Lanes& velocity, Lanes& push, Lanes* before,
                      const Lanes& gravity, double step) {
  const Lanes acceleration = splat(velocity[3]) * push + gravity;
  if constexpr (Part != StepPart::begin) Rule::end(place, velocity, acceleration, before, step);
  if constexpr (Part != StepPart::end) {
    Rule::begin(place, velocity, acceleration, before, step);
    push = splat(0);
  }
}

/// x² + y² + z² in the first three lanes.
ABUT_INLINE Lanes square_of(const Lanes& vector) {
  const Lanes squares = vector * vector;
  return squares + __builtin_shufflevector(squares, squares, 1, 2, 0, 3) +
         __builtin_shufflevector(squares, squares, 2, 0, 1, 3);
}

template <class Rule, StepPart Part>
MotionReport move_all(const MotionRun& run) {
  const Lanes gravity = lanes_of(run.gravity);
  const Lanes low = lanes_of(run.low);
  const Lanes high = lanes_of(run.high);
  Lanes fastest = splat(0);
  Mask well = ~Mask{};
  for (std::size_t i = run.first; i < run.last; ++i) {
    Lanes place = lanes_of(run.place[i]);
    Lanes velocity = lanes_of(run.velocity[i]);
    Lanes push = lanes_of(run.push[i]);
    Lanes before = Rule::remembers ? lanes_of(run.acceleration[i]) : splat(0);
    move<Rule, Part>(&place, velocity, push, &before, gravity, run.step);
    put(place, run.place[i]);
    put(velocity, run.velocity[i]);
    if constexpr (Part != StepPart::end) put(push, run.push[i]);
    if constexpr (Rule::remembers) put(before, run.acceleration[i]);
    // A NaN is not within the domain either.
    well = well & (place >= low) & (place <= high);
    fastest = larger(fastest, square_of(velocity));
    if (!run.rough) continue;
    Lanes spin = lanes_of(run.spin[i]);
    Lanes twist = lanes_of(run.twist[i]);
    Lanes turned = Rule::remembers ? lanes_of(run.turning[i]) : splat(0);
    move<Rule, Part>(nullptr, spin, twist, &turned, splat(0), run.step);
    put(spin, run.spin[i]);
    if constexpr (Part != StepPart::end) put(twist, run.twist[i]);
    if constexpr (Rule::remembers) put(turned, run.turning[i]);
  }
  return {fastest[0], well[0] != 0 && well[1] != 0 && well[2] != 0};
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

MotionReport move_run(Integrator integrator, StepPart part, const MotionRun& run) {
  switch (integrator) {
    case Integrator::central_difference:
      return move_part<CentralDifference>(part, run);
    case Integrator::velocity_verlet:
      return move_part<VelocityVerlet>(part, run);
    default:
      return move_part<PredictorCorrector>(part, run);
  }
}

template <class Normal, bool Rough, bool Counts>
StepLoops loops_of() {
  return {pair_forces<Normal, Rough, Counts>, wall_forces<Normal, Rough, Counts>,
          rest_forces<Normal, Rough, Counts>, move_run};
}

template <class Normal>
StepLoops loops_of(bool rough, bool counts) {
  if (rough) return counts ? loops_of<Normal, true, true>() : loops_of<Normal, true, false>();
  return counts ? loops_of<Normal, false, true>() : loops_of<Normal, false, false>();
}
