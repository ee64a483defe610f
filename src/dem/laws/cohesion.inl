// Cohesion as Lazarević, Dvornik and Fresl have it: two that part are held by the spring as long as
// the gap is within reach, −N/k ≤ δ ≤ 0. Their (22) as printed would hold those that approach. The
// work is counted as lost, since nothing gives it back.
template <class Answer>
ABUT_INLINE void add_cohesion_force(const ContactGeometry& touch, const Stiffness& stiff,
                                    const Lanes& parting, double step, Answer& answer) {
  const Mask holds = touch.in_range & ~touch.touching & (parting > splat(0));
  const Lanes force = holds ? stiff.normal * touch.overlap : splat(0);
  answer.normal_force += force;
  if constexpr (Answer::tracks_energy) answer.dissipated -= splat(step) * force * parting;
}
