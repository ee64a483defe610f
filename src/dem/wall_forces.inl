// Forces between particles and walls, four contacts at a time. Included after contact_laws.inl.

/// Four contacts with walls.
struct WallContactBatch {
  LaneIndices particle{};
  std::array<const ContactCoefficients*, 4> coefficients;
  Mask valid;
  ContactGeometry contact;  ///< velocities are those of the wall until forces are computed
  ContactSprings spring{};  ///< before the step, then after it
  VectorLanes torque{};     ///< of rolling resistance; only if energies are tracked

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

/// Computes the forces on the particles, adds them, and returns them. A wall is treated as a
/// particle of infinite radius and mass.
template <class Normal, bool HasFriction, bool TrackEnergy>
ABUT_INLINE VectorLanes apply_wall_forces(const ForceParameters& parameters,
                                          const ParticleArrays& particles, std::size_t count,
                                          WallContactBatch& batch, ContactEnergy& energy) {
  const CoefficientLanes coefficients = load_coefficients(batch.coefficients);
  const Lanes zero = splat(0);
  ContactGeometry& contact = batch.contact;
  contact.touching = batch.valid & (contact.overlap > zero);
  contact.in_range = batch.valid & (contact.overlap >= -coefficients.cohesion_range);
  Lanes inverse_mass;
  contact.velocity = gather(particles.velocity, batch.particle, inverse_mass) - contact.velocity;
  contact.mass = splat(1) / inverse_mass;
  if constexpr (HasFriction) {
    Lanes inverse_inertia;
    const VectorLanes angular_velocity =
        gather(particles.angular_velocity, batch.particle, inverse_inertia);
    contact.velocity = contact.velocity - contact.radius * cross(angular_velocity, contact.normal);
    contact.angular_velocity = angular_velocity - contact.angular_velocity;
    contact.inertia = splat(1) / inverse_inertia;
  }
  const auto response = contact_response<Normal, HasFriction, TrackEnergy>(parameters, coefficients,
                                                                           contact, batch.spring);
  VectorLanes force = response.normal_force * contact.normal;
  if constexpr (HasFriction) force = force + response.tangential_force;
  scatter_add(force, particles.force, batch.particle, count);
  if constexpr (HasFriction)
    scatter_add(contact.radius * cross(response.tangential_force, contact.normal) + response.torque,
                particles.torque, batch.particle, count);
  if constexpr (TrackEnergy) {
    accumulate(response, batch.valid, energy);
    batch.torque = response.torque;
  }
  return force;
}

/// The columns of four `Vec4` rows.
ABUT_INLINE VectorLanes load_columns(Rows& rows, Lanes& w) {
  transpose(rows);
  w = rows.row[3];
  return {rows.row[0], rows.row[1], rows.row[2]};
}

template <class Normal, bool HasFriction, bool TrackEnergy>
ABUT_INLINE void process_wall_batch(const ForceParameters& parameters,
                                    const ParticleArrays& particles, const WallContactChunk& chunk,
                                    std::size_t at, std::size_t count, ContactEnergy& energy) {
  WallContactState* const contacts = chunk.contacts + at;
  WallContactBatch batch;
  LaneIndices walls;
  Rows normal;
  Rows velocity;
  for (std::size_t j = 0; j < 4; ++j) {
    const WallContactState& contact = contacts[j < count ? j : 0];
    batch.particle[j] = contact.particle;
    walls[j] = contact.wall;
    batch.coefficients[j] =
        &parameters.coefficients->between(particles.material[contact.particle], contact.material);
    normal.row[j] = load_lanes(contact.normal);
    velocity.row[j] = load_lanes(contact.velocity);
    if constexpr (HasFriction) batch.load_spring(contact.spring, j);
  }
  Lanes unused;
  batch.valid = first_lanes(count);
  batch.contact.normal = load_columns(normal, batch.contact.overlap);
  batch.contact.velocity = load_columns(velocity, unused);
  gather(particles.position, batch.particle, batch.contact.radius);
  const VectorLanes angular_velocity = gather(chunk.angular_velocity, walls, unused);
  batch.contact.angular_velocity = angular_velocity;
  const VectorLanes force = apply_wall_forces<Normal, HasFriction, TrackEnergy>(
      parameters, particles, count, batch, energy);
  const Lanes power = dot(batch.torque, angular_velocity);
  for (std::size_t j = 0; j < count; ++j) {
    contacts[j].force = {force.x[j], force.y[j], force.z[j], power[j]};
    if constexpr (HasFriction) contacts[j].spring = batch.stored_spring(j);
  }
}

/// Overlaps are bitwise identical to those of the wall search.
template <class Normal, bool HasFriction, bool TrackEnergy>
ABUT_INLINE void process_static_plane_batch(const ForceParameters& parameters,
                                            const ParticleArrays& particles,
                                            const StaticPlaneChunk& chunk, std::size_t at,
                                            std::size_t count, ContactEnergy& energy) {
  WallContactBatch batch;
  LaneIndices walls;
  const Lanes zero = splat(0);
  for (std::size_t j = 0; j < 4; ++j) {
    const StaticPlaneContact& contact = chunk.contacts[at + (j < count ? j : 0)];
    batch.particle[j] = contact.particle;
    walls[j] = contact.wall;
    batch.coefficients[j] = &parameters.coefficients->between(particles.material[contact.particle],
                                                              chunk.material[contact.wall]);
    if constexpr (HasFriction) batch.load_spring(contact.spring, j);
  }
  Lanes unused;
  batch.valid = first_lanes(count);
  const VectorLanes normal = gather(chunk.normal, walls, unused);
  const VectorLanes center = gather(particles.position, batch.particle, batch.contact.radius);
  const Lanes signed_distance = dot(normal, center - gather(chunk.point, walls, unused));
  const Mask below = signed_distance < zero;
  batch.contact.normal = (below ? splat(-1) : splat(1)) * normal;
  batch.contact.overlap = batch.contact.radius - (below ? -signed_distance : signed_distance);
  batch.contact.velocity = {zero, zero, zero};
  batch.contact.angular_velocity = {zero, zero, zero};
  const VectorLanes force = apply_wall_forces<Normal, HasFriction, TrackEnergy>(
      parameters, particles, count, batch, energy);
  for (std::size_t j = 0; j < count; ++j) {
    StaticPlaneContact& contact = chunk.contacts[at + j];
    contact.force = {force.x[j], force.y[j], force.z[j]};
    if constexpr (HasFriction) contact.spring = batch.stored_spring(j);
  }
}

template <class Normal, bool HasFriction, bool TrackEnergy>
ContactEnergy static_plane_forces(const ForceParameters& parameters,
                                  const ParticleArrays& particles, const StaticPlaneChunk& chunk) {
  ContactEnergy energy;
  for (std::size_t at = 0; at < chunk.count; at += 4)
    process_static_plane_batch<Normal, HasFriction, TrackEnergy>(
        parameters, particles, chunk, at, std::min<std::size_t>(4, chunk.count - at), energy);
  return energy;
}

template <class Normal, bool HasFriction, bool TrackEnergy>
ContactEnergy wall_forces(const ForceParameters& parameters, const ParticleArrays& particles,
                          const WallContactChunk& chunk) {
  ContactEnergy energy;
  for (std::size_t at = 0; at < chunk.count; at += 4)
    process_wall_batch<Normal, HasFriction, TrackEnergy>(
        parameters, particles, chunk, at, std::min<std::size_t>(4, chunk.count - at), energy);
  return energy;
}
