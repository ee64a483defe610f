// Hooke's law: a linear spring. With a dashpot beside it, it is the body of Kelvin and Voigt:
// F = k δ − c v. The dashpot is a number, a multiple of the reduced mass, or such that every impact
// returns the same part of the speed: c = 2 ζ √(k m).
struct Hooke {
  static constexpr bool needs_radius = false;

  /// Energy of the spring over F δ.
  static constexpr double energy_factor = 1.0 / 2;

  ABUT_INLINE static Stiffness stiffness(const ForceParameters& rules, const CoefficientLanes& law,
                                         const ContactGeometry& touch) {
    Lanes damping = law.damping + law.damping_rate * touch.mass;
    if (rules.has_restitution) damping = damping + law.damping_factor * square_root(touch.mass);
    return {law.stiffness, law.tangential_stiffness, damping, law.tangential_compliance};
  }
};
