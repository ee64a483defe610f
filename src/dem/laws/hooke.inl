/// Hooke's law, a linear spring with dashpot (Kelvin-Voigt): F = k δ − c v_n. The damping c is a
/// constant, proportional to the reduced mass, or c = 2 ζ √(k m) for a given restitution.
struct Hooke {
  static constexpr ContactLawInfo info{
      "Hooke (Kelvin–Voigt)",
      "F_n = k δ + c v; c is `damping`, or `damping_rate` · m, or 2 ζ √(k m)"};
  static constexpr bool is_proportional = true;
  static constexpr bool needs_radius = false;
  static constexpr double tangent_stiffness = 1;
  static constexpr double time_step_fraction = 0.1;

  template <class Value>
  struct Coefficients {
    Value stiffness;              ///< k, N/m
    Value tangential_stiffness;   ///< k_t, N/m
    Value tangential_compliance;  ///< 1/k_t, m/N
    Value damping;                ///< kg/s
    Value damping_rate;           ///< 1/s
    Value damping_factor;         ///< c = damping + damping_rate m + damping_factor √m
    Value min_normal_force;       ///< N; 0 with `limit_damping`, else −∞
  };

  static Coefficients<double> coefficients(const ContactParameters& given, const Material& a,
                                           const Material& b) {
    const auto dampings = {given.restitution.has_value(), given.damping.has_value(),
                           given.damping_rate.has_value()};
    if (std::count(dampings.begin(), dampings.end(), true) > 1)
      throw Error(contact_name(a, b) + ": give only one of restitution, damping and damping_rate");
    const double tangential_stiffness =
        given.tangential_stiffness_ratio.value_or(2.0 / 7) * given.stiffness;
    double damping_factor = 0;
    if (given.restitution)
      damping_factor =
          2 * damping_ratio(*given.restitution, given.limit_damping) * std::sqrt(given.stiffness);
    return {given.stiffness,           tangential_stiffness,           1 / tangential_stiffness,
            given.damping.value_or(0), given.damping_rate.value_or(0), damping_factor,
            min_normal_force(given)};
  }

  static std::string_view unused_hint(std::string_view /*parameter*/) { return {}; }

  HWY_INLINE static Stiffness stiffness(const Coefficients<bool>& any,
                                        const Coefficients<Lanes>& coefficients,
                                        const ContactGeometry& contact) {
    Lanes damping = coefficients.damping + coefficients.damping_rate * contact.mass;
    if (any.damping_factor)
      damping = damping + coefficients.damping_factor * square_root(contact.mass);
    return {coefficients.stiffness, coefficients.tangential_stiffness, damping,
            coefficients.tangential_compliance};
  }
  HWY_INLINE static Lanes elastic_force(const Stiffness& stiffness, Lanes overlap) {
    return stiffness.normal * overlap;
  }
  HWY_INLINE static Lanes energy(Lanes elastic_force, Lanes overlap) {
    return splat(1.0 / 2) * elastic_force * overlap;
  }
  HWY_INLINE static Lanes friction_load(Lanes normal_force) {
    return lane_max(normal_force, splat(0));
  }

  static double particle_time_step(const Material& /*material*/, double /*radius*/) {
    return std::numeric_limits<double>::infinity();
  }
};
