// Hooke's law: a linear spring. With a dashpot beside it, it is the body of Kelvin and Voigt:
// F = k δ − c v. The dashpot is a number, a multiple of the reduced mass, or such that every impact
// returns the same part of the speed: c = 2 ζ √(k m).
struct Hooke {
  /// Energy of the spring over F δ.
  static constexpr double stored = 1.0 / 2;

  ABUT_INLINE static Stiffness stiffness(const Constants& law, const Touch& touch) {
    return {law.stiffness, law.tangential_stiffness,
            law.damping + law.damping_rate * touch.mass + law.damping_factor * root(touch.mass)};
  }
};
