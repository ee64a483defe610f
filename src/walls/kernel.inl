// The loops declared in kernel.hpp, compiled once per instruction set. The including file defines
//   Float8, Mask8          eight floats, and the result of comparing them
//   Float4                 four floats
//   Double4, Int4, Long4   four doubles, four 32-bit and four 64-bit integers
//   Mask4                  the result of comparing four doubles
//   load                   loads four doubles
//   mask_bits              one bit per lane of a comparison
//   take_sqrt, take_max    square root and maximum by lane
//   round_down, to_double  of four doubles ≥ 0; from integers to doubles

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): required to load vectors

// Part 1. Prefilter: which particles may be within their cutoff of a facet?

// Makes `invalid` negative if a number is not finite or too large, or a radius too small. The bit
// patterns of positive doubles are ordered like the numbers, with infinity and NaN last; compared
// as integers they need no branch.
template <class Bits64>
ABUT_INLINE void flag_invalid(const Bits64& bits, Bits64& invalid) {
  invalid |=
      std::bit_cast<std::int64_t>(max_length) - (bits & std::numeric_limits<std::int64_t>::max());
}
template <class Bits64>
ABUT_INLINE void flag_invalid_radius(const Bits64& bits, Bits64& invalid) {
  invalid |= bits | (std::bit_cast<std::int64_t>(max_length) - bits) |
             (bits - std::bit_cast<std::int64_t>(min_length));
}

template <std::size_t D>
bool load_block(const double* radius, double tolerance_factor, double margin,
                ParticleBlock<D>& block) {
  constexpr std::size_t prefetch_distance = 2 * ParticleBlock<D>::capacity;  // in particles
  Long4 invalid{};
  std::size_t i = 0;
  for (; i + 4 <= block.size; i += 4) {
    Double4 values;
    __builtin_prefetch(radius + i + prefetch_distance);
    for (std::size_t k = 0; k < D; ++k) {
      __builtin_prefetch(block.coordinates[k] + i + prefetch_distance);
      load(block.coordinates[k] + i, values);
      flag_invalid(reinterpret_cast<Long4>(values), invalid);
    }
    load(radius + i, values);
    flag_invalid_radius(reinterpret_cast<Long4>(values), invalid);
    values = values * tolerance_factor + margin;
    __builtin_memcpy(&block.cutoff[i], &values, sizeof(values));
  }
  std::int64_t any_invalid = invalid[0] | invalid[1] | invalid[2] | invalid[3];
  for (; i < block.size; ++i) {
    for (std::size_t k = 0; k < D; ++k)
      flag_invalid(std::bit_cast<std::int64_t>(block.coordinates[k][i]), any_invalid);
    flag_invalid_radius(std::bit_cast<std::int64_t>(radius[i]), any_invalid);
    block.cutoff[i] = radius[i] * tolerance_factor + margin;
  }
  return any_invalid >= 0;
}

ABUT_INLINE void round_down(double value, double& rounded) {
  rounded = static_cast<double>(static_cast<std::int32_t>(value));
}
ABUT_INLINE void take_max(double a, double b, double& larger) { larger = a > b ? a : b; }

// Grid parameters as scalars (Number = double) or broadcast to four lanes (Double4).
template <std::size_t D, class Number>
struct GridLanes {
  Number min[D];  // NOLINT(*-avoid-c-arrays): std::array would lose the alignment
  Number max_position[D];
  Number stride[D];

  ABUT_INLINE explicit GridLanes(const DistanceGridView<D>& grid) {
    const Number zero{};
    for (std::size_t k = 0; k < D; ++k) {
      min[k] = zero + grid.min[k];
      max_position[k] = zero + grid.max_position[k];
      stride[k] = zero + static_cast<double>(grid.stride[k]);
    }
  }
};

// The cell indices of particles, and their squared distances from the cell centers in units of the
// cell size. Particles outside the grid are moved onto its boundary.
template <std::size_t D, class Number>
ABUT_INLINE void locate(const GridLanes<D, Number>& grid, double cells_per_length, const Number* x,
                        Number& cell, Number& squared_offset) {
  const Number zero{};
  for (std::size_t k = 0; k < D; ++k) {
    Number lower_clamped;
    take_max((x[k] - grid.min[k]) * cells_per_length, zero, lower_clamped);
    const Number position =
        lower_clamped < grid.max_position[k] ? lower_clamped : grid.max_position[k];
    Number cell_coordinate;
    round_down(position, cell_coordinate);
    const Number offset = position - cell_coordinate - 0.5;
    const Number squared = offset * offset;
    squared_offset = k == 0 ? squared : squared_offset + squared;
    cell = k == 0 ? cell_coordinate
                  : cell + cell_coordinate * grid.stride[k];  // the first stride is 1
  }
}

// False if the distance grid proves that no facet is within the cutoff: with d the distance of the
// cell center from the nearest facet and o the offset from the cell center, that is d − cutoff > o.
// `steps` is d in steps of the grid, `squared_offset` is o² in cells².
template <std::size_t D, class Number, class Condition>
ABUT_INLINE void may_touch(double cells_per_length, const Number& steps,
                           const Number& squared_offset, const Number& cutoff, Condition& is_near) {
  const Number zero{};
  Number remaining;
  take_max(steps * (1 / DistanceGridView<D>::steps_per_cell) - cutoff * cells_per_length, zero,
           remaining);
  is_near = remaining * remaining <= squared_offset;
}

template <std::size_t D>
ABUT_INLINE bool may_touch_one(const DistanceGridView<D>& grid, const ParticleBlock<D>& block,
                               std::size_t i) {
  std::array<double, D> x;
  for (std::size_t k = 0; k < D; ++k) x[k] = block.coordinates[k][i];
  double cell = 0;
  double squared_offset = 0;
  locate(GridLanes<D, double>(grid), grid.cells_per_length, x.data(), cell, squared_offset);
  const double steps = grid.distance_steps[static_cast<std::size_t>(cell)];
  bool is_near = false;
  may_touch<D>(grid.cells_per_length, steps, squared_offset, block.cutoff[i], is_near);
  return is_near;
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
  constexpr std::uint64_t ones = 0x0001000100010001;
  const GridLanes<D, Double4> grid_lanes(grid);
  // Copies, because the compiler must assume that stores to the selection may change the originals.
  const double cells_per_length = grid.cells_per_length;
  const std::uint8_t* const distance_steps = grid.distance_steps;
  const std::array<const double*, D> coordinates = block.coordinates;
  std::size_t size = 0;
  std::size_t i = 0;
  for (; i + 4 <= block.size; i += 4) {
    Double4 x[D];  // NOLINT(*-avoid-c-arrays): std::array would lose the alignment
    for (std::size_t k = 0; k < D; ++k) load(coordinates[k] + i, x[k]);
    Double4 cell;
    Double4 squared_offset;
    locate(grid_lanes, cells_per_length, &x[0], cell, squared_offset);
    const Int4 cells = __builtin_convertvector(cell, Int4);
    Double4 steps;
    to_double(Int4{distance_steps[cells[0]], distance_steps[cells[1]], distance_steps[cells[2]],
                   distance_steps[cells[3]]},
              steps);
    Double4 cutoff;
    load(&block.cutoff[i], cutoff);
    Mask4 is_near;
    may_touch<D>(cells_per_length, steps, squared_offset, cutoff, is_near);
    const LaneSelection& selected = lane_selections[mask_bits(is_near)];
    const std::uint64_t indices = selected.lanes + i * ones;
    __builtin_memcpy(&selection.indices[size], &indices, sizeof(indices));
    size += selected.count;
  }
  for (; i < block.size; ++i) {
    selection.indices[size] = static_cast<std::uint16_t>(i);
    size += may_touch_one(grid, block, i) ? 1U : 0U;
  }
  selection.size = size;
}

// Four particles and the grid cells they lie in; lengths in units of the cell size.
template <std::size_t D>
struct CellLanes {
  Int4 cell;
  Double4 offset[D];  // from the cell center; NOLINT(*-avoid-c-arrays): as above
  Double4 cutoff;
  Mask4 slab_is_valid;  // inside the grid, and the cutoff is within the range of the slabs
};

template <std::size_t D>
ABUT_INLINE void find_cells(const DistanceGridView<D>& grid,
                            const GridLanes<D, Double4>& grid_lanes, const ParticleBlock<D>& block,
                            const std::uint16_t* indices, CellLanes<D>& lanes4) {
  const Double4 zero{};
  Double4 cell = zero;
  Mask4 inside_all = Mask4{} - 1;
  for (std::size_t k = 0; k < D; ++k) {
    const double* const x = block.coordinates[k];
    const Double4 position =
        (Double4{x[indices[0]], x[indices[1]], x[indices[2]], x[indices[3]]} - grid_lanes.min[k]) *
        grid.cells_per_length;
    Double4 lower_clamped;
    take_max(position, zero, lower_clamped);
    const Double4 inside =
        lower_clamped < grid_lanes.max_position[k] ? lower_clamped : grid_lanes.max_position[k];
    inside_all &= inside == position;
    Double4 cell_coordinate;
    round_down(inside, cell_coordinate);
    lanes4.offset[k] = inside - cell_coordinate - 0.5;
    cell += cell_coordinate * grid_lanes.stride[k];
  }
  lanes4.cell = __builtin_convertvector(cell, Int4);
  const auto& cutoff = block.cutoff;
  lanes4.cutoff =
      Double4{cutoff[indices[0]], cutoff[indices[1]], cutoff[indices[2]], cutoff[indices[3]]} *
      grid.cells_per_length;
  lanes4.slab_is_valid = (lanes4.cutoff <= zero + DistanceGridView<D>::slab_range) & inside_all;
  for (int lane = 0; lane < 4; ++lane) {
    __builtin_prefetch(grid.slabs + lanes4.cell[lane]);
  }
}

// Result of testing four particles against the slabs of their cells.
struct CapLanes {
  unsigned candidates;  // bit of a lane: whether facets may be within the cutoff
  Double4 plane_distance;
  Int4 sign;  // of the slab normal in the direction of the wall; 0 if unknown
};

template <std::size_t D>
ABUT_INLINE void test_slabs(const DistanceGridView<D>& grid, const CellLanes<D>& lanes4,
                            CapLanes& caps) {
  const auto slab = [&](int lane) -> const CellSlab& { return grid.slabs[lanes4.cell[lane]]; };
  const Double4 zero{};
  Double4 part;
  Double4 height = zero;
  Double4 squared_offset = zero;
  for (std::size_t k = 0; k < D; ++k) {
    to_double(Int4{slab(0).normal[k], slab(1).normal[k], slab(2).normal[k], slab(3).normal[k]},
              part);
    height += part * lanes4.offset[k];
    squared_offset += lanes4.offset[k] * lanes4.offset[k];
  }
  to_double(Int4{slab(0).high, slab(1).high, slab(2).high, slab(3).high}, part);
  const Double4 above = height - part;
  to_double(Int4{slab(0).low, slab(1).low, slab(2).low, slab(3).low}, part);
  const Double4 below = part - height;
  to_double(Int4{slab(0).distance_steps, slab(1).distance_steps, slab(2).distance_steps,
                 slab(3).distance_steps},
            part);
  Double4 separation;
  take_max(above, below, separation);
  Mask4 is_near;
  may_touch<D>(1, part, squared_offset, lanes4.cutoff, is_near);
  caps.candidates =
      mask_bits(is_near) &
      ~mask_bits(lanes4.slab_is_valid & (separation > lanes4.cutoff * CellSlab::max_normal_length));
  caps.plane_distance = separation / lanes4.cutoff;
  const Mask4 signs =
      (above > below ? Mask4{} - 1 : Mask4{} + 1) & lanes4.slab_is_valid & (separation > zero);
  caps.sign = __builtin_convertvector(signs, Int4);
}

// The slabs are often not in cache: all are prefetched before the first is used.
template <std::size_t D>
void refine(const DistanceGridView<D>& grid, const ParticleBlock<D>& block, Selection& selection) {
  const std::size_t old_size = selection.size;
  selection.has_caps = true;
  if (old_size == 0) return;
  std::array<CellLanes<D>, ParticleBlock<D>::capacity / 4> all;
  const GridLanes<D, Double4> grid_lanes(grid);
  for (std::size_t j = old_size; j % 4 != 0; ++j) selection.indices[j] = selection.indices[0];
  for (std::size_t j = 0; j < old_size; j += 4)
    find_cells(grid, grid_lanes, block, &selection.indices[j], all[j / 4]);
  std::size_t size = 0;
  for (std::size_t j = 0; j < old_size; j += 4) {
    const CellLanes<D>& lanes4 = all[j / 4];
    CapLanes caps;
    test_slabs(grid, lanes4, caps);
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const int lane_index = static_cast<int>(lane);
      const CellSlab& slab = grid.slabs[lanes4.cell[lane_index]];
      SphericalCap& cap = selection.caps[size];
      for (std::size_t k = 0; k < D; ++k)
        cap.axis[k] = static_cast<std::int8_t>(slab.normal[k] * caps.sign[lane_index]);
      cap.plane_distance = static_cast<float>(caps.plane_distance[lane_index]);
      selection.indices[size] = selection.indices[j + lane];
      size += caps.candidates >> lane & (j + lane < old_size ? 1U : 0U);
    }
  }
  selection.size = size;
}

// Part 2. Facet packets: which of eight facets may be within the cutoff of a particle?

// References, so that the compiler can use memory operands.
ABUT_INLINE const Float8& lanes(const std::array<float, 8>& from) {
  return *reinterpret_cast<const Float8*>(from.data());
}
ABUT_INLINE const Float4& lanes(const std::array<float, 4>& from) {
  return *reinterpret_cast<const Float4*>(from.data());
}

// normal·x + offset for the eight facets of a packet
template <std::size_t D>
ABUT_INLINE void signed_distances(const typename Packet<D>::Side& side,
                                  const std::array<float, D>& position, Float8& result) {
  result = lanes(side.offset);
  for (std::size_t k = 0; k < D; ++k) result += lanes(side.normal[k]) * position[k];
}

// A particle relative to the eight facets of a packet, in units of the packet's scale.
template <std::size_t D>
struct PacketDistances {
  Float8 height;  // signed distance from the planes of the facets
  Float8 inside;  // minimum over the sides: negative outside
  Mask8 within;   // the facet may be within the cutoff
  float cutoff;
  float inverse_cutoff;
};

template <std::size_t D>
ABUT_INLINE void measure_packet(const Packet<D>& packet, const Point<D>& center, double cutoff,
                                PacketDistances<D>& distances) {
  std::array<float, D> position;
  for (std::size_t k = 0; k < D; ++k)
    position[k] = static_cast<float>((center[k] - packet.center[k]) * packet.inverse_scale);
  const double scaled_cutoff = cutoff * packet.inverse_scale;
  const auto limit = static_cast<float>(scaled_cutoff + packet.slack * (1 + scaled_cutoff));
  signed_distances<D>(packet.plane, position, distances.height);
  signed_distances<D>(packet.sides[0], position, distances.inside);
  for (std::size_t k = 1; k < D; ++k) {
    Float8 side;
    signed_distances<D>(packet.sides[k], position, side);
    distances.inside = side < distances.inside ? side : distances.inside;
  }
  const Float8 zero{};
  const Float8 beyond = distances.inside < zero ? distances.inside : zero;
  distances.within = distances.height * distances.height + beyond * beyond <= zero + limit * limit;
  distances.cutoff = static_cast<float>(scaled_cutoff);
}

// In units of the packet's scale: beyond it, single precision is not sufficient.
constexpr double max_float_cutoff = 1e6;

template <std::size_t D>
unsigned facets_within(const Packet<D>& packet, const Point<D>& center, double cutoff) {
  if (!(cutoff * packet.inverse_scale < max_float_cutoff)) return packet.occupied;
  PacketDistances<D> distances;
  measure_packet(packet, center, cutoff, distances);
  return mask_bits(distances.within) & packet.occupied;
}

// With n the unit axis of the cap, h the distance of its plane and the cutoff as unit of length, a
// point of the cap is center + a·n + b with h ≤ a ≤ 1, b perpendicular to n and |b| ≤ √(1 − h²).
// Along coordinate k the box has center_k + n_k·(1 + h)/2 as its center and
// |n_k|·(1 − h)/2 + √(1 − n_k²)·√(1 − h²) as its half extent.
// Single precision suffices if h is reduced by the slack.
template <std::size_t D>
ABUT_INLINE void bound_cap(const WallQuery<D>& query, CapBox<D>& box) {
  constexpr float slack = 4e-6F;
  const auto& cap_axis = query.cap.axis;
  Int4 integers{cap_axis[0], cap_axis[1], D == 3 ? cap_axis[2] : 0, 0};
  const Float4 axis = __builtin_convertvector(integers, Float4);
  const Float4 squares = axis * axis;
  const float squared = squares[0] + squares[1] + squares[2];
  const bool is_known = squared > 0;
  const float inverse_squared = 1 / (is_known ? squared : 1.0F);
  Float4 roots{inverse_squared, 0, 0, 0};
  take_sqrt(roots);
  const float inverse_length = roots[0];
  float plane = (is_known ? query.cap.plane_distance : 0.0F) * inverse_length - slack;
  plane = plane > 0 ? plane : 0.0F;
  plane = plane < 1 ? plane : 1.0F;
  const Float4 one = Float4{} + 1.0F;
  Float4 radial = one - squares * inverse_squared;
  radial = radial + 1e-6F;  // rounding errors of −2⁻²² must not make it negative
  radial[3] = 1 - plane * plane;
  take_sqrt(radial);
  const float radius = radial[3] + slack;
  const Float4 magnitude = (axis < Float4{} ? -axis : axis) * inverse_length;
  const Float4 half_extent = magnitude * (0.5F * (1 - plane)) + radial * radius + 2 * slack;
  const Float4 center_offset = axis * (inverse_length * 0.5F * (1 + plane));
  for (std::size_t k = 0; k < D; ++k) {
    const int lane = static_cast<int>(k);
    box.center[k] = query.center[k] + query.cutoff * static_cast<double>(center_offset[lane]);
    box.half_extent[k] = query.cutoff * static_cast<double>(half_extent[lane]);
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
ABUT_INLINE void find_packets(const PacketView<D>& view, const PacketQuery<D>& query,
                              PacketHits& hits) {
  const Float4& box_center = lanes(query.box_center);
  const Float4& half_extent = lanes(query.box_half_extent);
  const Float4 zero{};
  std::size_t count = 0;
  hits.packets[0] = 0;
  for (const std::uint32_t packet : query.packets) {
    const PacketBox& box = view.boxes[packet];
    const Float4 offset = box_center - lanes(box.center);
    const Float4 distance = offset < zero ? -offset : offset;
    hits.packets[count] = packet;
    count += mask_bits(distance > lanes(box.half_extent) + half_extent) == 0 ? 1U : 0U;
    if (count > max_packets) break;
  }
  hits.count = count;
}

ABUT_INLINE void prefetch(const char* bytes, std::size_t size) {
  for (std::size_t i = 0; i < size; i += 64) __builtin_prefetch(bytes + i);
}
template <std::size_t D>
ABUT_INLINE void prefetch(const Packet<D>& packet) {
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
  Mask8 packet;
};

template <std::size_t D>
ABUT_INLINE void update_nearest_faces(const PacketDistances<D>& distances, int packet, float slack,
                                      NearestFaceLanes& faces) {
  const Float8 zero{};
  const Float8 distance =
      (distances.height < zero ? -distances.height : distances.height) * distances.inverse_cutoff;
  const Mask8 nearer = distances.within & (distances.inside > zero + slack * distances.cutoff) &
                       (distance < faces.distance);
  faces.distance = nearer ? distance : faces.distance;
  faces.packet = nearer ? Mask8{} + packet : faces.packet;
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
ABUT_INLINE unsigned resolved_by_face(const Packet<D>& packet, const PacketDistances<D>& distances,
                                      const NearestFace<D>& face, float slack) {
  const Float8 zero{};
  const Float8 one = zero + 1.0F;
  const float inverse_cutoff = distances.inverse_cutoff;
  Float8 cosine = lanes(packet.plane.normal[0]) * face.normal[0];
  for (std::size_t k = 1; k < D; ++k) cosine += lanes(packet.plane.normal[k]) * face.normal[k];
  cosine = distances.height < zero ? -cosine : cosine;
  const Float8 height =
      (distances.height < zero ? -distances.height : distances.height) * inverse_cutoff;
  const Float8 beyond = (distances.inside < zero ? distances.inside : zero) * inverse_cutoff;
  constexpr float rounding = 1e-6F;  // of the squared cosine of single-precision normals
  Float8 sine_term = (one - height * height + 4 * slack) * (one - cosine * cosine + rounding);
  sine_term = sine_term > zero ? sine_term : zero;
  take_sqrt(sine_term);
  Float8 lift = height * cosine - sine_term;  // lower bound of s − k
  lift = lift < zero + face.distance ? lift : zero + face.distance;
  Float8 distance = height * height + beyond * beyond;
  take_sqrt(distance);
  distance = distance - slack;
  const Mask8 resolved = distance * (one - distance) <= lift * (1 - face.distance) - 4 * slack;
  return mask_bits(resolved & (distance >= zero + 0.5F));
}

// One query measured against all packets that it hits.
template <std::size_t D>
struct QueryDistances {
  std::array<PacketDistances<D>, max_packets> packets;
  std::array<unsigned, max_packets> within;  // bit j: facet j of the packet
  std::array<float, max_packets> slack;      // rounding error, as a fraction of the cutoff
};

template <std::size_t D>
ABUT_INLINE NearestFace<D> nearest_face(const PacketView<D>& view, const PacketHits& hits,
                                        const QueryDistances<D>& distances,
                                        const NearestFaceLanes& faces) {
  NearestFace<D> face;
  for (unsigned lane = 0; lane < 8; ++lane)
    face.distance = faces.distance[lane] < face.distance ? faces.distance[lane] : face.distance;
  if (face.distance >= NearestFace<D>::no_face) return face;
  face.lane =
      static_cast<unsigned>(__builtin_ctz(mask_bits(faces.distance <= Float8{} + face.distance)));
  face.packet = static_cast<std::size_t>(faces.packet[face.lane]);
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
ABUT_INLINE bool face_suffices(const PacketView<D>& view, const PacketHits& hits,
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
  NearestFaceLanes faces{Float8{} + NearestFace<D>::no_face, Mask8{}};
  unsigned any = 0;
  for (std::size_t i = 0; i < hits.count; ++i) {
    const Packet<D>& packet = view.packets[hits.packets[i]];
    const double scaled_cutoff = query.cutoff * packet.inverse_scale;
    if (!(scaled_cutoff < max_float_cutoff)) {
      result.result = QuickResult::undecided;
      return;
    }
    const double inverse_cutoff = packet.scale * query.inverse_cutoff;
    measure_packet(packet, query.center, query.cutoff, distances.packets[i]);
    distances.slack[i] =
        static_cast<float>(packet.slack * (1 + inverse_cutoff) + query.relative_rounding);
    distances.packets[i].inverse_cutoff = static_cast<float>(inverse_cutoff);
    distances.within[i] = mask_bits(distances.packets[i].within) & packet.occupied;
    any |= distances.within[i];
    update_nearest_faces(distances.packets[i], static_cast<int>(i), distances.slack[i], faces);
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

// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

template <std::size_t D>
constexpr WallKernels<D> kernel_table{load_block<D>, prefilter<D>,     refine<D>,
                                      bound_caps<D>, facets_within<D>, query_packets<D>};
