#include "engine/order.hpp"

#include <algorithm>
#include <cmath>

#include "core/runs.hpp"

namespace abut {
namespace {

// What the inner loops may read past the end.
constexpr std::size_t padding = 8;

constexpr std::size_t most_buckets = 2048;
constexpr std::size_t particles_a_bucket = 4096;
constexpr std::size_t few_buckets = 16;  // of few particles, for several threads

// The square of the distance of two packed particles less than four cells apart.
template <std::size_t D>
float packed_distance(std::uint32_t xy, std::uint32_t zr, std::uint32_t other_xy,
                      std::uint32_t other_zr) {
  const auto squared = [](std::uint32_t a, std::uint32_t b) {
    const auto apart = static_cast<float>(static_cast<std::int16_t>(a - b));
    return apart * apart;
  };
  return squared(xy, other_xy) + squared(xy >> 16U, other_xy >> 16U) +
         (D == 3 ? squared(zr, other_zr) : 0);
}

template <std::size_t D>
auto position_in(const Spheres<D>& particles, std::size_t i) {
  return [&particles, i](std::size_t k) { return particles.axis(k)[i]; };
}

}  // namespace

template <std::size_t D>
double Order<D>::bytes_needed(double particles, unsigned threads) {
  // What is kept, and a bucket and a row of places for each thread; one bucket may hold them all.
  constexpr double particle = sizeof(Centre<D>) + sizeof(Index);
  return 64 * particles + threads * std::max(particle * particles, 4.0 * most_buckets) +
         (1U << 21U);
}

template <std::size_t D>
std::size_t Order<D>::scratch_bytes() const {
  std::size_t sum = 0;
  for (const Scratch& own : scratch_)
    sum += own.centre.capacity() * sizeof(Centre<D>) + own.id.capacity() * sizeof(Index);
  return sum;
}

template <std::size_t D>
std::size_t Order<D>::bytes() const {
  return centre_.bytes() + id_.bytes() + xy_.bytes() + zr_.bytes() + start_.bytes() +
         rank_.bytes() + scratch_bytes() +
         sizeof(Index) * (empty_.capacity() + places_.capacity() + bucket_start_.capacity());
}

template <std::size_t D>
SortedView<D> Order<D>::view(const Reach<D>& reach, Index fixed) const {
  return {centre_.data(), xy_.data(),    zr_.data(), id_.data(),
          start_.data(),  empty_.data(), reach,      fixed};
}

template <std::size_t D>
void Order<D>::sort(const Spheres<D>& particles, Plan<D>& plan, const Reach<D>& reach,
                    ThreadPool& pool) {
  size_ = particles.size();
  ranked_ = false;
  cells_ = plan.cells;
  const unsigned threads = pool.threads();
  make_room(plan, threads);
  count_into_buckets(particles, plan, pool);
  number_buckets(threads);
  pool.run(threads, [&](std::size_t part, unsigned) {
    stream_into_buckets(particles, part * size_ / threads, (part + 1) * size_ / threads,
                        places_.data() + part * buckets_);
  });
  pool.run(buckets_,
           [&](std::size_t bucket, unsigned worker) { sort_bucket(bucket, plan, reach, worker); });
  std::fill_n(start_.data() + cells_, padding, static_cast<std::uint32_t>(size_));
  std::fill_n(xy_.data() + size_, padding, 0U);
  std::fill_n(zr_.data() + size_, padding, 0U);
  for (Level<D>& level : plan.levels) {
    level.first = start_[level.base];
    level.last = start_[level.base + level.size()];
  }
}

template <std::size_t D>
void Order<D>::make_room(const Plan<D>& plan, std::size_t threads) {
  centre_.at_least(size_);
  id_.at_least(size_);
  xy_.at_least(size_ + padding);
  zr_.at_least(size_ + padding);
  start_.at_least(cells_ + padding);
  std::size_t longest = 0;
  for (const Level<D>& level : plan.levels) longest = std::max(longest, level.row_length());
  empty_.assign(longest + padding, 0);
  const std::size_t wanted =
      std::clamp<std::size_t>(size_ / particles_a_bucket,
                              std::clamp<std::size_t>(size_ / 1024, 1, few_buckets), most_buckets);
  for (shift_ = 0; (cells_ >> shift_) >= wanted; ++shift_) {
  }
  buckets_ = (cells_ >> shift_) + 1;
  places_.assign(threads * buckets_, 0);
  scratch_.resize(threads);
}

template <std::size_t D>
void Order<D>::count_into_buckets(const Spheres<D>& particles, const Plan<D>& plan,
                                  ThreadPool& pool) {
  const std::size_t parts = pool.threads();
  const bool folded = plan.folded();
  const auto cells = [&](std::size_t first, std::size_t last, const auto& cell_of) {
    for (std::size_t i = first; i < last; ++i) xy_[i] = cell_of(i);
  };
  pool.run(parts, [&](std::size_t part, unsigned) {
    const std::size_t first = part * size_ / parts;
    const std::size_t last = (part + 1) * size_ / parts;
    if (plan.levels.size() == 1 && !folded) {
      const Level<D> level = plan.levels[0];  // a copy, so that writing cannot change it
      cells(first, last, [&particles, level](std::size_t i) {
        return level.template cell<false>(position_in(particles, i));
      });
    } else {
      cells(first, last, [&](std::size_t i) {
        const Level<D>& level = plan.levels[plan.level_of(particles.radius()[i])];
        return folded ? level.template cell<true>(position_in(particles, i))
                      : level.template cell<false>(position_in(particles, i));
      });
    }
    Index* const count = places_.data() + part * buckets_;
    for (std::size_t i = first; i < last; ++i) ++count[xy_[i] >> shift_];
  });
}

// From counts to places: bucket after bucket, and in each, part after part.
template <std::size_t D>
void Order<D>::number_buckets(std::size_t parts) {
  bucket_start_.resize(buckets_ + 1);
  Index sum = 0;
  std::size_t largest = 0;
  for (std::size_t bucket = 0; bucket < buckets_; ++bucket) {
    bucket_start_[bucket] = sum;
    for (std::size_t part = 0; part < parts; ++part) {
      Index& place = places_[part * buckets_ + bucket];
      const Index count = place;
      place = sum;
      sum += count;
    }
    largest = std::max<std::size_t>(largest, sum - bucket_start_[bucket]);
  }
  bucket_start_[buckets_] = sum;
  for (Scratch& own : scratch_) {
    own.centre.resize(largest);
    own.id.resize(largest);
  }
}

template <std::size_t D>
void Order<D>::stream_into_buckets(const Spheres<D>& particles, std::size_t first, std::size_t last,
                                   Index* place) {
  const std::uint32_t* const cell = xy_.data();
  std::uint32_t* const cell_there = zr_.data();
  Centre<D>* const centre = centre_.data();
  Index* const id = id_.data();
  const unsigned shift = shift_;
  for (std::size_t i = first; i < last; ++i) {
    const Index at = place[cell[i] >> shift]++;
    // Where the bucket goes on: so many places at once are beyond what a processor foresees.
    __builtin_prefetch(centre + at + 2, 1);
    __builtin_prefetch(id + at + 16, 1);
    __builtin_prefetch(cell_there + at + 16, 1);
    for (std::size_t k = 0; k < D; ++k) centre[at][k] = particles.axis(k)[i];
    centre[at][D] = particles.radius()[i];
    id[at] = static_cast<Index>(i);
    cell_there[at] = cell[i];
  }
}

// A counting sort within the cache; afterwards start_ tells where each cell begins.
template <std::size_t D>
void Order<D>::sort_bucket(std::size_t bucket, const Plan<D>& plan, const Reach<D>& reach,
                           unsigned worker) {
  const Index first = bucket_start_[bucket];
  const Index last = bucket_start_[bucket + 1];
  std::uint32_t* const start = start_.data();
  const std::uint32_t* const cell = zr_.data();
  const std::size_t first_cell = bucket << shift_;
  const std::size_t last_cell = std::min(cells_, (bucket + 1) << shift_);
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
    move_into_order(first, last, scratch_[worker]);
    // start has become the end of each cell, which is the start of the next.
    for (std::size_t c = last_cell; c-- > first_cell + 1;) start[c] = start[c - 1];
    if (first_cell < last_cell) start[first_cell] = first;
  }
  for (const Level<D>& level : plan.levels) {
    const std::size_t from = std::max(first_cell, level.base);
    const std::size_t to = std::min(last_cell, level.base + level.size());
    if (from >= to) continue;
    const Index begin = start[from];
    const Index stop = to == last_cell ? last : start[to];
    kernels_->pack(Packing<D>(level, reach), centre_.data() + begin, stop - begin,
                   xy_.data() + begin, zr_.data() + begin);
  }
}

// Through the scratch memory; counts up what start_ tells of each cell.
template <std::size_t D>
void Order<D>::move_into_order(Index first, Index last, Scratch& scratch) {
  std::uint32_t* const start = start_.data();
  const std::uint32_t* const cell = zr_.data();
  Centre<D>* const centre = scratch.centre.data();
  Index* const id = scratch.id.data();
  for (Index i = first; i < last; ++i) {
    const Index at = start[cell[i]]++ - first;
    centre[at] = centre_[i];
    id[at] = id_[i];
  }
  std::copy_n(centre, last - first, centre_.data() + first);
  std::copy_n(id, last - first, id_.data() + first);
}

// The caller's arrays are streamed, and written where each particle was sorted to.
template <std::size_t D>
typename Order<D>::Motion Order<D>::follow(const Spheres<D>& particles, const Level<D>& level,
                                           const Reach<D>& reach, ThreadPool& pool) {
  if (!ranked_) rank(pool);
  const Packing<D> packing(level, reach);
  const Runs runs(size_);
  motions_.resize(runs.size());
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    motions_[run] = take(particles, runs.first(run), runs.last(run));
  });
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    motions_[run].since_sorted = astray(packing, runs.first(run), runs.last(run));
  });
  Motion all;
  for (const Motion& some : motions_) {
    all.same_radii = all.same_radii && some.same_radii;
    all.since_last = std::max(all.since_last, some.since_last * packing.scale[0]);
    all.since_sorted = std::max(all.since_sorted, some.since_sorted);
  }
  return all;
}

template <std::size_t D>
void Order<D>::rank(ThreadPool& pool) {
  rank_.at_least(size_);
  const Runs runs(size_);
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    for (std::size_t i = runs.first(run); i < runs.last(run); ++i)
      rank_[id_[i]] = static_cast<Index>(i);
  });
  ranked_ = true;
}

template <std::size_t D>
typename Order<D>::Motion Order<D>::take(const Spheres<D>& particles, std::size_t first,
                                         std::size_t last) {
  Centre<D>* const centre = centre_.data();
  const Index* const place = rank_.data();
  double farthest = 0;
  unsigned others = 0;
  for (std::size_t i = first; i < last; ++i) {
    constexpr std::size_t ahead = 32;
    __builtin_prefetch(centre + place[std::min(i + ahead, last - 1)], 1);
    Centre<D>& before = centre[place[i]];
    Centre<D> now;
    double squares = 0;
    for (std::size_t k = 0; k < D; ++k) {
      now[k] = particles.axis(k)[i];
      squares += (now[k] - before[k]) * (now[k] - before[k]);
    }
    now[D] = particles.radius()[i];
    farthest = std::max(farthest, squares);
    others |= static_cast<unsigned>(now[D] != before[D]);
    before = now;
  }
  return {.same_radii = others == 0, .since_last = std::sqrt(farthest), .since_sorted = 0};
}

template <std::size_t D>
double Order<D>::astray(const Packing<D>& packing, std::size_t first, std::size_t last) const {
  constexpr std::size_t some = 256;
  std::array<std::uint32_t, some> xy;
  std::array<std::uint32_t, some> zr;
  float farthest = 0;  // the distances that matter are far below what a float can hold
  for (std::size_t at = first; at < last; at += some) {
    const std::size_t count = std::min(some, last - at);
    kernels_->pack(packing, centre_.data() + at, count, xy.data(), zr.data());
    for (std::size_t i = 0; i < count; ++i)
      farthest = std::max(farthest, packed_distance<D>(xy[i], zr[i], xy_[at + i], zr_[at + i]));
  }
  return std::sqrt(static_cast<double>(farthest));
}

template class Order<2>;
template class Order<3>;

}  // namespace abut
