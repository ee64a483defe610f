// The inner loops, written once. A file for each kind of machine includes this text inside a
// namespace of its own, after it has said there how particles are compared:
//
//   Packed                            one particle, ready to be compared with eight
//   Packed pack(xy, zr)
//   unsigned near8(packed, xy, zr)    a bit for each of eight that may touch it
//   unsigned lowest(mask, n)          the lowest n bits of a mask, n at most 8
//   void spread(first, mask, to)      first + the numbers of the set bits, to an array of eight
//   void fill(value, to)              a value, to an array of eight
//   judge_pile(sorted, pile, count)   keeps of the candidates in a pile those that touch
//
// Loops without a branch that depends on the data are what makes this fast: candidates pile up and
// are judged a thousand at a time. The pile's memory is apart from the counters, which are values
// handed from function to function, so that they stay in registers.

struct Height {
  std::size_t begun;  // where the candidates of the current particle begin
  std::size_t count;
};

template <std::size_t D>
[[gnu::noinline]] void judge(const SortedView<D>& view, Pile& pile, std::size_t count,
                             PairSink& sink) {
  pile.judged += count;
  sink.pass({pile.found.data(), judge_pile(view, pile, count)});
}

// Names the particle to which the candidates since `begun` belong, and judges if there are many.
template <std::size_t D>
ABUT_INLINE void end(const SortedView<D>& view, Index i, Pile& pile, Height& height,
                     PairSink& sink) {
  fill(i, pile.large.data() + height.begun);
  if (height.count - height.begun > 8) [[unlikely]]
    for (std::size_t at = height.begun + 8; at < height.count; at += 8)
      fill(i, pile.large.data() + at);
  height.begun = height.count;
  if (height.count > Pile::full) [[unlikely]] {
    judge(view, pile, height.count, sink);
    height = {0, 0};
  }
}

template <std::size_t D>
ABUT_INLINE void add_eight(const SortedView<D>& sorted, Packed packed, Index first, Index count,
                           Pile& pile, Height& height) {
  const unsigned mask = lowest(near8(packed, sorted.xy + first, sorted.zr + first), count);
  spread(first, mask, pile.small.data() + height.count);
  height.count += static_cast<std::size_t>(__builtin_popcount(mask));
}

// A crowded row, judging in between.
template <std::size_t D>
[[gnu::noinline]] Height add_more(const SortedView<D>& view, Index i, Index first, Index last,
                                  Pile& pile, Height height, PairSink& sink) {
  const Packed packed = pack(view.xy[i], view.zr[i]);
  for (; first < last; first += 8) {
    add_eight(view, packed, first, std::min<Index>(last - first, 8), pile, height);
    if (height.count > Pile::full) end(view, i, pile, height, sink);
  }
  return height;
}

/// Candidates first … last−1 for particle i.
template <std::size_t D>
ABUT_INLINE void add(const SortedView<D>& view, const SortedView<D>& sorted, Packed packed, Index i,
                     Index first, Index last, Pile& pile, Height& height, PairSink& sink) {
  if (last - first > 8) [[unlikely]]
    height = add_more(view, i, first, last, pile, height, sink);
  else
    add_eight(sorted, packed, first, last - first, pile, height);
}

/// Where the rows begin that a row is compared with: itself and half of those around it.
template <std::size_t D>
struct NearRows {
  static constexpr std::size_t size = D == 2 ? 1 : 4;
  const std::uint32_t* own;
  std::array<const std::uint32_t*, size> other;
};

// The row `step` further along an axis, or none.
template <std::size_t D>
bool stepped(const Level<D>& level, std::size_t axis, int step, std::int32_t& number) {
  number += step;
  if (number >= 0 && number < level.cells[axis]) return true;
  if (!level.folded[axis]) return false;
  number &= level.cells[axis] - 1;
  return true;
}

template <std::size_t D>
NearRows<D> near_rows(const SortedView<D>& sorted, const Level<D>& level, std::size_t row) {
  static constexpr std::array<std::array<int, 2>, 4> steps{{{1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
  const auto begin = [&](std::size_t number) {
    return sorted.start + level.base + number * level.row_length();
  };
  NearRows<D> rows{begin(row), {}};
  for (std::size_t at = 0; at < rows.size; ++at) {
    std::array<std::int32_t, 3> number{};
    auto rest = static_cast<std::int32_t>(row);
    bool there = true;
    std::size_t neighbour = 0;
    for (std::size_t axis = 1; axis < D; ++axis) {
      number[axis] = rest % level.cells[axis];
      rest /= level.cells[axis];
      there = there && stepped(level, axis, steps[at][axis - 1], number[axis]);
    }
    for (std::size_t axis = D; axis-- > 1;)
      neighbour = neighbour * static_cast<std::size_t>(level.cells[axis]) +
                  static_cast<std::size_t>(number[axis]);
    rows.other[at] = there ? begin(neighbour) : sorted.empty;
  }
  return rows;
}

// In a folded row the last cell is beside the first.
template <std::size_t D>
[[gnu::noinline]] Height add_folded(const SortedView<D>& view, const Level<D>& level,
                                    const NearRows<D>& rows, Index i, std::int32_t cell, Pile& pile,
                                    Height height, PairSink& sink) {
  const Packed packed = pack(view.xy[i], view.zr[i]);
  const std::int32_t last = level.cells[0];
  if (cell == 0)
    for (const std::uint32_t* row : rows.other)
      add(view, view, packed, i, row[last], row[last + 1], pile, height, sink);
  if (cell == last - 1) {
    add(view, view, packed, i, rows.own[1], rows.own[2], pile, height, sink);
    for (const std::uint32_t* row : rows.other)
      add(view, view, packed, i, row[1], row[2], pile, height, sink);
  }
  return height;
}

template <std::size_t D, bool Folded>
ABUT_INLINE void search_row(const SortedView<D>& view, const Level<D>& level,
                            const NearRows<D>& rows, Index first, Index last, Pile& pile,
                            Height& height, PairSink& sink) {
  const SortedView<D> sorted = view;
  const NearRows<D> near = rows;
  for (Index i = first; i < last; ++i) {
    const std::int32_t cell = level.template number<Folded>(0, sorted.centre[i][level.order[0]]);
    const Packed packed = pack(sorted.xy[i], sorted.zr[i]);
    add(view, sorted, packed, i, i + 1, near.own[cell + 3], pile, height, sink);
    for (std::size_t at = 0; at < near.size; ++at)
      add(view, sorted, packed, i, near.other[at][cell], near.other[at][cell + 3], pile, height,
          sink);
    if constexpr (Folded)
      if (level.folded[0] && (cell == 0 || cell == level.cells[0] - 1)) [[unlikely]]
        height = add_folded(view, level, rows, i, cell, pile, height, sink);
    end(view, i, pile, height, sink);
  }
}

template <std::size_t D, bool Folded>
std::uint64_t search_rows(const SortedView<D>& view, const Level<D>& level, Index first, Index last,
                          PairSink& sink) {
  Pile pile;
  Height height{0, 0};
  const Centre<D>& start = view.centre[first];
  std::size_t row = level.template row<Folded>([&](std::size_t k) { return start[k]; });
  for (; first < last; ++row) {
    const NearRows<D> rows = near_rows(view, level, row);
    const Index row_end = std::min<Index>(last, rows.own[level.row_length()]);
    search_row<D, Folded>(view, level, rows, first, row_end, pile, height, sink);
    first = std::max(first, row_end);
  }
  judge(view, pile, height.count, sink);
  return pile.judged;
}

template <std::size_t D>
std::uint64_t within(const SortedView<D>& view, const Level<D>& level, Index first, Index last,
                     PairSink& sink) {
  return level.any_folded() ? search_rows<D, true>(view, level, first, last, sink)
                            : search_rows<D, false>(view, level, first, last, sink);
}

/// The cells a particle's reach meets along one axis of a level: `count` of them from `first`,
/// which in a folded axis go on with the first cell after the last.
struct Span {
  std::int32_t first;
  std::int32_t count;
};

template <std::size_t D>
Span span_of(const Level<D>& level, std::size_t axis, double t, double reach) {
  const auto whole = [](double at) {
    return static_cast<std::int64_t>(std::clamp(at, -Level<D>::farthest, Level<D>::farthest));
  };
  const std::int64_t cells = level.cells[axis];
  std::int64_t low = whole(t - reach);
  std::int64_t high = whole(t + reach);
  if (level.folded[axis]) {
    const std::int64_t count = std::min(high - low + 1, cells);
    return {static_cast<std::int32_t>(low & (cells - 1)), static_cast<std::int32_t>(count)};
  }
  low = std::max<std::int64_t>(low, 0);
  high = std::min(high, cells - 1);
  return {static_cast<std::int32_t>(low),
          static_cast<std::int32_t>(std::max<std::int64_t>(high - low + 1, 0))};
}

// Particle i with all of first … last−1: there are so many, and so few of them touch, that packing
// it in units of each level would not pay.
template <std::size_t D>
std::size_t judge_each(const SortedView<D>& view, Index i, Index first, Index last, Pile& pile,
                       std::size_t kept, PairSink& sink) {
  const SortedView<D> sorted = view;
  pile.judged += last - first;
  while (first < last) {
    const Index stop = std::min<Index>(last, first + 64);
    for (Index j = first; j < stop; ++j) kept += keep(sorted, i, j, pile.found[kept]);
    first = stop;
    if (kept >= Pile::full) {
      sink.pass({pile.found.data(), kept});
      kept = 0;
    }
  }
  return kept;
}

template <std::size_t D>
std::uint64_t across(const SortedView<D>& view, const Level<D>& /*large*/, const Level<D>& small,
                     Index first, Index last, PairSink& sink) {
  Pile pile;
  std::size_t kept = 0;
  for (Index i = first; i < last; ++i) {
    const Centre<D>& centre = view.centre[i];
    const double reach =
        view.reach.of(centre[D], small.largest_radius) * small.inverse + small.blur / units_a_cell;
    std::array<Span, 3> spans{Span{0, 1}, Span{0, 1}, Span{0, 1}};
    for (std::size_t axis = 0; axis < D; ++axis)
      spans[axis] =
          span_of(small, axis, small.along(small.order[axis], centre[small.order[axis]]), reach);
    const auto [cell, cells] = spans[0];
    for (std::int32_t z = 0; z < spans[2].count; ++z)
      for (std::int32_t y = 0; y < spans[1].count; ++y) {
        std::int32_t row = (spans[1].first + y) % small.cells[1];
        if constexpr (D == 3) row += (spans[2].first + z) % small.cells[2] * small.cells[1];
        const std::uint32_t* start =
            view.start + small.base + static_cast<std::size_t>(row) * small.row_length();
        const std::int32_t end = std::min(cell + cells, small.cells[0]);
        kept = judge_each(view, i, start[cell + 1], start[end + 1], pile, kept, sink);
        if (cell + cells > end)  // folded: the rest begins the row
          kept = judge_each(view, i, start[1], start[cell + cells - end + 1], pile, kept, sink);
      }
  }
  sink.pass({pile.found.data(), kept});
  return pile.judged;
}
