#pragma once

#include <abut/spheres.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/grown_array.hpp"
#include "core/thread_pool.hpp"
#include "engine/kernel.hpp"
#include "engine/plan.hpp"

namespace abut {

/// Particles sorted by cell: streamed into some hundred buckets of neighbouring cells, then
/// sorted bucket by bucket in the cache. The order does not depend on the number of threads: by
/// cell, then by the caller's numbers.
template <std::size_t D>
class Order {
 public:
  /// Sorts the particles, and says in the plan where each level begins.
  void sort(const Spheres<D>& particles, Plan<D>& plan, const Reach<D>& reach, ThreadPool& pool);

  /// How far particles have gone, in packed units of their one level.
  struct Motion {
    bool same_radii = true;
    double since_last = 0;    ///< the farthest, from where it was seen last
    double since_sorted = 0;  ///< the farthest, from where it was sorted
  };

  /// Takes new coordinates without sorting again.
  Motion follow(const Spheres<D>& particles, const Level<D>& level, const Reach<D>& reach,
                ThreadPool& pool);

  [[nodiscard]] std::size_t size() const { return size_; }
  void forget() { size_ = 0; }

  [[nodiscard]] SortedView<D> view(const Reach<D>& reach, Index fixed) const;

  [[nodiscard]] const Kernels<D>& kernels() const { return *kernels_; }

  [[nodiscard]] std::size_t bytes() const;
  /// Of these, what threads sort a bucket in.
  [[nodiscard]] std::size_t scratch_bytes() const;

  /// What `bytes` will be for so many particles.
  static double bytes_needed(double particles, unsigned threads);

 private:
  void make_room(const Plan<D>& plan, std::size_t threads);
  void count_into_buckets(const Spheres<D>& particles, const Plan<D>& plan, ThreadPool& pool);
  void number_buckets(std::size_t parts);
  void stream_into_buckets(const Spheres<D>& particles, std::size_t first, std::size_t last,
                           Index* place);
  void sort_bucket(std::size_t bucket, const Plan<D>& plan, const Reach<D>& reach, unsigned worker);

  const Kernels<D>* kernels_ = &kernels_of_this_machine<D>();
  struct Scratch {  // of one worker, for one bucket
    std::vector<Centre<D>> centre;
    std::vector<Index> id;
  };
  void move_into_order(Index first, Index last, Scratch& scratch);
  void rank(ThreadPool& pool);
  Motion take(const Spheres<D>& particles, std::size_t first, std::size_t last);
  [[nodiscard]] double astray(const Packing<D>& packing, std::size_t first, std::size_t last) const;

  std::size_t size_ = 0;
  std::size_t cells_ = 0;
  unsigned shift_ = 0;  // cells of a bucket, as a power of two
  std::size_t buckets_ = 0;
  HugeArray<Centre<D>> centre_;
  HugeArray<Index> id_;
  HugeArray<std::uint32_t> xy_;  // until particles are packed: cells in the caller's order …
  HugeArray<std::uint32_t> zr_;  // … and in the order of buckets
  HugeArray<std::uint32_t> start_;
  HugeArray<Index> rank_;  // where a particle of the caller is, once somebody asked
  bool ranked_ = false;
  std::vector<std::uint32_t> empty_;
  std::vector<Index> places_;  // for each part of the input, its place in each bucket
  std::vector<Index> bucket_start_;
  std::vector<Scratch> scratch_;
  std::vector<Motion> motions_;  // of each run, while they are followed
};

extern template class Order<2>;
extern template class Order<3>;

}  // namespace abut
