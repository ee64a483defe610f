#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "core/machine.hpp"

namespace abut {

/// Runs two tasks for every chunk of particles: `forces`, and `motion` as soon as the forces of the
/// chunk and of the chunks it depends on are done, because then all forces on its particles are
/// known and their positions are no longer needed. Each thread starts with a range of its own, so
/// that few chunks exchange forces with those of other threads, and does `motion` while the data
/// are in its cache; then it helps the others.
class ChunkSchedule {
 public:
  /// The last chunks, which are short, are left to the threads that finish first.
  static constexpr std::size_t shared_chunks = 6;

  using ChunkTask = std::function<void(std::size_t chunk, unsigned worker)>;

  /// `dependencies[k]`: the chunks that exert forces on, or read positions of, particles of chunk
  /// k.
  void run(const ThreadPool& pool, std::span<const std::vector<std::uint32_t>> dependencies,
           const ChunkTask& forces, const ChunkTask& motion) {
    reset(pool.threads(), dependencies.size());
    const auto try_motion = [&](std::size_t chunk, unsigned worker) {
      if (is_ready(chunk, dependencies[chunk]) && !claimed_[chunk].exchange(true))
        motion(chunk, worker);
    };
    const auto task = [&](std::size_t, unsigned worker) {
      const std::size_t own = ranges_[worker].next;
      for (std::size_t k = 0; take_next(worker, k);) {
        forces(k, worker);
        computed_[k].store(true, std::memory_order_release);
        for (std::size_t chunk = own; chunk <= k && chunk < ranges_[worker].end; ++chunk)
          try_motion(chunk, worker);
      }
      for (std::size_t k = 0; k < dependencies.size(); ++k) {
        const std::size_t chunk = (own + k) % dependencies.size();
        while (!claimed_[chunk].load(std::memory_order_relaxed)) {
          try_motion(chunk, worker);
          std::this_thread::yield();
        }
      }
    };
    pool.run(pool.threads(), std::cref(task));
  }

 private:
  /// Chunks of one thread, in a cache line of their own.
  struct alignas(64) WorkerRange {
    std::atomic<std::size_t> next = 0;
    std::size_t end = 0;
  };

  void reset(std::size_t threads, std::size_t chunk_count) {
    if (chunk_count > capacity_) {
      computed_ = std::make_unique<std::atomic<bool>[]>(chunk_count);
      claimed_ = std::make_unique<std::atomic<bool>[]>(chunk_count);
      capacity_ = chunk_count;
    }
    for (std::size_t k = 0; k < chunk_count; ++k) {
      computed_[k].store(false, std::memory_order_relaxed);
      claimed_[k].store(false, std::memory_order_relaxed);
    }
    if (ranges_.size() != threads) ranges_ = std::vector<WorkerRange>(threads);
    const std::size_t shared = std::min(chunk_count, shared_chunks);
    for (std::size_t thread = 0; thread < threads; ++thread) {
      ranges_[thread].next = thread * (chunk_count - shared) / threads;
      ranges_[thread].end =
          thread + 1 == threads ? chunk_count : (thread + 1) * (chunk_count - shared) / threads;
    }
  }

  /// The next chunk of the worker's own range, or of another range, the last range first; false if
  /// none is left.
  bool take_next(unsigned worker, std::size_t& chunk) {
    for (std::size_t k = 0; k <= ranges_.size(); ++k) {
      WorkerRange& range = ranges_[k == 0 ? worker : ranges_.size() - k];
      chunk = range.next++;
      if (chunk < range.end) return true;
    }
    return false;
  }

  [[nodiscard]] bool is_ready(std::size_t chunk,
                              std::span<const std::uint32_t> dependencies) const {
    return computed_[chunk].load(std::memory_order_acquire) &&
           std::ranges::all_of(dependencies, [&](std::uint32_t k) {
             return computed_[k].load(std::memory_order_acquire);
           });
  }

  std::unique_ptr<std::atomic<bool>[]> computed_;
  std::unique_ptr<std::atomic<bool>[]> claimed_;  ///< `motion` is done or in progress
  std::size_t capacity_ = 0;
  std::vector<WorkerRange> ranges_;
};

/// Time in s spent by one thread, in a cache line of its own.
struct alignas(64) WorkerTimes {
  double forces = 0;
  double integration = 0;
};

}  // namespace abut
