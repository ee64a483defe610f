#include "engine/cell_sort.hpp"

#include <algorithm>
#include <cmath>

#include "core/thread_pool.hpp"

namespace abut {
namespace {

// What the inner loops may read past the end.
constexpr std::size_t padding = 8;

constexpr std::size_t max_buckets = 2048;
constexpr std::size_t particles_per_bucket = 4096;
constexpr std::size_t min_threaded_buckets = 16;  // of few particles, for several threads

// The square of the distance of two packed particles less than four cells apart.
template <std::size_t D>
float quantized_distance_squared(std::uint32_t xy, std::uint32_t zr, std::uint32_t other_xy,
                                 std::uint32_t other_zr) {
  const auto squared = [](std::uint32_t a, std::uint32_t b) {
    const auto apart = static_cast<float>(static_cast<std::int16_t>(a - b));
    return apart * apart;
  };
  return squared(xy, other_xy) + squared(xy >> 16U, other_xy >> 16U) +
         (D == 3 ? squared(zr, other_zr) : 0);
}

template <std::size_t D>
auto position_of(const Spheres<D>& particles, std::size_t i) {
  return [&particles, i](std::size_t k) { return particles.coordinates(k)[i]; };
}

}  // namespace

template <std::size_t D>
double CellSortedParticles<D>::bytes_needed(double particles, unsigned threads) {
  // What is kept, and a bucket and a row of places for each thread; one bucket may hold them all.
  constexpr double particle = sizeof(SphereRecord<D>) + sizeof(Index);
  return 64 * particles + threads * std::max(particle * particles, 4.0 * max_buckets) + (1U << 21U);
}

template <std::size_t D>
std::size_t CellSortedParticles<D>::scratch_bytes() const {
  std::size_t sum = 0;
  for (const Scratch& own : scratch_)
    sum += own.sphere.capacity() * sizeof(SphereRecord<D>) + own.id.capacity() * sizeof(Index);
  return sum;
}

template <std::size_t D>
std::size_t CellSortedParticles<D>::bytes() const {
  return spheres_.bytes() + id_.bytes() + xy_.bytes() + zr_.bytes() + cell_start_.bytes() +
         rank_.bytes() + scratch_bytes() +
         sizeof(Index) *
             (empty_row_.capacity() + bucket_offsets_.capacity() + bucket_start_.capacity());
}

template <std::size_t D>
SortedView<D> CellSortedParticles<D>::view(const ContactPredicate<D>& reach, Index fixed) const {
  return {spheres_.data(),    xy_.data(),        zr_.data(), id_.data(),
          cell_start_.data(), empty_row_.data(), reach,      fixed};
}

template <std::size_t D>
void CellSortedParticles<D>::sort(const Spheres<D>& particles, Plan<D>& plan,
                                  const ContactPredicate<D>& reach, ThreadPool& pool) {
  size_ = particles.size();
  ranks_valid_ = false;
  cell_count_ = plan.cells;
  const unsigned threads = pool.threads();
  allocate(plan, threads);
  count_into_buckets(particles, plan, pool);
  compute_bucket_offsets(threads);
  pool.run(threads, [&](std::size_t part, unsigned) {
    scatter_into_buckets(particles, part * size_ / threads, (part + 1) * size_ / threads,
                         bucket_offsets_.data() + part * bucket_count_);
  });
  pool.run(bucket_count_,
           [&](std::size_t bucket, unsigned worker) { sort_bucket(bucket, plan, reach, worker); });
  std::fill_n(cell_start_.data() + cell_count_, padding, static_cast<std::uint32_t>(size_));
  std::fill_n(xy_.data() + size_, padding, 0U);
  std::fill_n(zr_.data() + size_, padding, 0U);
  for (Level<D>& level : plan.levels) {
    level.first = cell_start_[level.first_cell];
    level.last = cell_start_[level.first_cell + level.cell_count()];
  }
}

template <std::size_t D>
void CellSortedParticles<D>::allocate(const Plan<D>& plan, std::size_t threads) {
  spheres_.ensure_size(size_);
  id_.ensure_size(size_);
  xy_.ensure_size(size_ + padding);
  zr_.ensure_size(size_ + padding);
  cell_start_.ensure_size(cell_count_ + padding);
  std::size_t longest = 0;
  for (const Level<D>& level : plan.levels) longest = std::max(longest, level.row_length());
  empty_row_.assign(longest + padding, 0);
  const std::size_t wanted = std::clamp<std::size_t>(
      size_ / particles_per_bucket, std::clamp<std::size_t>(size_ / 1024, 1, min_threaded_buckets),
      max_buckets);
  for (bucket_shift_ = 0; (cell_count_ >> bucket_shift_) >= wanted; ++bucket_shift_) {
  }
  bucket_count_ = (cell_count_ >> bucket_shift_) + 1;
  bucket_offsets_.assign(threads * bucket_count_, 0);
  scratch_.resize(threads);
}

template <std::size_t D>
void CellSortedParticles<D>::count_into_buckets(const Spheres<D>& particles, const Plan<D>& plan,
                                                ThreadPool& pool) {
  const std::size_t parts = pool.threads();
  const bool folded = plan.is_modular();
  const auto cells = [&](std::size_t first, std::size_t last, const auto& cell_of) {
    for (std::size_t i = first; i < last; ++i) xy_[i] = cell_of(i);
  };
  pool.run(parts, [&](std::size_t part, unsigned) {
    const std::size_t first = part * size_ / parts;
    const std::size_t last = (part + 1) * size_ / parts;
    if (plan.levels.size() == 1 && !folded) {
      const Level<D> level = plan.levels[0];  // a copy, so that writing cannot change it
      cells(first, last, [&particles, level](std::size_t i) {
        return level.template cell_index<false>(position_of(particles, i));
      });
    } else {
      cells(first, last, [&](std::size_t i) {
        const Level<D>& level = plan.levels[plan.level_for_radius(particles.radii()[i])];
        return folded ? level.template cell_index<true>(position_of(particles, i))
                      : level.template cell_index<false>(position_of(particles, i));
      });
    }
    Index* const count = bucket_offsets_.data() + part * bucket_count_;
    for (std::size_t i = first; i < last; ++i) ++count[xy_[i] >> bucket_shift_];
  });
}

// From counts to places: bucket after bucket, and in each, part after part.
template <std::size_t D>
void CellSortedParticles<D>::compute_bucket_offsets(std::size_t parts) {
  bucket_start_.resize(bucket_count_ + 1);
  Index sum = 0;
  std::size_t largest = 0;
  for (std::size_t bucket = 0; bucket < bucket_count_; ++bucket) {
    bucket_start_[bucket] = sum;
    for (std::size_t part = 0; part < parts; ++part) {
      Index& place = bucket_offsets_[part * bucket_count_ + bucket];
      const Index count = place;
      place = sum;
      sum += count;
    }
    largest = std::max<std::size_t>(largest, sum - bucket_start_[bucket]);
  }
  bucket_start_[bucket_count_] = sum;
  for (Scratch& own : scratch_) {
    own.sphere.resize(largest);
    own.id.resize(largest);
  }
}

template <std::size_t D>
void CellSortedParticles<D>::scatter_into_buckets(const Spheres<D>& particles, std::size_t first,
                                                  std::size_t last, Index* place) {
  const std::uint32_t* const cell = xy_.data();
  std::uint32_t* const cell_there = zr_.data();
  SphereRecord<D>* const centre = spheres_.data();
  Index* const id = id_.data();
  const unsigned shift = bucket_shift_;
  for (std::size_t i = first; i < last; ++i) {
    const Index at = place[cell[i] >> shift]++;
    // Where the bucket goes on: so many places at once are beyond what a processor foresees.
    __builtin_prefetch(centre + at + 2, 1);
    __builtin_prefetch(id + at + 16, 1);
    __builtin_prefetch(cell_there + at + 16, 1);
    for (std::size_t k = 0; k < D; ++k) centre[at][k] = particles.coordinates(k)[i];
    centre[at][D] = particles.radii()[i];
    id[at] = static_cast<Index>(i);
    cell_there[at] = cell[i];
  }
}

// A counting sort within the cache; afterwards start_ tells where each cell begins.
template <std::size_t D>
void CellSortedParticles<D>::sort_bucket(std::size_t bucket, const Plan<D>& plan,
                                         const ContactPredicate<D>& reach, unsigned worker) {
  const Index first = bucket_start_[bucket];
  const Index last = bucket_start_[bucket + 1];
  std::uint32_t* const start = cell_start_.data();
  const std::uint32_t* const cell = zr_.data();
  const std::size_t first_cell = bucket << bucket_shift_;
  const std::size_t last_cell = std::min(cell_count_, (bucket + 1) << bucket_shift_);
  std::fill(start + first_cell, start + last_cell, 0U);
  unsigned out_of_order = 0;
  std::uint32_t before = 0;
  for (Index i = first; i < last; ++i) {
    ++start[cell[i]];
    out_of_order |= static_cast<unsigned>(cell[i] < before);
    before = cell[i];
  }
  Index sum = first;
  for (std::size_t c = first_cell; c < last_cell; ++c) {
    const Index count = start[c];
    start[c] = sum;
    sum += count;
  }
  if (out_of_order != 0) {
    scatter_within_bucket(first, last, scratch_[worker]);
    // start has become the end of each cell, which is the start of the next.
    for (std::size_t c = last_cell; c-- > first_cell + 1;) start[c] = start[c - 1];
    if (first_cell < last_cell) start[first_cell] = first;
  }
  for (const Level<D>& level : plan.levels) {
    const std::size_t from = std::max(first_cell, level.first_cell);
    const std::size_t to = std::min(last_cell, level.first_cell + level.cell_count());
    if (from >= to) continue;
    const Index begin = start[from];
    const Index stop = to == last_cell ? last : start[to];
    kernels_->quantize(Quantization<D>(level, reach), spheres_.data() + begin, stop - begin,
                       xy_.data() + begin, zr_.data() + begin);
  }
}

// Through the scratch memory; counts up what start_ tells of each cell.
template <std::size_t D>
void CellSortedParticles<D>::scatter_within_bucket(Index first, Index last, Scratch& scratch) {
  std::uint32_t* const start = cell_start_.data();
  const std::uint32_t* const cell = zr_.data();
  SphereRecord<D>* const centre = scratch.sphere.data();
  Index* const id = scratch.id.data();
  for (Index i = first; i < last; ++i) {
    const Index at = start[cell[i]]++ - first;
    centre[at] = spheres_[i];
    id[at] = id_[i];
  }
  std::copy_n(centre, last - first, spheres_.data() + first);
  std::copy_n(id, last - first, id_.data() + first);
}

// The caller's arrays are streamed, and written where each particle was sorted to.
template <std::size_t D>
typename CellSortedParticles<D>::Displacement CellSortedParticles<D>::update_positions(
    const Spheres<D>& particles, const Level<D>& level, const ContactPredicate<D>& reach,
    ThreadPool& pool) {
  if (!ranks_valid_) compute_ranks(pool);
  const Quantization<D> packing(level, reach);
  const Chunks runs(size_);
  chunk_displacements_.resize(runs.size());
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    chunk_displacements_[run] = store_positions(particles, runs.first(run), runs.last(run));
  });
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    chunk_displacements_[run].since_sorted =
        max_displacement(packing, runs.first(run), runs.last(run));
  });
  Displacement all;
  for (const Displacement& some : chunk_displacements_) {
    all.radii_unchanged = all.radii_unchanged && some.radii_unchanged;
    all.since_last = std::max(all.since_last, some.since_last * packing.scale[0]);
    all.since_sorted = std::max(all.since_sorted, some.since_sorted);
  }
  return all;
}

template <std::size_t D>
void CellSortedParticles<D>::compute_ranks(ThreadPool& pool) {
  rank_.ensure_size(size_);
  const Chunks runs(size_);
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    for (std::size_t i = runs.first(run); i < runs.last(run); ++i)
      rank_[id_[i]] = static_cast<Index>(i);
  });
  ranks_valid_ = true;
}

template <std::size_t D>
typename CellSortedParticles<D>::Displacement CellSortedParticles<D>::store_positions(
    const Spheres<D>& particles, std::size_t first, std::size_t last) {
  SphereRecord<D>* const centre = spheres_.data();
  const Index* const place = rank_.data();
  double farthest = 0;
  unsigned others = 0;
  for (std::size_t i = first; i < last; ++i) {
    constexpr std::size_t ahead = 32;
    __builtin_prefetch(centre + place[std::min(i + ahead, last - 1)], 1);
    SphereRecord<D>& before = centre[place[i]];
    SphereRecord<D> now;
    double squares = 0;
    for (std::size_t k = 0; k < D; ++k) {
      now[k] = particles.coordinates(k)[i];
      squares += (now[k] - before[k]) * (now[k] - before[k]);
    }
    now[D] = particles.radii()[i];
    farthest = std::max(farthest, squares);
    others |= static_cast<unsigned>(now[D] != before[D]);
    before = now;
  }
  return {.radii_unchanged = others == 0, .since_last = std::sqrt(farthest), .since_sorted = 0};
}

template <std::size_t D>
double CellSortedParticles<D>::max_displacement(const Quantization<D>& packing, std::size_t first,
                                                std::size_t last) const {
  constexpr std::size_t some = 256;
  std::array<std::uint32_t, some> xy;
  std::array<std::uint32_t, some> zr;
  float farthest = 0;  // the distances that matter are far below what a float can hold
  for (std::size_t at = first; at < last; at += some) {
    const std::size_t count = std::min(some, last - at);
    kernels_->quantize(packing, spheres_.data() + at, count, xy.data(), zr.data());
    for (std::size_t i = 0; i < count; ++i)
      farthest =
          std::max(farthest, quantized_distance_squared<D>(xy[i], zr[i], xy_[at + i], zr_[at + i]));
  }
  return std::sqrt(static_cast<double>(farthest));
}

template class CellSortedParticles<2>;
template class CellSortedParticles<3>;

}  // namespace abut
