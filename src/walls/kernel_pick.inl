// Which particles may touch: a part of kernel.inl.

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): that is how vectors are loaded

// Below zero if a number is not finite or too large, or a radius too small. The bits of numbers are
// in the order of their sizes, and those of what is none come after all; taken as whole numbers
// they are compared without a branch, several at once.
template <class Bits64>
ABUT_INLINE void note_odd(const Bits64& bits, Bits64& odd) {
  odd |= std::bit_cast<std::int64_t>(largest_length) -
         (bits & std::numeric_limits<std::int64_t>::max());
}
template <class Bits64>
ABUT_INLINE void note_odd_radius(const Bits64& bits, Bits64& odd) {
  odd |= bits | (std::bit_cast<std::int64_t>(largest_length) - bits) |
         (bits - std::bit_cast<std::int64_t>(smallest_length));
}

template <std::size_t D>
bool load_block(const double* radius, double stretch, double margin, Block<D>& block) {
  constexpr std::size_t ahead = 2 * Block<D>::most;  // particles: memory is asked for their numbers
  FourWholes odd{};
  std::size_t i = 0;
  for (; i + 4 <= block.size; i += 4) {
    Doubles own;
    __builtin_prefetch(radius + i + ahead);
    for (std::size_t k = 0; k < D; ++k) {
      __builtin_prefetch(block.axes[k] + i + ahead);
      load(block.axes[k] + i, own);
      note_odd(reinterpret_cast<FourWholes>(own), odd);
    }
    load(radius + i, own);
    note_odd_radius(reinterpret_cast<FourWholes>(own), odd);
    own = own * stretch + margin;
    __builtin_memcpy(&block.reach[i], &own, sizeof(own));
  }
  std::int64_t any = odd[0] | odd[1] | odd[2] | odd[3];
  for (; i < block.size; ++i) {
    for (std::size_t k = 0; k < D; ++k)
      note_odd(std::bit_cast<std::int64_t>(block.axes[k][i]), any);
    note_odd_radius(std::bit_cast<std::int64_t>(radius[i]), any);
    block.reach[i] = radius[i] * stretch + margin;
  }
  return any >= 0;
}

ABUT_INLINE void round_down(double at, double& whole) {
  whole = static_cast<double>(static_cast<std::int32_t>(at));
}
ABUT_INLINE void put_larger(double a, double b, double& larger) { larger = a > b ? a : b; }

// The grid in the numbers that are worked with: four at once, or one.
template <std::size_t D, class Numbers>
struct GridIn {
  Numbers min[D];  // NOLINT(*-avoid-c-arrays): the standard's would forget how they are aligned
  Numbers last[D];
  Numbers stride[D];

  ABUT_INLINE explicit GridIn(const ClearanceGrid<D>& grid) {
    const Numbers zero{};
    for (std::size_t k = 0; k < D; ++k) {
      min[k] = zero + grid.min[k];
      last[k] = zero + grid.last[k];
      stride[k] = zero + static_cast<double>(grid.stride[k]);
    }
  }
};

// Where particles are in the grid: the numbers of their cells, and the squares of the distances
// from the middles of these.
template <std::size_t D, class Numbers>
ABUT_INLINE void locate(const GridIn<D, Numbers>& grid, double per_cell, const Numbers* x,
                        Numbers& cell, Numbers& off) {
  const Numbers zero{};
  for (std::size_t k = 0; k < D; ++k) {
    Numbers above;
    put_larger((x[k] - grid.min[k]) * per_cell, zero, above);
    const Numbers at = above < grid.last[k] ? above : grid.last[k];
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
  put_larger(steps * (1 / ClearanceGrid<D>::fineness) - reach * per_cell, zero, left);
  near = left * left <= off;
}

template <std::size_t D>
ABUT_INLINE bool may_touch_at(const ClearanceGrid<D>& grid, const Block<D>& block, std::size_t i) {
  std::array<double, D> x;
  for (std::size_t k = 0; k < D; ++k) x[k] = block.axes[k][i];
  double cell = 0;
  double off = 0;
  locate(GridIn<D, double>(grid), grid.per_cell, x.data(), cell, off);
  const double steps = grid.steps[static_cast<std::size_t>(cell)];
  bool near = false;
  may_touch<D>(grid.per_cell, steps, off, block.reach[i], near);
  return near;
}

// For every mask of four bits the places of those that are set, sixteen bits each, and how many.
struct Chosen {
  std::uint64_t places;
  std::size_t count;
};
constexpr std::array<Chosen, 16> chosen_of = [] {
  std::array<Chosen, 16> table{};
  for (unsigned mask = 0; mask < 16; ++mask)
    for (unsigned lane = 0; lane < 4; ++lane)
      if ((mask >> lane & 1U) != 0)
        table[mask].places |= std::uint64_t{lane} << (16 * table[mask].count++);
  return table;
}();

template <std::size_t D>
void pick(const ClearanceGrid<D>& grid, const Block<D>& block, Picked& picked) {
  constexpr std::uint64_t each = 0x0001000100010001;
  const GridIn<D, Doubles> in_fours(grid);
  const double per_cell = grid.per_cell;  // what is picked might be written over it, for all that
  const std::uint8_t* const steps_of = grid.steps;  // a compiler knows
  const std::array<const double*, D> axes = block.axes;
  std::size_t size = 0;
  std::size_t i = 0;
  for (; i + 4 <= block.size; i += 4) {
    Doubles x[D];  // NOLINT(*-avoid-c-arrays): the standard's would forget that they are aligned
    for (std::size_t k = 0; k < D; ++k) load(axes[k] + i, x[k]);
    Doubles cell;
    Doubles off;
    locate(in_fours, per_cell, &x[0], cell, off);
    const Wholes at = __builtin_convertvector(cell, Wholes);
    Doubles steps;
    widen(Wholes{steps_of[at[0]], steps_of[at[1]], steps_of[at[2]], steps_of[at[3]]}, steps);
    Doubles reach;
    load(&block.reach[i], reach);
    FourBits near;
    may_touch<D>(per_cell, steps, off, reach, near);
    const Chosen& chosen = chosen_of[bits_of(near)];
    const std::uint64_t places = chosen.places + i * each;
    __builtin_memcpy(&picked.places[size], &places, sizeof(places));
    size += chosen.count;
  }
  for (; i < block.size; ++i) {
    picked.places[size] = static_cast<std::uint16_t>(i);
    size += may_touch_at(grid, block, i) ? 1U : 0U;
  }
  picked.size = size;
}

// Four particles in their cells.
template <std::size_t D>
struct FourInCells {
  Wholes cell;
  Doubles from_middle[D];  // NOLINT(*-avoid-c-arrays): as above
  Doubles far;             // the reach, in cells
  FourBits known;          // whether slabs tell something: not outside, nor for who reaches far
};

template <std::size_t D>
ABUT_INLINE void find_cells(const ClearanceGrid<D>& grid, const GridIn<D, Doubles>& in_fours,
                            const Block<D>& block, const std::uint16_t* at, FourInCells<D>& four) {
  const Doubles zero{};
  Doubles cell = zero;
  FourBits inside_all = FourBits{} - 1;
  for (std::size_t k = 0; k < D; ++k) {
    const double* const x = block.axes[k];
    const Doubles place =
        (Doubles{x[at[0]], x[at[1]], x[at[2]], x[at[3]]} - in_fours.min[k]) * grid.per_cell;
    Doubles above;
    put_larger(place, zero, above);
    const Doubles inside = above < in_fours.last[k] ? above : in_fours.last[k];
    inside_all &= inside == place;
    Doubles whole;
    round_down(inside, whole);
    four.from_middle[k] = inside - whole - 0.5;
    cell += whole * in_fours.stride[k];
  }
  four.cell = __builtin_convertvector(cell, Wholes);
  const auto& reach = block.reach;
  four.far = Doubles{reach[at[0]], reach[at[1]], reach[at[2]], reach[at[3]]} * grid.per_cell;
  four.known = (four.far <= zero + ClearanceGrid<D>::slab_reach) & inside_all;
  for (int lane = 0; lane < 4; ++lane) {
    __builtin_prefetch(grid.slabs + four.cell[lane]);
  }
}

// What the slabs of four cells tell. Bit of a lane: whether it may touch.
struct FourCaps {
  unsigned near;
  Doubles least;
  Wholes sign;  // of the way down; 0 if it is not known
};

template <std::size_t D>
ABUT_INLINE void ask_slabs(const ClearanceGrid<D>& grid, const FourInCells<D>& four,
                           FourCaps& caps) {
  const auto slab = [&](int lane) -> const CellSlab& { return grid.slabs[four.cell[lane]]; };
  const Doubles zero{};
  Doubles part;
  Doubles height = zero;
  Doubles off = zero;
  for (std::size_t k = 0; k < D; ++k) {
    widen(Wholes{slab(0).normal[k], slab(1).normal[k], slab(2).normal[k], slab(3).normal[k]}, part);
    height += part * four.from_middle[k];
    off += four.from_middle[k] * four.from_middle[k];
  }
  widen(Wholes{slab(0).high, slab(1).high, slab(2).high, slab(3).high}, part);
  const Doubles above = height - part;
  widen(Wholes{slab(0).low, slab(1).low, slab(2).low, slab(3).low}, part);
  const Doubles below = part - height;
  widen(Wholes{slab(0).steps, slab(1).steps, slab(2).steps, slab(3).steps}, part);
  Doubles apart;
  put_larger(above, below, apart);
  FourBits near;
  may_touch<D>(1, part, off, four.far, near);
  caps.near = bits_of(near) & ~bits_of(four.known & (apart > four.far * CellSlab::longest));
  caps.least = apart / four.far;
  const FourBits signs =
      (above > below ? FourBits{} - 1 : FourBits{} + 1) & four.known & (apart > zero);
  caps.sign = __builtin_convertvector(signs, Wholes);
}

// The grid may have to be fetched from far away in memory: all places are asked for before the
// first is looked at.
template <std::size_t D>
void pick_again(const ClearanceGrid<D>& grid, const Block<D>& block, Picked& picked) {
  const std::size_t before = picked.size;
  picked.with_caps = true;
  if (before == 0) return;
  std::array<FourInCells<D>, Block<D>::most / 4> all;
  const GridIn<D, Doubles> in_fours(grid);
  for (std::size_t j = before; j % 4 != 0; ++j) picked.places[j] = picked.places[0];
  for (std::size_t j = 0; j < before; j += 4)
    find_cells(grid, in_fours, block, &picked.places[j], all[j / 4]);
  std::size_t size = 0;
  for (std::size_t j = 0; j < before; j += 4) {
    const FourInCells<D>& four = all[j / 4];
    FourCaps caps;
    ask_slabs(grid, four, caps);
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const int own = static_cast<int>(lane);
      const CellSlab& slab = grid.slabs[four.cell[own]];
      Cap& cap = picked.caps[size];
      for (std::size_t k = 0; k < D; ++k)
        cap.down[k] = static_cast<std::int8_t>(slab.normal[k] * caps.sign[own]);
      cap.least = static_cast<float>(caps.least[own]);
      picked.places[size] = picked.places[j + lane];
      size += caps.near >> lane & (j + lane < before ? 1U : 0U);
    }
  }
  picked.size = size;
}

// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
