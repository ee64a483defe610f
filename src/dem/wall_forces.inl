// The loops over contacts with walls, four at a time. Included after forces.inl, whose pieces it
// uses.

/// Four contacts with walls: what the laws make of them.
struct WallContactBatch {
  LaneIndices particle{};
  std::array<const ContactCoefficients*, 4> coefficients;
  Mask valid;
  ContactGeometry
      contact;  ///< but for what follows from the particle; its spin is that of the wall
  ContactSprings spring{};  ///< before, and then after
  VectorLanes torque{};     ///< of rolling resistance, if somebody keeps account of energies

  ABUT_INLINE void load_spring(const Spring& from, std::size_t lane) {
    spring.friction.x[lane] = static_cast<double>(from[0]);
    spring.friction.y[lane] = static_cast<double>(from[1]);
    spring.friction.z[lane] = static_cast<double>(from[2]);
    spring.rolling.x[lane] = static_cast<double>(from[3]);
    spring.rolling.y[lane] = static_cast<double>(from[4]);
    spring.rolling.z[lane] = static_cast<double>(from[5]);
  }

  [[nodiscard]] ABUT_INLINE Spring stored_spring(std::size_t lane) const {
    return {
        static_cast<float>(spring.friction.x[lane]), static_cast<float>(spring.friction.y[lane]),
        static_cast<float>(spring.friction.z[lane]), static_cast<float>(spring.rolling.x[lane]),
        static_cast<float>(spring.rolling.y[lane]),  static_cast<float>(spring.rolling.z[lane])};
  }
};

/// As if a wall were a particle of endless size and mass. What the particles feel.
template <class Normal, bool Rough, bool Counts>
ABUT_INLINE VectorLanes apply_wall_forces(const ForceParameters& rules,
                                          const ParticleArrays& particles, std::size_t count,
                                          WallContactBatch& four, ContactEnergy& energy) {
  const CoefficientLanes law = load_coefficients(four.coefficients);
  const Lanes none = splat(0);
  ContactGeometry& touch = four.contact;
  touch.touching = four.valid & (touch.overlap > none);
  touch.in_range = four.valid & (touch.overlap >= -law.cohesion_range);
  Lanes inverse_mass;
  touch.velocity = gather(particles.velocity, four.particle, inverse_mass) - touch.velocity;
  touch.mass = splat(1) / inverse_mass;
  if constexpr (Rough) {
    Lanes inverse_inertia;
    const VectorLanes spin = gather(particles.angular_velocity, four.particle, inverse_inertia);
    touch.velocity = touch.velocity - touch.radius * cross(spin, touch.normal);
    touch.angular_velocity = spin - touch.angular_velocity;
    touch.inertia = splat(1) / inverse_inertia;
  }
  const auto felt = contact_response<Normal, Rough, Counts>(rules, law, touch, four.spring);
  VectorLanes force = felt.normal_force * touch.normal;
  if constexpr (Rough) force = force + felt.tangential_force;
  scatter_add(force, particles.force, four.particle, count);
  if constexpr (Rough)
    scatter_add(touch.radius * cross(felt.tangential_force, touch.normal) + felt.torque,
                particles.torque, four.particle, count);
  if constexpr (Counts) {
    accumulate(felt, four.valid, energy);
    four.torque = felt.torque;
  }
  return force;
}

ABUT_INLINE VectorLanes load_columns(Rows& rows, Lanes& w) {
  transpose(rows);
  w = rows.row[3];
  return {rows.row[0], rows.row[1], rows.row[2]};
}

template <class Normal, bool Rough, bool Counts>
ABUT_INLINE void process_wall_batch(const ForceParameters& rules, const ParticleArrays& particles,
                                    const WallContactChunk& run, std::size_t at, std::size_t count,
                                    ContactEnergy& energy) {
  WallContactState* const touches = run.contacts + at;
  WallContactBatch four;
  LaneIndices bodies;
  Rows normal;
  Rows velocity;
  for (std::size_t j = 0; j < 4; ++j) {
    const WallContactState& one = touches[j < count ? j : 0];
    four.particle[j] = one.particle;
    bodies[j] = one.wall;
    four.coefficients[j] =
        &rules.coefficients->between(particles.material[one.particle], one.material);
    normal.row[j] = load_lanes(one.normal);
    velocity.row[j] = load_lanes(one.velocity);
    if constexpr (Rough) four.load_spring(one.spring, j);
  }
  Lanes unused;
  four.valid = first_lanes(count);
  four.contact.normal = load_columns(normal, four.contact.overlap);
  four.contact.velocity = load_columns(velocity, unused);
  gather(particles.position, four.particle, four.contact.radius);
  const VectorLanes spin = gather(run.angular_velocity, bodies, unused);
  four.contact.angular_velocity = spin;
  const VectorLanes force =
      apply_wall_forces<Normal, Rough, Counts>(rules, particles, count, four, energy);
  const Lanes power = dot(four.torque, spin);
  for (std::size_t j = 0; j < count; ++j) {
    touches[j].force = {force.x[j], force.y[j], force.z[j], power[j]};
    if constexpr (Rough) touches[j].spring = four.stored_spring(j);
  }
}

/// Overlaps as the search of walls has them, to the last bit.
template <class Normal, bool Rough, bool Counts>
ABUT_INLINE void process_static_plane_batch(const ForceParameters& rules,
                                            const ParticleArrays& particles,
                                            const StaticPlaneChunk& run, std::size_t at,
                                            std::size_t count, ContactEnergy& energy) {
  WallContactBatch four;
  LaneIndices bodies;
  const Lanes none = splat(0);
  for (std::size_t j = 0; j < 4; ++j) {
    const StaticPlaneContact& one = run.contacts[at + (j < count ? j : 0)];
    four.particle[j] = one.particle;
    bodies[j] = one.wall;
    four.coefficients[j] =
        &rules.coefficients->between(particles.material[one.particle], run.material[one.wall]);
    if constexpr (Rough) four.load_spring(one.spring, j);
  }
  Lanes unused;
  four.valid = first_lanes(count);
  const VectorLanes normal = gather(run.normal, bodies, unused);
  const VectorLanes centre = gather(particles.position, four.particle, four.contact.radius);
  const Lanes height = dot(normal, centre - gather(run.point, bodies, unused));
  const Mask below = height < none;
  four.contact.normal = (below ? splat(-1) : splat(1)) * normal;
  four.contact.overlap = four.contact.radius - (below ? -height : height);
  four.contact.velocity = {none, none, none};
  four.contact.angular_velocity = {none, none, none};
  const VectorLanes force =
      apply_wall_forces<Normal, Rough, Counts>(rules, particles, count, four, energy);
  for (std::size_t j = 0; j < count; ++j) {
    StaticPlaneContact& one = run.contacts[at + j];
    one.force = {force.x[j], force.y[j], force.z[j]};
    if constexpr (Rough) one.spring = four.stored_spring(j);
  }
}

template <class Normal, bool Rough, bool Counts>
ContactEnergy static_plane_forces(const ForceParameters& rules, const ParticleArrays& particles,
                                  const StaticPlaneChunk& run) {
  ContactEnergy energy;
  for (std::size_t at = 0; at < run.count; at += 4)
    process_static_plane_batch<Normal, Rough, Counts>(
        rules, particles, run, at, std::min<std::size_t>(4, run.count - at), energy);
  return energy;
}

template <class Normal, bool Rough, bool Counts>
ContactEnergy wall_forces(const ForceParameters& rules, const ParticleArrays& particles,
                          const WallContactChunk& run) {
  ContactEnergy energy;
  for (std::size_t at = 0; at < run.count; at += 4)
    process_wall_batch<Normal, Rough, Counts>(rules, particles, run, at,
                                              std::min<std::size_t>(4, run.count - at), energy);
  return energy;
}
