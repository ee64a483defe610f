// Hertz's law of two elastic spheres, with Mindlin's stiffness across and Tsuji's damping: with
// a = √(R δ), the radius of the area in contact, F = 4/3 E a δ − κ √(m a) v; across 8 G a.
struct Hertz {
  static constexpr bool needs_radius = true;
  static constexpr double energy_factor = 2.0 / 5;

  ABUT_INLINE static Stiffness stiffness(const ForceParameters& /*rules*/,
                                         const CoefficientLanes& law,
                                         const ContactGeometry& touch) {
    const Lanes area = square_root(touch.radius * lane_max(touch.overlap, splat(0)));
    const Lanes across = law.tangential_stiffness * area;
    return {law.stiffness * area, across, law.damping_factor * square_root(touch.mass * area),
            across > splat(0) ? splat(1) / across : splat(0)};
  }
};
