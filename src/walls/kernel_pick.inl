// Which particles may touch: a part of kernel.inl.

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): that is how vectors are loaded

// Below zero if a number is not finite or too large, or a radius too small. The bits of numbers are
// in the order of their sizes, and those of what is none come after all; taken as whole numbers
// they are compared without a branch, several at once.
template <class Bits64>
ABUT_INLINE void flag_invalid(const Bits64& bits, Bits64& odd) {
  odd |=
      std::bit_cast<std::int64_t>(max_length) - (bits & std::numeric_limits<std::int64_t>::max());
}
template <class Bits64>
ABUT_INLINE void flag_invalid_radius(const Bits64& bits, Bits64& odd) {
  odd |= bits | (std::bit_cast<std::int64_t>(max_length) - bits) |
         (bits - std::bit_cast<std::int64_t>(min_length));
}

template <std::size_t D>
bool load_block(const double* radius, double stretch, double margin, ParticleBlock<D>& block) {
  constexpr std::size_t ahead =
      2 * ParticleBlock<D>::capacity;  // particles: memory is asked for their numbers
  Long4 odd{};
  std::size_t i = 0;
  for (; i + 4 <= block.size; i += 4) {
    Double4 own;
    __builtin_prefetch(radius + i + ahead);
    for (std::size_t k = 0; k < D; ++k) {
      __builtin_prefetch(block.coordinates[k] + i + ahead);
      load(block.coordinates[k] + i, own);
      flag_invalid(reinterpret_cast<Long4>(own), odd);
    }
    load(radius + i, own);
    flag_invalid_radius(reinterpret_cast<Long4>(own), odd);
    own = own * stretch + margin;
    __builtin_memcpy(&block.cutoff[i], &own, sizeof(own));
  }
  std::int64_t any = odd[0] | odd[1] | odd[2] | odd[3];
  for (; i < block.size; ++i) {
    for (std::size_t k = 0; k < D; ++k)
      flag_invalid(std::bit_cast<std::int64_t>(block.coordinates[k][i]), any);
    flag_invalid_radius(std::bit_cast<std::int64_t>(radius[i]), any);
    block.cutoff[i] = radius[i] * stretch + margin;
  }
  return any >= 0;
}

ABUT_INLINE void round_down(double at, double& whole) {
  whole = static_cast<double>(static_cast<std::int32_t>(at));
}
ABUT_INLINE void take_max(double a, double b, double& larger) { larger = a > b ? a : b; }

// The grid in the numbers that are worked with: four at once, or one.
template <std::size_t D, class Numbers>
struct GridLanes {
  Numbers min[D];  // NOLINT(*-avoid-c-arrays): the standard's would forget how they are aligned
  Numbers max_position[D];
  Numbers stride[D];

  ABUT_INLINE explicit GridLanes(const DistanceGridView<D>& grid) {
    const Numbers zero{};
    for (std::size_t k = 0; k < D; ++k) {
      min[k] = zero + grid.min[k];
      max_position[k] = zero + grid.max_position[k];
      stride[k] = zero + static_cast<double>(grid.stride[k]);
    }
  }
};

// Where particles are in the grid: the numbers of their cells, and the squares of the distances
// from the middles of these.
template <std::size_t D, class Numbers>
ABUT_INLINE void locate(const GridLanes<D, Numbers>& grid, double per_cell, const Numbers* x,
                        Numbers& cell, Numbers& off) {
  const Numbers zero{};
  for (std::size_t k = 0; k < D; ++k) {
    Numbers above;
    take_max((x[k] - grid.min[k]) * per_cell, zero, above);
    const Numbers at = above < grid.max_position[k] ? above : grid.max_position[k];
    Numbers whole;
    round_down(at, whole);
    const Numbers from_middle = at - whole - 0.5;
    const Numbers squared = from_middle * from_middle;
    off = k == 0 ? squared : off + squared;
    cell = k == 0 ? whole : cell + whole * grid.stride[k];  // the first stride is 1
  }
}

// Whether the clearance cannot tell that they are free.
template <std::size_t D, class Numbers, class Answer>
ABUT_INLINE void may_touch(double per_cell, const Numbers& steps, const Numbers& off,
                           const Numbers& reach, Answer& near) {
  const Numbers zero{};
  Numbers left;
  take_max(steps * (1 / DistanceGridView<D>::steps_per_cell) - reach * per_cell, zero, left);
  near = left * left <= off;
}

template <std::size_t D>
ABUT_INLINE bool may_touch_one(const DistanceGridView<D>& grid, const ParticleBlock<D>& block,
                               std::size_t i) {
  std::array<double, D> x;
  for (std::size_t k = 0; k < D; ++k) x[k] = block.coordinates[k][i];
  double cell = 0;
  double off = 0;
  locate(GridLanes<D, double>(grid), grid.cells_per_length, x.data(), cell, off);
  const double steps = grid.distance_steps[static_cast<std::size_t>(cell)];
  bool near = false;
  may_touch<D>(grid.cells_per_length, steps, off, block.cutoff[i], near);
  return near;
}

// For every mask of four bits the places of those that are set, sixteen bits each, and how many.
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
void prefilter(const DistanceGridView<D>& grid, const ParticleBlock<D>& block, Selection& picked) {
  constexpr std::uint64_t each = 0x0001000100010001;
  const GridLanes<D, Double4> in_fours(grid);
  const double per_cell =
      grid.cells_per_length;  // what is picked might be written over it, for all that
  const std::uint8_t* const steps_of = grid.distance_steps;  // a compiler knows
  const std::array<const double*, D> axes = block.coordinates;
  std::size_t size = 0;
  std::size_t i = 0;
  for (; i + 4 <= block.size; i += 4) {
    Double4 x[D];  // NOLINT(*-avoid-c-arrays): the standard's would forget that they are aligned
    for (std::size_t k = 0; k < D; ++k) load(axes[k] + i, x[k]);
    Double4 cell;
    Double4 off;
    locate(in_fours, per_cell, &x[0], cell, off);
    const Int4 at = __builtin_convertvector(cell, Int4);
    Double4 steps;
    to_double(Int4{steps_of[at[0]], steps_of[at[1]], steps_of[at[2]], steps_of[at[3]]}, steps);
    Double4 reach;
    load(&block.cutoff[i], reach);
    Mask4 near;
    may_touch<D>(per_cell, steps, off, reach, near);
    const LaneSelection& chosen = lane_selections[mask_bits(near)];
    const std::uint64_t places = chosen.lanes + i * each;
    __builtin_memcpy(&picked.indices[size], &places, sizeof(places));
    size += chosen.count;
  }
  for (; i < block.size; ++i) {
    picked.indices[size] = static_cast<std::uint16_t>(i);
    size += may_touch_one(grid, block, i) ? 1U : 0U;
  }
  picked.size = size;
}

// Four particles in their cells.
template <std::size_t D>
struct CellLanes {
  Int4 cell;
  Double4 offset[D];    // NOLINT(*-avoid-c-arrays): as above
  Double4 cutoff;       // the reach, in cells
  Mask4 slab_is_valid;  // whether slabs tell something: not outside, nor for who reaches far
};

template <std::size_t D>
ABUT_INLINE void find_cells(const DistanceGridView<D>& grid, const GridLanes<D, Double4>& in_fours,
                            const ParticleBlock<D>& block, const std::uint16_t* at,
                            CellLanes<D>& four) {
  const Double4 zero{};
  Double4 cell = zero;
  Mask4 inside_all = Mask4{} - 1;
  for (std::size_t k = 0; k < D; ++k) {
    const double* const x = block.coordinates[k];
    const Double4 place =
        (Double4{x[at[0]], x[at[1]], x[at[2]], x[at[3]]} - in_fours.min[k]) * grid.cells_per_length;
    Double4 above;
    take_max(place, zero, above);
    const Double4 inside = above < in_fours.max_position[k] ? above : in_fours.max_position[k];
    inside_all &= inside == place;
    Double4 whole;
    round_down(inside, whole);
    four.offset[k] = inside - whole - 0.5;
    cell += whole * in_fours.stride[k];
  }
  four.cell = __builtin_convertvector(cell, Int4);
  const auto& reach = block.cutoff;
  four.cutoff =
      Double4{reach[at[0]], reach[at[1]], reach[at[2]], reach[at[3]]} * grid.cells_per_length;
  four.slab_is_valid = (four.cutoff <= zero + DistanceGridView<D>::slab_range) & inside_all;
  for (int lane = 0; lane < 4; ++lane) {
    __builtin_prefetch(grid.slabs + four.cell[lane]);
  }
}

// What the slabs of four cells tell. Bit of a lane: whether it may touch.
struct CapLanes {
  unsigned candidates;
  Double4 plane_distance;
  Int4 sign;  // of the way down; 0 if it is not known
};

template <std::size_t D>
ABUT_INLINE void test_slabs(const DistanceGridView<D>& grid, const CellLanes<D>& four,
                            CapLanes& caps) {
  const auto slab = [&](int lane) -> const CellSlab& { return grid.slabs[four.cell[lane]]; };
  const Double4 zero{};
  Double4 part;
  Double4 height = zero;
  Double4 off = zero;
  for (std::size_t k = 0; k < D; ++k) {
    to_double(Int4{slab(0).normal[k], slab(1).normal[k], slab(2).normal[k], slab(3).normal[k]},
              part);
    height += part * four.offset[k];
    off += four.offset[k] * four.offset[k];
  }
  to_double(Int4{slab(0).high, slab(1).high, slab(2).high, slab(3).high}, part);
  const Double4 above = height - part;
  to_double(Int4{slab(0).low, slab(1).low, slab(2).low, slab(3).low}, part);
  const Double4 below = part - height;
  to_double(Int4{slab(0).distance_steps, slab(1).distance_steps, slab(2).distance_steps,
                 slab(3).distance_steps},
            part);
  Double4 apart;
  take_max(above, below, apart);
  Mask4 near;
  may_touch<D>(1, part, off, four.cutoff, near);
  caps.candidates =
      mask_bits(near) &
      ~mask_bits(four.slab_is_valid & (apart > four.cutoff * CellSlab::max_normal_length));
  caps.plane_distance = apart / four.cutoff;
  const Mask4 signs =
      (above > below ? Mask4{} - 1 : Mask4{} + 1) & four.slab_is_valid & (apart > zero);
  caps.sign = __builtin_convertvector(signs, Int4);
}

// The grid may have to be fetched from far away in memory: all places are asked for before the
// first is looked at.
template <std::size_t D>
void refine(const DistanceGridView<D>& grid, const ParticleBlock<D>& block, Selection& picked) {
  const std::size_t before = picked.size;
  picked.has_caps = true;
  if (before == 0) return;
  std::array<CellLanes<D>, ParticleBlock<D>::capacity / 4> all;
  const GridLanes<D, Double4> in_fours(grid);
  for (std::size_t j = before; j % 4 != 0; ++j) picked.indices[j] = picked.indices[0];
  for (std::size_t j = 0; j < before; j += 4)
    find_cells(grid, in_fours, block, &picked.indices[j], all[j / 4]);
  std::size_t size = 0;
  for (std::size_t j = 0; j < before; j += 4) {
    const CellLanes<D>& four = all[j / 4];
    CapLanes caps;
    test_slabs(grid, four, caps);
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const int own = static_cast<int>(lane);
      const CellSlab& slab = grid.slabs[four.cell[own]];
      SphericalCap& cap = picked.caps[size];
      for (std::size_t k = 0; k < D; ++k)
        cap.axis[k] = static_cast<std::int8_t>(slab.normal[k] * caps.sign[own]);
      cap.plane_distance = static_cast<float>(caps.plane_distance[own]);
      picked.indices[size] = picked.indices[j + lane];
      size += caps.candidates >> lane & (j + lane < before ? 1U : 0U);
    }
  }
  picked.size = size;
}

// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
