#include "engine/cell_sort.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/machine.hpp"

namespace abut {
namespace {

// Elements that the inner loops may read past the end.
constexpr std::size_t padding = 8;

constexpr std::size_t max_buckets = 2048;
constexpr std::size_t particles_per_bucket = 4096;
constexpr std::size_t min_threaded_buckets =
    16;  // so that threads can share the work for few particles

// Squared distance of two quantized particles that are less than four cells apart.
template <std::size_t D>
float quantized_distance_squared(std::uint32_t xy, std::uint32_t zr, std::uint32_t other_xy,
                                 std::uint32_t other_zr) {
  const auto squared = [](std::uint32_t a, std::uint32_t b) {
    const auto difference = static_cast<float>(static_cast<std::int16_t>(a - b));
    return difference * difference;
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
  // Per thread: the scratch memory of a bucket, which may contain all particles, and its offsets.
  constexpr double bytes_per_particle = sizeof(SphereRecord<D>) + sizeof(Index);
  return 64 * particles + threads * std::max(bytes_per_particle * particles, 4.0 * max_buckets) +
         (1U << 21U);
}

template <std::size_t D>
std::size_t CellSortedParticles<D>::scratch_bytes() const {
  std::size_t sum = 0;
  for (const Scratch& scratch : scratch_)
    sum +=
        scratch.sphere.capacity() * sizeof(SphereRecord<D>) + scratch.id.capacity() * sizeof(Index);
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
SortedView<D> CellSortedParticles<D>::view(const ContactPredicate<D>& predicate,
                                           Index fixed_count) const {
  return {spheres_.data(),    xy_.data(),        zr_.data(), id_.data(),
          cell_start_.data(), empty_row_.data(), predicate,  fixed_count};
}

template <std::size_t D>
void CellSortedParticles<D>::sort(const Spheres<D>& particles, Plan<D>& plan,
                                  const ContactPredicate<D>& predicate, ThreadPool& pool) {
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
  pool.run(bucket_count_, [&](std::size_t bucket, unsigned worker) {
    sort_bucket(bucket, plan, predicate, worker);
  });
  std::fill_n(cell_start_.data() + cell_count_, padding, static_cast<std::uint32_t>(size_));
  std::fill_n(xy_.data() + size_, padding, 0U);
  std::fill_n(zr_.data() + size_, padding, 0U);
  for (Level<D>& level : plan.levels) {
    level.first = cell_start_[level.first_cell];
    level.last = cell_start_[level.first_cell + level.cell_count()];
  }
}

template <std::size_t D>
void CellSortedParticles<D>::reset() {
  size_ = 0;
  lent_ = {};
  spheres_.return_borrowed();
  for (auto* array : {&id_, &xy_, &zr_, &cell_start_}) array->return_borrowed();
}

// Takes the memory from the part of `lent` that is left, if it suffices.
template <std::size_t D>
template <class T>
void CellSortedParticles<D>::ensure_size(HugePageArray<T>& array, std::size_t size,
                                         std::span<std::byte>& lent) {
  constexpr std::size_t cache_line = 64;
  void* begin = lent.data();
  std::size_t left = lent.size();
  const std::size_t bytes = size * sizeof(T);
  if (begin == nullptr || std::align(cache_line, bytes, begin, left) == nullptr)
    return array.ensure_size(size);
  array.borrow({static_cast<T*>(begin), size});
  lent = {static_cast<std::byte*>(begin) + bytes, left - bytes};
}

template <std::size_t D>
void CellSortedParticles<D>::allocate(const Plan<D>& plan, std::size_t threads) {
  std::span<std::byte> lent = lent_;
  ensure_size(spheres_, size_, lent);
  ensure_size(id_, size_, lent);
  ensure_size(xy_, size_ + padding, lent);
  ensure_size(zr_, size_ + padding, lent);
  ensure_size(cell_start_, cell_count_ + padding, lent);
  std::size_t max_row_length = 0;
  for (const Level<D>& level : plan.levels)
    max_row_length = std::max(max_row_length, level.row_length());
  empty_row_.assign(max_row_length + padding, 0);
  const std::size_t target = std::clamp<std::size_t>(
      size_ / particles_per_bucket, std::clamp<std::size_t>(size_ / 1024, 1, min_threaded_buckets),
      max_buckets);
  for (bucket_shift_ = 0; (cell_count_ >> bucket_shift_) >= target; ++bucket_shift_) {
  }
  bucket_count_ = (cell_count_ >> bucket_shift_) + 1;
  bucket_offsets_.assign(threads * bucket_count_, 0);
  scratch_.resize(threads);
}

template <std::size_t D>
void CellSortedParticles<D>::count_into_buckets(const Spheres<D>& particles, const Plan<D>& plan,
                                                ThreadPool& pool) {
  const std::size_t threads = pool.threads();
  const bool modular = plan.is_modular();
  const auto store_cells = [&](std::size_t first, std::size_t last, const auto& cell_of) {
    for (std::size_t i = first; i < last; ++i) xy_[i] = cell_of(i);
  };
  pool.run(threads, [&](std::size_t part, unsigned) {
    const std::size_t first = part * size_ / threads;
    const std::size_t last = (part + 1) * size_ / threads;
    if (plan.levels.size() == 1 && !modular) {
      const Level<D> level = plan.levels[0];  // a copy cannot alias the output
      store_cells(first, last, [&particles, level](std::size_t i) {
        return level.template cell_index<false>(position_of(particles, i));
      });
    } else {
      store_cells(first, last, [&](std::size_t i) {
        const Level<D>& level = plan.levels[plan.level_for_radius(particles.radii()[i])];
        return modular ? level.template cell_index<true>(position_of(particles, i))
                       : level.template cell_index<false>(position_of(particles, i));
      });
    }
    Index* const count = bucket_offsets_.data() + part * bucket_count_;
    for (std::size_t i = first; i < last; ++i) ++count[xy_[i] >> bucket_shift_];
  });
}

// Turns counts into offsets: bucket after bucket, and within a bucket part after part.
template <std::size_t D>
void CellSortedParticles<D>::compute_bucket_offsets(std::size_t threads) {
  bucket_start_.resize(bucket_count_ + 1);
  Index sum = 0;
  std::size_t max_bucket_size = 0;
  for (std::size_t bucket = 0; bucket < bucket_count_; ++bucket) {
    bucket_start_[bucket] = sum;
    for (std::size_t part = 0; part < threads; ++part) {
      Index& offset = bucket_offsets_[part * bucket_count_ + bucket];
      const Index count = offset;
      offset = sum;
      sum += count;
    }
    max_bucket_size = std::max<std::size_t>(max_bucket_size, sum - bucket_start_[bucket]);
  }
  bucket_start_[bucket_count_] = sum;
  for (Scratch& scratch : scratch_) {
    scratch.sphere.resize(max_bucket_size);
    scratch.id.resize(max_bucket_size);
  }
}

template <std::size_t D>
void CellSortedParticles<D>::scatter_into_buckets(const Spheres<D>& particles, std::size_t first,
                                                  std::size_t last, Index* offsets) {
  const std::uint32_t* const cell = xy_.data();
  std::uint32_t* const sorted_cell = zr_.data();
  SphereRecord<D>* const spheres = spheres_.data();
  Index* const id = id_.data();
  const unsigned shift = bucket_shift_;
  for (std::size_t i = first; i < last; ++i) {
    const Index at = offsets[cell[i] >> shift]++;
    // Prefetch the end of the bucket: hardware prefetchers cannot track thousands of write streams.
    __builtin_prefetch(spheres + at + 2, 1);
    __builtin_prefetch(id + at + 16, 1);
    __builtin_prefetch(sorted_cell + at + 16, 1);
    for (std::size_t k = 0; k < D; ++k) spheres[at][k] = particles.coordinates(k)[i];
    spheres[at][D] = particles.radii()[i];
    id[at] = static_cast<Index>(i);
    sorted_cell[at] = cell[i];
  }
}

// Counting sort in cache; sets the cell starts of the bucket and quantizes its particles.
template <std::size_t D>
void CellSortedParticles<D>::sort_bucket(std::size_t bucket, const Plan<D>& plan,
                                         const ContactPredicate<D>& predicate, unsigned worker) {
  const Index first = bucket_start_[bucket];
  const Index last = bucket_start_[bucket + 1];
  std::uint32_t* const start = cell_start_.data();
  const std::uint32_t* const cell = zr_.data();
  const std::size_t first_cell = bucket << bucket_shift_;
  const std::size_t last_cell = std::min(cell_count_, (bucket + 1) << bucket_shift_);
  std::fill(start + first_cell, start + last_cell, 0U);
  unsigned out_of_order = 0;
  std::uint32_t previous = 0;
  for (Index i = first; i < last; ++i) {
    ++start[cell[i]];
    out_of_order |= static_cast<unsigned>(cell[i] < previous);
    previous = cell[i];
  }
  Index sum = first;
  for (std::size_t c = first_cell; c < last_cell; ++c) {
    const Index count = start[c];
    start[c] = sum;
    sum += count;
  }
  if (out_of_order != 0) {
    scatter_within_bucket(first, last, scratch_[worker]);
    // start[c] is now the end of cell c, which is the start of the next cell.
    for (std::size_t c = last_cell; c-- > first_cell + 1;) start[c] = start[c - 1];
    if (first_cell < last_cell) start[first_cell] = first;
  }
  for (const Level<D>& level : plan.levels) {
    const std::size_t from = std::max(first_cell, level.first_cell);
    const std::size_t to = std::min(last_cell, level.first_cell + level.cell_count());
    if (from >= to) continue;
    const Index begin = start[from];
    const Index end = to == last_cell ? last : start[to];
    kernels_->quantize(Quantization<D>(level, predicate), spheres_.data() + begin, end - begin,
                       xy_.data() + begin, zr_.data() + begin);
  }
}

// Sorts through the scratch memory; advances each cell start to the end of its cell.
template <std::size_t D>
void CellSortedParticles<D>::scatter_within_bucket(Index first, Index last, Scratch& scratch) {
  std::uint32_t* const start = cell_start_.data();
  const std::uint32_t* const cell = zr_.data();
  SphereRecord<D>* const spheres = scratch.sphere.data();
  Index* const id = scratch.id.data();
  for (Index i = first; i < last; ++i) {
    const Index at = start[cell[i]]++ - first;
    spheres[at] = spheres_[i];
    id[at] = id_[i];
  }
  std::copy_n(spheres, last - first, spheres_.data() + first);
  std::copy_n(id, last - first, id_.data() + first);
}

// Reads the caller's arrays in order and writes each particle to its sorted position.
template <std::size_t D>
typename CellSortedParticles<D>::Displacement CellSortedParticles<D>::update_positions(
    const Spheres<D>& particles, const Level<D>& level, const ContactPredicate<D>& predicate,
    ThreadPool& pool) {
  if (!ranks_valid_) compute_ranks(pool);
  const Quantization<D> quantization(level, predicate);
  const Chunks chunks(size_);
  chunk_displacements_.resize(chunks.size());
  pool.run(chunks.size(), [&](std::size_t chunk, unsigned) {
    chunk_displacements_[chunk] =
        store_positions(particles, chunks.first(chunk), chunks.last(chunk));
  });
  pool.run(chunks.size(), [&](std::size_t chunk, unsigned) {
    chunk_displacements_[chunk].since_sorted =
        max_displacement(quantization, chunks.first(chunk), chunks.last(chunk));
  });
  Displacement total;
  for (const Displacement& chunk : chunk_displacements_) {
    total.radii_unchanged = total.radii_unchanged && chunk.radii_unchanged;
    total.since_last = std::max(total.since_last, chunk.since_last * quantization.scale[0]);
    total.since_sorted = std::max(total.since_sorted, chunk.since_sorted);
  }
  return total;
}

template <std::size_t D>
void CellSortedParticles<D>::compute_ranks(ThreadPool& pool) {
  rank_.ensure_size(size_);
  const Chunks chunks(size_);
  pool.run(chunks.size(), [&](std::size_t chunk, unsigned) {
    for (std::size_t i = chunks.first(chunk); i < chunks.last(chunk); ++i)
      rank_[id_[i]] = static_cast<Index>(i);
  });
  ranks_valid_ = true;
}

template <std::size_t D>
typename CellSortedParticles<D>::Displacement CellSortedParticles<D>::store_positions(
    const Spheres<D>& particles, std::size_t first, std::size_t last) {
  SphereRecord<D>* const spheres = spheres_.data();
  const Index* const rank = rank_.data();
  double max_squared = 0;
  unsigned radii_changed = 0;
  for (std::size_t i = first; i < last; ++i) {
    constexpr std::size_t ahead = 32;
    __builtin_prefetch(spheres + rank[std::min(i + ahead, last - 1)], 1);
    SphereRecord<D>& stored = spheres[rank[i]];
    SphereRecord<D> current;
    double distance_squared = 0;
    for (std::size_t k = 0; k < D; ++k) {
      current[k] = particles.coordinates(k)[i];
      distance_squared += (current[k] - stored[k]) * (current[k] - stored[k]);
    }
    current[D] = particles.radii()[i];
    max_squared = std::max(max_squared, distance_squared);
    radii_changed |= static_cast<unsigned>(current[D] != stored[D]);
    stored = current;
  }
  return {.radii_unchanged = radii_changed == 0,
          .since_last = std::sqrt(max_squared),
          .since_sorted = 0};
}

template <std::size_t D>
double CellSortedParticles<D>::max_displacement(const Quantization<D>& quantization,
                                                std::size_t first, std::size_t last) const {
  constexpr std::size_t batch = 256;
  std::array<std::uint32_t, batch> xy;
  std::array<std::uint32_t, batch> zr;
  float max_squared = 0;  // relevant distances are well within the range of float
  for (std::size_t at = first; at < last; at += batch) {
    const std::size_t count = std::min(batch, last - at);
    kernels_->quantize(quantization, spheres_.data() + at, count, xy.data(), zr.data());
    for (std::size_t i = 0; i < count; ++i)
      max_squared = std::max(max_squared,
                             quantized_distance_squared<D>(xy[i], zr[i], xy_[at + i], zr_[at + i]));
  }
  return std::sqrt(static_cast<double>(max_squared));
}

template class CellSortedParticles<2>;
template class CellSortedParticles<3>;

}  // namespace abut
