// Forces between particles, four pairs at a time. Included after contact_laws.inl.

/// Four pairs between the stages of the kernel.
template <bool HasFriction, bool TrackEnergy>
struct ContactBatch {
  LaneIndices a;
  LaneIndices target_b;  ///< index of b in the force array, or a slot
  Lanes radius_a, radius_b;
  ContactGeometry contact;
  VectorLanes force;
  VectorLanes torque_a, torque_b;
};

/// Forces of the pairs of a chunk. A block of 16 batches goes through the stages geometry, forces
/// and scatter together: batches of a stage are independent, so that square roots and divisions
/// overlap.
template <class Normal, bool HasFriction, bool TrackEnergy>
struct PairKernel {
  static constexpr std::size_t batches_per_block = 16;  ///< fits into the L1 cache
  using Batches = std::array<ContactBatch<HasFriction, TrackEnergy>, batches_per_block>;

  const ForceParameters& parameters;
  const ParticleArrays& particles;
  const PairChunk& chunk;
  CoefficientLanes common_coefficients;  ///< of all pairs if there is one material
  Index slot;
  ContactEnergy energy{};

  /// The coefficients of four pairs, stored in `own` unless they are common to all pairs.
  ABUT_INLINE const CoefficientLanes& coefficients_for(const LaneIndices& a, const LaneIndices& b,
                                                       CoefficientLanes& own) const {
    if (parameters.coefficients->material_count == 1) return common_coefficients;
    std::array<const ContactCoefficients*, 4> pairs;
    for (std::size_t j = 0; j < 4; ++j)
      pairs[j] =
          &parameters.coefficients->between(particles.material[a[j]], particles.material[b[j]]);
    own = load_coefficients(pairs);
    return own;
  }

  /// Replaces b by the next slot if b is not in this chunk.
  ABUT_INLINE void assign_targets(LaneIndices& b, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) {
      const bool own = b[j] < chunk.particle_end;
      b[j] = own ? b[j] : slot;
      slot += own ? 0 : 1;
    }
  }

  /// Subtracts the translations of the periodic images of b.
  ABUT_INLINE void apply_image_shift(std::size_t at, std::size_t count,
                                     VectorLanes& difference) const {
    LaneIndices images{};
    for (std::size_t j = 0; j < count; ++j) images[j] = chunk.image[at + j];
    Lanes unused;
    difference = difference - gather(chunk.image_shifts, images, unused);
  }

  /// Prefetches the data of particle b of a pair.
  ABUT_INLINE void prefetch(std::size_t at) const {
    const Index b = chunk.pairs[at].b;
    __builtin_prefetch(&particles.position[b]);
    __builtin_prefetch(&particles.velocity[b]);
    if constexpr (HasFriction) __builtin_prefetch(&particles.angular_velocity[b]);
  }

  /// Geometry of pairs at … at + count − 1, at most four.
  ABUT_INLINE void compute_geometry(std::size_t at, std::size_t count,
                                    ContactBatch<HasFriction, TrackEnergy>& batch) {
    LaneIndices b;
    for (std::size_t j = 0; j < 4; ++j) {
      const Pair& pair = chunk.pairs[at + (j < count ? j : 0)];
      batch.a[j] = pair.a;
      b[j] = pair.b;
    }
    const LaneIndices& a = batch.a;
    Lanes radius_a;
    Lanes radius_b;
    VectorLanes difference =
        gather(particles.position, a, radius_a) - gather(particles.position, b, radius_b);
    if (chunk.image != nullptr) apply_image_shift(at, count, difference);
    const Lanes distance_squared = dot(difference, difference);
    const Lanes radii = radius_a + radius_b;
    ContactGeometry& contact = batch.contact;
    const Mask valid = count == 4 ? ~Mask{} : first_lanes(count);
    contact.touching = valid & (distance_squared < radii * radii);
    contact.in_range = contact.touching;
    if (parameters.has_cohesion) {
      CoefficientLanes own;
      const Lanes range = radii + coefficients_for(a, b, own).cohesion_range;
      contact.in_range = valid & (distance_squared <= range * range);
    }
    const Lanes distance = square_root(distance_squared);
    const Lanes zero = splat(0);
    const Lanes inverse_distance = distance > zero ? splat(1) / distance : zero;
    contact.normal = inverse_distance * difference;
    contact.overlap = radii - distance;
    Lanes inverse_mass_a;
    Lanes inverse_mass_b;
    contact.velocity = gather(particles.velocity, a, inverse_mass_a) -
                       gather(particles.velocity, b, inverse_mass_b);
    contact.mass = splat(1) / (inverse_mass_a + inverse_mass_b);
    if (Normal::needs_radius || parameters.has_rolling)
      contact.radius = radius_a * radius_b / radii;
    if constexpr (HasFriction) {
      Lanes inverse_inertia_a;
      Lanes inverse_inertia_b;
      const VectorLanes angular_velocity_a =
          gather(particles.angular_velocity, a, inverse_inertia_a);
      const VectorLanes angular_velocity_b =
          gather(particles.angular_velocity, b, inverse_inertia_b);
      contact.velocity =
          contact.velocity -
          cross(radius_a * angular_velocity_a + radius_b * angular_velocity_b, contact.normal);
      if (parameters.has_rolling) {
        contact.angular_velocity = angular_velocity_a - angular_velocity_b;
        contact.inertia = splat(1) / (inverse_inertia_a + inverse_inertia_b);
      }
      batch.radius_a = radius_a;
      batch.radius_b = radius_b;
    }
    batch.target_b = b;
    assign_targets(batch.target_b, count);
  }

  /// Forces and torques of the same pairs.
  ABUT_INLINE void compute_forces(std::size_t at, std::size_t count,
                                  ContactBatch<HasFriction, TrackEnergy>& batch) {
    const ContactGeometry& contact = batch.contact;
    LaneIndices b;
    for (std::size_t j = 0; j < 4; ++j) b[j] = chunk.pairs[at + (j < count ? j : 0)].b;
    CoefficientLanes own;
    const CoefficientLanes& coefficients = coefficients_for(batch.a, b, own);
    ContactSprings spring{};
    if constexpr (HasFriction) {
      spring.friction = load_springs(chunk.spring.data(), at, count);
      if (parameters.has_rolling) spring.rolling = load_springs(chunk.spring.data() + 3, at, count);
    }
    const auto response = contact_response<Normal, HasFriction, TrackEnergy>(
        parameters, coefficients, contact, spring);
    batch.force = response.normal_force * contact.normal;
    if constexpr (HasFriction) {
      batch.force = batch.force + response.tangential_force;
      store_springs(spring.friction, chunk.spring.data(), at, count);
      if (parameters.has_rolling) store_springs(spring.rolling, chunk.spring.data() + 3, at, count);
      const VectorLanes lever_torque = cross(response.tangential_force, contact.normal);
      batch.torque_a = batch.radius_a * lever_torque + response.torque;
      batch.torque_b = batch.radius_b * lever_torque - response.torque;
    }
    if constexpr (TrackEnergy) {
      const Mask valid = first_lanes(count);
      accumulate(response, valid, energy);
    }
  }

  /// Adds the forces and torques to the particles and slots.
  ABUT_INLINE void scatter(std::size_t count,
                           const ContactBatch<HasFriction, TrackEnergy>& batch) const {
    scatter_add(batch.force, splat(-1) * batch.force, particles.force, batch.a, batch.target_b,
                count);
    if constexpr (HasFriction)
      scatter_add(batch.torque_a, batch.torque_b, particles.torque, batch.a, batch.target_b, count);
  }

  /// All stages for pairs first … last − 1, at most as many as fit into `batches`.
  ABUT_INLINE void process_block(std::size_t first, std::size_t last, Batches& batches) {
    const auto each = [&](const auto& stage) {
      std::size_t batch = 0;
      for (std::size_t at = first; at + 4 <= last; at += 4) stage(at, 4, batches[batch++]);
      if (const std::size_t remainder = (last - first) % 4; remainder > 0)
        stage(last - remainder, remainder, batches[batch]);
    };
    for (std::size_t at = last; at < std::min(chunk.count, last + 4 * batches_per_block); ++at)
      prefetch(at);
    each([&](std::size_t at, std::size_t count, auto& batch) {
      compute_geometry(at, count, batch);
    });
    each([&](std::size_t at, std::size_t count, auto& batch) { compute_forces(at, count, batch); });
    each([&](std::size_t, std::size_t count, auto& batch) { scatter(count, batch); });
  }
};

template <class Normal, bool HasFriction, bool TrackEnergy>
ContactEnergy pair_forces(const ForceParameters& parameters, const ParticleArrays& particles,
                          const PairChunk& chunk) {
  using Kernel = PairKernel<Normal, HasFriction, TrackEnergy>;
  Kernel kernel{parameters, particles, chunk,
                load_coefficients(parameters.coefficients->pairs.front()), chunk.first_slot};
  typename Kernel::Batches batches;
  for (std::size_t at = 0; at < chunk.count; at += 4 * Kernel::batches_per_block)
    kernel.process_block(at, std::min(chunk.count, at + 4 * Kernel::batches_per_block), batches);
  return kernel.energy;
}
