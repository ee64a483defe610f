// Rolling resistance: a torque against the relative spin, across the normal, of µ_r R times the
// normal force, but no more than stops that spin within this step.
template <class Answer>
ABUT_INLINE void resist_rolling(const Constants& law, const Touch& touch, double step,
                                Answer& answer) {
  const Lanes none = splat(0);
  const Vector rolling = touch.spin - dot(touch.spin, touch.normal) * touch.normal;
  const Lanes speed = root(dot(rolling, rolling));
  const Lanes push = larger(answer.normal_force, none);
  const Lanes torque =
      smaller(law.rolling_friction * touch.radius * push, touch.inertia * speed / splat(step));
  answer.torque = (speed > none ? -torque / speed : none) * rolling;
  if constexpr (Answer::counts) answer.lost += splat(step) * torque * speed;
}
