// Forces between particles. Included after contact_response.inl.
//
// The pairs of a chunk that are in range are entered in a list of contacts (`append_in_range`).
// Groups of as many contacts as a vector has lanes then go from the arrays of particles to the sums
// of forces without any memory in between (`add_group`). Selecting the contacts first is not slower
// than evaluating all pairs even where most of them are touching.

/// The next pair of a chunk.
struct PairCursor {
  Index particle;
  Index pair;
};

/// Contacts in the order of their pairs. A vector may be written behind the last one.
struct ContactList {
  static constexpr std::size_t block_size = 128;  ///< the list is evaluated once it has so many
  static constexpr std::size_t capacity = block_size + 16;

  std::size_t count = 0;
  alignas(64) std::array<Index, capacity> a{};       ///< first particle
  alignas(64) std::array<Index, capacity> b{};       ///< second particle
  alignas(64) std::array<Index, capacity> pair{};    ///< index in the neighbor list
  alignas(64) std::array<Index, capacity> target{};  ///< where the force on b is added

  // As computed to select the contacts; only if `KeepGeometry`, see `pair_forces`. In m.
  alignas(64) std::array<double, capacity> x{};  ///< of the vector from b to a
  alignas(64) std::array<double, capacity> y{};
  alignas(64) std::array<double, capacity> z{};
  alignas(64) std::array<double, capacity> radius_a{};
  alignas(64) std::array<double, capacity> radius_b{};
};

// ---- data that will be needed soon, for simulations that are much larger than the caches

/// Number of particles by which their data are requested in advance. Together they fill about half
/// of the L2 cache; most neighbors of a particle are that close in memory.
constexpr Index prefetch_distance = 2048;

/// Number of pairs by which positions of the other neighbors are requested in advance.
constexpr Index pair_prefetch_distance = 48;

/// Requests two particles, whose data share cache lines.
HWY_INLINE void prefetch_particle(const ParticleArrays& particles, const PairChunk& chunk,
                                  Index particle) {
  particle = std::min(particle, chunk.last_particle);
  hwy::Prefetch(&particles.position[particle]);
  hwy::Prefetch(&particles.velocity[particle]);
  hwy::Prefetch(&particles.force[particle]);
  if (chunk.friction_springs == nullptr) return;
  hwy::Prefetch(&particles.angular_velocity[particle]);
  hwy::Prefetch(&particles.torque[particle]);
}

/// Requests the positions of the second particles of four pairs.
HWY_INLINE void prefetch_positions(const ParticleArrays& particles, const PairChunk& chunk,
                                   Index pair) {
  const Index* const neighbors = chunk.neighbors + std::min(pair, chunk.last_pair);
  for (std::size_t k = 0; k < 4; ++k) hwy::Prefetch(&particles.position[neighbors[k]]);
}

/// A vector and the fourth value of a `Vec4`, in each lane.
struct Vec4Lanes {
  VectorLanes vector;
  Lanes w;
};

#if ABUT_FOUR_LANES

using IndexTag = hn::FixedTag<Index, 4>;
using Indices = hn::Vec<IndexTag>;

/// Enters four pairs (a, b) of a row; the list then grows by up to four.
HWY_INLINE void enter(Indices a, Indices b, Indices pair, const PairChunk& chunk, Index slot_offset,
                      std::size_t at, ContactList& list) {
  const IndexTag tag;
  const hn::RebindToSigned<IndexTag> signed_tag;  // compared faster; there are less than 2³¹
  const auto is_own = hn::RebindMask(
      tag, hn::Lt(hn::BitCast(signed_tag, b),
                  hn::Set(signed_tag, static_cast<std::int32_t>(chunk.particle_end))));
  hn::StoreU(a, tag, &list.a[at]);
  hn::StoreU(b, tag, &list.b[at]);
  hn::StoreU(pair, tag, &list.pair[at]);
  hn::StoreU(hn::IfThenElse(is_own, b, pair + hn::Set(tag, slot_offset)), tag, &list.target[at]);
}

/// The same half of two `Vec4`s, joined by the load instruction.
HWY_INLINE Row load_halves(const double* low, const double* high) {
  const hn::FixedTag<double, 2> half;
  return hn::Combine(RowTag(), hn::LoadU(half, high), hn::LoadU(half, low));
}

/// Components of four vectors, and their fourth values.
struct FourVectors {
  Row x, y, z, w;
};

template <class Number>
HWY_INLINE FourVectors gather_four(const Vec4* from, const Number* index) {
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

/// The translations of the periodic images of four pairs.
HWY_INLINE FourVectors image_shifts_of(const PairChunk& chunk, Index pair) {
  return gather_four(chunk.image_shifts, chunk.image + pair);
}

/// For each mask of four bits, the lanes that are set, in their order. (`hn::Compress` of
/// Highway 1.0 copies its tables to the stack with GCC, which takes longer than all the rest.)
constexpr std::array<std::array<Index, 4>, 16> lanes_by_mask() {
  std::array<std::array<Index, 4>, 16> table{};
  for (unsigned mask = 0; mask < 16; ++mask) {
    std::size_t count = 0;
    for (Index lane = 0; lane < 4; ++lane)
      if ((mask >> lane & 1U) != 0) table[mask][count++] = lane;
  }
  return table;
}
alignas(16) constexpr auto selected_lanes = lanes_by_mask();

/// Likewise, as numbers of halves of lanes.
constexpr std::array<std::array<std::uint32_t, 8>, 16> halves_by_mask() {
  std::array<std::array<std::uint32_t, 8>, 16> table{};
  const auto lanes = lanes_by_mask();
  for (std::size_t mask = 0; mask < 16; ++mask)
    for (std::size_t half = 0; half < 8; ++half)
      table[mask][half] = 2 * lanes[mask][half / 2] + half % 2;
  return table;
}
alignas(32) constexpr auto selected_halves = halves_by_mask();

/// Appends the lanes of `bits`; the list then grows by up to four.
HWY_INLINE void enter_geometry(const FourVectors& difference, Row radius_a, Row radius_b,
                               unsigned bits, std::size_t at, ContactList& list) {
  const RowTag tag;
  const hn::FixedTag<float, 8> half_tag;
  const auto halves = hn::IndicesFromVec(
      half_tag, hn::Load(hn::RebindToUnsigned<decltype(half_tag)>(), selected_halves[bits].data()));
  const auto store_selected = [&](Row row, double* to) HWY_ATTR {
    hn::StoreU(hn::BitCast(tag, hn::TableLookupLanes(hn::BitCast(half_tag, row), halves)), tag, to);
  };
  store_selected(difference.x, &list.x[at]);
  store_selected(difference.y, &list.y[at]);
  store_selected(difference.z, &list.z[at]);
  hn::StoreU(radius_a, tag, &list.radius_a[at]);
  store_selected(radius_b, &list.radius_b[at]);
}

/// The masks of the first 0, 1, … 4 lanes.
constexpr std::array<std::uint8_t, 5> first_bits{0, 1, 3, 7, 15};

/// Appends the next pairs in range until a block is full or the chunk ends.
template <bool KeepGeometry>
HWY_INLINE void append_in_range(const ForceParameters& parameters, const ParticleArrays& particles,
                                const PairChunk& chunk, PairCursor& cursor, ContactList& list) {
  const RowTag tag;
  const IndexTag index_tag;
  const Row range = splat_row(parameters.range);
  std::size_t count = list.count;
  Index particle = cursor.particle;
  Index pair = cursor.pair;
  for (; particle < chunk.particle_end; ++particle) {
    const Index row_end = chunk.row_begin[particle + 1];
    if (chunk.is_large && particle % 2 == 0)
      prefetch_particle(particles, chunk, particle + prefetch_distance);
    if (pair == row_end) continue;
    const Vec4& center = particles.position[particle];
    const Row x = splat_row(center.x);
    const Row y = splat_row(center.y);
    const Row z = splat_row(center.z);
    const Row radius = splat_row(center.w);
    const Index slot_offset = chunk.slot_offset[particle];
    for (; pair < row_end && count < ContactList::block_size; pair += 4) {
      if (chunk.is_large) prefetch_positions(particles, chunk, pair + pair_prefetch_distance);
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
      std::uint8_t in_range = 0;
      hn::StoreMaskBits(tag, hn::Le(distance_squared, cutoff * cutoff), &in_range);
      const unsigned bits = in_range & first_bits[std::min<Index>(4, row_end - pair)];
      const Indices lanes = hn::Load(index_tag, selected_lanes[bits].data());
      const Indices b = hn::TableLookupLanes(hn::LoadU(index_tag, chunk.neighbors + pair),
                                             hn::IndicesFromVec(index_tag, lanes));
      enter(hn::Set(index_tag, particle), b, hn::Set(index_tag, pair) + lanes, chunk, slot_offset,
            count, list);
      if constexpr (KeepGeometry)
        enter_geometry({dx, dy, dz, distance_squared}, radius, other.w, bits, count, list);
      count += hwy::PopCount(bits);
    }
    if (pair < row_end) break;  // the block is full
    pair = row_end;
  }
  list.count = count;
  cursor = {particle, pair};
}

/// The lanes of the first four contacts, or those of the second four.
template <std::size_t Part>
HWY_INLINE Row part_of(const Lanes& lanes) {
#if HWY_MAX_BYTES >= 64
  if constexpr (Part == 0) return hn::LowerHalf(RowTag(), lanes);
  return hn::UpperHalf(RowTag(), lanes);
#else
  return Part == 0 ? lanes.low : lanes.high;
#endif
}

HWY_INLINE Lanes joined(Row low, Row high) {
#if HWY_MAX_BYTES >= 64
  return hn::Combine(LaneTag(), high, low);
#else
  return {low, high};
#endif
}

/// The vectors with the given indices.
HWY_INLINE Vec4Lanes gather(const Vec4* from, const Index* index) {
  const FourVectors low = gather_four(from, index);
  const FourVectors high = gather_four(from, index + 4);
  return {{joined(low.x, high.x), joined(low.y, high.y), joined(low.z, high.z)},
          joined(low.w, high.w)};
}

template <std::size_t Part, class Visit>
HWY_INLINE void for_each_row_of(const VectorLanes& vectors, const Visit& visit) {
  const RowTag tag;
  const Row x = part_of<Part>(vectors.x);
  const Row y = part_of<Part>(vectors.y);
  const Row z = part_of<Part>(vectors.z);
  const Row xy_even = hn::InterleaveLower(tag, x, y);
  const Row xy_odd = hn::InterleaveUpper(tag, x, y);
  const Row z_even = hn::InterleaveLower(tag, z, splat_row(0));
  const Row z_odd = hn::InterleaveUpper(tag, z, splat_row(0));
  visit(4 * Part, hn::ConcatLowerLower(tag, z_even, xy_even));
  visit(4 * Part + 1, hn::ConcatLowerLower(tag, z_odd, xy_odd));
  visit(4 * Part + 2, hn::ConcatUpperUpper(tag, z_even, xy_even));
  visit(4 * Part + 3, hn::ConcatUpperUpper(tag, z_odd, xy_odd));
}

/// Calls visit(lane, row) with rows (x, y, z, 0), in the order of the lanes.
template <class Visit>
HWY_INLINE void for_each_row(const VectorLanes& vectors, const Visit& visit) {
  for_each_row_of<0>(vectors, visit);
  for_each_row_of<1>(vectors, visit);
}

/// Springs of four pairs; those that were not touching in the previous evaluation have none.
HWY_INLINE FourVectors load_four_springs(const PairSpring* springs, std::uint32_t valid_stamp,
                                         const Index* pair) {
  const hn::FixedTag<float, 4> tag;
  const hn::RebindToUnsigned<decltype(tag)> stamp_tag;
  const auto a = hn::LoadU(tag, &springs[pair[0]].x);
  const auto b = hn::LoadU(tag, &springs[pair[1]].x);
  const auto c = hn::LoadU(tag, &springs[pair[2]].x);
  const auto d = hn::LoadU(tag, &springs[pair[3]].x);
  // 4 × 4 transposition: pairs (a, c) and (b, d), then their interleaving.
  const auto ac_xy = hn::InterleaveLower(tag, a, c);
  const auto ac_zw = hn::InterleaveUpper(tag, a, c);
  const auto bd_xy = hn::InterleaveLower(tag, b, d);
  const auto bd_zw = hn::InterleaveUpper(tag, b, d);
  const auto stamp = hn::BitCast(stamp_tag, hn::InterleaveUpper(tag, ac_zw, bd_zw));
  const auto valid = hn::RebindMask(tag, hn::Eq(stamp, hn::Set(stamp_tag, valid_stamp)));
  const auto x = hn::IfThenElseZero(valid, hn::InterleaveLower(tag, ac_xy, bd_xy));
  const auto y = hn::IfThenElseZero(valid, hn::InterleaveUpper(tag, ac_xy, bd_xy));
  const auto z = hn::IfThenElseZero(valid, hn::InterleaveLower(tag, ac_zw, bd_zw));
  return {hn::PromoteTo(RowTag(), x), hn::PromoteTo(RowTag(), y), hn::PromoteTo(RowTag(), z),
          splat_row(0)};
}

HWY_INLINE VectorLanes load_springs(const PairSpring* springs, std::uint32_t valid_stamp,
                                    const Index* pair) {
  const FourVectors low = load_four_springs(springs, valid_stamp, pair);
  const FourVectors high = load_four_springs(springs, valid_stamp, pair + 4);
  return {joined(low.x, high.x), joined(low.y, high.y), joined(low.z, high.z)};
}

template <std::size_t Part, class Store>
HWY_INLINE void store_four_springs(const VectorLanes& from, std::uint32_t stamp,
                                   const Store& store_spring) {
  const hn::FixedTag<float, 4> tag;
  const auto x = hn::DemoteTo(tag, part_of<Part>(from.x));
  const auto y = hn::DemoteTo(tag, part_of<Part>(from.y));
  const auto z = hn::DemoteTo(tag, part_of<Part>(from.z));
  const auto w = hn::BitCast(tag, hn::Set(hn::RebindToUnsigned<decltype(tag)>(), stamp));
  const auto xz_low = hn::InterleaveLower(tag, x, z);
  const auto xz_high = hn::InterleaveUpper(tag, x, z);
  const auto yw_low = hn::InterleaveLower(tag, y, w);
  const auto yw_high = hn::InterleaveUpper(tag, y, w);
  store_spring(4 * Part, hn::InterleaveLower(tag, xz_low, yw_low));
  store_spring(4 * Part + 1, hn::InterleaveUpper(tag, xz_low, yw_low));
  store_spring(4 * Part + 2, hn::InterleaveLower(tag, xz_high, yw_high));
  store_spring(4 * Part + 3, hn::InterleaveUpper(tag, xz_high, yw_high));
}

/// Stores the springs of the given pairs.
HWY_INLINE void store_springs(const VectorLanes& from, std::uint32_t stamp, const Index* pair,
                              PairSpring* springs) {
  const auto store_spring = [&](std::size_t k, auto spring) HWY_ATTR {
    hn::StoreU(spring, hn::FixedTag<float, 4>(), &springs[pair[k]].x);
  };
  store_four_springs<0>(from, stamp, store_spring);
  store_four_springs<1>(from, stamp, store_spring);
}

#else

// As above, for vectors of one or two lanes.

HWY_INLINE void enter(Index a, Index pair, const PairChunk& chunk, std::size_t at,
                      ContactList& list) {
  const Index b = chunk.neighbors[pair];
  list.a[at] = a;
  list.b[at] = b;
  list.pair[at] = pair;
  list.target[at] = b < chunk.particle_end ? b : pair + chunk.slot_offset[a];
}

template <bool KeepGeometry>
HWY_INLINE void append_in_range(const ForceParameters& parameters, const ParticleArrays& particles,
                                const PairChunk& chunk, PairCursor& cursor, ContactList& list) {
  std::size_t count = list.count;
  Index particle = cursor.particle;
  Index pair = cursor.pair;
  for (; particle < chunk.particle_end; ++particle) {
    const Index row_end = chunk.row_begin[particle + 1];
    const Vec4& center = particles.position[particle];
    for (; pair < row_end && count < ContactList::block_size; ++pair) {
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
      enter(particle, pair, chunk, count, list);
      if constexpr (KeepGeometry) {
        list.x[count] = dx;
        list.y[count] = dy;
        list.z[count] = dz;
        list.radius_a[count] = center.w;
        list.radius_b[count] = other.w;
      }
      count += distance_squared <= cutoff * cutoff ? 1 : 0;
    }
    if (pair < row_end) break;  // the block is full
  }
  list.count = count;
  cursor = {particle, pair};
}

HWY_INLINE Vec4Lanes gather(const Vec4* from, const Index* index) {
#if HWY_MAX_BYTES >= 16
  const LaneTag tag;
  const Vec4& a = from[index[0]];
  const Vec4& b = from[index[1]];
  const Lanes xy_a = hn::LoadU(tag, &a.x);
  const Lanes xy_b = hn::LoadU(tag, &b.x);
  const Lanes zw_a = hn::LoadU(tag, &a.z);
  const Lanes zw_b = hn::LoadU(tag, &b.z);
  return {{hn::InterleaveLower(tag, xy_a, xy_b), hn::InterleaveUpper(tag, xy_a, xy_b),
           hn::InterleaveLower(tag, zw_a, zw_b)},
          hn::InterleaveUpper(tag, zw_a, zw_b)};
#else
  const Vec4& one = from[index[0]];
  return {{splat(one.x), splat(one.y), splat(one.z)}, splat(one.w)};
#endif
}

/// The lanes of vectors in memory.
struct StoredVectors {
  alignas(16) std::array<double, lane_count> x{};
  alignas(16) std::array<double, lane_count> y{};
  alignas(16) std::array<double, lane_count> z{};

  explicit HWY_INLINE StoredVectors(const VectorLanes& vectors) {
    store(vectors.x, x.data());
    store(vectors.y, y.data());
    store(vectors.z, z.data());
  }
};

template <class Visit>
HWY_INLINE void for_each_row(const VectorLanes& vectors, const Visit& visit) {
  const StoredVectors stored(vectors);
  for (std::size_t k = 0; k < lane_count; ++k)
    visit(k, Row{stored.x[k], stored.y[k], stored.z[k], 0});
}

HWY_INLINE VectorLanes load_springs(const PairSpring* springs, std::uint32_t valid_stamp,
                                    const Index* pair) {
  StoredVectors stored(zero_vector());
  for (std::size_t k = 0; k < lane_count; ++k) {
    const PairSpring& spring = springs[pair[k]];
    if (spring.stamp != valid_stamp) continue;
    stored.x[k] = static_cast<double>(spring.x);
    stored.y[k] = static_cast<double>(spring.y);
    stored.z[k] = static_cast<double>(spring.z);
  }
  return {load(stored.x.data()), load(stored.y.data()), load(stored.z.data())};
}

HWY_INLINE void store_springs(const VectorLanes& from, std::uint32_t stamp, const Index* pair,
                              PairSpring* springs) {
  const StoredVectors stored(from);
  for (std::size_t k = 0; k < lane_count; ++k)
    springs[pair[k]] = {static_cast<float>(stored.x[k]), static_cast<float>(stored.y[k]),
                        static_cast<float>(stored.z[k]), stamp};
}

#endif

/// The translations of the periodic images of the given pairs; most are 0.
HWY_INLINE VectorLanes image_shifts(const PairChunk& chunk, const Index* pair) {
  alignas(64) std::array<Index, lane_count> image;
  Index any = 0;
  for (std::size_t k = 0; k < lane_count; ++k) {
    image[k] = chunk.image[pair[k]];
    any |= image[k];
  }
  return any == 0 ? zero_vector() : gather(chunk.image_shifts, image.data()).vector;
}

/// The coefficients of a contact per lane.
template <class Normal>
struct CoefficientLoader {
  const double* table;                    ///< values of `CoefficientTable`
  bool is_common;                         ///< all contacts have the same coefficients
  AllCoefficients<Lanes, Normal> common;  ///< of the first pair of materials

  explicit HWY_INLINE CoefficientLoader(const CoefficientTable& coefficients)
      : table(coefficients.values.data()),
        is_common(coefficients.material_count == 1),
        common(make_all_coefficients<Lanes, Normal>([this](std::size_t k)
                                                        HWY_ATTR { return splat(table[k]); })) {}

  /// With the positions of the coefficients in the table.
  [[nodiscard]] HWY_INLINE AllCoefficients<Lanes, Normal> load_from(
      const std::int64_t* positions) const {
    if (is_common) return common;
    return make_all_coefficients<Lanes, Normal>(
        [&](std::size_t k) HWY_ATTR { return gather(table + k, positions); });
  }
};

/// What is constant while the pairs of a chunk are evaluated.
template <class Normal>
struct PairEvaluation {
  const ForceParameters& parameters;
  const ParticleArrays& particles;
  const PairChunk& chunk;
  CoefficientLoader<Normal> coefficients;
  AllCoefficients<bool, Normal> any;
  bool has_radius;

  HWY_INLINE PairEvaluation(const ForceParameters& forces, const ParticleArrays& arrays,
                            const PairChunk& pairs)
      : parameters(forces),
        particles(arrays),
        chunk(pairs),
        coefficients(*forces.coefficients),
        any(any_nonzero<Normal>(*forces.coefficients)),
        has_radius(needs_radius<Normal>(*forces.coefficients)) {}

  [[nodiscard]] HWY_INLINE AllCoefficients<Lanes, Normal> coefficients_of(const Index* a,
                                                                          const Index* b) const {
    if (coefficients.is_common) return coefficients.common;
    alignas(64) std::array<std::int64_t, lane_count> offset;
    for (std::size_t k = 0; k < lane_count; ++k)
      offset[k] =
          parameters.coefficients->offset(particles.material[a[k]], particles.material[b[k]]);
    return coefficients.load_from(offset.data());
  }
};

/// Adds the energies of the first `size` contacts of a group, in their order.
template <class Response>
HWY_INLINE void add_energies(const Response& response, std::size_t size, ContactEnergy& sum) {
  alignas(64) std::array<double, lane_count> normal;
  alignas(64) std::array<double, lane_count> tangential;
  alignas(64) std::array<double, lane_count> dissipated;
  store(response.normal_energy, normal.data());
  store(response.tangential_energy, tangential.data());
  store(response.dissipated, dissipated.data());
  for (std::size_t k = 0; k < size; ++k) sum += {normal[k], tangential[k], dissipated[k]};
}

/// Adds r_a L + T to the torques on a, and r_b L − T to those on b, where L is the cross product of
/// tangential force and normal, and T the rolling torque on a, if there is one.
HWY_INLINE void add_torques(const ParticleArrays& particles, const VectorLanes& lever,
                            const VectorLanes* rolling, const Index* a, const Index* b,
                            const Index* target) {
  const auto radius = [&](Index particle)
                          HWY_ATTR { return splat_row(particles.position[particle].w); };
  if (rolling == nullptr) {
    for_each_row(lever, [&](std::size_t k, Row row) HWY_ATTR {
      Vec4& on_a = particles.torque[a[k]];
      store_row(load_row(on_a) + radius(a[k]) * row, on_a);
      Vec4& on_b = particles.torque[target[k]];
      store_row(load_row(on_b) + radius(b[k]) * row, on_b);
    });
    return;
  }
  Row rolling_rows[lane_count];  // NOLINT(modernize-avoid-c-arrays)
  for_each_row(*rolling, [&](std::size_t k, Row row) HWY_ATTR { rolling_rows[k] = row; });
  for_each_row(lever, [&](std::size_t k, Row row) HWY_ATTR {
    Vec4& on_a = particles.torque[a[k]];
    store_row(load_row(on_a) + (radius(a[k]) * row + rolling_rows[k]), on_a);
    Vec4& on_b = particles.torque[target[k]];
    store_row(load_row(on_b) + (radius(b[k]) * row - rolling_rows[k]), on_b);
  });
}

/// Evaluates the contacts `at`, `at` + 1, … of a list, as many as a vector has lanes, and adds
/// the forces of the first `size` of them; the others must be copies of the first. One contact is
/// added after the other, so that sums do not depend on the groups: several contacts may share a
/// particle.
template <class Normal, bool HasFriction, bool TrackEnergy, bool KeepGeometry>
HWY_INLINE void add_group(const PairEvaluation<Normal>& with, const ContactList& list,
                          std::size_t at, std::size_t size, ContactEnergy& energy) {
  const ForceParameters& parameters = with.parameters;
  const ParticleArrays& particles = with.particles;
  const PairChunk& chunk = with.chunk;
  const Index* const a = &list.a[at];
  const Index* const b = &list.b[at];
  const Index* const pair = &list.pair[at];
  const Index* const target = &list.target[at];
  const Lanes zero = splat(0);
  const Lanes one = splat(1);

  VectorLanes difference = zero_vector();  // NEON: vectors have no implicit default constructor
  Lanes radius_a;
  Lanes radius_b;
  if constexpr (KeepGeometry) {
    difference = {load(&list.x[at]), load(&list.y[at]), load(&list.z[at])};
    radius_a = load(&list.radius_a[at]);
    radius_b = load(&list.radius_b[at]);
  } else {
    const Vec4Lanes position_a = gather(particles.position, a);
    const Vec4Lanes position_b = gather(particles.position, b);
    difference = position_a.vector - position_b.vector;
    if (chunk.image != nullptr) difference = difference - image_shifts(chunk, pair);
    radius_a = position_a.w;
    radius_b = position_b.w;
  }
  const Lanes distance_squared = dot(difference, difference);
  const Lanes distance = square_root(distance_squared);
  const Lanes radii = radius_a + radius_b;

  ContactGeometry contact{};
  contact.normal = select(is_greater(distance, zero), one / distance, zero) * difference;
  contact.overlap = radii - distance;
  contact.touching = is_greater(radii * radii - distance_squared, zero);
  const Vec4Lanes velocity_a = gather(particles.velocity, a);
  const Vec4Lanes velocity_b = gather(particles.velocity, b);
  contact.velocity = velocity_a.vector - velocity_b.vector;
  contact.mass = one / (velocity_a.w + velocity_b.w);
  // {} does not set vectors of NEON.
  contact.radius = zero;
  contact.inertia = zero;
  contact.angular_velocity = zero_vector();
  if (with.has_radius) contact.radius = radius_a * radius_b / radii;
  ContactSprings spring{};
  spring.friction = zero_vector();
  spring.rolling = zero_vector();
  if constexpr (HasFriction) {
    const Vec4Lanes rotation_a = gather(particles.angular_velocity, a);
    const Vec4Lanes rotation_b = gather(particles.angular_velocity, b);
    const VectorLanes surface = radius_a * rotation_a.vector + radius_b * rotation_b.vector;
    contact.velocity = contact.velocity - cross(surface, contact.normal);
    spring.friction = load_springs(chunk.friction_springs, chunk.previous_stamp, pair);
    if (parameters.has_rolling) {
      contact.angular_velocity = rotation_a.vector - rotation_b.vector;
      contact.inertia = one / (rotation_a.w + rotation_b.w);
      spring.rolling = load_springs(chunk.rolling_springs, chunk.previous_stamp, pair);
    }
  }
  contact.separation_speed = dot(contact.velocity, contact.normal);

  const auto response = contact_response<Normal, HasFriction, TrackEnergy>(
      with.any, with.coefficients_of(a, b), contact, parameters.time_step, spring);
  VectorLanes force = response.normal_force * contact.normal;
  VectorLanes lever = zero_vector();
  VectorLanes rolling = zero_vector();
  if constexpr (HasFriction) {
    force = force + response.tangential_force;
    lever = cross(response.tangential_force, contact.normal);
    rolling = response.torque;
  }
  if (size < lane_count) {
    const Mask included = first_lanes(size);
    force = select(included, force, zero_vector());
    lever = select(included, lever, zero_vector());
    rolling = select(included, rolling, zero_vector());
  }
  for_each_row(force, [&](std::size_t k, Row row) HWY_ATTR {
    Vec4& on_a = particles.force[a[k]];
    store_row(load_row(on_a) + row, on_a);
    Vec4& on_b = particles.force[target[k]];
    store_row(load_row(on_b) - row, on_b);
  });
  if constexpr (HasFriction) {
    add_torques(particles, lever, parameters.has_rolling ? &rolling : nullptr, a, b, target);
    store_springs(spring.friction, chunk.stamp, pair, chunk.friction_springs);
    if (parameters.has_rolling)
      store_springs(spring.rolling, chunk.stamp, pair, chunk.rolling_springs);
  }
  if constexpr (TrackEnergy) add_energies(response, size, energy);
}

/// Data of the second particles that `add_group` will read and that are not in the cache yet.
template <bool HasFriction>
HWY_INLINE void prefetch_velocities(const ParticleArrays& particles, const ContactList& list,
                                    std::size_t first) {
  for (std::size_t at = first; at < list.count; at += 4)  // entries after the last one are valid
    for (std::size_t k = at; k < at + 4; ++k) {
      hwy::Prefetch(&particles.velocity[list.b[k]]);
      if constexpr (HasFriction) hwy::Prefetch(&particles.angular_velocity[list.b[k]]);
    }
}

/// Copies a contact.
template <bool KeepGeometry>
HWY_INLINE void copy(std::size_t from, std::size_t to, ContactList& list) {
  if constexpr (KeepGeometry)
    for (auto* values : {&list.x, &list.y, &list.z, &list.radius_a, &list.radius_b})
      (*values)[to] = (*values)[from];
  list.a[to] = list.a[from];
  list.b[to] = list.b[from];
  list.pair[to] = list.pair[from];
  list.target[to] = list.target[from];
}

template <class Normal, bool HasFriction, bool TrackEnergy>
ContactEnergy pair_forces(const ForceParameters& parameters, const ParticleArrays& particles,
                          const PairChunk& chunk) {
  // Not with friction: keeping the geometry of all pairs would cost more than gathering the
  // positions again where few pairs of the list are in range.
  constexpr bool keep_geometry = !HasFriction;
  const PairEvaluation<Normal> with(parameters, particles, chunk);
  ContactList list;
  ContactEnergy energy;
  PairCursor cursor{chunk.particle_begin, chunk.row_begin[chunk.particle_begin]};
  while (cursor.particle < chunk.particle_end) {
    const std::size_t first_new = list.count;
    append_in_range<keep_geometry>(parameters, particles, chunk, cursor, list);
    prefetch_velocities<HasFriction>(particles, list, first_new);
    // The last group may be incomplete; any other one waits for the next contacts.
    const std::size_t incomplete = list.count % lane_count;
    const std::size_t first_incomplete = list.count - incomplete;
    std::size_t end = first_incomplete;
    if (cursor.particle == chunk.particle_end && incomplete > 0) {
      end += lane_count;
      for (std::size_t k = list.count; k < end; ++k) copy<keep_geometry>(first_incomplete, k, list);
    }
    for (std::size_t at = 0; at < end; at += lane_count)
      add_group<Normal, HasFriction, TrackEnergy, keep_geometry>(
          with, list, at, std::min(lane_count, list.count - at), energy);
    for (std::size_t k = 0; k < incomplete; ++k) copy<keep_geometry>(first_incomplete + k, k, list);
    list.count = incomplete;
  }
  return energy;
}
