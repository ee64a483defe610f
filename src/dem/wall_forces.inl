// Forces between particles and walls, in the same blocks as those between particles. Included after
// contact_laws.inl.

/// Starts contact k of a block: particle, coefficients, velocity relative to that of the wall, and
/// spring. Normal and overlap are set by the caller.
template <bool HasFriction>
HWY_INLINE void begin_wall_contact(const ForceParameters& parameters,
                                   const ParticleArrays& particles, Index particle,
                                   std::uint8_t wall_material, const Vec4& wall_velocity,
                                   const Vec4& wall_rotation, const Spring& spring, std::size_t k,
                                   ContactBlock& block) {
  const Vec4& velocity = particles.velocity[particle];
  const double radius = particles.position[particle].w;
  block.a[k] = particle;
  block.coefficients[k] =
      parameters.coefficients->offset(particles.material[particle], wall_material);
  block.velocity.x[k] = velocity.x - wall_velocity.x;
  block.velocity.y[k] = velocity.y - wall_velocity.y;
  block.velocity.z[k] = velocity.z - wall_velocity.z;
  block.mass[k] = 1 / velocity.w;
  block.radius[k] = radius;
  if constexpr (HasFriction) {
    const Vec4& rotation = particles.angular_velocity[particle];
    const double nx = block.normal.x[k];
    const double ny = block.normal.y[k];
    const double nz = block.normal.z[k];
    block.velocity.x[k] -= radius * (rotation.y * nz - rotation.z * ny);
    block.velocity.y[k] -= radius * (rotation.z * nx - rotation.x * nz);
    block.velocity.z[k] -= radius * (rotation.x * ny - rotation.y * nx);
    block.angular_velocity.x[k] = rotation.x - wall_rotation.x;
    block.angular_velocity.y[k] = rotation.y - wall_rotation.y;
    block.angular_velocity.z[k] = rotation.z - wall_rotation.z;
    block.inertia[k] = 1 / rotation.w;
    block.friction_spring.x[k] = static_cast<double>(spring[0]);
    block.friction_spring.y[k] = static_cast<double>(spring[1]);
    block.friction_spring.z[k] = static_cast<double>(spring[2]);
    block.rolling_spring.x[k] = static_cast<double>(spring[3]);
    block.rolling_spring.y[k] = static_cast<double>(spring[4]);
    block.rolling_spring.z[k] = static_cast<double>(spring[5]);
  }
}

/// The spring of contact k after the step.
HWY_INLINE Spring spring_of(const ForceParameters& parameters, const ContactBlock& block,
                            std::size_t k) {
  Spring spring{static_cast<float>(block.friction_spring.x[k]),
                static_cast<float>(block.friction_spring.y[k]),
                static_cast<float>(block.friction_spring.z[k])};
  if (parameters.has_rolling) {
    spring[3] = static_cast<float>(block.rolling_spring.x[k]);
    spring[4] = static_cast<float>(block.rolling_spring.y[k]);
    spring[5] = static_cast<float>(block.rolling_spring.z[k]);
  }
  return spring;
}

/// Adds the force and torque of contact k to its particle.
template <bool HasFriction>
HWY_INLINE void add_wall_force(const ForceParameters& parameters, const ParticleArrays& particles,
                               const ContactBlock& block, std::size_t k) {
  Vec4& force = particles.force[block.a[k]];
  force = {force.x + block.force.x[k], force.y + block.force.y[k], force.z + block.force.z[k],
           force.w};
  if constexpr (HasFriction) {
    Vec4& torque = particles.torque[block.a[k]];
    const double radius = block.radius[k];
    std::array<double, 3> rolling{};
    if (parameters.has_rolling)
      rolling = {block.rolling_torque.x[k], block.rolling_torque.y[k], block.rolling_torque.z[k]};
    torque = {torque.x + (radius * block.lever_torque.x[k] + rolling[0]),
              torque.y + (radius * block.lever_torque.y[k] + rolling[1]),
              torque.z + (radius * block.lever_torque.z[k] + rolling[2]), torque.w};
  }
}

template <class Normal, bool HasFriction, bool TrackEnergy>
ContactEnergy wall_forces(const ForceParameters& parameters, const ParticleArrays& particles,
                          const WallContactChunk& chunk) {
  ContactEnergy energy;
  if (chunk.count == 0) return energy;
  ContactBlock block;
  for (std::size_t first = 0; first < chunk.count; first += ContactBlock::max_count) {
    block.count = std::min(ContactBlock::max_count, chunk.count - first);
    for (std::size_t k = 0; k < block.count; ++k) {
      const WallContactState& contact = chunk.contacts[first + k];
      block.normal.x[k] = contact.normal.x;
      block.normal.y[k] = contact.normal.y;
      block.normal.z[k] = contact.normal.z;
      block.overlap[k] = contact.normal.w;
      block.inside[k] = contact.normal.w;
      begin_wall_contact<HasFriction>(parameters, particles, contact.particle, contact.material,
                                      contact.velocity, chunk.angular_velocity[contact.wall],
                                      contact.spring, k, block);
    }
    evaluate_law<Normal, HasFriction, TrackEnergy>(parameters, block);
    for (std::size_t k = 0; k < block.count; ++k) {
      WallContactState& contact = chunk.contacts[first + k];
      add_wall_force<HasFriction>(parameters, particles, block, k);
      contact.force = {block.force.x[k], block.force.y[k], block.force.z[k], 0};
      if constexpr (HasFriction) contact.spring = spring_of(parameters, block, k);
      if (TrackEnergy && parameters.has_rolling) {
        const Vec4& rotation = chunk.angular_velocity[contact.wall];
        contact.force.w = block.rolling_torque.x[k] * rotation.x +
                          block.rolling_torque.y[k] * rotation.y +
                          block.rolling_torque.z[k] * rotation.z;
      }
    }
    if constexpr (TrackEnergy) accumulate_energy(block, energy);
  }
  return energy;
}

/// Overlaps are bitwise identical to those of the wall search. Contacts that are not in range get
/// no force and lose their spring.
template <class Normal, bool HasFriction, bool TrackEnergy>
ContactEnergy static_plane_forces(const ForceParameters& parameters,
                                  const ParticleArrays& particles, const StaticPlaneChunk& chunk) {
  ContactEnergy energy;
  if (chunk.count == 0) return energy;
  ContactBlock block;
  for (std::size_t next = 0; next < chunk.count;) {
    block.count = 0;
    for (; next < chunk.count && block.count < ContactBlock::max_count; ++next) {
      StaticPlaneContact& contact = chunk.contacts[next];
      const Vec4& normal = chunk.normal[contact.wall];
      const Vec4& point = chunk.point[contact.wall];
      const Vec4& center = particles.position[contact.particle];
      const double signed_distance = normal.x * (center.x - point.x) +
                                     normal.y * (center.y - point.y) +
                                     normal.z * (center.z - point.z);
      const double side = signed_distance < 0 ? -1 : 1;
      const double overlap = center.w - (signed_distance < 0 ? -signed_distance : signed_distance);
      if (overlap <= -parameters.range) {
        contact.force = {};
        contact.spring = {};
        continue;
      }
      const std::size_t k = block.count++;
      block.contact[k] = static_cast<Index>(next);
      block.normal.x[k] = side * normal.x;
      block.normal.y[k] = side * normal.y;
      block.normal.z[k] = side * normal.z;
      block.overlap[k] = overlap;
      block.inside[k] = overlap;
      begin_wall_contact<HasFriction>(parameters, particles, contact.particle,
                                      chunk.material[contact.wall], {}, {}, contact.spring, k,
                                      block);
    }
    evaluate_law<Normal, HasFriction, TrackEnergy>(parameters, block);
    for (std::size_t k = 0; k < block.count; ++k) {
      StaticPlaneContact& contact = chunk.contacts[block.contact[k]];
      add_wall_force<HasFriction>(parameters, particles, block, k);
      contact.force = {block.force.x[k], block.force.y[k], block.force.z[k]};
      if constexpr (HasFriction) contact.spring = spring_of(parameters, block, k);
    }
    if constexpr (TrackEnergy) accumulate_energy(block, energy);
  }
  return energy;
}
