// Rolling resistance: a spring that is turned by the relative spin across the normal, and a
// dashpot, which give way at a torque of µ_r R times the normal force; see Ai, Chen, Rotter and
// Ooi, Powder Technology 206 (2011) 269. A torque that always opposes the spin would never let a
// heap come to rest: each contact would stop the same particle, so that it turns back and forth for
// ever.
template <class Answer>
ABUT_INLINE void add_rolling_resistance(const CoefficientLanes& law, const ContactGeometry& touch,
                                        const Stiffness& stiff, double step, VectorLanes& spring,
                                        Answer& answer) {
  constexpr double damping_ratio = 0.3;  // theirs
  const VectorLanes rolling =
      touch.angular_velocity - dot(touch.angular_velocity, touch.normal) * touch.normal;
  const Lanes square = touch.radius * touch.radius;
  const Lanes stiffness = stiff.tangential * square;
  const SpringSlider resistance{
      stiffness, splat(2 * damping_ratio) * square_root(stiffness * touch.inertia),
      stiff.tangential_compliance / square,
      law.rolling_friction * touch.radius * lane_max(answer.normal_force, splat(0))};
  answer.torque = spring_slider_force(resistance, touch, rolling, step, spring, answer);
}
