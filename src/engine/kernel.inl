// The inner loops of the engine. Included by kernel.cpp after kernel_lanes.inl, in the namespace of
// an instruction set.
//
// The loops avoid branches that depend on the data: candidates collect in a buffer, and about a
// thousand of them are tested at a time. The cursor is separate from the buffer and passed by value
// or inlined, so that its members stay in registers.

// Candidates waiting for the exact test, and the pairs among them. It is flushed when it holds
// more than `flush_threshold` candidates; the capacity leaves space for those of one more
// particle.
struct CandidateBuffer {
  static constexpr std::size_t flush_threshold = 1024;
  // One particle adds up to 255 stored candidates, and a vector is written past the last.
  static constexpr std::size_t capacity = flush_threshold + 272;
  std::uint64_t tested_count = 0;
  std::array<Index, capacity> particle;
  std::array<Index, capacity> candidate;
  std::array<Pair, capacity> pairs;
};

struct BufferCursor {
  std::size_t particle_begin;  // position of the first candidate of the current particle
  std::size_t count;           // candidates in the buffer
};

// Tests the first `count` candidates of the buffer and sends the pairs to the sink.

template <std::size_t D>
HWY_NOINLINE void test_buffer(const SortedView<D>& view, CandidateBuffer& buffer, std::size_t count,
                              PairSink& sink) {
  buffer.tested_count += count;
  sink.append({buffer.pairs.data(), test_all(view, buffer.particle.data(), buffer.candidate.data(),
                                             count, buffer.pairs.data())});
}

// Writes i as the particle of `count` candidates.
HWY_INLINE void fill_particle(Index i, std::size_t count, Index* particles) {
  fill8(i, particles);
  if (count > 8) [[unlikely]]
    for (std::size_t n = 8; n < count; n += 8) fill8(i, particles + n);
}

// Called after the last candidate of a particle; flushes the buffer above its threshold.
template <std::size_t D>
HWY_INLINE void end_particle(const SortedView<D>& view, Index i, CandidateBuffer& buffer,
                             BufferCursor& cursor, PairSink& sink) {
  fill_particle(i, cursor.count - cursor.particle_begin,
                buffer.particle.data() + cursor.particle_begin);
  cursor.particle_begin = cursor.count;
  if (cursor.count > CandidateBuffer::flush_threshold) [[unlikely]] {
    test_buffer(view, buffer, cursor.count, sink);
    cursor = {0, 0};
  }
}

// Called when the buffer is nearly full before the last candidate of a particle.
template <std::size_t D>
void spill(const SortedView<D>& view, Index i, CandidateBuffer& buffer, BufferCursor& cursor,
           PairSink& sink) {
  end_particle(view, i, buffer, cursor, sink);
}

// Called after the last particle.
template <std::size_t D>
void finish(const SortedView<D>& view, CandidateBuffer& buffer, const BufferCursor& cursor,
            PairSink& sink) {
  test_buffer(view, buffer, cursor.count, sink);
}

// The same three functions for a sink that stores candidates instead of testing them.
template <std::size_t D>
void finish(const SortedView<D>& /*view*/, CandidateBuffer& buffer, const BufferCursor& cursor,
            CandidateList& list) {
  list.append({buffer.particle.data(), cursor.count}, {buffer.candidate.data(), cursor.count});
}

template <std::size_t D>
HWY_INLINE void end_particle(const SortedView<D>& view, Index i, CandidateBuffer& buffer,
                             BufferCursor& cursor, CandidateList& list) {
  const std::size_t count = cursor.count - cursor.particle_begin;
  fill_particle(i, count, buffer.particle.data() + cursor.particle_begin);
  list.overflowed |= count > 255;
  list.counts[i] = static_cast<std::uint8_t>(count);
  cursor.particle_begin = cursor.count;
  if (cursor.count > CandidateBuffer::flush_threshold) [[unlikely]] {
    finish(view, buffer, cursor, list);
    cursor = {0, 0};
  }
}

template <std::size_t D>
void spill(const SortedView<D>& view, Index /*i*/, CandidateBuffer& buffer, BufferCursor& cursor,
           CandidateList& list) {
  finish(view, buffer, {0, cursor.particle_begin}, list);
  const Index* rest = buffer.candidate.data() + cursor.particle_begin;
  cursor = {0, cursor.count - cursor.particle_begin};
  list.overflowed |= cursor.count > 255;  // counts are stored in 8 bits
  if (list.overflowed) cursor.count = 0;
  std::copy_n(rest, cursor.count, buffer.candidate.data());
}

template <std::size_t D>
HWY_INLINE void add8(const SortedView<D>& sorted, QuantizedParticle quantized, Index first,
                     Index count, CandidateBuffer& buffer, BufferCursor& cursor) {
  const unsigned mask =
      low_bits(candidate_mask8(quantized, sorted.xy + first, sorted.zr + first), count);
  expand_mask(first, mask, buffer.candidate.data() + cursor.count);
  cursor.count += static_cast<std::size_t>(__builtin_popcount(mask));
}

// Adds a long range of candidates, flushing in between.
template <std::size_t D, class Sink>
HWY_NOINLINE BufferCursor add_range(const SortedView<D>& view, const QuantizedParticle& quantized,
                                    Index i, Index first, Index last, CandidateBuffer& buffer,
                                    BufferCursor cursor, Sink& sink) {
  for (; first < last; first += 8) {
    add8(view, quantized, first, std::min<Index>(last - first, 8), buffer, cursor);
    if (cursor.count > CandidateBuffer::flush_threshold) spill(view, i, buffer, cursor, sink);
  }
  return cursor;
}

// Adds those of the particles first … last−1 that may touch particle i. `sorted` is a local copy of
// `view`, which the compiler keeps in registers.
template <std::size_t D, class Sink>
HWY_INLINE void add_candidates(const SortedView<D>& view, const SortedView<D>& sorted,
                               QuantizedParticle quantized, Index i, Index first, Index last,
                               CandidateBuffer& buffer, BufferCursor& cursor, Sink& sink) {
  if (last - first > 8) [[unlikely]] {
    const QuantizedParticle in_memory = quantized;  // the original stays in registers
    cursor = add_range(view, in_memory, i, first, last, buffer, cursor, sink);
  } else {
    add8(sorted, quantized, first, last - first, buffer, cursor);
  }
}

// Cell starts of the rows that a row is compared with: itself and half of its neighbors.
template <std::size_t D>
struct NeighborRows {
  static constexpr std::size_t size = D == 2 ? 1 : 4;
  const std::uint32_t* own;
  std::array<const std::uint32_t*, size> other;
};

// Moves a row coordinate by `step` along an axis; returns false if there is no such row.
template <std::size_t D>
bool step_row(const Level<D>& level, std::size_t axis, int step, std::int32_t& coordinate) {
  coordinate += step;
  if (coordinate >= 0 && coordinate < level.cells[axis]) return true;
  if (!level.modular[axis]) return false;
  coordinate &= level.cells[axis] - 1;
  return true;
}

template <std::size_t D>
NeighborRows<D> neighbor_rows(const SortedView<D>& sorted, const Level<D>& level, std::size_t row) {
  static constexpr std::array<std::array<int, 2>, 4> steps{{{1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
  const auto begin = [&](std::size_t index) {
    return sorted.cell_start + level.first_cell + index * level.row_length();
  };
  NeighborRows<D> rows{begin(row), {}};
  for (std::size_t n = 0; n < rows.size; ++n) {
    std::array<std::int32_t, 3> coordinates{};
    auto rest = static_cast<std::int32_t>(row);
    bool exists = true;
    std::size_t neighbor = 0;
    for (std::size_t axis = 1; axis < D; ++axis) {
      coordinates[axis] = rest % level.cells[axis];
      rest /= level.cells[axis];
      exists = exists && step_row(level, axis, steps[n][axis - 1], coordinates[axis]);
    }
    for (std::size_t axis = D; axis-- > 1;)
      neighbor = neighbor * static_cast<std::size_t>(level.cells[axis]) +
                 static_cast<std::size_t>(coordinates[axis]);
    rows.other[n] = exists ? begin(neighbor) : sorted.empty_row;
  }
  return rows;
}

// Adds the candidates across the ends of a modular row, whose last cell is adjacent to the first.
template <std::size_t D, class Sink>
HWY_NOINLINE BufferCursor add_wrapped(const SortedView<D>& view, const Level<D>& level,
                                      const NeighborRows<D>& rows, Index i, std::int32_t cell,
                                      CandidateBuffer& buffer, BufferCursor cursor, Sink& sink) {
  const QuantizedParticle quantized = broadcast(view.xy[i], view.zr[i]);
  const std::int32_t last = level.cells[0];
  if (cell == 0)
    for (const std::uint32_t* row : rows.other)
      add_candidates(view, view, quantized, i, row[last], row[last + 1], buffer, cursor, sink);
  if (cell == last - 1) {
    add_candidates(view, view, quantized, i, rows.own[1], rows.own[2], buffer, cursor, sink);
    for (const std::uint32_t* row : rows.other)
      add_candidates(view, view, quantized, i, row[1], row[2], buffer, cursor, sink);
  }
  return cursor;
}

// Whether a particle is farther than `face_distance` from all faces of its cell, so that nothing in
// other cells is within the cutoff. The low bits of a quantized coordinate are the position within
// the cell.
template <std::size_t D>
HWY_INLINE bool is_inside_cell(std::uint32_t xy, std::uint32_t zr, std::uint32_t face_distance) {
  constexpr std::uint32_t low = cell_units - 1;
  const auto near_face = [&](std::uint32_t x) {
    return static_cast<unsigned>((x & low) - face_distance > low - 2 * face_distance);
  };
  return (near_face(xy) | near_face(xy >> 16U) | (D == 2 ? 0 : near_face(zr))) == 0;
}

// Searches the particles first … last−1 of one row. With `WideCells` most particles are not near a
// face of their cell and are only compared with particles of the same cell.
template <bool Modular, bool WideCells, std::size_t D, class Sink>
HWY_INLINE void search_row(const SortedView<D>& view, const Level<D>& level,
                           const NeighborRows<D>& rows, Index first, Index last,
                           CandidateBuffer& buffer, BufferCursor& cursor, Sink& sink) {
  const SortedView<D> sorted = view;
  const NeighborRows<D> local = rows;
  constexpr std::size_t ahead = 16;
  for (Index i = first; i < last; ++i) {
    const std::int32_t cell =
        level.template axis_cell<Modular>(0, sorted.spheres[i][level.axis_order[0]]);
    const QuantizedParticle quantized = broadcast(sorted.xy[i], sorted.zr[i]);
    // The last row is accessed for the first time here; its particles are needed in the exact test.
    __builtin_prefetch(sorted.spheres + local.other.back()[cell] + ahead);
    if constexpr (WideCells)
      if (is_inside_cell<D>(sorted.xy[i], sorted.zr[i], level.face_distance)) {
        add_candidates(view, sorted, quantized, i, i + 1, local.own[cell + 2], buffer, cursor,
                       sink);
        end_particle(view, i, buffer, cursor, sink);
        continue;
      }
    add_candidates(view, sorted, quantized, i, i + 1, local.own[cell + 3], buffer, cursor, sink);
    for (std::size_t n = 0; n < local.size; ++n)
      add_candidates(view, sorted, quantized, i, local.other[n][cell], local.other[n][cell + 3],
                     buffer, cursor, sink);
    if constexpr (Modular)
      if (level.modular[0] && (cell == 0 || cell == level.cells[0] - 1)) [[unlikely]]
        cursor = add_wrapped(view, level, rows, i, cell, buffer, cursor, sink);
    end_particle(view, i, buffer, cursor, sink);
  }
}

template <bool Modular, bool WideCells, std::size_t D, class Sink>
std::uint64_t search_rows(const SortedView<D>& view, const Level<D>& level, Index first, Index last,
                          Sink& sink) {
  CandidateBuffer buffer;
  BufferCursor cursor{0, 0};
  const SphereRecord<D>& start = view.spheres[first];
  std::size_t row = level.template row_index<Modular>([&](std::size_t k) { return start[k]; });
  for (; first < last; ++row) {
    const NeighborRows<D> rows = neighbor_rows(view, level, row);
    const Index row_end = std::min<Index>(last, rows.own[level.row_length()]);
    search_row<Modular, WideCells>(view, level, rows, first, row_end, buffer, cursor, sink);
    first = std::max(first, row_end);
  }
  finish(view, buffer, cursor, sink);
  return buffer.tested_count;
}

template <std::size_t D, class Sink>
std::uint64_t search_level(const SortedView<D>& view, const Level<D>& level, Index first,
                           Index last, Sink& sink) {
  if (level.is_modular()) return search_rows<true, false>(view, level, first, last, sink);
  constexpr std::uint32_t wide_limit = cell_units / 4;
  return level.face_distance < wide_limit
             ? search_rows<false, true>(view, level, first, last, sink)
             : search_rows<false, false>(view, level, first, last, sink);
}

// The cells within the cutoff of a particle along one axis of a level: `count` cells from `first`,
// which continue with the first cell after the last on a modular axis.
struct CellSpan {
  std::int32_t first;
  std::int32_t count;
};

template <std::size_t D>
CellSpan cell_span(const Level<D>& level, std::size_t axis, double t, double exact_cutoff) {
  const double cutoff =
      exact_cutoff + (std::abs(t) + exact_cutoff) * 0x1p-50;  // more than all rounding errors
  const auto whole = [](double x) {
    return static_cast<std::int64_t>(
        std::clamp(x, -Level<D>::max_cell_coordinate, Level<D>::max_cell_coordinate));
  };
  const std::int64_t cells = level.cells[axis];
  std::int64_t low = whole(t - cutoff);
  std::int64_t high = whole(t + cutoff);
  if (level.modular[axis]) {
    const std::int64_t count = std::min(high - low + 1, cells);
    return {static_cast<std::int32_t>(low & (cells - 1)), static_cast<std::int32_t>(count)};
  }
  low = std::clamp<std::int64_t>(low, 0, cells - 1);
  high = std::clamp<std::int64_t>(high, 0, cells - 1);
  return {static_cast<std::int32_t>(low), static_cast<std::int32_t>(high - low + 1)};
}

// Calls visit(first, last) for the ranges of particles of a level in cells within the cutoff of a
// particle.
template <std::size_t D, class Visit>
HWY_INLINE void for_each_range(const SortedView<D>& view, const Level<D>& level,
                               const SphereRecord<D>& sphere, const Visit& visit) {
  const double cutoff =
      view.predicate.cutoff(sphere[D], level.max_radius) * level.inverse_cell_size +
      level.rounding_slack / units_per_cell;
  std::array<CellSpan, 3> spans{CellSpan{0, 1}, CellSpan{0, 1}, CellSpan{0, 1}};
  for (std::size_t axis = 0; axis < D; ++axis)
    spans[axis] = cell_span(
        level, axis, level.cell_coordinate(level.axis_order[axis], sphere[level.axis_order[axis]]),
        cutoff);
  const auto [cell, cells] = spans[0];
  const std::int32_t end = std::min(cell + cells, level.cells[0]);
  const auto wrapped = [](std::int32_t coordinate, std::int32_t count) {
    return coordinate < count ? coordinate : coordinate - count;
  };
  for (std::int32_t z = 0; z < spans[2].count; ++z)
    for (std::int32_t y = 0; y < spans[1].count; ++y) {
      std::int32_t row = wrapped(spans[1].first + y, level.cells[1]);
      if constexpr (D == 3) row += wrapped(spans[2].first + z, level.cells[2]) * level.cells[1];
      const std::uint32_t* start =
          view.cell_start + level.first_cell + static_cast<std::size_t>(row) * level.row_length();
      visit(start[cell + 1], start[end + 1]);
      if (cell + cells > end) [[unlikely]]  // modular: continue at the start of the row
        visit(start[1], start[cell + cells - end + 1]);
    }
}

// Quantizes each particle like those of the other level and compares it with eight at a time.
template <std::size_t D>
std::uint64_t search_between_quantized(const SortedView<D>& view, const Level<D>& other,
                                       Index first, Index last, PairSink& sink) {
  const SortedView<D> sorted = view;
  const Quantization<D> quantization(other, sorted.predicate);
  CandidateBuffer buffer;
  BufferCursor cursor{0, 0};
  for (Index i = first; i < last; ++i) {
    std::uint32_t xy = 0;
    std::uint32_t zr = 0;
    quantize_scalar(quantization, sorted.spheres + i, 0, 1, &xy, &zr);
    const QuantizedParticle quantized = broadcast(xy, zr);
    for_each_range(sorted, other, sorted.spheres[i], [&](Index begin, Index end) {
      add_candidates(view, sorted, quantized, i, begin, end, buffer, cursor, sink);
      if (cursor.count > CandidateBuffer::flush_threshold) [[unlikely]]
        spill(view, i, buffer, cursor, sink);
    });
    end_particle(view, i, buffer, cursor, sink);
  }
  test_buffer(view, buffer, cursor.count, sink);
  return buffer.tested_count;
}

// For cutoffs too large for quantized coordinates: applies the exact predicate to all particles in
// the cells within the cutoff.
template <std::size_t D>
std::uint64_t search_between_exact(const SortedView<D>& view, const Level<D>& other, Index first,
                                   Index last, PairSink& sink) {
  CandidateBuffer buffer;
  std::size_t found = 0;
  for (Index i = first; i < last; ++i)
    for_each_range(view, other, view.spheres[i], [&](Index begin, Index end) {
      buffer.tested_count += end - begin;
      for (; begin < end; begin += std::min<Index>(end - begin, 64)) {
        found += test_range(view, i, begin, std::min<Index>(end, begin + 64),
                            buffer.pairs.data() + found);
        if (found < CandidateBuffer::flush_threshold) continue;
        sink.append({buffer.pairs.data(), found});
        found = 0;
      }
    });
  sink.append({buffer.pairs.data(), found});
  return buffer.tested_count;
}

template <std::size_t D>
std::uint64_t search_between_levels(const SortedView<D>& view, const Level<D>& own,
                                    const Level<D>& other, Index first, Index last,
                                    PairSink& sink) {
  const double cutoff =
      view.predicate.cutoff(own.max_radius, other.max_radius) * other.inverse_cell_size +
      2 * other.rounding_slack / units_per_cell;
  constexpr double quantizable = 3.9;  // cells; quantized differences are unique below 4
  return cutoff < quantizable ? search_between_quantized(view, other, first, last, sink)
                              : search_between_exact(view, other, first, last, sink);
}

// Computes the candidates of a particle from their offsets in the sorted order.
HWY_INLINE void expand_candidates(const std::uint16_t* offsets, Index i, std::size_t count,
                                  Index* candidates) {
  expand_offsets(offsets, i, candidates);
  if (count > 8) [[unlikely]]
    for (std::size_t n = 8; n < count; n += 8) expand_offsets(offsets + n, i, candidates + n);
}

// Tests the stored candidates of the particles first … last−1.
template <std::size_t D>
std::uint64_t test_candidate_list(const SortedView<D>& view, Index first, Index last,
                                  const CandidateList& list, PairSink& sink) {
  CandidateBuffer buffer;
  const std::uint16_t* offsets = list.index_offsets.data();
  const std::uint8_t* const counts = list.counts;
  std::size_t n = 0;
  for (Index i = first; i < last; ++i) {
    const std::size_t count = counts[i];
    fill_particle(i, count, buffer.particle.data() + n);
    expand_candidates(offsets, i, count, buffer.candidate.data() + n);
    offsets += count;
    n += count;
    if (n > CandidateBuffer::flush_threshold) [[unlikely]] {
      test_buffer(view, buffer, n, sink);
      n = 0;
    }
  }
  test_buffer(view, buffer, n, sink);
  return buffer.tested_count;
}
