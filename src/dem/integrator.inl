// How particles move on, one at a time: its three coordinates lie side by side. Included after
// forces.inl.

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): that is how vectors are stored
ABUT_INLINE void store_lanes(const Lanes& lanes, Vec4& record) {
  *reinterpret_cast<UnalignedLanes*>(&record) = lanes;
}
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

/// What moves and how fast, and what changes that: a place with its velocity, or only a spin. The
/// fourth lane of accelerations is 0, so radius, mass and inertia stay what they are.
struct CentralDifference {
  static constexpr bool uses_previous = false;
  ABUT_INLINE static void end(Lanes*, Lanes&, const Lanes&, Lanes*, double) {}
  ABUT_INLINE static void begin(Lanes* place, Lanes& velocity, const Lanes& acceleration, Lanes*,
                                double step) {
    velocity = velocity + splat(step) * acceleration;
    if (place != nullptr) *place = *place + splat(step) * (velocity * Lanes{1, 1, 1, 0});
  }
};

struct VelocityVerlet {
  static constexpr bool uses_previous = false;
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
  static constexpr bool uses_previous = true;
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

template <class Rule, StepPhase Part>
ABUT_INLINE void integrate_vector(Lanes* place, Lanes& velocity, Lanes& push, Lanes* before,
                                  const Lanes& gravity, double step) {
  const Lanes acceleration = splat(velocity[3]) * push + gravity;
  if constexpr (Part != StepPhase::begin) Rule::end(place, velocity, acceleration, before, step);
  if constexpr (Part != StepPhase::end) {
    Rule::begin(place, velocity, acceleration, before, step);
    push = splat(0);
  }
}

/// x² + y² + z² in the first three lanes.
ABUT_INLINE Lanes squared_norm(const Lanes& vector) {
  const Lanes squares = vector * vector;
  return squares + __builtin_shufflevector(squares, squares, 1, 2, 0, 3) +
         __builtin_shufflevector(squares, squares, 2, 0, 1, 3);
}

template <class Rule, StepPhase Part>
MotionSummary integrate_chunk(const IntegrationChunk& run) {
  const Lanes gravity = load_lanes(run.gravity);
  const Lanes low = load_lanes(run.domain_min);
  const Lanes high = load_lanes(run.domain_max);
  Lanes fastest = splat(0);
  Mask well = ~Mask{};
  for (std::size_t i = run.first; i < run.last; ++i) {
    Lanes place = load_lanes(run.position[i]);
    Lanes velocity = load_lanes(run.velocity[i]);
    Lanes push = load_lanes(run.force[i]);
    Lanes before = Rule::uses_previous ? load_lanes(run.acceleration[i]) : splat(0);
    integrate_vector<Rule, Part>(&place, velocity, push, &before, gravity, run.time_step);
    store_lanes(place, run.position[i]);
    store_lanes(velocity, run.velocity[i]);
    if constexpr (Part != StepPhase::end) store_lanes(push, run.force[i]);
    if constexpr (Rule::uses_previous) store_lanes(before, run.acceleration[i]);
    // A NaN is not within the domain either.
    well = well & (place >= low) & (place <= high);
    fastest = lane_max(fastest, squared_norm(velocity));
    if (!run.has_rotation) continue;
    Lanes spin = load_lanes(run.angular_velocity[i]);
    Lanes twist = load_lanes(run.torque[i]);
    Lanes turned = Rule::uses_previous ? load_lanes(run.angular_acceleration[i]) : splat(0);
    integrate_vector<Rule, Part>(nullptr, spin, twist, &turned, splat(0), run.time_step);
    store_lanes(spin, run.angular_velocity[i]);
    if constexpr (Part != StepPhase::end) store_lanes(twist, run.torque[i]);
    if constexpr (Rule::uses_previous) store_lanes(turned, run.angular_acceleration[i]);
  }
  return {fastest[0], well[0] != 0 && well[1] != 0 && well[2] != 0};
}

template <class Rule>
MotionSummary integrate_phase(StepPhase part, const IntegrationChunk& run) {
  switch (part) {
    case StepPhase::begin:
      return integrate_chunk<Rule, StepPhase::begin>(run);
    case StepPhase::end:
      return integrate_chunk<Rule, StepPhase::end>(run);
    default:
      return integrate_chunk<Rule, StepPhase::end_and_begin>(run);
  }
}

MotionSummary integrate(Integrator integrator, StepPhase part, const IntegrationChunk& run) {
  switch (integrator) {
    case Integrator::central_difference:
      return integrate_phase<CentralDifference>(part, run);
    case Integrator::velocity_verlet:
      return integrate_phase<VelocityVerlet>(part, run);
    default:
      return integrate_phase<PredictorCorrector>(part, run);
  }
}

template <class Normal, bool Rough, bool Counts>
StepKernels make_kernels() {
  return {pair_forces<Normal, Rough, Counts>, wall_forces<Normal, Rough, Counts>,
          static_plane_forces<Normal, Rough, Counts>, integrate};
}

template <class Normal>
StepKernels make_kernels(bool rough, bool counts) {
  if (rough)
    return counts ? make_kernels<Normal, true, true>() : make_kernels<Normal, true, false>();
  return counts ? make_kernels<Normal, false, true>() : make_kernels<Normal, false, false>();
}
