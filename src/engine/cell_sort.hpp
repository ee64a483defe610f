#pragma once

#include <abut/spheres.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/arrays.hpp"
#include "core/thread_pool.hpp"
#include "engine/kernel.hpp"
#include "engine/plan.hpp"

namespace abut {

/// Particles sorted by cell: streamed into some hundred buckets of neighbouring cells, then
/// sorted bucket by bucket in the cache. The order does not depend on the number of threads: by
/// cell, then by the caller's numbers.
template <std::size_t D>
class CellSortedParticles {
 public:
  /// Sorts the particles, and says in the plan where each level begins.
  void sort(const Spheres<D>& particles, Plan<D>& plan, const ContactPredicate<D>& reach,
            ThreadPool& pool);

  /// How far particles have gone, in packed units of their one level.
  struct Displacement {
    bool radii_unchanged = true;
    double since_last = 0;    ///< the farthest, from where it was seen last
    double since_sorted = 0;  ///< the farthest, from where it was sorted
  };

  /// Takes new coordinates without sorting again.
  Displacement update_positions(const Spheres<D>& particles, const Level<D>& level,
                                const ContactPredicate<D>& reach, ThreadPool& pool);

  [[nodiscard]] std::size_t size() const { return size_; }
  void reset() { size_ = 0; }

  [[nodiscard]] SortedView<D> view(const ContactPredicate<D>& reach, Index fixed) const;

  [[nodiscard]] const Kernels<D>& kernels() const { return *kernels_; }

  [[nodiscard]] std::size_t bytes() const;
  /// Of these, what threads sort a bucket in.
  [[nodiscard]] std::size_t scratch_bytes() const;

  /// What `bytes` will be for so many particles.
  static double bytes_needed(double particles, unsigned threads);

 private:
  void allocate(const Plan<D>& plan, std::size_t threads);
  void count_into_buckets(const Spheres<D>& particles, const Plan<D>& plan, ThreadPool& pool);
  void compute_bucket_offsets(std::size_t parts);
  void scatter_into_buckets(const Spheres<D>& particles, std::size_t first, std::size_t last,
                            Index* place);
  void sort_bucket(std::size_t bucket, const Plan<D>& plan, const ContactPredicate<D>& reach,
                   unsigned worker);

  const Kernels<D>* kernels_ = &select_kernels<D>();
  struct Scratch {  // of one worker, for one bucket
    std::vector<SphereRecord<D>> sphere;
    std::vector<Index> id;
  };
  void scatter_within_bucket(Index first, Index last, Scratch& scratch);
  void compute_ranks(ThreadPool& pool);
  Displacement store_positions(const Spheres<D>& particles, std::size_t first, std::size_t last);
  [[nodiscard]] double max_displacement(const Quantization<D>& packing, std::size_t first,
                                        std::size_t last) const;

  std::size_t size_ = 0;
  std::size_t cell_count_ = 0;
  unsigned bucket_shift_ = 0;  // cells of a bucket, as a power of two
  std::size_t bucket_count_ = 0;
  HugePageArray<SphereRecord<D>> spheres_;
  HugePageArray<Index> id_;
  HugePageArray<std::uint32_t> xy_;  // until particles are packed: cells in the caller's order …
  HugePageArray<std::uint32_t> zr_;  // … and in the order of buckets
  HugePageArray<std::uint32_t> cell_start_;
  HugePageArray<Index> rank_;  // where a particle of the caller is, once somebody asked
  bool ranks_valid_ = false;
  std::vector<std::uint32_t> empty_row_;
  std::vector<Index> bucket_offsets_;  // for each part of the input, its place in each bucket
  std::vector<Index> bucket_start_;
  std::vector<Scratch> scratch_;
  std::vector<Displacement> chunk_displacements_;  // of each run, while they are followed
};

extern template class CellSortedParticles<2>;
extern template class CellSortedParticles<3>;

}  // namespace abut
