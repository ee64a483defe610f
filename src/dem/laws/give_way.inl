// A spring across the contact, stretched at some rate since the two met, and a dashpot; together
// they never exceed a limit. Where they would, the spring gives way and keeps what alone would
// reach the limit. (One that stayed behind for the dashpot, so that the next step needs no limit,
// could be pressed together where the dashpot is strong: it would store what nobody gave it, and
// push along the slip once the dashpot lets go.) As the contact turns, the spring is laid into its
// plane.
struct GivesWay {
  Lanes stiffness, damping;
  Lanes give;  ///< 1 over the stiffness
  Lanes limit;
};

/// What they pull back with.
template <class Answer>
ABUT_INLINE Vector pull_back(const GivesWay& law, const Touch& touch, const Vector& rate,
                             double step, Vector& spring, Answer& answer) {
  const Lanes none = splat(0);
  Vector stretch = spring + splat(step) * rate;
  stretch = stretch - dot(stretch, touch.normal) * touch.normal;
  const Vector pull = law.stiffness * stretch + law.damping * rate;
  const Lanes size = root(dot(pull, pull));
  const Mask slides = size > law.limit;
  const Lanes held = slides ? law.limit / size : splat(1);
  const Vector kept = held * law.give * pull;
  spring = choose(touch.touching, choose(slides, kept, stretch), {none, none, none});
  const Vector back = (touch.touching ? -held : none) * pull;
  if constexpr (Answer::counts) {
    answer.across += splat(0.5) * law.stiffness * dot(spring, spring);
    answer.lost -= splat(step) * dot(back, rate);
  }
  return back;
}
