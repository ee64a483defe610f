// The contact laws, for a contact per lane. Included after lanes.inl.
//
// Normal, tangential, rolling and cohesive contributions are functions of their own;
// `contact_response` combines them.

/// Contacts of a particle a with a particle or wall b.
struct ContactGeometry {
  VectorLanes normal;            ///< unit vector from b to a
  Lanes overlap;                 ///< δ; negative for a gap
  VectorLanes velocity;          ///< of a's surface relative to b's at the contact point
  VectorLanes angular_velocity;  ///< of a relative to b
  Lanes mass;                    ///< reduced
  Lanes inertia;                 ///< reduced moment of inertia
  Lanes radius;                  ///< reduced
  Mask touching;                 ///< δ > 0
  Mask in_range;                 ///< touching, or within the range of cohesion
};

/// Contact history.
struct ContactSprings {
  VectorLanes friction;  ///< tangential displacement
  VectorLanes rolling;   ///< rolling angle
};

/// Force and torque on a; b gets the opposite force. Energies are computed with TrackEnergy only.
template <bool TrackEnergy>
struct ContactResponse {
  static constexpr bool tracks_energy = TrackEnergy;
  Lanes normal_force;
  VectorLanes tangential_force;
  VectorLanes torque;       ///< of rolling resistance, without that of the tangential force
  Lanes normal_energy;      ///< elastic, of the overlap
  Lanes tangential_energy;  ///< elastic, of friction and rolling springs
  Lanes dissipated;         ///< in this step, including the increase of `tangential_energy`
};

/// `ContactCoefficients` of each contact.
struct CoefficientLanes {
  Lanes stiffness, tangential_stiffness, damping, damping_rate, damping_factor, tangential_damping,
      tangential_compliance, friction, rolling_friction, cohesion_range, min_normal_force;
};

/// Stiffness k and k_t, damping c and compliance 1/k_t at the current overlap.
struct Stiffness {
  Lanes normal, tangential, damping, tangential_compliance;
};

/// Hooke's law, a linear spring with dashpot (Kelvin-Voigt): F = k δ − c v_n. The damping c is a
/// constant, proportional to the reduced mass, or c = 2 ζ √(k m) for a given restitution.
struct Hooke {
  static constexpr bool needs_radius = false;
  static constexpr double energy_factor = 1.0 / 2;  ///< elastic energy over k δ²

  HWY_INLINE static Stiffness stiffness(const ForceParameters& parameters,
                                        const CoefficientLanes& coefficients,
                                        const ContactGeometry& contact) {
    Lanes damping = coefficients.damping + coefficients.damping_rate * contact.mass;
    if (parameters.has_restitution)
      damping = damping + coefficients.damping_factor * hn::Sqrt(contact.mass);
    return {coefficients.stiffness, coefficients.tangential_stiffness, damping,
            coefficients.tangential_compliance};
  }
};

/// Hertz's law of elastic spheres with Mindlin's tangential stiffness and Tsuji's damping. With the
/// contact radius a = √(R δ): k = 4/3 E* a, k_t = 8 G* a, c ∝ √(m a).
struct Hertz {
  static constexpr bool needs_radius = true;
  static constexpr double energy_factor = 2.0 / 5;

  HWY_INLINE static Stiffness stiffness(const ForceParameters& /*parameters*/,
                                        const CoefficientLanes& coefficients,
                                        const ContactGeometry& contact) {
    const Lanes contact_radius = hn::Sqrt(contact.radius * lane_max(contact.overlap, splat(0)));
    const Lanes tangential = coefficients.tangential_stiffness * contact_radius;
    return {coefficients.stiffness * contact_radius, tangential,
            coefficients.damping_factor * hn::Sqrt(contact.mass * contact_radius),
            select(hn::Gt(tangential, splat(0)), splat(1) / tangential, splat(0))};
  }
};

/// A spring and dashpot in the tangential plane whose force never exceeds a limit: while it would,
/// the contact slides.
struct SpringSlider {
  Lanes stiffness, damping;
  Lanes compliance;  ///< 1/stiffness
  Lanes limit;
};

/// Advances the spring by rate Δt and returns the force opposing it. The spring is projected onto
/// the tangential plane, because the normal rotates. While sliding, the spring is shortened so that
/// it alone carries the limit. (If spring and dashpot carried it together, a strong dashpot could
/// compress the spring, which creates energy and accelerates the slip once the dashpot relaxes.)
template <class Response>
HWY_INLINE VectorLanes spring_slider_force(const SpringSlider& slider,
                                           const ContactGeometry& contact, const VectorLanes& rate,
                                           double time_step, VectorLanes& spring,
                                           Response& response) {
  const Lanes zero = splat(0);
  VectorLanes trial_spring = spring + splat(time_step) * rate;
  trial_spring = trial_spring - dot(trial_spring, contact.normal) * contact.normal;
  const VectorLanes trial_force = slider.stiffness * trial_spring + slider.damping * rate;
  const Lanes magnitude = hn::Sqrt(dot(trial_force, trial_force));
  const Mask sliding = hn::Gt(magnitude, slider.limit);
  const Lanes scale = select(sliding, slider.limit / magnitude, splat(1));
  const VectorLanes limited_spring = scale * slider.compliance * trial_force;
  spring = select(contact.touching, select(sliding, limited_spring, trial_spring), zero_vector());
  const VectorLanes force = select(contact.touching, hn::Neg(scale), zero) * trial_force;
  if constexpr (Response::tracks_energy) {
    response.tangential_energy =
        response.tangential_energy + splat(0.5) * slider.stiffness * dot(spring, spring);
    response.dissipated = response.dissipated - splat(time_step) * dot(force, rate);
  }
  return force;
}

/// Coulomb friction: F_t ≤ µ F_n with a tangential spring and dashpot; none while the normal force
/// is attractive.
template <class Response>
HWY_INLINE void add_friction_force(const CoefficientLanes& coefficients,
                                   const ContactGeometry& contact, const Stiffness& stiffness,
                                   double time_step, VectorLanes& spring, Response& response) {
  const VectorLanes slip =
      contact.velocity - dot(contact.velocity, contact.normal) * contact.normal;
  const Lanes damping = coefficients.tangential_damping * stiffness.damping;
  const SpringSlider friction{stiffness.tangential, damping, stiffness.tangential_compliance,
                              coefficients.friction * lane_max(response.normal_force, splat(0))};
  response.tangential_force =
      spring_slider_force(friction, contact, slip, time_step, spring, response);
}

/// Rolling resistance: a rotational spring and dashpot driven by the relative angular velocity in
/// the tangential plane, with torque ≤ µ_r R F_n, stiffness k_t R² and damping ratio 0.3: Ai, Chen,
/// Rotter and Ooi, Powder Technology 206 (2011) 269. (A torque of constant magnitude opposing the
/// rotation would never let a packing come to rest: its sign would alternate from step to step.)
template <class Response>
HWY_INLINE void add_rolling_resistance(const CoefficientLanes& coefficients,
                                       const ContactGeometry& contact, const Stiffness& stiffness,
                                       double time_step, VectorLanes& spring, Response& response) {
  constexpr double damping_ratio = 0.3;
  const VectorLanes rolling =
      contact.angular_velocity - dot(contact.angular_velocity, contact.normal) * contact.normal;
  const Lanes square = contact.radius * contact.radius;
  const Lanes rolling_stiffness = stiffness.tangential * square;
  const SpringSlider resistance{
      rolling_stiffness, splat(2 * damping_ratio) * hn::Sqrt(rolling_stiffness * contact.inertia),
      stiffness.tangential_compliance / square,
      coefficients.rolling_friction * contact.radius * lane_max(response.normal_force, splat(0))};
  response.torque = spring_slider_force(resistance, contact, rolling, time_step, spring, response);
}

/// Cohesion of Lazarević, Dvornik and Fresl: particles that separate are attracted by the normal
/// spring while the gap is in range, −N/k ≤ δ ≤ 0. (Their equation 22 as printed would attract
/// particles that approach.) The work is dissipated: it is not recovered when they approach again.
template <class Response>
HWY_INLINE void add_cohesion_force(const ContactGeometry& contact, const Stiffness& stiffness,
                                   Lanes separation_speed, double time_step, Response& response) {
  const Mask attracted =
      hn::And(hn::AndNot(contact.touching, contact.in_range), hn::Gt(separation_speed, splat(0)));
  const Lanes force = select(attracted, stiffness.normal * contact.overlap, splat(0));
  response.normal_force = response.normal_force + force;
  if constexpr (Response::tracks_energy)
    response.dissipated = response.dissipated - splat(time_step) * force * separation_speed;
}

/// Force, torque and energies; advances the springs.
template <class Normal, bool HasFriction, bool TrackEnergy>
HWY_INLINE ContactResponse<TrackEnergy> contact_response(const ForceParameters& parameters,
                                                         const CoefficientLanes& coefficients,
                                                         const ContactGeometry& contact,
                                                         ContactSprings& spring) {
  const Lanes zero = splat(0);
  const Stiffness stiffness = Normal::stiffness(parameters, coefficients, contact);
  const Lanes separation_speed = dot(contact.velocity, contact.normal);
  const Lanes elastic = select(contact.touching, stiffness.normal * contact.overlap, zero);
  ContactResponse<TrackEnergy> response{};
  response.normal_force = select(
      contact.touching,
      lane_max(elastic - stiffness.damping * separation_speed, coefficients.min_normal_force),
      zero);
  if constexpr (TrackEnergy) {
    response.normal_energy = splat(Normal::energy_factor) * elastic * contact.overlap;
    response.dissipated =
        splat(parameters.time_step) * (elastic - response.normal_force) * separation_speed;
  }
  if constexpr (HasFriction) {
    add_friction_force(coefficients, contact, stiffness, parameters.time_step, spring.friction,
                       response);
    if (parameters.has_rolling)
      add_rolling_resistance(coefficients, contact, stiffness, parameters.time_step, spring.rolling,
                             response);
  }
  if (parameters.has_cohesion)
    add_cohesion_force(contact, stiffness, separation_speed, parameters.time_step, response);
  return response;
}

/// The coefficients of contacts first, first + 1, … of a block.
struct CoefficientLoader {
  const double* table;  ///< `CoefficientTable` as doubles
  bool is_common;       ///< all contacts have the same coefficients
  CoefficientLanes common;

  explicit HWY_INLINE CoefficientLoader(const CoefficientTable& coefficients)
      : table(&coefficients.pairs.front().stiffness), is_common(coefficients.material_count == 1) {
    if (is_common) common = make([this](std::size_t k) HWY_ATTR { return splat(table[k]); });
  }

  [[nodiscard]] HWY_INLINE CoefficientLanes load_at(const ContactBlock& block,
                                                    std::size_t at) const {
    if (is_common) return common;
    const auto offsets = hn::Load(hn::RebindToSigned<LaneTag>(), &block.coefficients[at]);
    return make([&](std::size_t k)
                    HWY_ATTR { return hn::GatherIndex(LaneTag(), table + k, offsets); });
  }

 private:
  /// In the order of `ContactCoefficients`.
  template <class Value>
  HWY_INLINE static CoefficientLanes make(const Value& value) {
    return {value(0), value(1), value(2), value(3), value(4), value(5),
            value(6), value(7), value(8), value(9), value(10)};
  }
};

/// Evaluates the law for all contacts of a block: forces, torques, springs and energies. The lanes
/// after the last contact hold no contact; their results are not used.
template <class Normal, bool HasFriction, bool TrackEnergy>
void evaluate_law(const ForceParameters& parameters, ContactBlock& block) {
  const CoefficientLoader coefficients(*parameters.coefficients);
  for (std::size_t at = 0; at < block.count; at += hn::Lanes(LaneTag())) {
    const CoefficientLanes lanes = coefficients.load_at(block, at);
    ContactGeometry contact{};
    contact.normal = load(block.normal, at);
    contact.overlap = load(&block.overlap[at]);
    contact.velocity = load(block.velocity, at);
    contact.mass = load(&block.mass[at]);
    contact.touching = hn::Gt(load(&block.inside[at]), splat(0));
    contact.in_range = contact.touching;
    if (parameters.has_cohesion)
      contact.in_range = hn::Ge(contact.overlap, hn::Neg(lanes.cohesion_range));
    if (Normal::needs_radius || parameters.has_rolling) contact.radius = load(&block.radius[at]);
    ContactSprings spring{};
    if constexpr (HasFriction) {
      spring.friction = load(block.friction_spring, at);
      if (parameters.has_rolling) {
        contact.angular_velocity = load(block.angular_velocity, at);
        contact.inertia = load(&block.inertia[at]);
        spring.rolling = load(block.rolling_spring, at);
      }
    }
    const auto response =
        contact_response<Normal, HasFriction, TrackEnergy>(parameters, lanes, contact, spring);
    VectorLanes force = response.normal_force * contact.normal;
    if constexpr (HasFriction) {
      force = force + response.tangential_force;
      store(cross(response.tangential_force, contact.normal), block.lever_torque, at);
      store(spring.friction, block.friction_spring, at);
      if (parameters.has_rolling) {
        store(response.torque, block.rolling_torque, at);
        store(spring.rolling, block.rolling_spring, at);
      }
    }
    store(force, block.force, at);
    if constexpr (TrackEnergy) {
      store(response.normal_energy, &block.normal_energy[at]);
      store(response.tangential_energy, &block.tangential_energy[at]);
      store(response.dissipated, &block.dissipated[at]);
    }
  }
}

/// Adds the energies of the contacts of a block, in their order.
HWY_INLINE void accumulate_energy(const ContactBlock& block, ContactEnergy& sum) {
  for (std::size_t k = 0; k < block.count; ++k)
    sum += {block.normal_energy[k], block.tangential_energy[k], block.dissipated[k]};
}
