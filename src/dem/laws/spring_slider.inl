// A spring across the contact, stretched at some rate since the two met, and a dashpot; together
// they never exceed a limit. Where they would, the spring gives way and keeps what alone would
// reach the limit. (One that stayed behind for the dashpot, so that the next step needs no limit,
// could be pressed together where the dashpot is strong: it would store what nobody gave it, and
// push along the slip once the dashpot lets go.) As the contact turns, the spring is laid into its
// plane.
struct SpringSlider {
  Lanes stiffness, damping;
  Lanes compliance;  ///< 1 over the stiffness
  Lanes limit;
};

/// What they pull back with.
template <class Answer>
ABUT_INLINE VectorLanes spring_slider_force(const SpringSlider& law, const ContactGeometry& touch,
                                            const VectorLanes& rate, double step,
                                            VectorLanes& spring, Answer& answer) {
  const Lanes none = splat(0);
  VectorLanes stretch = spring + splat(step) * rate;
  stretch = stretch - dot(stretch, touch.normal) * touch.normal;
  const VectorLanes pull = law.stiffness * stretch + law.damping * rate;
  const Lanes size = square_root(dot(pull, pull));
  const Mask slides = size > law.limit;
  const Lanes held = slides ? law.limit / size : splat(1);
  const VectorLanes kept = held * law.compliance * pull;
  spring = select(touch.touching, select(slides, kept, stretch), {none, none, none});
  const VectorLanes back = (touch.touching ? -held : none) * pull;
  if constexpr (Answer::tracks_energy) {
    answer.tangential_energy += splat(0.5) * law.stiffness * dot(spring, spring);
    answer.dissipated -= splat(step) * dot(back, rate);
  }
  return back;
}
