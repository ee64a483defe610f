// The contact laws, for four contacts at a time. Included after lanes.inl.
//
// Normal, tangential, rolling and cohesive contributions are functions of their own;
// `contact_response` combines them.

/// Four contacts of a particle a with a particle or wall b.
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

/// History of four contacts.
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

/// `ContactCoefficients` of four contacts.
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

  ABUT_INLINE static Stiffness stiffness(const ForceParameters& parameters,
                                         const CoefficientLanes& coefficients,
                                         const ContactGeometry& contact) {
    Lanes damping = coefficients.damping + coefficients.damping_rate * contact.mass;
    if (parameters.has_restitution)
      damping = damping + coefficients.damping_factor * square_root(contact.mass);
    return {coefficients.stiffness, coefficients.tangential_stiffness, damping,
            coefficients.tangential_compliance};
  }
};

/// Hertz's law of elastic spheres with Mindlin's tangential stiffness and Tsuji's damping. With the
/// contact radius a = √(R δ): k = 4/3 E* a, k_t = 8 G* a, c ∝ √(m a).
struct Hertz {
  static constexpr bool needs_radius = true;
  static constexpr double energy_factor = 2.0 / 5;

  ABUT_INLINE static Stiffness stiffness(const ForceParameters& /*parameters*/,
                                         const CoefficientLanes& coefficients,
                                         const ContactGeometry& contact) {
    const Lanes contact_radius = square_root(contact.radius * lane_max(contact.overlap, splat(0)));
    const Lanes tangential = coefficients.tangential_stiffness * contact_radius;
    return {coefficients.stiffness * contact_radius, tangential,
            coefficients.damping_factor * square_root(contact.mass * contact_radius),
            tangential > splat(0) ? splat(1) / tangential : splat(0)};
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
ABUT_INLINE VectorLanes spring_slider_force(const SpringSlider& slider,
                                            const ContactGeometry& contact, const VectorLanes& rate,
                                            double time_step, VectorLanes& spring,
                                            Response& response) {
  const Lanes zero = splat(0);
  VectorLanes trial_spring = spring + splat(time_step) * rate;
  trial_spring = trial_spring - dot(trial_spring, contact.normal) * contact.normal;
  const VectorLanes trial_force = slider.stiffness * trial_spring + slider.damping * rate;
  const Lanes magnitude = square_root(dot(trial_force, trial_force));
  const Mask sliding = magnitude > slider.limit;
  const Lanes scale = sliding ? slider.limit / magnitude : splat(1);
  const VectorLanes limited_spring = scale * slider.compliance * trial_force;
  spring =
      select(contact.touching, select(sliding, limited_spring, trial_spring), {zero, zero, zero});
  const VectorLanes force = (contact.touching ? -scale : zero) * trial_force;
  if constexpr (Response::tracks_energy) {
    response.tangential_energy += splat(0.5) * slider.stiffness * dot(spring, spring);
    response.dissipated -= splat(time_step) * dot(force, rate);
  }
  return force;
}

/// Coulomb friction: F_t ≤ µ F_n with a tangential spring and dashpot; none while the normal force
/// is attractive.
template <class Response>
ABUT_INLINE void add_friction_force(const CoefficientLanes& coefficients,
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
ABUT_INLINE void add_rolling_resistance(const CoefficientLanes& coefficients,
                                        const ContactGeometry& contact, const Stiffness& stiffness,
                                        double time_step, VectorLanes& spring, Response& response) {
  constexpr double damping_ratio = 0.3;
  const VectorLanes rolling =
      contact.angular_velocity - dot(contact.angular_velocity, contact.normal) * contact.normal;
  const Lanes square = contact.radius * contact.radius;
  const Lanes rolling_stiffness = stiffness.tangential * square;
  const SpringSlider resistance{
      rolling_stiffness,
      splat(2 * damping_ratio) * square_root(rolling_stiffness * contact.inertia),
      stiffness.tangential_compliance / square,
      coefficients.rolling_friction * contact.radius * lane_max(response.normal_force, splat(0))};
  response.torque = spring_slider_force(resistance, contact, rolling, time_step, spring, response);
}

/// Cohesion of Lazarević, Dvornik and Fresl: particles that separate are attracted by the normal
/// spring while the gap is in range, −N/k ≤ δ ≤ 0. (Their equation 22 as printed would attract
/// particles that approach.) The work is dissipated: it is not recovered when they approach again.
template <class Response>
ABUT_INLINE void add_cohesion_force(const ContactGeometry& contact, const Stiffness& stiffness,
                                    const Lanes& separation_speed, double time_step,
                                    Response& response) {
  const Mask attracted = contact.in_range & ~contact.touching & (separation_speed > splat(0));
  const Lanes force = attracted ? stiffness.normal * contact.overlap : splat(0);
  response.normal_force += force;
  if constexpr (Response::tracks_energy)
    response.dissipated -= splat(time_step) * force * separation_speed;
}

/// Force, torque and energies of four contacts; advances their springs.
template <class Normal, bool HasFriction, bool TrackEnergy>
ABUT_INLINE ContactResponse<TrackEnergy> contact_response(const ForceParameters& parameters,
                                                          const CoefficientLanes& coefficients,
                                                          const ContactGeometry& contact,
                                                          ContactSprings& spring) {
  const Lanes zero = splat(0);
  const Stiffness stiffness = Normal::stiffness(parameters, coefficients, contact);
  const Lanes separation_speed = dot(contact.velocity, contact.normal);
  const Lanes elastic = contact.touching ? stiffness.normal * contact.overlap : zero;
  ContactResponse<TrackEnergy> response{};
  response.normal_force =
      contact.touching
          ? lane_max(elastic - stiffness.damping * separation_speed, coefficients.min_normal_force)
          : zero;
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

/// Adds lane by lane, so that pairs that do not touch do not change any bit of the sum: their
/// number depends on the last search.
ABUT_INLINE void accumulate(const ContactResponse<true>& response, const Mask& valid,
                            ContactEnergy& sum) {
  for (std::size_t j = 0; j < 4; ++j)
    if (valid[j] != 0)
      sum += {response.normal_energy[j], response.tangential_energy[j], response.dissipated[j]};
}

/// The same coefficients for four contacts.
ABUT_INLINE CoefficientLanes load_coefficients(const ContactCoefficients& coefficients) {
  return {splat(coefficients.stiffness),
          splat(coefficients.tangential_stiffness),
          splat(coefficients.damping),
          splat(coefficients.damping_rate),
          splat(coefficients.damping_factor),
          splat(coefficients.tangential_damping),
          splat(coefficients.tangential_compliance),
          splat(coefficients.friction),
          splat(coefficients.rolling_friction),
          splat(coefficients.cohesion_range),
          splat(coefficients.min_normal_force)};
}

ABUT_INLINE CoefficientLanes
load_coefficients(const std::array<const ContactCoefficients*, 4>& pairs) {
  if (pairs[1] == pairs[0] && pairs[2] == pairs[0] && pairs[3] == pairs[0])
    return load_coefficients(*pairs[0]);
  const auto lanes_of = [&](double ContactCoefficients::*field) {
    return Lanes{pairs[0]->*field, pairs[1]->*field, pairs[2]->*field, pairs[3]->*field};
  };
  return {lanes_of(&ContactCoefficients::stiffness),
          lanes_of(&ContactCoefficients::tangential_stiffness),
          lanes_of(&ContactCoefficients::damping),
          lanes_of(&ContactCoefficients::damping_rate),
          lanes_of(&ContactCoefficients::damping_factor),
          lanes_of(&ContactCoefficients::tangential_damping),
          lanes_of(&ContactCoefficients::tangential_compliance),
          lanes_of(&ContactCoefficients::friction),
          lanes_of(&ContactCoefficients::rolling_friction),
          lanes_of(&ContactCoefficients::cohesion_range),
          lanes_of(&ContactCoefficients::min_normal_force)};
}
