// Coulomb's friction: a spring across the contact, stretched by every slip since the two met, and a
// dashpot, which give way at µ times the normal force; none where a dashpot pulls the two together.
template <class Answer>
ABUT_INLINE void add_friction_force(const CoefficientLanes& law, const ContactGeometry& touch,
                                    const Stiffness& stiff, double step, VectorLanes& spring,
                                    Answer& answer) {
  const VectorLanes slip = touch.velocity - dot(touch.velocity, touch.normal) * touch.normal;
  const Lanes damping = law.tangential_damping * stiff.damping;
  const SpringSlider friction{stiff.tangential, damping, stiff.tangential_compliance,
                              law.friction * lane_max(answer.normal_force, splat(0))};
  answer.tangential_force = spring_slider_force(friction, touch, slip, step, spring, answer);
}
