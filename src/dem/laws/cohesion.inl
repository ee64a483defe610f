/// Cohesion of Lazarević, Dvornik and Fresl: particles that separate are attracted by the normal
/// spring while the gap is in range, −F_c/k ≤ δ ≤ 0. (Their equation 22 as printed would attract
/// particles that approach.) The work is dissipated: it is not recovered when they approach again.
/// Friction is not affected.
struct Cohesion : ContributionDefaults {
  static constexpr ContactLawInfo info{"cohesion",
                                       "the normal spring attracts separating particles up to a "
                                       "gap of F_c/k, where it reaches F_c = "
                                       "`cohesion_force`"};

  template <class Value>
  struct Coefficients {
    Value range;  ///< largest gap across which cohesion acts, m
  };

  static Coefficients<double> coefficients(const ContactParameters& given,
                                           double constant_stiffness) {
    return {given.cohesion_force > 0 ? given.cohesion_force / constant_stiffness : 0};
  }
  static bool is_active(const Coefficients<bool>& any) { return any.range; }
  static double range(const Coefficients<double>& coefficients) { return coefficients.range; }

  template <class Response>
  HWY_INLINE static void add(const Coefficients<Lanes>& coefficients,
                             const ContactGeometry& contact, const Stiffness& stiffness,
                             double time_step, ContactSprings& /*spring*/, Response& response) {
    const Mask in_range = is_at_least(contact.overlap, negative(coefficients.range));
    const Mask attracted = both(first_only(in_range, contact.touching),
                                is_greater(contact.separation_speed, splat(0)));
    const Lanes force = select(attracted, stiffness.normal * contact.overlap, splat(0));
    response.normal_force = response.normal_force + force;
    if constexpr (Response::tracks_energy)
      response.dissipated =
          response.dissipated - splat(time_step) * force * contact.separation_speed;
  }
};
