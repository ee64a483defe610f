// The loops declared in kernel.hpp. Included by kernel.cpp after kernel_lanes.inl, in the namespace
// of an instruction set.

// Part 1. Prefilter: which particles may be within their cutoff of a facet?

// The coordinates of up to `width` particles, and one more number of each.
// The constructors of structures of vectors are written out, since GCC compiles implicit ones for
// ARM64 without the instruction set of this namespace.
template <std::size_t D>
struct ParticleLanes {
  Doubles x[D];  // NOLINT(*-avoid-c-arrays): std::array would lose the alignment
  Doubles scalar;
  ParticleLanes() {}  // NOLINT(modernize-use-equals-default): see above
};

template <std::size_t D>
HWY_INLINE ParticleLanes<D> load_particles(const std::array<const double*, D>& coordinates,
                                           const double* scalar, std::size_t i) {
  ParticleLanes<D> particles;
  for (std::size_t k = 0; k < D; ++k) particles.x[k] = load(coordinates[k] + i);
  particles.scalar = load(scalar + i);
  return particles;
}

// The particles first … last−1, fewer than `width`; the last one also in the lanes that remain,
// since nothing may be read past the end of the arrays.
template <std::size_t D>
HWY_INLINE ParticleLanes<D> load_last_particles(const std::array<const double*, D>& coordinates,
                                                const double* scalar, std::size_t first,
                                                std::size_t last) {
  std::array<std::uint16_t, width> indices;
  for (std::size_t lane = 0; lane < width; ++lane)
    indices[lane] = static_cast<std::uint16_t>(std::min(first + lane, last - 1));
  ParticleLanes<D> particles;
  for (std::size_t k = 0; k < D; ++k) particles.x[k] = gather(coordinates[k], indices.data());
  particles.scalar = gather(scalar, indices.data());
  return particles;
}

using Bits = hn::Vec<BitsTag>;

// Makes lanes of `invalid` negative where a number is not finite or too large, or a radius too
// small. The bit patterns of positive doubles are ordered like the numbers, with infinity and NaN
// last; compared as integers they need no branch.
template <std::size_t D>
HWY_INLINE void flag_invalid(const ParticleLanes<D>& particles, Bits& invalid) {
  const BitsTag tag;
  const Bits magnitude = hn::Set(tag, std::numeric_limits<std::int64_t>::max());
  const Bits max = hn::Set(tag, std::bit_cast<std::int64_t>(max_length));
  const Bits min = hn::Set(tag, std::bit_cast<std::int64_t>(min_length));
  for (std::size_t k = 0; k < D; ++k)
    invalid = hn::Or(invalid, max - hn::And(hn::BitCast(tag, particles.x[k]), magnitude));
  const Bits radius = hn::BitCast(tag, particles.scalar);
  invalid = hn::Or(invalid, hn::Or(radius, hn::Or(max - radius, radius - min)));
}

template <std::size_t D>
bool load_block(const double* radius, double tolerance_factor, double margin,
                ParticleBlock<D>& block) {
  static_assert(ParticleBlock<D>::capacity % width == 0);
  constexpr std::size_t prefetch_distance = 2 * ParticleBlock<D>::capacity;  // in particles
  const std::array<const double*, D> coordinates = block.coordinates;
  const std::size_t size = block.size;
  const Doubles factor = splat(tolerance_factor);
  const Doubles margins = splat(margin);
  Bits invalid = hn::Zero(BitsTag());
  std::size_t i = 0;
  for (; i + width <= size; i += width) {
    __builtin_prefetch(radius + i + prefetch_distance);
    for (std::size_t k = 0; k < D; ++k) __builtin_prefetch(coordinates[k] + i + prefetch_distance);
    const ParticleLanes<D> particles = load_particles(coordinates, radius, i);
    flag_invalid(particles, invalid);
    store(particles.scalar * factor + margins, &block.cutoff[i]);
  }
  if (i < size) {
    const ParticleLanes<D> particles = load_last_particles(coordinates, radius, i, size);
    flag_invalid(particles, invalid);
    store(particles.scalar * factor + margins, &block.cutoff[i]);
  }
  return hn::AllFalse(BitsTag(), hn::Lt(invalid, hn::Zero(BitsTag())));
}

// The parameters of a distance grid in every lane.
template <std::size_t D>
struct GridLanes {
  Doubles min[D];  // NOLINT(*-avoid-c-arrays): std::array would lose the alignment
  Doubles max_position[D];
  Doubles stride[D];
  Doubles cells_per_length;

  HWY_INLINE explicit GridLanes(const DistanceGridView<D>& grid) {
    for (std::size_t k = 0; k < D; ++k) {
      min[k] = splat(grid.min[k]);
      max_position[k] = splat(grid.max_position[k]);
      stride[k] = splat(static_cast<double>(grid.stride[k]));
    }
    cells_per_length = splat(grid.cells_per_length);
  }
};

// False where the distance grid proves that no facet is within the cutoff: with d the distance of
// the cell center from the nearest facet and o the offset from the cell center, that is
// d − cutoff > o. `steps` is d in steps of the grid, `squared_offset` is o² in cells², and the
// cutoff is in cells.
template <std::size_t D>
HWY_INLINE DoubleMask may_touch(Doubles steps, Doubles squared_offset, Doubles cutoff) {
  constexpr double cells_per_step = 1 / DistanceGridView<D>::steps_per_cell;
  const Doubles remaining = take_max(steps * splat(cells_per_step) - cutoff, splat(0));
  return hn::Le(remaining * remaining, squared_offset);
}

// Bit of a lane: whether a facet may be within the cutoff. Particles outside the grid are moved
// onto its boundary.
template <std::size_t D>
HWY_INLINE unsigned near_bits(const GridLanes<D>& grid, const std::uint8_t* distance_steps,
                              const ParticleLanes<D>& particles) {
  Doubles cell;
  Doubles squared_offset;
  for (std::size_t k = 0; k < D; ++k) {
    const Doubles position =
        take_min(take_max((particles.x[k] - grid.min[k]) * grid.cells_per_length, splat(0)),
                 grid.max_position[k]);
    const Doubles cell_coordinate = round_down(position);
    const Doubles offset = position - cell_coordinate - splat(0.5);
    const Doubles squared = offset * offset;
    squared_offset = k == 0 ? squared : squared_offset + squared;
    cell = k == 0 ? cell_coordinate
                  : cell + cell_coordinate * grid.stride[k];  // the first stride is 1
  }
  std::array<std::uint32_t, width> cells;
  store_integers(cell, cells);
  const Doubles steps = make_doubles(
      [&](std::size_t lane) HWY_ATTR { return std::int32_t{distance_steps[cells[lane]]}; });
  return mask_bits(DoubleTag(),
                   may_touch<D>(steps, squared_offset, particles.scalar * grid.cells_per_length));
}

// For every mask of four bits: the indices of the set bits, packed with 16 bits each, and
// their number.
struct LaneSelection {
  std::uint64_t lanes;
  std::size_t count;
};
constexpr std::array<LaneSelection, 16> lane_selections = [] {
  std::array<LaneSelection, 16> table{};
  for (unsigned mask = 0; mask < 16; ++mask)
    for (unsigned lane = 0; lane < 4; ++lane)
      if ((mask >> lane & 1U) != 0)
        table[mask].lanes |= std::uint64_t{lane} << (16 * table[mask].count++);
  return table;
}();

template <std::size_t D>
void prefilter(const DistanceGridView<D>& grid, const ParticleBlock<D>& block,
               Selection& selection) {
  const GridLanes<D> grid_lanes(grid);
  // Copies, because the compiler must assume that stores to the selection may change the originals.
  const std::uint8_t* const distance_steps = grid.distance_steps;
  const std::array<const double*, D> coordinates = block.coordinates;
  const std::size_t block_size = block.size;
  std::size_t size = 0;
  const auto append = [&](std::size_t i, unsigned bits) HWY_ATTR {
    constexpr std::uint64_t ones = 0x0001000100010001;
    const LaneSelection& selected = lane_selections[bits];
    const std::uint64_t indices = selected.lanes + i * ones;
    __builtin_memcpy(&selection.indices[size], &indices, sizeof(indices));
    size += selected.count;
  };
  std::size_t i = 0;
  for (; i + width <= block_size; i += width)
    append(i, near_bits(grid_lanes, distance_steps,
                        load_particles(coordinates, block.cutoff.data(), i)));
  if (i < block_size) {
    const unsigned in_block = (1U << (block_size - i)) - 1;
    append(i, in_block &
                  near_bits(grid_lanes, distance_steps,
                            load_last_particles(coordinates, block.cutoff.data(), i, block_size)));
  }
  selection.size = size;
}

// Particles and the grid cells they lie in; lengths in units of the cell size.
template <std::size_t D>
struct CellLanes {
  Doubles offset[D];  // from the cell center; NOLINT(*-avoid-c-arrays): as above
  Doubles cutoff;
  DoubleMask slab_is_valid;  // inside the grid, and the cutoff is within the range of the slabs
  std::array<std::uint32_t, width> cell;
  CellLanes() {}  // NOLINT(modernize-use-equals-default): see above
};

template <std::size_t D>
HWY_INLINE void find_cells(const DistanceGridView<D>& grid, const GridLanes<D>& grid_lanes,
                           const ParticleBlock<D>& block, const std::uint16_t* indices,
                           CellLanes<D>& lanes) {
  lanes.cutoff = gather(block.cutoff.data(), indices) * grid_lanes.cells_per_length;
  DoubleMask is_valid = hn::Le(lanes.cutoff, splat(DistanceGridView<D>::slab_range));
  Doubles cell = splat(0);
  for (std::size_t k = 0; k < D; ++k) {
    const Doubles position =
        (gather(block.coordinates[k], indices) - grid_lanes.min[k]) * grid_lanes.cells_per_length;
    const Doubles inside = take_min(take_max(position, splat(0)), grid_lanes.max_position[k]);
    is_valid = hn::And(is_valid, hn::Eq(inside, position));
    const Doubles cell_coordinate = round_down(inside);
    lanes.offset[k] = inside - cell_coordinate - splat(0.5);
    cell = cell + cell_coordinate * grid_lanes.stride[k];
  }
  lanes.slab_is_valid = is_valid;
  store_integers(cell, lanes.cell);
  for (const std::uint32_t index : lanes.cell) __builtin_prefetch(grid.slabs + index);
}

// Result of testing particles against the slabs of their cells.
struct CapLanes {
  unsigned candidates;  // bit of a lane: whether facets may be within the cutoff
  alignas(32) std::array<double, width> plane_distance;
  // Of the slab normal in the direction of the wall: −1 or 1; 0 if unknown.
  alignas(16) std::array<std::int32_t, width> sign;
};

template <std::size_t D>
HWY_INLINE void test_slabs(const DistanceGridView<D>& grid, const CellLanes<D>& lanes,
                           CapLanes& caps) {
  const auto slab = [&](std::size_t lane)
                        HWY_ATTR -> const CellSlab& { return grid.slabs[lanes.cell[lane]]; };
  Doubles height = splat(0);
  Doubles squared_offset = splat(0);
  for (std::size_t k = 0; k < D; ++k) {
    const Doubles normal =
        make_doubles([&](std::size_t lane) HWY_ATTR { return std::int32_t{slab(lane).normal[k]}; });
    height = height + normal * lanes.offset[k];
    squared_offset = squared_offset + lanes.offset[k] * lanes.offset[k];
  }
  const Doubles above = height - make_doubles([&](std::size_t lane) HWY_ATTR {
                          return std::int32_t{slab(lane).high};
                        });
  const Doubles below =
      make_doubles([&](std::size_t lane) HWY_ATTR { return std::int32_t{slab(lane).low}; }) -
      height;
  const Doubles steps = make_doubles(
      [&](std::size_t lane) HWY_ATTR { return std::int32_t{slab(lane).distance_steps}; });
  const Doubles separation = take_max(above, below);
  const DoubleMask is_far = hn::And(
      lanes.slab_is_valid, hn::Gt(separation, lanes.cutoff * splat(CellSlab::max_normal_length)));
  caps.candidates = mask_bits(DoubleTag(), may_touch<D>(steps, squared_offset, lanes.cutoff)) &
                    ~mask_bits(DoubleTag(), is_far);
  hn::Store(separation / lanes.cutoff, DoubleTag(), caps.plane_distance.data());
  const Doubles sign = hn::IfThenElse(hn::Gt(above, below), splat(-1), splat(1));
  const DoubleMask is_known = hn::And(lanes.slab_is_valid, hn::Gt(separation, splat(0)));
  hn::Store(hn::DemoteTo(IntTag(), hn::IfThenElseZero(is_known, sign)), IntTag(), caps.sign.data());
}

// The slabs are often not in cache: all are prefetched before the first is used.
template <std::size_t D>
void refine(const DistanceGridView<D>& grid, const ParticleBlock<D>& block, Selection& selection) {
  const std::size_t old_size = selection.size;
  selection.has_caps = true;
  if (old_size == 0) return;
  std::array<CellLanes<D>, ParticleBlock<D>::capacity / width> all;
  const GridLanes<D> grid_lanes(grid);
  for (std::size_t j = old_size; j % width != 0; ++j) selection.indices[j] = selection.indices[0];
  for (std::size_t j = 0; j < old_size; j += width)
    find_cells(grid, grid_lanes, block, &selection.indices[j], all[j / width]);
  std::size_t size = 0;
  for (std::size_t j = 0; j < old_size; j += width) {
    const CellLanes<D>& lanes = all[j / width];
    CapLanes caps;
    test_slabs(grid, lanes, caps);
    for (std::size_t lane = 0; lane < width; ++lane) {
      const CellSlab& slab = grid.slabs[lanes.cell[lane]];
      SphericalCap& cap = selection.caps[size];
      for (std::size_t k = 0; k < D; ++k)
        cap.axis[k] = static_cast<std::int8_t>(slab.normal[k] * caps.sign[lane]);
      cap.plane_distance = static_cast<float>(caps.plane_distance[lane]);
      selection.indices[size] = selection.indices[j + lane];
      size += caps.candidates >> lane & (j + lane < old_size ? 1U : 0U);
    }
  }
  selection.size = size;
}

// Part 2. Facet packets: which of eight facets may be within the cutoff of a particle?

// normal·x + offset for the eight facets of a packet
template <std::size_t D>
HWY_INLINE Float8 signed_distances(const typename Packet<D>::Side& side,
                                   const std::array<float, D>& position) {
  Float8 result = Lanes8::load(side.offset.data());
  for (std::size_t k = 0; k < D; ++k)
    result = result + Lanes8::load(side.normal[k].data()) * Lanes8::splat(position[k]);
  return result;
}

// A particle relative to the eight facets of a packet, in units of the packet's scale.
template <std::size_t D>
struct PacketDistances {
  alignas(32) std::array<float, 8> height;  // signed distance from the planes of the facets
  alignas(32) std::array<float, 8> inside;  // minimum over the sides: negative outside
  float cutoff;
  float inverse_cutoff;
};

// Returns which facets may be within the cutoff.
template <std::size_t D>
HWY_INLINE Lanes8::Mask measure_packet(const Packet<D>& packet, const Point<D>& center,
                                       double cutoff, PacketDistances<D>& distances) {
  std::array<float, D> position;
  for (std::size_t k = 0; k < D; ++k)
    position[k] = static_cast<float>((center[k] - packet.center[k]) * packet.inverse_scale);
  const double scaled_cutoff = cutoff * packet.inverse_scale;
  const auto limit = static_cast<float>(scaled_cutoff + packet.slack * (1 + scaled_cutoff));
  const Float8 height = signed_distances<D>(packet.plane, position);
  Float8 inside = signed_distances<D>(packet.sides[0], position);
  for (std::size_t k = 1; k < D; ++k)
    inside = take_min(signed_distances<D>(packet.sides[k], position), inside);
  const Float8 beyond = take_min(inside, Lanes8::splat(0));
  Lanes8::store(height, distances.height.data());
  Lanes8::store(inside, distances.inside.data());
  distances.cutoff = static_cast<float>(scaled_cutoff);
  return height * height + beyond * beyond <= Lanes8::splat(limit * limit);
}

// In units of the packet's scale: beyond it, single precision is not sufficient.
constexpr double max_float_cutoff = 1e6;

template <std::size_t D>
unsigned facets_within(const Packet<D>& packet, const Point<D>& center, double cutoff) {
  if (!(cutoff * packet.inverse_scale < max_float_cutoff)) return packet.occupied;
  PacketDistances<D> distances;
  return Lanes8::mask_bits(measure_packet(packet, center, cutoff, distances)) & packet.occupied;
}

// With n the unit axis of the cap, h the distance of its plane and the cutoff as unit of length, a
// point of the cap is center + a·n + b with h ≤ a ≤ 1, b perpendicular to n and |b| ≤ √(1 − h²).
// Along coordinate k the box has center_k + n_k·(1 + h)/2 as its center and
// |n_k|·(1 − h)/2 + √(1 − n_k²)·√(1 − h²) as its half extent.
// Single precision suffices if h is reduced by the slack.
template <std::size_t D>
HWY_INLINE void bound_cap(const WallQuery<D>& query, CapBox<D>& box) {
  constexpr float slack = 4e-6F;
  const auto& cap_axis = query.cap.axis;
  int squared_length = 0;
  for (std::size_t k = 0; k < D; ++k) squared_length += cap_axis[k] * cap_axis[k];
  const auto squared = static_cast<float>(squared_length);
  const bool is_known = squared > 0;
  const float inverse_squared = 1 / (is_known ? squared : 1.0F);
  const float inverse_length = square_root(inverse_squared);
  float plane = (is_known ? query.cap.plane_distance : 0.0F) * inverse_length - slack;
  plane = plane > 0 ? plane : 0.0F;
  plane = plane < 1 ? plane : 1.0F;
  const float radius = square_root(1 - plane * plane) + slack;
  const Float4 axis = Lanes4::from_integers(cap_axis.data());
  // Rounding errors of −2⁻²² must not make it negative.
  const Float4 squared_sine =
      Lanes4::splat(1) - axis * axis * Lanes4::splat(inverse_squared) + Lanes4::splat(1e-6F);
  const Float4 radial = take_sqrt(squared_sine);
  const Float4 magnitude = take_abs(axis) * Lanes4::splat(inverse_length);
  const Float4 half_extent = magnitude * Lanes4::splat(0.5F * (1 - plane)) +
                             radial * Lanes4::splat(radius) + Lanes4::splat(2 * slack);
  const Float4 center_offset = axis * Lanes4::splat(inverse_length * 0.5F * (1 + plane));
  alignas(16) std::array<float, 4> half_extents;
  alignas(16) std::array<float, 4> center_offsets;
  Lanes4::store(half_extent, half_extents.data());
  Lanes4::store(center_offset, center_offsets.data());
  for (std::size_t k = 0; k < D; ++k) {
    box.center[k] = query.center[k] + query.cutoff * static_cast<double>(center_offsets[k]);
    box.half_extent[k] = query.cutoff * static_cast<double>(half_extents[k]);
  }
}

template <std::size_t D>
void bound_caps(std::span<const WallQuery<D>> queries, CapBox<D>* boxes) {
  for (std::size_t i = 0; i < queries.size(); ++i) bound_cap(queries[i], boxes[i]);
}

constexpr std::size_t max_packets = 16;

// Packets whose boxes intersect the box of a query. `count` is max_packets + 1 if there are too
// many to list.
struct PacketHits {
  std::size_t count;
  std::array<std::uint32_t, max_packets + 1> packets;
};

template <std::size_t D>
HWY_INLINE void find_packets(const PacketView<D>& view, const PacketQuery<D>& query,
                             PacketHits& hits) {
  const Float4 box_center = Lanes4::load(query.box_center.data());
  const Float4 half_extent = Lanes4::load(query.box_half_extent.data());
  std::size_t count = 0;
  hits.packets[0] = 0;
  for (const std::uint32_t packet : query.packets) {
    const PacketBox& box = view.boxes[packet];
    const Float4 distance = take_abs(box_center - Lanes4::load(box.center.data()));
    const Float4 range = Lanes4::load(box.half_extent.data()) + half_extent;
    hits.packets[count] = packet;
    count += Lanes4::mask_bits(range < distance) == 0 ? 1U : 0U;
    if (count > max_packets) break;
  }
  hits.count = count;
}

HWY_INLINE void prefetch(const char* bytes, std::size_t size) {
  for (std::size_t i = 0; i < size; i += 64) __builtin_prefetch(bytes + i);
}
template <std::size_t D>
HWY_INLINE void prefetch(const Packet<D>& packet) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the bytes of the packet
  prefetch(reinterpret_cast<const char*>(&packet), sizeof(packet));
}

// The nearest facet onto whose interior the center projects. Lengths in units of the cutoff.
template <std::size_t D>
struct NearestFace {
  std::size_t packet = 0;  // index in the list of hits
  unsigned lane = 0;
  float distance = no_face;
  std::array<float, D> normal{};  // unit, toward the center
  static constexpr float no_face = 2;
};

// The nearest face in each lane, and the index of its packet in the list of hits.
struct NearestFaceLanes {
  Float8 distance;
  Float8 packet;
};

template <std::size_t D>
HWY_INLINE void update_nearest_faces(const PacketDistances<D>& distances, Lanes8::Mask within,
                                     std::size_t packet, float slack, NearestFaceLanes& faces) {
  const Float8 distance =
      take_abs(Lanes8::load(distances.height.data())) * Lanes8::splat(distances.inverse_cutoff);
  const Lanes8::Mask projects_inside =
      Lanes8::splat(slack * distances.cutoff) < Lanes8::load(distances.inside.data());
  const Lanes8::Mask nearer = both(both(within, projects_inside), distance < faces.distance);
  faces.distance = select(nearer, distance, faces.distance);
  faces.packet = select(nearer, Lanes8::splat(static_cast<float>(packet)), faces.packet);
}

// Bit of a lane: whether resolving the contact with the face resolves the overlap with the facet of
// that lane too, so that the facet is not a contact. With the cutoff as unit of length, let the
// face be at distance s and the other facet at distance t, its closest point a height k
// above the plane of the face. The face displaces the sphere by 1 − s along its normal, which
// separates it from the other facet if
//
//     t − 1 + (1 − s)·(s − k)/t ≥ 0,   or   t·(1 − t) ≤ (s − k)·(1 − s).
//
// For t ≥ ½ the left side decreases with t, so a lower bound of t suffices. For k: the closest
// point lies in the plane of the facet, at most √(1 − h²) from the projection of the center
// onto that plane, where h is the height of the center above it. With φ the angle between the
// planes,
//
//     s − k ≥ h·cos φ − √(1 − h²)·sin φ.
//
// k ≥ 0 may be assumed, hence no facet that passes is closer than s.
template <std::size_t D>
HWY_INLINE unsigned resolved_by_face(const Packet<D>& packet, const PacketDistances<D>& distances,
                                     const NearestFace<D>& face, float slack) {
  const Float8 zero = Lanes8::splat(0);
  const Float8 one = Lanes8::splat(1);
  const Float8 inverse_cutoff = Lanes8::splat(distances.inverse_cutoff);
  const Float8 signed_height = Lanes8::load(distances.height.data());
  Float8 cosine = Lanes8::load(packet.plane.normal[0].data()) * Lanes8::splat(face.normal[0]);
  for (std::size_t k = 1; k < D; ++k)
    cosine = cosine + Lanes8::load(packet.plane.normal[k].data()) * Lanes8::splat(face.normal[k]);
  cosine = select(signed_height < zero, negated(cosine), cosine);
  const Float8 height = take_abs(signed_height) * inverse_cutoff;
  const Float8 beyond = take_min(Lanes8::load(distances.inside.data()), zero) * inverse_cutoff;
  constexpr float rounding = 1e-6F;  // of the squared cosine of single-precision normals
  const Float8 squared_sine_term = (one - height * height + Lanes8::splat(4 * slack)) *
                                   (one - cosine * cosine + Lanes8::splat(rounding));
  const Float8 sine_term = take_sqrt(take_max(squared_sine_term, zero));
  const Float8 lift =  // lower bound of s − k
      take_min(height * cosine - sine_term, Lanes8::splat(face.distance));
  const Float8 distance = take_sqrt(height * height + beyond * beyond) - Lanes8::splat(slack);
  const Lanes8::Mask resolved = distance * (one - distance) <=
                                lift * Lanes8::splat(1 - face.distance) - Lanes8::splat(4 * slack);
  return Lanes8::mask_bits(both(resolved, Lanes8::splat(0.5F) <= distance));
}

// One query measured against all packets that it hits.
template <std::size_t D>
struct QueryDistances {
  std::array<PacketDistances<D>, max_packets> packets;
  std::array<unsigned, max_packets> within;  // bit j: facet j of the packet
  std::array<float, max_packets> slack;      // rounding error, as a fraction of the cutoff
};

template <std::size_t D>
HWY_INLINE NearestFace<D> nearest_face(const PacketView<D>& view, const PacketHits& hits,
                                       const QueryDistances<D>& distances,
                                       const NearestFaceLanes& faces) {
  NearestFace<D> face;
  face.distance = std::min(Lanes8::minimum(faces.distance), NearestFace<D>::no_face);
  if (face.distance >= NearestFace<D>::no_face) return face;
  face.lane = static_cast<unsigned>(
      std::countr_zero(Lanes8::mask_bits(faces.distance <= Lanes8::splat(face.distance))));
  alignas(32) std::array<float, 8> packets;
  Lanes8::store(faces.packet, packets.data());
  face.packet = static_cast<std::size_t>(packets[face.lane]);
  const bool below = distances.packets[face.packet].height[face.lane] < 0;
  for (std::size_t k = 0; k < D; ++k) {
    const float component = view.packets[hits.packets[face.packet]].plane.normal[k][face.lane];
    face.normal[k] = below ? -component : component;
  }
  return face;
}

// All facets that may be within the cutoff; none if they exceed the capacity of the list.
template <std::size_t D>
void list_candidates(const PacketHits& hits, const QueryDistances<D>& distances, FacetList& list) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < hits.count; ++i)
    for (unsigned bits = distances.within[i]; bits != 0; bits &= bits - 1) {
      if (size == FacetList::capacity) {
        list.size = 0;
        return;
      }
      list.facets[size++] = hits.packets[i] * 8 + static_cast<unsigned>(__builtin_ctz(bits));
    }
  list.size = size;
}

// Whether the face is the only contact.
template <std::size_t D>
HWY_INLINE bool face_suffices(const PacketView<D>& view, const PacketHits& hits,
                              const QueryDistances<D>& distances, const NearestFace<D>& face) {
  if (!(face.distance >= 0.5F + 2 * distances.slack[face.packet] && face.distance <= 1.5F))
    return false;
  for (std::size_t i = 0; i < hits.count; ++i) {
    unsigned others = distances.within[i];
    if (i == face.packet) others &= ~(1U << face.lane);
    if (others == 0) continue;
    const float slack = distances.slack[i] + distances.slack[face.packet];
    if ((others &
         ~resolved_by_face(view.packets[hits.packets[i]], distances.packets[i], face, slack)) != 0)
      return false;
  }
  return true;
}

template <std::size_t D>
void query_hits(const PacketView<D>& view, const PacketQuery<D>& query, const PacketHits& hits,
                PacketResult& result) {
  result.result = hits.count > max_packets ? QuickResult::undecided : QuickResult::none;
  result.facets.size = 0;
  if (hits.count > max_packets) return;
  QueryDistances<D> distances;
  NearestFaceLanes faces{Lanes8::splat(NearestFace<D>::no_face), Lanes8::splat(0)};
  unsigned any = 0;
  for (std::size_t i = 0; i < hits.count; ++i) {
    const Packet<D>& packet = view.packets[hits.packets[i]];
    const double scaled_cutoff = query.cutoff * packet.inverse_scale;
    if (!(scaled_cutoff < max_float_cutoff)) {
      result.result = QuickResult::undecided;
      return;
    }
    const double inverse_cutoff = packet.scale * query.inverse_cutoff;
    const Lanes8::Mask within =
        measure_packet(packet, query.center, query.cutoff, distances.packets[i]);
    distances.slack[i] =
        static_cast<float>(packet.slack * (1 + inverse_cutoff) + query.relative_rounding);
    distances.packets[i].inverse_cutoff = static_cast<float>(inverse_cutoff);
    distances.within[i] = Lanes8::mask_bits(within) & packet.occupied;
    any |= distances.within[i];
    update_nearest_faces(distances.packets[i], within, i, distances.slack[i], faces);
  }
  if (any == 0) return;
  const NearestFace<D> face = nearest_face(view, hits, distances, faces);
  if (face_suffices(view, hits, distances, face)) {
    result.result = QuickResult::face;
    result.facets.size = 1;
    result.facets.facets[0] = hits.packets[face.packet] * 8 + face.lane;
    return;
  }
  result.result = QuickResult::undecided;
  list_candidates(hits, distances, result.facets);
}

// In two passes over the batch: data for the second are prefetched in the first.
template <std::size_t D>
void query_packets(const PacketView<D>& view, std::span<const PacketQuery<D>> queries,
                   PacketResult* results) {
  std::array<PacketHits, WallQuery<D>::batch_size> hits;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    find_packets(view, queries[i], hits[i]);
    prefetch(view.packets[hits[i].packets[0]]);  // more than two are rare
    prefetch(view.packets[hits[i].packets[hits[i].count > 1 ? 1 : 0]]);
  }
  for (std::size_t i = 0; i < queries.size(); ++i) {
    query_hits(view, queries[i], hits[i], results[i]);
    for (const std::uint32_t facet : results[i].facets.view())
      prefetch(view.facet_data + facet * view.facet_bytes, view.facet_bytes);
  }
}
