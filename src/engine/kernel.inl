// The inner loops, written once. A file for each kind of machine includes this text inside a
// namespace of its own, after it has said there how particles are compared:
//
//   Packed                            one particle, ready to be compared with eight
//   Packed pack(xy, zr)
//   unsigned near8(packed, xy, zr)    a bit for each of eight that may touch it
//   unsigned lowest(mask, n)          the lowest n bits of a mask, n at most 8
//   void spread(first, mask, to)      first + the numbers of the set bits, to an array of eight
//   void fill(value, to)              a value, to an array of eight
//   void widen(later, i, to)          i + each of eight numbers, to an array of eight
//   judge_all(sorted, large, small, count, found)   finds those of the candidates that touch
//   judge_run(sorted, i, first, last, found)        the same of a run of candidates for i
//
// Loops without a branch that depends on the data are what makes this fast: candidates pile up and
// are judged a thousand at a time. The pile's memory is apart from the counters, which are values
// handed from function to function, so that they stay in registers.

struct BufferCursor {
  std::size_t particle_begin;  // where the candidates of the current particle begin
  std::size_t count;
};

template <std::size_t D>
[[gnu::noinline]] void test_buffer(const SortedView<D>& view, CandidateBuffer& pile,
                                   std::size_t count, PairSink& sink) {
  pile.tested_count += count;
  sink.append({pile.pairs.data(), test_all(view, pile.particle.data(), pile.candidate.data(), count,
                                           pile.pairs.data())});
}

// Names the particle of `count` candidates.
ABUT_INLINE void fill_particle(Index i, std::size_t count, Index* large) {
  fill8(i, large);
  if (count > 8) [[unlikely]]
    for (std::size_t at = 8; at < count; at += 8) fill8(i, large + at);
}

// After the last candidate of a particle: judges if there are many.
template <std::size_t D>
ABUT_INLINE void end_particle(const SortedView<D>& view, Index i, CandidateBuffer& pile,
                              BufferCursor& height, PairSink& sink) {
  fill_particle(i, height.count - height.particle_begin,
                pile.particle.data() + height.particle_begin);
  height.particle_begin = height.count;
  if (height.count > CandidateBuffer::flush_threshold) [[unlikely]] {
    test_buffer(view, pile, height.count, sink);
    height = {0, 0};
  }
}

// Before the last: the pile is nearly full.
template <std::size_t D>
void spill(const SortedView<D>& view, Index i, CandidateBuffer& pile, BufferCursor& height,
           PairSink& sink) {
  end_particle(view, i, pile, height, sink);
}

// After the last particle.
template <std::size_t D>
void finish(const SortedView<D>& view, CandidateBuffer& pile, const BufferCursor& height,
            PairSink& sink) {
  test_buffer(view, pile, height.count, sink);
}

// The same where candidates are kept instead of judged.
template <std::size_t D>
void finish(const SortedView<D>& /*view*/, CandidateBuffer& pile, const BufferCursor& height,
            CandidateList& kept) {
  kept.append({pile.particle.data(), height.count}, {pile.candidate.data(), height.count});
}

template <std::size_t D>
ABUT_INLINE void end_particle(const SortedView<D>& view, Index i, CandidateBuffer& pile,
                              BufferCursor& height, CandidateList& kept) {
  const std::size_t count = height.count - height.particle_begin;
  fill_particle(i, count, pile.particle.data() + height.particle_begin);
  kept.overflowed |= count > 255;
  kept.counts[i] = static_cast<std::uint8_t>(count);
  height.particle_begin = height.count;
  if (height.count > CandidateBuffer::flush_threshold) [[unlikely]] {
    finish(view, pile, height, kept);
    height = {0, 0};
  }
}

template <std::size_t D>
void spill(const SortedView<D>& view, Index /*i*/, CandidateBuffer& pile, BufferCursor& height,
           CandidateList& kept) {
  finish(view, pile, {0, height.particle_begin}, kept);
  const Index* own = pile.candidate.data() + height.particle_begin;
  height = {0, height.count - height.particle_begin};
  kept.overflowed |= height.count > 255;  // there is no way to say so many
  if (kept.overflowed) height.count = 0;
  std::copy_n(own, height.count, pile.candidate.data());
}

template <std::size_t D>
ABUT_INLINE void add8(const SortedView<D>& sorted, QuantizedParticle packed, Index first,
                      Index count, CandidateBuffer& pile, BufferCursor& height) {
  const unsigned mask =
      low_bits(candidate_mask8(packed, sorted.xy + first, sorted.zr + first), count);
  expand_mask(first, mask, pile.candidate.data() + height.count);
  height.count += static_cast<std::size_t>(__builtin_popcount(mask));
}

// A crowded row, judging in between.
template <std::size_t D, class Sink>
[[gnu::noinline]] BufferCursor add_range(const SortedView<D>& view, const QuantizedParticle& packed,
                                         Index i, Index first, Index last, CandidateBuffer& pile,
                                         BufferCursor height, Sink& sink) {
  for (; first < last; first += 8) {
    add8(view, packed, first, std::min<Index>(last - first, 8), pile, height);
    if (height.count > CandidateBuffer::flush_threshold) spill(view, i, pile, height, sink);
  }
  return height;
}

/// Candidates first … last−1 for particle i.
template <std::size_t D, class Sink>
ABUT_INLINE void add_candidates(const SortedView<D>& view, const SortedView<D>& sorted,
                                QuantizedParticle packed, Index i, Index first, Index last,
                                CandidateBuffer& pile, BufferCursor& height, Sink& sink) {
  if (last - first > 8) [[unlikely]] {
    const QuantizedParticle in_memory = packed;  // a copy: the original stays in registers
    height = add_range(view, in_memory, i, first, last, pile, height, sink);
  } else {
    add8(sorted, packed, first, last - first, pile, height);
  }
}

/// Where the rows begin that a row is compared with: itself and half of those around it.
template <std::size_t D>
struct NeighborRows {
  static constexpr std::size_t size = D == 2 ? 1 : 4;
  const std::uint32_t* own;
  std::array<const std::uint32_t*, size> other;
};

// The row `step` further along an axis, or none.
template <std::size_t D>
bool step_row(const Level<D>& level, std::size_t axis, int step, std::int32_t& number) {
  number += step;
  if (number >= 0 && number < level.cells[axis]) return true;
  if (!level.modular[axis]) return false;
  number &= level.cells[axis] - 1;
  return true;
}

template <std::size_t D>
NeighborRows<D> neighbor_rows(const SortedView<D>& sorted, const Level<D>& level, std::size_t row) {
  static constexpr std::array<std::array<int, 2>, 4> steps{{{1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
  const auto begin = [&](std::size_t number) {
    return sorted.cell_start + level.first_cell + number * level.row_length();
  };
  NeighborRows<D> rows{begin(row), {}};
  for (std::size_t at = 0; at < rows.size; ++at) {
    std::array<std::int32_t, 3> number{};
    auto rest = static_cast<std::int32_t>(row);
    bool there = true;
    std::size_t neighbour = 0;
    for (std::size_t axis = 1; axis < D; ++axis) {
      number[axis] = rest % level.cells[axis];
      rest /= level.cells[axis];
      there = there && step_row(level, axis, steps[at][axis - 1], number[axis]);
    }
    for (std::size_t axis = D; axis-- > 1;)
      neighbour = neighbour * static_cast<std::size_t>(level.cells[axis]) +
                  static_cast<std::size_t>(number[axis]);
    rows.other[at] = there ? begin(neighbour) : sorted.empty_row;
  }
  return rows;
}

// In a folded row the last cell is beside the first.
template <std::size_t D, class Sink>
[[gnu::noinline]] BufferCursor add_wrapped(const SortedView<D>& view, const Level<D>& level,
                                           const NeighborRows<D>& rows, Index i, std::int32_t cell,
                                           CandidateBuffer& pile, BufferCursor height, Sink& sink) {
  const QuantizedParticle packed = broadcast(view.xy[i], view.zr[i]);
  const std::int32_t last = level.cells[0];
  if (cell == 0)
    for (const std::uint32_t* row : rows.other)
      add_candidates(view, view, packed, i, row[last], row[last + 1], pile, height, sink);
  if (cell == last - 1) {
    add_candidates(view, view, packed, i, rows.own[1], rows.own[2], pile, height, sink);
    for (const std::uint32_t* row : rows.other)
      add_candidates(view, view, packed, i, row[1], row[2], pile, height, sink);
  }
  return height;
}

// Whether nothing beyond the faces of its cell is within reach of a particle. Packed coordinates
// are in units of cells, so their low bits tell where in its cell it is.
template <std::size_t D>
ABUT_INLINE bool is_inside_cell(std::uint32_t xy, std::uint32_t zr, std::uint32_t face) {
  constexpr std::uint32_t low = cell_units - 1;
  const auto beyond = [&](std::uint32_t at) {
    return static_cast<unsigned>((at & low) - face > low - 2 * face);
  };
  return (beyond(xy) | beyond(xy >> 16U) | (D == 2 ? 0 : beyond(zr))) == 0;
}

template <bool Folded, bool Wide, std::size_t D, class Sink>
ABUT_INLINE void search_row(const SortedView<D>& view, const Level<D>& level,
                            const NeighborRows<D>& rows, Index first, Index last,
                            CandidateBuffer& pile, BufferCursor& height, Sink& sink) {
  const SortedView<D> sorted = view;
  const NeighborRows<D> near = rows;
  constexpr std::size_t ahead = 16;
  for (Index i = first; i < last; ++i) {
    const std::int32_t cell =
        level.template axis_cell<Folded>(0, sorted.spheres[i][level.axis_order[0]]);
    const QuantizedParticle packed = broadcast(sorted.xy[i], sorted.zr[i]);
    // The last of the rows is met for the first time; what is judged later must be there by then.
    __builtin_prefetch(sorted.spheres + near.other.back()[cell] + ahead);
    if constexpr (Wide)
      if (is_inside_cell<D>(sorted.xy[i], sorted.zr[i], level.face_distance)) {
        add_candidates(view, sorted, packed, i, i + 1, near.own[cell + 2], pile, height, sink);
        end_particle(view, i, pile, height, sink);
        continue;
      }
    add_candidates(view, sorted, packed, i, i + 1, near.own[cell + 3], pile, height, sink);
    for (std::size_t at = 0; at < near.size; ++at)
      add_candidates(view, sorted, packed, i, near.other[at][cell], near.other[at][cell + 3], pile,
                     height, sink);
    if constexpr (Folded)
      if (level.modular[0] && (cell == 0 || cell == level.cells[0] - 1)) [[unlikely]]
        height = add_wrapped(view, level, rows, i, cell, pile, height, sink);
    end_particle(view, i, pile, height, sink);
  }
}

template <bool Folded, bool Wide, std::size_t D, class Sink>
std::uint64_t search_rows(const SortedView<D>& view, const Level<D>& level, Index first, Index last,
                          Sink& sink) {
  CandidateBuffer pile;
  BufferCursor height{0, 0};
  const SphereRecord<D>& start = view.spheres[first];
  std::size_t row = level.template row_index<Folded>([&](std::size_t k) { return start[k]; });
  for (; first < last; ++row) {
    const NeighborRows<D> rows = neighbor_rows(view, level, row);
    const Index row_end = std::min<Index>(last, rows.own[level.row_length()]);
    search_row<Folded, Wide>(view, level, rows, first, row_end, pile, height, sink);
    first = std::max(first, row_end);
  }
  finish(view, pile, height, sink);
  return pile.tested_count;
}

template <std::size_t D, class Sink>
std::uint64_t search_level(const SortedView<D>& view, const Level<D>& level, Index first,
                           Index last, Sink& sink) {
  if (level.is_modular()) return search_rows<true, false>(view, level, first, last, sink);
  constexpr std::uint32_t wide = cell_units / 4;
  return level.face_distance < wide ? search_rows<false, true>(view, level, first, last, sink)
                                    : search_rows<false, false>(view, level, first, last, sink);
}

/// The cells a particle's reach meets along one axis of a level: `count` of them from `first`,
/// which in a folded axis go on with the first cell after the last.
struct CellSpan {
  std::int32_t first;
  std::int32_t count;
};

template <std::size_t D>
CellSpan cell_span(const Level<D>& level, std::size_t axis, double t, double bare_reach) {
  const double reach = bare_reach + (std::abs(t) + bare_reach) * 0x1p-50;  // far beyond rounding
  const auto whole = [](double at) {
    return static_cast<std::int64_t>(
        std::clamp(at, -Level<D>::max_cell_coordinate, Level<D>::max_cell_coordinate));
  };
  const std::int64_t cells = level.cells[axis];
  std::int64_t low = whole(t - reach);
  std::int64_t high = whole(t + reach);
  if (level.modular[axis]) {
    const std::int64_t count = std::min(high - low + 1, cells);
    return {static_cast<std::int32_t>(low & (cells - 1)), static_cast<std::int32_t>(count)};
  }
  low = std::clamp<std::int64_t>(low, 0, cells - 1);
  high = std::clamp<std::int64_t>(high, 0, cells - 1);
  return {static_cast<std::int32_t>(low), static_cast<std::int32_t>(high - low + 1)};
}

/// Calls visit(first, last) for the runs of particles of a level in cells that a centre may reach.
template <std::size_t D, class Visit>
ABUT_INLINE void for_each_range(const SortedView<D>& view, const Level<D>& level,
                                const SphereRecord<D>& centre, const Visit& visit) {
  const double reach =
      view.predicate.cutoff(centre[D], level.max_radius) * level.inverse_cell_size +
      level.rounding_slack / units_per_cell;
  std::array<CellSpan, 3> spans{CellSpan{0, 1}, CellSpan{0, 1}, CellSpan{0, 1}};
  for (std::size_t axis = 0; axis < D; ++axis)
    spans[axis] = cell_span(
        level, axis, level.cell_coordinate(level.axis_order[axis], centre[level.axis_order[axis]]),
        reach);
  const auto [cell, cells] = spans[0];
  const std::int32_t end = std::min(cell + cells, level.cells[0]);
  const auto folded = [](std::int32_t number, std::int32_t count) {
    return number < count ? number : number - count;
  };
  for (std::int32_t z = 0; z < spans[2].count; ++z)
    for (std::int32_t y = 0; y < spans[1].count; ++y) {
      std::int32_t row = folded(spans[1].first + y, level.cells[1]);
      if constexpr (D == 3) row += folded(spans[2].first + z, level.cells[2]) * level.cells[1];
      const std::uint32_t* start =
          view.cell_start + level.first_cell + static_cast<std::size_t>(row) * level.row_length();
      visit(start[cell + 1], start[end + 1]);
      if (cell + cells > end) [[unlikely]]  // folded: the rest begins the row
        visit(start[1], start[cell + cells - end + 1]);
    }
}

// Particles packed like those of the other level, and compared with eight of them at a time.
template <std::size_t D>
std::uint64_t search_between_quantized(const SortedView<D>& view, const Level<D>& other,
                                       Index first, Index last, PairSink& sink) {
  const SortedView<D> sorted = view;
  const Quantization<D> packing(other, sorted.predicate);
  CandidateBuffer pile;
  BufferCursor height{0, 0};
  for (Index i = first; i < last; ++i) {
    std::uint32_t xy = 0;
    std::uint32_t zr = 0;
    quantize_scalar(packing, sorted.spheres + i, 0, 1, &xy, &zr);
    const QuantizedParticle packed = broadcast(xy, zr);
    for_each_range(sorted, other, sorted.spheres[i], [&](Index begin, Index stop) {
      add_candidates(view, sorted, packed, i, begin, stop, pile, height, sink);
      if (height.count > CandidateBuffer::flush_threshold) [[unlikely]]
        spill(view, i, pile, height, sink);
    });
    end_particle(view, i, pile, height, sink);
  }
  test_buffer(view, pile, height.count, sink);
  return pile.tested_count;
}

// Particles that are too large for that: the predicate for every one they may reach.
template <std::size_t D>
std::uint64_t search_between_exact(const SortedView<D>& view, const Level<D>& other, Index first,
                                   Index last, PairSink& sink) {
  CandidateBuffer pile;
  std::size_t kept = 0;
  for (Index i = first; i < last; ++i)
    for_each_range(view, other, view.spheres[i], [&](Index begin, Index stop) {
      pile.tested_count += stop - begin;
      for (; begin < stop; begin += std::min<Index>(stop - begin, 64)) {
        kept +=
            test_range(view, i, begin, std::min<Index>(stop, begin + 64), pile.pairs.data() + kept);
        if (kept < CandidateBuffer::flush_threshold) continue;
        sink.append({pile.pairs.data(), kept});
        kept = 0;
      }
    });
  sink.append({pile.pairs.data(), kept});
  return pile.tested_count;
}

template <std::size_t D>
std::uint64_t search_between_levels(const SortedView<D>& view, const Level<D>& own,
                                    const Level<D>& other, Index first, Index last,
                                    PairSink& sink) {
  const double reach =
      view.predicate.cutoff(own.max_radius, other.max_radius) * other.inverse_cell_size +
      2 * other.rounding_slack / units_per_cell;
  constexpr double packable = 3.9;  // cells: less than what packed coordinates tell apart
  return reach < packable ? search_between_quantized(view, other, first, last, sink)
                          : search_between_exact(view, other, first, last, sink);
}

// The candidates of a particle from how much later they come.
ABUT_INLINE void expand_candidates(const std::uint16_t* later, Index i, std::size_t count,
                                   Index* small) {
  expand_offsets(later, i, small);
  if (count > 8) [[unlikely]]
    for (std::size_t at = 8; at < count; at += 8) expand_offsets(later + at, i, small + at);
}

/// Judges candidates that were kept for the particles first … last−1.
template <std::size_t D>
std::uint64_t test_candidate_list(const SortedView<D>& view, Index first, Index last,
                                  const CandidateList& candidates, PairSink& sink) {
  CandidateBuffer pile;
  const std::uint16_t* later = candidates.index_offsets.data();
  const std::uint8_t* const counts = candidates.counts;
  std::size_t at = 0;
  for (Index i = first; i < last; ++i) {
    const std::size_t count = counts[i];
    fill_particle(i, count, pile.particle.data() + at);
    expand_candidates(later, i, count, pile.candidate.data() + at);
    later += count;
    at += count;
    if (at > CandidateBuffer::flush_threshold) [[unlikely]] {
      test_buffer(view, pile, at, sink);
      at = 0;
    }
  }
  test_buffer(view, pile, at, sink);
  return pile.tested_count;
}
