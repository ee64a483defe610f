/// Rolling resistance: a rotational spring and dashpot driven by the relative angular velocity in
/// the tangential plane, with torque ≤ µ_r R F_n, stiffness k_t R² and damping ratio 0.3: Ai, Chen,
/// Rotter and Ooi, Powder Technology 206 (2011) 269. (A torque of constant magnitude opposing the
/// rotation would never let a packing come to rest: its sign would alternate from step to step.)
struct RollingResistance : ContributionDefaults {
  static constexpr ContactLawInfo info{
      "rolling resistance",
      "rotational spring and dashpot against the relative angular velocity, torque ≤ µ_r R F_n"};
  static constexpr History history = History::rolling_spring;
  static constexpr bool needs_radius = true;

  template <class Value>
  struct Coefficients {
    Value rolling_friction;  ///< µ_r
  };

  static Coefficients<double> coefficients(const ContactParameters& given,
                                           double /*constant_stiffness*/) {
    return {given.rolling_friction};
  }
  static bool is_active(const Coefficients<bool>& any) { return any.rolling_friction; }

  HWY_INLINE static SpringSlider slider(const Coefficients<Lanes>& coefficients,
                                        const ContactGeometry& contact, const Stiffness& stiffness,
                                        Lanes friction_load) {
    constexpr double damping_ratio = 0.3;
    const Lanes square = contact.radius * contact.radius;
    const Lanes rolling_stiffness = stiffness.tangential * square;
    return {rolling_stiffness,
            splat(2 * damping_ratio) * square_root(rolling_stiffness * contact.inertia),
            stiffness.tangential_compliance / square,
            coefficients.rolling_friction * contact.radius * friction_load};
  }

  template <class Response>
  HWY_INLINE static void add(const Coefficients<Lanes>& coefficients,
                             const ContactGeometry& contact, const Stiffness& stiffness,
                             double time_step, ContactSprings& spring, Response& response) {
    const VectorLanes rolling =
        contact.angular_velocity - dot(contact.angular_velocity, contact.normal) * contact.normal;
    response.torque =
        spring_slider_force(slider(coefficients, contact, stiffness, response.friction_load),
                            contact, rolling, time_step, spring.rolling, response);
  }
};
