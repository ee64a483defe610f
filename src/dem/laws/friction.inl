/// Coulomb friction: F_t ≤ µ F_n with a tangential spring and dashpot. The spring is that of the
/// normal law.
struct Friction : ContributionDefaults {
  static constexpr ContactLawInfo info{
      "Coulomb friction",
      "tangential spring and dashpot, |F_t| ≤ µ F_n; no friction while the normal force is "
      "attractive"};
  static constexpr History history = History::friction_spring;

  template <class Value>
  struct Coefficients {
    Value friction;            ///< µ
    Value tangential_damping;  ///< c_t/c
  };

  static Coefficients<double> coefficients(const ContactParameters& given,
                                           double /*constant_stiffness*/) {
    return {given.friction, given.tangential_damping_ratio};
  }
  static bool is_active(const Coefficients<bool>& any) { return any.friction; }

  HWY_INLINE static SpringSlider slider(const Coefficients<Lanes>& coefficients,
                                        const ContactGeometry& /*contact*/,
                                        const Stiffness& stiffness, Lanes friction_load) {
    return {stiffness.tangential, coefficients.tangential_damping * stiffness.damping,
            stiffness.tangential_compliance, coefficients.friction * friction_load};
  }

  template <class Response>
  HWY_INLINE static void add(const Coefficients<Lanes>& coefficients,
                             const ContactGeometry& contact, const Stiffness& stiffness,
                             double time_step, ContactSprings& spring, Response& response) {
    const VectorLanes slip = contact.velocity - contact.separation_speed * contact.normal;
    response.tangential_force =
        spring_slider_force(slider(coefficients, contact, stiffness, response.friction_load),
                            contact, slip, time_step, spring.friction, response);
  }
};
