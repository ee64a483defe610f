// Coulomb's friction: across the contact a spring, stretched by every slip since the two met, and a
// dashpot; together they never exceed µ times the normal force. Where they would, the spring gives
// way and keeps what it can hold. As the contact turns, the spring is laid into its plane.
template <class Answer>
ABUT_INLINE void rub(const Constants& law, const Touch& touch, const Stiffness& stiff, double step,
                     Vector& spring, Answer& answer) {
  const Lanes none = splat(0);
  const Vector slip = touch.velocity - dot(touch.velocity, touch.normal) * touch.normal;
  Vector stretch = spring + splat(step) * slip;
  stretch = stretch - dot(stretch, touch.normal) * touch.normal;
  const Lanes damping = law.tangential_damping * stiff.damping;
  const Vector pull = stiff.tangential * stretch + damping * slip;
  const Lanes size = root(dot(pull, pull));
  const Lanes limit = law.friction * larger(answer.normal_force, -answer.normal_force);
  const Mask slides = size > limit;
  const Lanes held = slides ? limit / size : splat(1);
  // The spring that, beside the dashpot, gives no more than is held.
  const Vector kept = stretch - (splat(1) - held) * stiff.give * pull;
  const Vector before = spring;
  spring = choose(touch.touching, choose(slides, kept, stretch), {none, none, none});
  answer.tangential_force = (touch.touching ? -held : none) * pull;
  if constexpr (Answer::counts) {
    const Lanes half = splat(0.5) * stiff.tangential;
    const Lanes stored = half * dot(spring, spring);
    answer.stored += stored;
    // What slip puts in and the spring does not keep is lost.
    answer.lost -=
        splat(step) * dot(answer.tangential_force, slip) + stored - half * dot(before, before);
  }
}
