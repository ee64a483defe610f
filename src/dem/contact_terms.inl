// What contact laws receive and return, for a contact per lane. Included before the files of laws/.
//
// A normal law or a contribution is a structure in a file of its own. Members of both:
//
//   info                 name and force, for `abut laws` and the documentation
//   Coefficients<Value>  constants of a pair of materials: lanes in the kernels; as `bool`, whether
//                        that of some pair is not 0. A normal law needs `min_normal_force`
//   coefficients(…)      computes them from the parameters, once per simulation
//   needs_radius         whether `ContactGeometry::radius` is used
//
// A normal law also has:
//
//   is_proportional      whether the elastic force is proportional to the overlap. Only then the
//                        force is independent of the tessellation where facets of a wall share an
//                        overlap; contributions may need the constant stiffness
//   stiffness(…)         stiffness and damping at the current overlap
//   tangent_stiffness    derivative of the elastic force over its ratio to the overlap
//   elastic_force(…)     normal force (N) without damping
//   energy(…)            its potential energy (J)
//   friction_load(…)     normal force (N) that limits friction and rolling resistance
//   particle_time_step(…)  bound of the time step (s) by a single particle
//   time_step_fraction   default time step over the largest one that is stable without
//                        contributions
//   unused_hint(…)       what to use instead of a parameter that the law does not have
//
// A contribution also has, in part from `ContributionDefaults`:
//
//   history              the spring that it keeps from step to step; unless it is none:
//   slider(…)            that spring with its dashpot and limit
//   is_active(…)         whether some pair of materials has it
//   range(…)             largest gap (m) across which it acts
//   add(…)               adds force, torque and dissipated energy to the response; contributions
//                        are added in the order of the table in abut/contact_parameters.hpp
//   has_energy           whether its normal force has a potential energy (J), which is energy(…)

/// Contacts of a particle a with a particle or wall b.
struct ContactGeometry {
  VectorLanes normal;            ///< unit vector from b to a
  Lanes overlap;                 ///< δ; negative for a gap
  VectorLanes velocity;          ///< of a's surface relative to b's at the contact point
  Lanes separation_speed;        ///< component of `velocity` along the normal
  VectorLanes angular_velocity;  ///< of a relative to b
  Lanes mass;                    ///< reduced
  Lanes inertia;                 ///< reduced moment of inertia
  Lanes radius;                  ///< reduced
  Mask touching;                 ///< δ > 0
};

/// Contact history.
struct ContactSprings {
  VectorLanes friction;  ///< tangential displacement
  VectorLanes rolling;   ///< rolling angle
};

/// The spring of `ContactSprings` that a contribution uses.
enum class History : unsigned char { none, friction_spring, rolling_spring };

/// Stiffness k and k_t, damping c and compliance 1/k_t at the current overlap.
struct Stiffness {
  Lanes normal, tangential, damping, tangential_compliance;
};

/// Force and torque on a; b gets the opposite force. Energies are computed with TrackEnergy only.
template <bool TrackEnergy>
struct ContactResponse {
  static constexpr bool tracks_energy = TrackEnergy;
  Lanes normal_force;
  Lanes friction_load;  ///< limits friction: F_t ≤ µ times this; not negative
  VectorLanes tangential_force;
  VectorLanes torque;       ///< of rolling resistance, without that of the tangential force
  Lanes normal_energy;      ///< elastic, of the overlap
  Lanes tangential_energy;  ///< elastic, of friction and rolling springs
  Lanes dissipated;         ///< in this step, including the increase of `tangential_energy`
};

/// What most contributions have in common.
struct ContributionDefaults {
  static constexpr History history = History::none;
  static constexpr bool needs_radius = false;
  static constexpr bool has_energy = false;

  template <class Coefficients>
  static double range(const Coefficients& /*coefficients*/) {
    return 0;
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
  const Lanes magnitude = square_root(dot(trial_force, trial_force));
  const Mask sliding = is_greater(magnitude, slider.limit);
  const Lanes scale = select(sliding, slider.limit / magnitude, splat(1));
  const VectorLanes limited_spring = scale * slider.compliance * trial_force;
  spring = select(contact.touching, select(sliding, limited_spring, trial_spring), zero_vector());
  const VectorLanes force = select(contact.touching, negative(scale), zero) * trial_force;
  if constexpr (Response::tracks_energy) {
    response.tangential_energy =
        response.tangential_energy + splat(0.5) * slider.stiffness * dot(spring, spring);
    response.dissipated = response.dissipated - splat(time_step) * dot(force, rate);
  }
  return force;
}
