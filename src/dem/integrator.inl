// Integration of the equations of motion, one particle at a time with its components in lanes; see
// `IntegrationKernel` for the schemes. Included after the force kernels.

// A scheme integrates a position with its velocity, or an angular velocity alone (`position` is
// null). The fourth lane of accelerations is 0, so that radius, mass and inertia do not change.
struct CentralDifference {
  static constexpr bool uses_previous = false;
  ABUT_INLINE static void end(Lanes*, Lanes&, const Lanes&, Lanes*, double) {}
  ABUT_INLINE static void begin(Lanes* position, Lanes& velocity, const Lanes& acceleration, Lanes*,
                                double time_step) {
    velocity = velocity + splat(time_step) * acceleration;
    if (position != nullptr)
      *position = *position + splat(time_step) * (velocity * Lanes{1, 1, 1, 0});
  }
};

struct VelocityVerlet {
  static constexpr bool uses_previous = false;
  ABUT_INLINE static void end(Lanes*, Lanes& velocity, const Lanes& acceleration, Lanes*,
                              double time_step) {
    velocity = velocity + splat(time_step / 2) * acceleration;
  }
  ABUT_INLINE static void begin(Lanes* position, Lanes& velocity, const Lanes& acceleration, Lanes*,
                                double time_step) {
    velocity = velocity + splat(time_step / 2) * acceleration;
    if (position != nullptr)
      *position = *position + splat(time_step) * (velocity * Lanes{1, 1, 1, 0});
  }
};

struct PredictorCorrector {
  static constexpr bool uses_previous = true;
  ABUT_INLINE static void end(Lanes* position, Lanes& velocity, const Lanes& acceleration,
                              Lanes* previous, double time_step) {
    const Lanes change = acceleration - *previous;
    velocity = velocity + splat(time_step / 2) * change;
    if (position != nullptr) *position = *position + splat(time_step * time_step / 4) * change;
  }
  ABUT_INLINE static void begin(Lanes* position, Lanes& velocity, const Lanes& acceleration,
                                Lanes* previous, double time_step) {
    if (position != nullptr)
      *position = *position + splat(time_step) * (velocity * Lanes{1, 1, 1, 0}) +
                  splat(time_step * time_step / 2) * acceleration;
    velocity = velocity + splat(time_step) * acceleration;
    *previous = acceleration;
  }
};

template <class Scheme, StepPhase Phase>
ABUT_INLINE void integrate_vector(Lanes* position, Lanes& velocity, Lanes& force, Lanes* previous,
                                  const Lanes& gravity, double time_step) {
  const Lanes acceleration = splat(velocity[3]) * force + gravity;
  if constexpr (Phase != StepPhase::begin)
    Scheme::end(position, velocity, acceleration, previous, time_step);
  if constexpr (Phase != StepPhase::end) {
    Scheme::begin(position, velocity, acceleration, previous, time_step);
    force = splat(0);
  }
}

/// x² + y² + z² in the first three lanes.
ABUT_INLINE Lanes squared_norm(const Lanes& vector) {
  const Lanes squares = vector * vector;
  return squares + __builtin_shufflevector(squares, squares, 1, 2, 0, 3) +
         __builtin_shufflevector(squares, squares, 2, 0, 1, 3);
}

template <class Scheme, StepPhase Phase>
MotionSummary integrate_chunk(const IntegrationChunk& chunk) {
  const Lanes gravity = load_lanes(chunk.gravity);
  const Lanes domain_min = load_lanes(chunk.domain_min);
  const Lanes domain_max = load_lanes(chunk.domain_max);
  Lanes max_speed_squared = splat(0);
  Mask valid = ~Mask{};
  for (std::size_t i = chunk.first; i < chunk.last; ++i) {
    Lanes position = load_lanes(chunk.position[i]);
    Lanes velocity = load_lanes(chunk.velocity[i]);
    Lanes force = load_lanes(chunk.force[i]);
    Lanes previous = Scheme::uses_previous ? load_lanes(chunk.acceleration[i]) : splat(0);
    integrate_vector<Scheme, Phase>(&position, velocity, force, &previous, gravity,
                                    chunk.time_step);
    store_lanes(position, chunk.position[i]);
    store_lanes(velocity, chunk.velocity[i]);
    if constexpr (Phase != StepPhase::end) store_lanes(force, chunk.force[i]);
    if constexpr (Scheme::uses_previous) store_lanes(previous, chunk.acceleration[i]);
    // Comparisons with NaN are false: it counts as outside.
    valid = valid & (position >= domain_min) & (position <= domain_max);
    max_speed_squared = lane_max(max_speed_squared, squared_norm(velocity));
    if (!chunk.has_rotation) continue;
    Lanes angular_velocity = load_lanes(chunk.angular_velocity[i]);
    Lanes torque = load_lanes(chunk.torque[i]);
    Lanes previous_angular =
        Scheme::uses_previous ? load_lanes(chunk.angular_acceleration[i]) : splat(0);
    integrate_vector<Scheme, Phase>(nullptr, angular_velocity, torque, &previous_angular, splat(0),
                                    chunk.time_step);
    store_lanes(angular_velocity, chunk.angular_velocity[i]);
    if constexpr (Phase != StepPhase::end) store_lanes(torque, chunk.torque[i]);
    if constexpr (Scheme::uses_previous)
      store_lanes(previous_angular, chunk.angular_acceleration[i]);
  }
  return {max_speed_squared[0], valid[0] != 0 && valid[1] != 0 && valid[2] != 0};
}

template <class Scheme>
MotionSummary integrate_phase(StepPhase phase, const IntegrationChunk& chunk) {
  switch (phase) {
    case StepPhase::begin:
      return integrate_chunk<Scheme, StepPhase::begin>(chunk);
    case StepPhase::end:
      return integrate_chunk<Scheme, StepPhase::end>(chunk);
    default:
      return integrate_chunk<Scheme, StepPhase::end_and_begin>(chunk);
  }
}

MotionSummary integrate(Integrator integrator, StepPhase phase, const IntegrationChunk& chunk) {
  switch (integrator) {
    case Integrator::central_difference:
      return integrate_phase<CentralDifference>(phase, chunk);
    case Integrator::velocity_verlet:
      return integrate_phase<VelocityVerlet>(phase, chunk);
    default:
      return integrate_phase<PredictorCorrector>(phase, chunk);
  }
}

template <class Normal, bool HasFriction, bool TrackEnergy>
StepKernels make_kernels() {
  return {pair_forces<Normal, HasFriction, TrackEnergy>,
          wall_forces<Normal, HasFriction, TrackEnergy>,
          static_plane_forces<Normal, HasFriction, TrackEnergy>, integrate};
}

template <class Normal>
StepKernels make_kernels(bool has_friction, bool track_energy) {
  if (has_friction)
    return track_energy ? make_kernels<Normal, true, true>() : make_kernels<Normal, true, false>();
  return track_energy ? make_kernels<Normal, false, true>() : make_kernels<Normal, false, false>();
}
