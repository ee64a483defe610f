#pragma once

#include <abut/spheres.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/buffers.hpp"
#include "core/machine.hpp"
#include "engine/kernel.hpp"
#include "engine/plan.hpp"

namespace abut {

/// Copies of the particles sorted by cell: scattered into up to 2048 buckets of consecutive cells,
/// then sorted bucket by bucket in cache. The order, by cell and then by the caller's index, does
/// not depend on the number of threads.
template <std::size_t D>
class CellSortedParticles {
 public:
  /// Sorts the particles and sets `first` and `last` of each level of the plan.
  void sort(const Spheres<D>& particles, Plan<D>& plan, const ContactPredicate<D>& predicate,
            ThreadPool& pool);

  /// Largest displacements, in quantized units of the only level.
  struct Displacement {
    bool radii_unchanged = true;
    double since_last = 0;    ///< since the previous update
    double since_sorted = 0;  ///< since the particles were sorted
  };

  /// Stores new coordinates without sorting again. The number of particles must be unchanged.
  Displacement update_positions(const Spheres<D>& particles, const Level<D>& level,
                                const ContactPredicate<D>& predicate, ThreadPool& pool);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Discards the particles, but not the memory, except what was lent.
  void reset();

  /// Memory of the caller that `sort` may use, until `reset`.
  void lend_memory(std::span<std::byte> memory) { lent_ = memory; }

  [[nodiscard]] SortedView<D> view(const ContactPredicate<D>& predicate, Index fixed_count) const;

  [[nodiscard]] const Kernels<D>& kernels() const { return *kernels_; }

  [[nodiscard]] std::size_t bytes() const;
  /// The part of `bytes` that the threads need to sort a bucket.
  [[nodiscard]] std::size_t scratch_bytes() const;

  /// Upper bound of `bytes` for a number of particles.
  static double bytes_needed(double particles, unsigned threads);

 private:
  void allocate(const Plan<D>& plan, std::size_t threads);
  template <class T>
  static void ensure_size(HugePageArray<T>& array, std::size_t size, std::span<std::byte>& lent);
  void count_into_buckets(const Spheres<D>& particles, const Plan<D>& plan, ThreadPool& pool);
  void compute_bucket_offsets(std::size_t threads);
  void scatter_into_buckets(const Spheres<D>& particles, std::size_t first, std::size_t last,
                            Index* offsets);
  void sort_bucket(std::size_t bucket, const Plan<D>& plan, const ContactPredicate<D>& predicate,
                   unsigned worker);

  const Kernels<D>* kernels_ = &select_kernels<D>();
  struct Scratch {  // of one worker, for one bucket at a time
    std::vector<SphereRecord<D>> sphere;
    std::vector<Index> id;
  };
  void scatter_within_bucket(Index first, Index last, Scratch& scratch);
  void compute_ranks(ThreadPool& pool);
  Displacement store_positions(const Spheres<D>& particles, std::size_t first, std::size_t last);
  [[nodiscard]] double max_displacement(const Quantization<D>& quantization, std::size_t first,
                                        std::size_t last) const;

  std::span<std::byte> lent_;
  std::size_t size_ = 0;
  std::size_t cell_count_ = 0;
  unsigned bucket_shift_ = 0;  // a bucket has 2^bucket_shift_ cells
  std::size_t bucket_count_ = 0;
  HugePageArray<SphereRecord<D>> spheres_;
  HugePageArray<Index> id_;
  HugePageArray<std::uint32_t> xy_;  // before quantization: cells in the caller's order …
  HugePageArray<std::uint32_t> zr_;  // … and in bucket order
  HugePageArray<std::uint32_t> cell_start_;
  HugePageArray<Index>
      rank_;  // sorted position of each of the caller's particles, computed on demand
  bool ranks_valid_ = false;
  std::vector<std::uint32_t> empty_row_;
  std::vector<Index>
      bucket_offsets_;  // for each thread's part of the input, its offset in each bucket
  std::vector<Index> bucket_start_;
  std::vector<Scratch> scratch_;
  std::vector<Displacement> chunk_displacements_;  // of each chunk, in update_positions
};

extern template class CellSortedParticles<2>;
extern template class CellSortedParticles<3>;

}  // namespace abut
