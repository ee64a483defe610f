/// Hertz's law of elastic spheres with Mindlin's tangential stiffness and Tsuji's damping. With the
/// contact radius a = √(R δ): k = 4/3 E* a, k_t = 8 G* a, c ∝ √(m a).
struct Hertz {
  static constexpr ContactLawInfo info{
      "Hertz–Mindlin", "F_n = 4/3 E a δ + 2 √(5/6) ζ √(2 E a m) v; tangential stiffness 8 G a"};
  static constexpr bool is_proportional = false;
  static constexpr bool needs_radius = true;
  static constexpr double tangent_stiffness = 1.5;
  static constexpr double time_step_fraction = 0.2;

  template <class Value>
  struct Coefficients {
    Value stiffness;             ///< k/a, N/m²
    Value tangential_stiffness;  ///< k_t/a, N/m²
    Value damping_factor;        ///< c = damping_factor √(m a)
    Value min_normal_force;      ///< N; 0 with `limit_damping`, else −∞
  };

  /// With 1/E* = Σ (1 − ν²)/E and 1/G* = Σ 2 (2 − ν)(1 + ν)/E over both materials: k = 4/3 E* a and
  /// k_t = 8 G* a. A damping c = 2 √(5/6) ζ √(2 E* a m), which grows with the root of the
  /// stiffness, makes the restitution independent of the impact speed: Antypov and Elliott,
  /// Europhysics Letters 94 (2011) 50004. As a function of δ^(5/4) the motion is that of a linear
  /// spring and dashpot, also with `limit_damping`.
  static Coefficients<double> coefficients(const ContactParameters& given, const Material& a,
                                           const Material& b) {
    check_elastic_constants(a);
    check_elastic_constants(b);
    const auto compliance = [](const Material& m) { return (1 - m.poisson * m.poisson) / m.young; };
    const auto shear_compliance = [](const Material& m) {
      return 2 * (2 - m.poisson) * (1 + m.poisson) / m.young;
    };
    const double modulus = 1 / (compliance(a) + compliance(b));
    const double shear_modulus = 1 / (shear_compliance(a) + shear_compliance(b));
    double damping_factor = 0;
    if (given.restitution)
      damping_factor = 2 * std::sqrt(5.0 / 6) *
                       damping_ratio(*given.restitution, given.limit_damping) *
                       std::sqrt(2 * modulus);
    return {4.0 / 3 * modulus, 8 * shear_modulus, damping_factor, min_normal_force(given)};
  }

  static std::string_view unused_hint(std::string_view parameter) {
    if (parameter == "damping" || parameter == "damping_rate") return "give restitution instead";
    if (parameter == "stiffness") return "the stiffness follows from young and poisson";
    if (parameter == "tangential_stiffness_ratio")
      return "Mindlin's stiffness follows from young and poisson";
    return "use Hooke's law";
  }

  HWY_INLINE static Stiffness stiffness(const Coefficients<bool>& /*any*/,
                                        const Coefficients<Lanes>& coefficients,
                                        const ContactGeometry& contact) {
    const Lanes contact_radius = square_root(contact.radius * lane_max(contact.overlap, splat(0)));
    const Lanes tangential = coefficients.tangential_stiffness * contact_radius;
    return {coefficients.stiffness * contact_radius, tangential,
            coefficients.damping_factor * square_root(contact.mass * contact_radius),
            select(is_greater(tangential, splat(0)), splat(1) / tangential, splat(0))};
  }
  HWY_INLINE static Lanes elastic_force(const Stiffness& stiffness, Lanes overlap) {
    return stiffness.normal * overlap;
  }
  HWY_INLINE static Lanes energy(Lanes elastic_force, Lanes overlap) {
    return splat(2.0 / 5) * elastic_force * overlap;
  }
  HWY_INLINE static Lanes friction_load(Lanes normal_force) {
    return lane_max(normal_force, splat(0));
  }

  /// Half the travel time (s) of a Rayleigh wave around half a sphere,
  /// T = π R √(ρ/G) / (0.1631 ν + 0.8766). With a time step of T, an elastic sphere can rebound at
  /// three times its impact speed.
  static double particle_time_step(const Material& material, double radius) {
    const double shear_modulus = material.young / (2 * (1 + material.poisson));
    return std::numbers::pi * radius * std::sqrt(material.density / shear_modulus) /
           (0.1631 * material.poisson + 0.8766) / 2;
  }

 private:
  static void check_elastic_constants(const Material& material) {
    const auto check = [&](bool is_valid, const char* key, double value, const char* requirement) {
      if (!is_valid || !std::isfinite(value))
        reject_parameter("material " + material.name, key, value, requirement);
    };
    check(material.young > 0, "young", material.young, "must be positive");
    check(material.poisson > -1 && material.poisson <= 0.5, "poisson", material.poisson,
          "must be greater than -1 and at most 0.5");
  }
};
