#include "engine/order.hpp"

#include <algorithm>
#include <cmath>

namespace abut {
namespace {

// What the inner loops may read past the end.
constexpr std::size_t padding = 8;

constexpr std::size_t most_buckets = 1024;
constexpr std::size_t particles_a_bucket = 1024;

template <std::size_t D>
auto position_in(const Spheres<D>& particles, std::size_t i) {
  return [&particles, i](std::size_t k) { return particles.axis(k)[i]; };
}

}  // namespace

template <std::size_t D>
double Order<D>::bytes_needed(double particles) {
  const double cells = std::max(64.0, 1.25 * particles);
  return (sizeof(Centre<D>) + 3 * sizeof(Index)) * particles + 4 * 1.2 * cells + (1U << 16U);
}

template <std::size_t D>
std::size_t Order<D>::bytes() const {
  std::size_t scratch = 0;
  for (const Scratch& own : scratch_)
    scratch += own.centre.capacity() * sizeof(Centre<D>) + own.id.capacity() * sizeof(Index);
  return centre_.bytes() + id_.bytes() + xy_.bytes() + zr_.bytes() + start_.bytes() + scratch +
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
  const std::size_t wanted = std::clamp<std::size_t>(size_ / particles_a_bucket, 1, most_buckets);
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
  for (Index i = first; i < last; ++i) ++start[cell[i]];
  Index sum = 0;
  for (std::size_t c = first_cell; c < last_cell; ++c) {
    const Index count = start[c];
    start[c] = sum;
    sum += count;
  }
  Centre<D>* const centre = scratch_[worker].centre.data();
  Index* const id = scratch_[worker].id.data();
  for (Index i = first; i < last; ++i) {
    const Index at = start[cell[i]]++;
    centre[at] = centre_[i];
    id[at] = id_[i];
  }
  Index end = first;  // start[c] has become the end of c, counted from the bucket's first
  for (std::size_t c = first_cell; c < last_cell; ++c) {
    const Index next = first + start[c];
    start[c] = end;
    end = next;
  }
  std::copy_n(centre, last - first, centre_.data() + first);
  std::copy_n(id, last - first, id_.data() + first);
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

template class Order<2>;
template class Order<3>;

}  // namespace abut
