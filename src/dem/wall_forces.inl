// Forces between particles and walls, in blocks of contacts. Included after pair_forces.inl.

/// Lanes of consecutive contacts of a block.
HWY_INLINE VectorLanes load(const BlockVectors& from, std::size_t at) {
  return {load(&from.x[at]), load(&from.y[at]), load(&from.z[at])};
}

HWY_INLINE void store(const VectorLanes& vectors, BlockVectors& to, std::size_t at) {
  store(vectors.x, &to.x[at]);
  store(vectors.y, &to.y[at]);
  store(vectors.z, &to.z[at]);
}

/// Evaluates the law for all contacts of a block: forces, torques, springs and energies. The lanes
/// after the last contact hold no contact; their results are not used.
template <class Normal, bool HasFriction, bool TrackEnergy>
void evaluate_law(const ForceParameters& parameters, ContactBlock& block) {
  const CoefficientLoader<Normal> coefficients(*parameters.coefficients);
  const AllCoefficients<bool, Normal> any = any_nonzero<Normal>(*parameters.coefficients);
  const bool has_radius = needs_radius<Normal>(*parameters.coefficients);
  for (std::size_t at = 0; at < block.count; at += lane_count) {
    const AllCoefficients<Lanes, Normal> lanes = coefficients.load_from(&block.coefficients[at]);
    ContactGeometry contact{};
    contact.normal = load(block.normal, at);
    contact.overlap = load(&block.overlap[at]);
    contact.velocity = load(block.velocity, at);
    contact.mass = load(&block.mass[at]);
    contact.touching = is_greater(contact.overlap, splat(0));
    contact.separation_speed = dot(contact.velocity, contact.normal);
    // {} does not set vectors of NEON.
    contact.radius = splat(0);
    contact.inertia = splat(0);
    contact.angular_velocity = zero_vector();
    if (has_radius) contact.radius = load(&block.radius[at]);
    ContactSprings spring{};
    spring.friction = zero_vector();
    spring.rolling = zero_vector();
    if constexpr (HasFriction) {
      spring.friction = load(block.friction_spring, at);
      if (parameters.has_rolling) {
        contact.angular_velocity = load(block.angular_velocity, at);
        contact.inertia = load(&block.inertia[at]);
        spring.rolling = load(block.rolling_spring, at);
      }
    }
    const auto response = contact_response<Normal, HasFriction, TrackEnergy>(
        any, lanes, contact, parameters.time_step, spring);
    VectorLanes force = response.normal_force * contact.normal;
    if constexpr (HasFriction) {
      force = force + response.tangential_force;
      store(cross(response.tangential_force, contact.normal), block.lever_torque, at);
      store(spring.friction, block.friction_spring, at);
      if (parameters.has_rolling) {
        store(response.torque, block.rolling_torque, at);
        store(spring.rolling, block.rolling_spring, at);
      }
    }
    store(force, block.force, at);
    if constexpr (TrackEnergy) {
      store(response.normal_energy, &block.normal_energy[at]);
      store(response.tangential_energy, &block.tangential_energy[at]);
      store(response.dissipated, &block.dissipated[at]);
    }
  }
}

/// Adds the energies of the contacts of a block, in their order.
HWY_INLINE void accumulate_energy(const ContactBlock& block, ContactEnergy& sum) {
  for (std::size_t k = 0; k < block.count; ++k)
    sum += {block.normal_energy[k], block.tangential_energy[k], block.dissipated[k]};
}

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
  block.particle[k] = particle;
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
  Vec4& force = particles.force[block.particle[k]];
  force = {force.x + block.force.x[k], force.y + block.force.y[k], force.z + block.force.z[k],
           force.w};
  if constexpr (HasFriction) {
    Vec4& torque = particles.torque[block.particle[k]];
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
