// Hertz's law of two elastic spheres, with Mindlin's stiffness across and Tsuji's damping: with
// a = √(R δ), the radius of the area in contact, F = 4/3 E a δ − κ √(m a) v; across 8 G a.
struct Hertz {
  static constexpr double stored = 2.0 / 5;

  ABUT_INLINE static Stiffness stiffness(const Constants& law, const Touch& touch) {
    const Lanes area = root(touch.radius * larger(touch.overlap, splat(0)));
    return {law.stiffness * area, law.tangential_stiffness * area,
            law.damping_factor * root(touch.mass * area)};
  }
};
