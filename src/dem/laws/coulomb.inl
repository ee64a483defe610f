// Coulomb's friction: a spring across the contact, stretched by every slip since the two met, and a
// dashpot, which give way at µ times the normal force; none where a dashpot pulls the two together.
template <class Answer>
ABUT_INLINE void rub(const Constants& law, const Touch& touch, const Stiffness& stiff, double step,
                     Vector& spring, Answer& answer) {
  const Vector slip = touch.velocity - dot(touch.velocity, touch.normal) * touch.normal;
  const Lanes damping = law.tangential_damping * stiff.damping;
  const GivesWay friction{stiff.tangential, damping, stiff.give,
                          law.friction * larger(answer.normal_force, splat(0))};
  answer.tangential_force = pull_back(friction, touch, slip, step, spring, answer);
}
