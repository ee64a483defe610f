// Forces between particles. Included after contact_laws.inl.
//
// The pairs of a chunk pass through four stages in blocks of up to 64 contacts: `collect_contacts`
// selects the pairs of the neighbor list that are in range, `load_velocities` and `load_springs`
// read the data of their particles and their history, `evaluate_law` computes forces, and
// `add_forces` adds them to the particles.

/// The next pair to be tested.
struct PairCursor {
  Index particle;
  Index pair;
};

#if ABUT_FOUR_LANES

/// Components of four vectors, and their fourth values.
struct FourVectors {
  Row x, y, z, w;
};

/// The same half of two `Vec4`s, joined by the load instruction.
HWY_INLINE Row load_halves(const double* low, const double* high) {
  const hn::FixedTag<double, 2> half;
  return hn::Combine(RowTag(), hn::LoadU(half, high), hn::LoadU(half, low));
}

template <class Indices>
HWY_INLINE FourVectors gather_four(const Vec4* from, const Indices* index) {
  const Vec4& a = from[index[0]];
  const Vec4& b = from[index[1]];
  const Vec4& c = from[index[2]];
  const Vec4& d = from[index[3]];
  const Row xy_even = load_halves(&a.x, &c.x);
  const Row xy_odd = load_halves(&b.x, &d.x);
  const Row zw_even = load_halves(&a.z, &c.z);
  const Row zw_odd = load_halves(&b.z, &d.z);
  const RowTag tag;
  return {hn::InterleaveLower(tag, xy_even, xy_odd), hn::InterleaveUpper(tag, xy_even, xy_odd),
          hn::InterleaveLower(tag, zw_even, zw_odd), hn::InterleaveUpper(tag, zw_even, zw_odd)};
}

HWY_INLINE void store_four(Row row, double* to) { hn::StoreU(row, RowTag(), to); }

/// The translations of the periodic images of four pairs.
HWY_INLINE FourVectors image_shifts_of(const PairChunk& chunk, Index pair) {
  return gather_four(chunk.image_shifts, chunk.image + pair);
}

/// For each mask of four bits, the lanes that are set, in their order. (`hn::Compress` of
/// Highway 1.0 copies its tables to the stack with GCC, which takes longer than all the rest.)
template <class Lane>
constexpr std::array<std::array<Lane, 4>, 16> lanes_by_mask() {
  std::array<std::array<Lane, 4>, 16> table{};
  for (unsigned mask = 0; mask < 16; ++mask) {
    std::size_t count = 0;
    for (Lane lane = 0; lane < 4; ++lane)
      if ((mask >> static_cast<unsigned>(lane) & 1U) != 0) table[mask][count++] = lane;
  }
  return table;
}
alignas(32) constexpr auto selected_lanes = lanes_by_mask<std::int64_t>();
alignas(16) constexpr auto selected_indices = lanes_by_mask<Index>();

/// Appends pairs in range to the block until it is full or the chunk ends.
HWY_INLINE void collect_contacts(const ForceParameters& parameters, const ParticleArrays& particles,
                                 const PairChunk& chunk, PairCursor& cursor, ContactBlock& block) {
  const RowTag tag;
  const hn::FixedTag<Index, 4> index_tag;
  const Row range = splat_row(parameters.range);
  std::size_t count = 0;
  Index particle = cursor.particle;
  Index pair = cursor.pair;
  for (; particle < chunk.particle_end; ++particle) {
    const Index row_end = chunk.row_begin[particle + 1];
    if (pair == row_end) continue;
    const Vec4& center = particles.position[particle];
    const Row x = splat_row(center.x);
    const Row y = splat_row(center.y);
    const Row z = splat_row(center.z);
    const Row radius = splat_row(center.w);
    for (; pair < row_end && count < ContactBlock::max_count; pair += 4) {
      const FourVectors other = gather_four(particles.position, chunk.neighbors + pair);
      Row dx = x - other.x;
      Row dy = y - other.y;
      Row dz = z - other.z;
      if (chunk.image != nullptr) {
        std::uint64_t images;  // of four pairs
        std::memcpy(&images, chunk.image + pair, sizeof images);
        if (images != 0) {
          const FourVectors shift = image_shifts_of(chunk, pair);
          dx = dx - shift.x;
          dy = dy - shift.y;
          dz = dz - shift.z;
        }
      }
      const Row distance_squared = dx * dx + dy * dy + dz * dz;
      const Row cutoff = radius + other.w + range;
      const auto in_range = hn::And(hn::Le(distance_squared, cutoff * cutoff),
                                    hn::FirstN(tag, std::min<Index>(4, row_end - pair)));
      std::uint8_t bits = 0;
      hn::StoreMaskBits(tag, in_range, &bits);
      const auto lanes = hn::SetTableIndices(tag, selected_lanes[bits].data());
      store_four(hn::TableLookupLanes(dx, lanes), &block.normal.x[count]);
      store_four(hn::TableLookupLanes(dy, lanes), &block.normal.y[count]);
      store_four(hn::TableLookupLanes(dz, lanes), &block.normal.z[count]);
      store_four(hn::TableLookupLanes(distance_squared, lanes), &block.overlap[count]);
      store_four(hn::TableLookupLanes(other.w, lanes), &block.radius_b[count]);
      store_four(radius, &block.radius_a[count]);
      const auto indices = hn::Load(index_tag, selected_indices[bits].data());
      hn::StoreU(hn::Set(index_tag, pair) + indices, index_tag, &block.contact[count]);
      hn::StoreU(hn::TableLookupLanes(hn::LoadU(index_tag, chunk.neighbors + pair),
                                      hn::IndicesFromVec(index_tag, indices)),
                 index_tag, &block.b[count]);
      hn::StoreU(hn::Set(index_tag, particle), index_tag, &block.a[count]);
      count += hwy::PopCount(bits);
    }
    if (pair < row_end) break;  // the block is full
    pair = row_end;
  }
  block.count = count;
  cursor = {particle, pair};
}

/// Relative velocities and reduced masses of the contacts of a block.
template <bool HasFriction>
HWY_INLINE void load_velocities(const ForceParameters& parameters, const ParticleArrays& particles,
                                ContactBlock& block) {
  for (std::size_t at = 0; at < block.count; at += 4) {
    const FourVectors velocity_a = gather_four(particles.velocity, &block.a[at]);
    const FourVectors velocity_b = gather_four(particles.velocity, &block.b[at]);
    store_four(velocity_a.x - velocity_b.x, &block.velocity.x[at]);
    store_four(velocity_a.y - velocity_b.y, &block.velocity.y[at]);
    store_four(velocity_a.z - velocity_b.z, &block.velocity.z[at]);
    store_four(velocity_a.w + velocity_b.w, &block.mass[at]);
    if constexpr (HasFriction) {
      const FourVectors rotation_a = gather_four(particles.angular_velocity, &block.a[at]);
      const FourVectors rotation_b = gather_four(particles.angular_velocity, &block.b[at]);
      const Row radius_a = hn::LoadU(RowTag(), &block.radius_a[at]);
      const Row radius_b = hn::LoadU(RowTag(), &block.radius_b[at]);
      store_four(radius_a * rotation_a.x + radius_b * rotation_b.x, &block.surface_rotation.x[at]);
      store_four(radius_a * rotation_a.y + radius_b * rotation_b.y, &block.surface_rotation.y[at]);
      store_four(radius_a * rotation_a.z + radius_b * rotation_b.z, &block.surface_rotation.z[at]);
      if (parameters.has_rolling) {
        store_four(rotation_a.x - rotation_b.x, &block.angular_velocity.x[at]);
        store_four(rotation_a.y - rotation_b.y, &block.angular_velocity.y[at]);
        store_four(rotation_a.z - rotation_b.z, &block.angular_velocity.z[at]);
        store_four(rotation_a.w + rotation_b.w, &block.inertia[at]);
      }
    }
  }
}

/// Rows (x, y, z, 0) of four vectors.
struct FourRows {
  Row row[4];  // NOLINT(modernize-avoid-c-arrays): std::array would drop the vector attribute
};

HWY_INLINE FourRows rows_of(Row x, Row y, Row z) {
  const RowTag tag;
  const Row xy_even = hn::InterleaveLower(tag, x, y);
  const Row xy_odd = hn::InterleaveUpper(tag, x, y);
  const Row z_even = hn::InterleaveLower(tag, z, splat_row(0));
  const Row z_odd = hn::InterleaveUpper(tag, z, splat_row(0));
  return {{hn::ConcatLowerLower(tag, z_even, xy_even), hn::ConcatLowerLower(tag, z_odd, xy_odd),
           hn::ConcatUpperUpper(tag, z_even, xy_even), hn::ConcatUpperUpper(tag, z_odd, xy_odd)}};
}

HWY_INLINE Row load_four(const BlockValues& from, std::size_t at) {
  return hn::LoadU(RowTag(), &from[at]);
}

/// Adds to a and b of one contact after the other, so that sums do not depend on which contacts
/// form a block: several contacts may share a particle.
HWY_INLINE void add_to_both(const FourRows& to_a, const FourRows& to_b, Vec4* sums,
                            const ContactBlock& block, std::size_t at) {
  const std::size_t end = std::min<std::size_t>(4, block.count - at);
  for (std::size_t k = 0; k < end; ++k) {
    Vec4& sum_a = sums[block.a[at + k]];
    store_row(load_row(sum_a) + to_a.row[k], sum_a);
    Vec4& sum_b = sums[block.target_b[at + k]];
    store_row(load_row(sum_b) + to_b.row[k], sum_b);
  }
}

template <bool HasFriction>
HWY_INLINE void add_forces(const ForceParameters& parameters, const ParticleArrays& particles,
                           const ContactBlock& block) {
  for (std::size_t at = 0; at < block.count; at += 4) {
    const Row x = load_four(block.force.x, at);
    const Row y = load_four(block.force.y, at);
    const Row z = load_four(block.force.z, at);
    const Row minus = splat_row(-1);
    add_to_both(rows_of(x, y, z), rows_of(minus * x, minus * y, minus * z), particles.force, block,
                at);
    if constexpr (HasFriction) {
      const Row lever_x = load_four(block.lever_torque.x, at);
      const Row lever_y = load_four(block.lever_torque.y, at);
      const Row lever_z = load_four(block.lever_torque.z, at);
      const Row radius_a = load_four(block.radius_a, at);
      const Row radius_b = load_four(block.radius_b, at);
      Row rolling_x = splat_row(0);
      Row rolling_y = splat_row(0);
      Row rolling_z = splat_row(0);
      if (parameters.has_rolling) {
        rolling_x = load_four(block.rolling_torque.x, at);
        rolling_y = load_four(block.rolling_torque.y, at);
        rolling_z = load_four(block.rolling_torque.z, at);
      }
      add_to_both(rows_of(radius_a * lever_x + rolling_x, radius_a * lever_y + rolling_y,
                          radius_a * lever_z + rolling_z),
                  rows_of(radius_b * lever_x - rolling_x, radius_b * lever_y - rolling_y,
                          radius_b * lever_z - rolling_z),
                  particles.torque, block, at);
    }
  }
}

/// Springs of contacts that were touching in the previous evaluation; 0 for all others.
HWY_INLINE void load_springs(const PairChunk& chunk, const PairSpring* springs,
                             const ContactBlock& block, BlockVectors& to) {
  const hn::FixedTag<float, 4> tag;
  const hn::RebindToUnsigned<decltype(tag)> stamp_tag;
  const auto valid_stamp = hn::Set(stamp_tag, chunk.previous_stamp);
  for (std::size_t at = 0; at < block.count; at += 4) {
    const auto a = hn::LoadU(tag, &springs[block.contact[at]].x);
    const auto b = hn::LoadU(tag, &springs[block.contact[at + 1]].x);
    const auto c = hn::LoadU(tag, &springs[block.contact[at + 2]].x);
    const auto d = hn::LoadU(tag, &springs[block.contact[at + 3]].x);
    // 4 × 4 transposition: pairs (a, c) and (b, d), then their interleaving.
    const auto ac_xy = hn::InterleaveLower(tag, a, c);
    const auto ac_zw = hn::InterleaveUpper(tag, a, c);
    const auto bd_xy = hn::InterleaveLower(tag, b, d);
    const auto bd_zw = hn::InterleaveUpper(tag, b, d);
    const auto stamp = hn::BitCast(stamp_tag, hn::InterleaveUpper(tag, ac_zw, bd_zw));
    const auto valid = hn::RebindMask(tag, hn::Eq(stamp, valid_stamp));
    const auto x = hn::IfThenElseZero(valid, hn::InterleaveLower(tag, ac_xy, bd_xy));
    const auto y = hn::IfThenElseZero(valid, hn::InterleaveUpper(tag, ac_xy, bd_xy));
    const auto z = hn::IfThenElseZero(valid, hn::InterleaveLower(tag, ac_zw, bd_zw));
    store_four(hn::PromoteTo(RowTag(), x), &to.x[at]);
    store_four(hn::PromoteTo(RowTag(), y), &to.y[at]);
    store_four(hn::PromoteTo(RowTag(), z), &to.z[at]);
  }
}

#else

/// As above, one pair at a time.
HWY_INLINE void collect_contacts(const ForceParameters& parameters, const ParticleArrays& particles,
                                 const PairChunk& chunk, PairCursor& cursor, ContactBlock& block) {
  std::size_t count = 0;
  Index particle = cursor.particle;
  Index pair = cursor.pair;
  for (; particle < chunk.particle_end; ++particle) {
    const Index row_end = chunk.row_begin[particle + 1];
    const Vec4& center = particles.position[particle];
    for (; pair < row_end && count < ContactBlock::max_count; ++pair) {
      const Vec4& other = particles.position[chunk.neighbors[pair]];
      double dx = center.x - other.x;
      double dy = center.y - other.y;
      double dz = center.z - other.z;
      if (chunk.image != nullptr) {
        const Vec4& shift = chunk.image_shifts[chunk.image[pair]];
        dx -= shift.x;
        dy -= shift.y;
        dz -= shift.z;
      }
      const double distance_squared = dx * dx + dy * dy + dz * dz;
      const double cutoff = center.w + other.w + parameters.range;
      block.normal.x[count] = dx;
      block.normal.y[count] = dy;
      block.normal.z[count] = dz;
      block.overlap[count] = distance_squared;
      block.radius_a[count] = center.w;
      block.radius_b[count] = other.w;
      block.a[count] = particle;
      block.b[count] = chunk.neighbors[pair];
      block.contact[count] = pair;
      count += distance_squared <= cutoff * cutoff ? 1 : 0;
    }
    if (pair < row_end) break;  // the block is full
  }
  block.count = count;
  cursor = {particle, pair};
}

template <bool HasFriction>
HWY_INLINE void load_velocities(const ForceParameters& parameters, const ParticleArrays& particles,
                                ContactBlock& block) {
  for (std::size_t k = 0; k < block.count; ++k) {
    const Vec4& velocity_a = particles.velocity[block.a[k]];
    const Vec4& velocity_b = particles.velocity[block.b[k]];
    block.velocity.x[k] = velocity_a.x - velocity_b.x;
    block.velocity.y[k] = velocity_a.y - velocity_b.y;
    block.velocity.z[k] = velocity_a.z - velocity_b.z;
    block.mass[k] = velocity_a.w + velocity_b.w;
    if constexpr (HasFriction) {
      const Vec4& rotation_a = particles.angular_velocity[block.a[k]];
      const Vec4& rotation_b = particles.angular_velocity[block.b[k]];
      const double radius_a = block.radius_a[k];
      const double radius_b = block.radius_b[k];
      block.surface_rotation.x[k] = radius_a * rotation_a.x + radius_b * rotation_b.x;
      block.surface_rotation.y[k] = radius_a * rotation_a.y + radius_b * rotation_b.y;
      block.surface_rotation.z[k] = radius_a * rotation_a.z + radius_b * rotation_b.z;
      if (parameters.has_rolling) {
        block.angular_velocity.x[k] = rotation_a.x - rotation_b.x;
        block.angular_velocity.y[k] = rotation_a.y - rotation_b.y;
        block.angular_velocity.z[k] = rotation_a.z - rotation_b.z;
        block.inertia[k] = rotation_a.w + rotation_b.w;
      }
    }
  }
}

template <bool HasFriction>
HWY_INLINE void add_forces(const ForceParameters& parameters, const ParticleArrays& particles,
                           const ContactBlock& block) {
  for (std::size_t k = 0; k < block.count; ++k) {
    const Row force{block.force.x[k], block.force.y[k], block.force.z[k], 0};
    Vec4& force_a = particles.force[block.a[k]];
    force_a = force_a + force;
    Vec4& force_b = particles.force[block.target_b[k]];
    force_b = force_b - force;
    if constexpr (HasFriction) {
      const Row lever{block.lever_torque.x[k], block.lever_torque.y[k], block.lever_torque.z[k], 0};
      Row rolling{};
      if (parameters.has_rolling)
        rolling = {block.rolling_torque.x[k], block.rolling_torque.y[k], block.rolling_torque.z[k],
                   0};
      Vec4& torque_a = particles.torque[block.a[k]];
      torque_a = torque_a + (splat_row(block.radius_a[k]) * lever + rolling);
      Vec4& torque_b = particles.torque[block.target_b[k]];
      torque_b = torque_b + (splat_row(block.radius_b[k]) * lever - rolling);
    }
  }
}

HWY_INLINE void load_springs(const PairChunk& chunk, const PairSpring* springs,
                             const ContactBlock& block, BlockVectors& to) {
  for (std::size_t k = 0; k < block.count; ++k) {
    const PairSpring& spring = springs[block.contact[k]];
    const bool valid = spring.stamp == chunk.previous_stamp;
    to.x[k] = valid ? static_cast<double>(spring.x) : 0;
    to.y[k] = valid ? static_cast<double>(spring.y) : 0;
    to.z[k] = valid ? static_cast<double>(spring.z) : 0;
  }
}

#endif

HWY_INLINE void store_springs(const BlockVectors& from, const PairChunk& chunk,
                              const ContactBlock& block, PairSpring* springs) {
  for (std::size_t k = 0; k < block.count; ++k)
    springs[block.contact[k]] = {static_cast<float>(from.x[k]), static_cast<float>(from.y[k]),
                                 static_cast<float>(from.z[k]), chunk.stamp};
}

/// Target of the force on the second particle, and coefficients of each contact. The indices after
/// the last contact are those of the first: four contacts are read at a time.
template <bool HasFriction>
HWY_INLINE void complete_indices(const ForceParameters& parameters, const ParticleArrays& particles,
                                 const PairChunk& chunk, ContactBlock& block) {
  const std::size_t count = block.count;
  for (std::size_t k = 0; k < count; ++k) {
    const Index b = block.b[k];
    const Index slot = block.contact[k] + chunk.slot_offset[block.a[k]];
    block.target_b[k] = b < chunk.particle_end ? b : slot;
    hwy::Prefetch(&particles.velocity[b]);
    if constexpr (HasFriction) hwy::Prefetch(&particles.angular_velocity[b]);
  }
  if (parameters.coefficients->material_count > 1)
    for (std::size_t k = 0; k < count; ++k)
      block.coefficients[k] = parameters.coefficients->offset(particles.material[block.a[k]],
                                                              particles.material[block.b[k]]);
  for (std::size_t k = count; k < count + 3; ++k) {
    block.a[k] = block.a[0];
    block.b[k] = block.b[0];
    block.contact[k] = block.contact[0];
  }
}

/// Unit normal, overlap, surface velocity and reduced quantities of the contacts.
template <bool HasFriction>
HWY_INLINE void compute_geometry(const ForceParameters& parameters, bool has_radius,
                                 ContactBlock& block) {
  const Lanes one = splat(1);
  const Lanes zero = splat(0);
  for (std::size_t at = 0; at < block.count; at += hn::Lanes(LaneTag())) {
    const Lanes radius_a = load(&block.radius_a[at]);
    const Lanes radius_b = load(&block.radius_b[at]);
    const Lanes radii = radius_a + radius_b;
    const Lanes distance_squared = load(&block.overlap[at]);
    const Lanes distance = hn::Sqrt(distance_squared);
    const Lanes inverse_distance = select(hn::Gt(distance, zero), one / distance, zero);
    const VectorLanes normal = inverse_distance * load(block.normal, at);
    store(normal, block.normal, at);
    store(radii - distance, &block.overlap[at]);
    store(radii * radii - distance_squared, &block.inside[at]);
    store(one / load(&block.mass[at]), &block.mass[at]);
    if (has_radius) store(radius_a * radius_b / radii, &block.radius[at]);
    if constexpr (HasFriction) {
      store(load(block.velocity, at) - cross(load(block.surface_rotation, at), normal),
            block.velocity, at);
      if (parameters.has_rolling) store(one / load(&block.inertia[at]), &block.inertia[at]);
    }
  }
}

template <class Normal, bool HasFriction, bool TrackEnergy>
ContactEnergy pair_forces(const ForceParameters& parameters, const ParticleArrays& particles,
                          const PairChunk& chunk) {
  const bool has_radius = needs_radius<Normal>(*parameters.coefficients);
  ContactBlock block;
  ContactEnergy energy;
  PairCursor cursor{chunk.particle_begin, chunk.row_begin[chunk.particle_begin]};
  while (cursor.particle < chunk.particle_end) {
    collect_contacts(parameters, particles, chunk, cursor, block);
    if (block.count == 0) continue;
    complete_indices<HasFriction>(parameters, particles, chunk, block);
    load_velocities<HasFriction>(parameters, particles, block);
    if constexpr (HasFriction) {
      load_springs(chunk, chunk.friction_springs, block, block.friction_spring);
      if (parameters.has_rolling)
        load_springs(chunk, chunk.rolling_springs, block, block.rolling_spring);
    }
    compute_geometry<HasFriction>(parameters, has_radius, block);
    evaluate_law<Normal, HasFriction, TrackEnergy>(parameters, block);
    add_forces<HasFriction>(parameters, particles, block);
    if constexpr (HasFriction) {
      store_springs(block.friction_spring, chunk, block, chunk.friction_springs);
      if (parameters.has_rolling)
        store_springs(block.rolling_spring, chunk, block, chunk.rolling_springs);
    }
    if constexpr (TrackEnergy) accumulate_energy(block, energy);
  }
  return energy;
}
