// The loops over contacts with walls, four at a time. Included after forces.inl, whose pieces it
// uses.

/// Four contacts with walls: what the laws make of them.
struct WallFour {
  Four a{};
  std::array<const LawConstants*, 4> laws;
  Mask valid;
  Touch touch;  ///< but for what follows from the particle; its spin is that of the wall
  ContactSprings spring{};  ///< before, and then after
  Vector torque{};          ///< of rolling resistance, if somebody keeps account of energies

  ABUT_INLINE void take(const Spring& from, std::size_t lane) {
    spring.friction.x[lane] = static_cast<double>(from[0]);
    spring.friction.y[lane] = static_cast<double>(from[1]);
    spring.friction.z[lane] = static_cast<double>(from[2]);
    spring.rolling.x[lane] = static_cast<double>(from[3]);
    spring.rolling.y[lane] = static_cast<double>(from[4]);
    spring.rolling.z[lane] = static_cast<double>(from[5]);
  }

  [[nodiscard]] ABUT_INLINE Spring give(std::size_t lane) const {
    return {
        static_cast<float>(spring.friction.x[lane]), static_cast<float>(spring.friction.y[lane]),
        static_cast<float>(spring.friction.z[lane]), static_cast<float>(spring.rolling.x[lane]),
        static_cast<float>(spring.rolling.y[lane]),  static_cast<float>(spring.rolling.z[lane])};
  }
};

/// As if a wall were a particle of endless size and mass. What the particles feel.
template <class Normal, bool Rough, bool Counts>
ABUT_INLINE Vector push_from_walls(const ForceRules& rules, const ParticleRecords& particles,
                                   std::size_t count, WallFour& four, ContactEnergy& energy) {
  const Constants law = constants_of(four.laws);
  const Lanes none = splat(0);
  Touch& touch = four.touch;
  touch.touching = four.valid & (touch.overlap > none);
  touch.reached = four.valid & (touch.overlap >= -law.reach);
  Lanes inverse_mass;
  touch.velocity = gather(particles.velocity, four.a, inverse_mass) - touch.velocity;
  touch.mass = splat(1) / inverse_mass;
  if constexpr (Rough) {
    Lanes inverse_inertia;
    const Vector spin = gather(particles.spin, four.a, inverse_inertia);
    touch.velocity = touch.velocity - touch.radius * cross(spin, touch.normal);
    touch.spin = spin - touch.spin;
    touch.inertia = splat(1) / inverse_inertia;
  }
  const auto felt = answer<Normal, Rough, Counts>(rules, law, touch, four.spring);
  Vector force = felt.normal_force * touch.normal;
  if constexpr (Rough) force = force + felt.tangential_force;
  add(force, particles.push, four.a, count);
  if constexpr (Rough)
    add(touch.radius * cross(felt.tangential_force, touch.normal) + felt.torque, particles.twist,
        four.a, count);
  if constexpr (Counts) {
    add_up(felt, four.valid, energy);
    four.torque = felt.torque;
  }
  return force;
}

ABUT_INLINE Vector columns_of(Rows& rows, Lanes& w) {
  transpose(rows);
  w = rows.at[3];
  return {rows.at[0], rows.at[1], rows.at[2]};
}

template <class Normal, bool Rough, bool Counts>
ABUT_INLINE void wall_four(const ForceRules& rules, const ParticleRecords& particles,
                           const WallRun& run, std::size_t at, std::size_t count,
                           ContactEnergy& energy) {
  WallPush* const touches = run.touches + at;
  WallFour four;
  Four bodies;
  Rows normal;
  Rows velocity;
  for (std::size_t j = 0; j < 4; ++j) {
    const WallPush& one = touches[j < count ? j : 0];
    four.a[j] = one.particle;
    bodies[j] = one.body;
    four.laws[j] = &rules.laws->between(particles.material[one.particle], one.material);
    normal.at[j] = lanes_of(one.normal);
    velocity.at[j] = lanes_of(one.velocity);
    if constexpr (Rough) four.take(one.spring, j);
  }
  Lanes unused;
  four.valid = first_lanes(count);
  four.touch.normal = columns_of(normal, four.touch.overlap);
  four.touch.velocity = columns_of(velocity, unused);
  gather(particles.place, four.a, four.touch.radius);
  const Vector spin = gather(run.spin, bodies, unused);
  four.touch.spin = spin;
  const Vector force =
      push_from_walls<Normal, Rough, Counts>(rules, particles, count, four, energy);
  const Lanes power = dot(four.torque, spin);
  for (std::size_t j = 0; j < count; ++j) {
    touches[j].force = {force.x[j], force.y[j], force.z[j], power[j]};
    if constexpr (Rough) touches[j].spring = four.give(j);
  }
}

/// Overlaps as the search of walls has them, to the last bit.
template <class Normal, bool Rough, bool Counts>
ABUT_INLINE void rest_four(const ForceRules& rules, const ParticleRecords& particles,
                           const RestRun& run, std::size_t at, std::size_t count,
                           ContactEnergy& energy) {
  WallFour four;
  Four bodies;
  const Lanes none = splat(0);
  for (std::size_t j = 0; j < 4; ++j) {
    const RestPush& one = run.rests[at + (j < count ? j : 0)];
    four.a[j] = one.particle;
    bodies[j] = one.body;
    four.laws[j] = &rules.laws->between(particles.material[one.particle], run.material[one.body]);
    if constexpr (Rough) four.take(one.spring, j);
  }
  Lanes unused;
  four.valid = first_lanes(count);
  const Vector normal = gather(run.normal, bodies, unused);
  const Vector centre = gather(particles.place, four.a, four.touch.radius);
  const Lanes height = dot(normal, centre - gather(run.point, bodies, unused));
  const Mask below = height < none;
  four.touch.normal = (below ? splat(-1) : splat(1)) * normal;
  four.touch.overlap = four.touch.radius - (below ? -height : height);
  four.touch.velocity = {none, none, none};
  four.touch.spin = {none, none, none};
  const Vector force =
      push_from_walls<Normal, Rough, Counts>(rules, particles, count, four, energy);
  for (std::size_t j = 0; j < count; ++j) {
    RestPush& one = run.rests[at + j];
    one.force = {force.x[j], force.y[j], force.z[j]};
    if constexpr (Rough) one.spring = four.give(j);
  }
}

template <class Normal, bool Rough, bool Counts>
ContactEnergy rest_forces(const ForceRules& rules, const ParticleRecords& particles,
                          const RestRun& run) {
  ContactEnergy energy;
  for (std::size_t at = 0; at < run.count; at += 4)
    rest_four<Normal, Rough, Counts>(rules, particles, run, at,
                                     std::min<std::size_t>(4, run.count - at), energy);
  return energy;
}

template <class Normal, bool Rough, bool Counts>
ContactEnergy wall_forces(const ForceRules& rules, const ParticleRecords& particles,
                          const WallRun& run) {
  ContactEnergy energy;
  for (std::size_t at = 0; at < run.count; at += 4)
    wall_four<Normal, Rough, Counts>(rules, particles, run, at,
                                     std::min<std::size_t>(4, run.count - at), energy);
  return energy;
}
