// Integration of the equations of motion, one particle at a time with its components in lanes; see
// `IntegrationKernel` for the schemes. Included after the force kernels.

#if ABUT_FOUR_LANES
HWY_INLINE Row without_fourth(Row row) { return hn::IfThenElseZero(hn::FirstN(RowTag(), 3), row); }
#else
HWY_INLINE Row without_fourth(const Row& row) { return {row.x, row.y, row.z, 0}; }
#endif

// A scheme integrates a position with its velocity, or an angular velocity alone (`position` is
// null). The fourth lane of accelerations is 0, so that radius, mass and inertia do not change.
struct CentralDifference {
  static constexpr bool uses_previous = false;
  HWY_INLINE static void end(Row*, Row&, Row, Row*, double) {}
  HWY_INLINE static void begin(Row* position, Row& velocity, Row acceleration, Row*,
                               double time_step) {
    velocity = velocity + splat_row(time_step) * acceleration;
    if (position != nullptr)
      *position = *position + splat_row(time_step) * without_fourth(velocity);
  }
};

struct VelocityVerlet {
  static constexpr bool uses_previous = false;
  HWY_INLINE static void end(Row*, Row& velocity, Row acceleration, Row*, double time_step) {
    velocity = velocity + splat_row(time_step / 2) * acceleration;
  }
  HWY_INLINE static void begin(Row* position, Row& velocity, Row acceleration, Row*,
                               double time_step) {
    velocity = velocity + splat_row(time_step / 2) * acceleration;
    if (position != nullptr)
      *position = *position + splat_row(time_step) * without_fourth(velocity);
  }
};

struct PredictorCorrector {
  static constexpr bool uses_previous = true;
  HWY_INLINE static void end(Row* position, Row& velocity, Row acceleration, Row* previous,
                             double time_step) {
    const Row change = acceleration - *previous;
    velocity = velocity + splat_row(time_step / 2) * change;
    if (position != nullptr) *position = *position + splat_row(time_step * time_step / 4) * change;
  }
  HWY_INLINE static void begin(Row* position, Row& velocity, Row acceleration, Row* previous,
                               double time_step) {
    if (position != nullptr)
      *position = *position + splat_row(time_step) * without_fourth(velocity) +
                  splat_row(time_step * time_step / 2) * acceleration;
    velocity = velocity + splat_row(time_step) * acceleration;
    *previous = acceleration;
  }
};

template <class Scheme, StepPhase Phase>
HWY_INLINE void integrate_vector(Row* position, Row& velocity, Row& force, Row* previous,
                                 Row gravity, Row inverse_mass, double time_step) {
  const Row acceleration = inverse_mass * force + gravity;
  if constexpr (Phase != StepPhase::begin)
    Scheme::end(position, velocity, acceleration, previous, time_step);
  if constexpr (Phase != StepPhase::end) {
    Scheme::begin(position, velocity, acceleration, previous, time_step);
    force = splat_row(0);
  }
}

/// Smallest and largest displacement of the particles of a block in this call, by component.
struct DisplacementRange {
  Row low, high;

  HWY_INLINE void include(Row displacement) {
    low = row_min(displacement, low);
    high = row_max(displacement, high);
  }
  HWY_INLINE void add_to(DisplacementBounds& bounds) const {
    store_row(load_row(bounds.low) + low, bounds.low);
    store_row(load_row(bounds.high) + high, bounds.high);
  }
  /// Square of an upper bound of the displacements.
  [[nodiscard]] HWY_INLINE double squared_bound() const {
    Vec4 largest;
    store_row(row_max(high, splat_row(0) - low), largest);
    return largest.x * largest.x + largest.y * largest.y + largest.z * largest.z;
  }
};

/// Integrates particles first … last − 1 of one block.
template <class Scheme, StepPhase Phase>
HWY_INLINE void integrate_block(const IntegrationChunk& chunk, std::size_t first, std::size_t last,
                                RowTest& test, DisplacementRange& range) {
  const Row gravity = load_row(chunk.gravity);
  const Row domain_min = load_row(chunk.domain_min);
  const Row domain_max = load_row(chunk.domain_max);
  for (std::size_t i = first; i < last; ++i) {
    const Row old_position = load_row(chunk.position[i]);
    Row position = old_position;
    Row velocity = load_row(chunk.velocity[i]);
    Row force = load_row(chunk.force[i]);
    Row previous = Scheme::uses_previous ? load_row(chunk.acceleration[i]) : splat_row(0);
    integrate_vector<Scheme, Phase>(&position, velocity, force, &previous, gravity,
                                    splat_row(chunk.velocity[i].w), chunk.time_step);
    store_row(position, chunk.position[i]);
    store_row(velocity, chunk.velocity[i]);
    if constexpr (Phase != StepPhase::end) store_row(force, chunk.force[i]);
    if constexpr (Scheme::uses_previous) store_row(previous, chunk.acceleration[i]);
    // Comparisons with NaN are false: it counts as outside.
    test.require_between(domain_min, position, domain_max);
    range.include(position - old_position);
    if (!chunk.has_rotation) continue;
    Row angular_velocity = load_row(chunk.angular_velocity[i]);
    Row torque = load_row(chunk.torque[i]);
    Row previous_angular =
        Scheme::uses_previous ? load_row(chunk.angular_acceleration[i]) : splat_row(0);
    integrate_vector<Scheme, Phase>(nullptr, angular_velocity, torque, &previous_angular,
                                    splat_row(0), splat_row(chunk.angular_velocity[i].w),
                                    chunk.time_step);
    store_row(angular_velocity, chunk.angular_velocity[i]);
    if constexpr (Phase != StepPhase::end) store_row(torque, chunk.torque[i]);
    if constexpr (Scheme::uses_previous) store_row(previous_angular, chunk.angular_acceleration[i]);
  }
}

template <class Scheme, StepPhase Phase>
IntegrationResult integrate_chunk(const IntegrationChunk& chunk) {
  constexpr double largest = std::numeric_limits<double>::max();
  RowTest test = RowTest::start();
  double squared_bound = 0;
  for (std::size_t first = chunk.first; first < chunk.last;) {
    const std::size_t block = first / DisplacementBounds::block_size;
    const std::size_t begin = block * DisplacementBounds::block_size;
    const std::size_t last = std::min(chunk.last, begin + DisplacementBounds::block_size);
    DisplacementRange range{splat_row(largest), splat_row(-largest)};
    if (begin < first) range.include(splat_row(0));  // of fixed particles
    integrate_block<Scheme, Phase>(chunk, first, last, test, range);
    range.add_to(chunk.displacements[block]);
    squared_bound = std::max(squared_bound, range.squared_bound());
    first = last;
  }
  return {test.all_true(), std::sqrt(squared_bound)};
}

template <class Scheme>
IntegrationResult integrate_phase(StepPhase phase, const IntegrationChunk& chunk) {
  switch (phase) {
    case StepPhase::begin:
      return integrate_chunk<Scheme, StepPhase::begin>(chunk);
    case StepPhase::end:
      return integrate_chunk<Scheme, StepPhase::end>(chunk);
    default:
      return integrate_chunk<Scheme, StepPhase::end_and_begin>(chunk);
  }
}

IntegrationResult integrate(Integrator integrator, StepPhase phase, const IntegrationChunk& chunk) {
  switch (integrator) {
    case Integrator::central_difference:
      return integrate_phase<CentralDifference>(phase, chunk);
    case Integrator::velocity_verlet:
      return integrate_phase<VelocityVerlet>(phase, chunk);
    default:
      return integrate_phase<PredictorCorrector>(phase, chunk);
  }
}
