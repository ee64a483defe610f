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

#include "core/thread_pool.hpp"

namespace abut {

/// Does something with every run (`first`), and something else (`second`) as soon as that run and
/// those it comes after have been done: then all forces on its particles are known, and nobody
/// needs their places any more. Each thread begins with a part of its own, so that few runs push
/// particles of another's, and moves on what it has done, as it is in its cache; in the end all
/// help each other.
class ChunkSchedule {
 public:
  static constexpr std::size_t shared_chunks = 6;

  using ChunkTask = std::function<void(std::size_t run, unsigned worker)>;

  /// `after[k]`: the runs that push particles of run k, or need their places.
  void run(ThreadPool& pool, std::span<const std::vector<std::uint32_t>> after,
           const ChunkTask& first, const ChunkTask& second) {
    reset(pool.threads(), after.size());
    const auto move_on = [&](std::size_t run, unsigned worker) {
      if (is_ready(run, after[run]) && !finished_[run].exchange(true)) second(run, worker);
    };
    // Who comes late finds no run left.
    const auto task = [&](std::size_t, unsigned worker) {
      const std::size_t own = ranges_[worker].next;
      for (std::size_t k = 0; take_next(worker, k);) {
        first(k, worker);
        computed_[k].store(true, std::memory_order_release);
        for (std::size_t run = own; run <= k && run < ranges_[worker].end; ++run)
          move_on(run, worker);
      }
      for (std::size_t k = 0; k < after.size(); ++k) {
        const std::size_t run = (own + k) % after.size();
        while (!finished_[run].load(std::memory_order_relaxed)) {
          move_on(run, worker);
          std::this_thread::yield();
        }
      }
    };
    pool.run(pool.threads(), std::cref(task));
  }

 private:
  /// Of one thread, a line of cache apart from those of others.
  struct alignas(64) WorkerRange {
    std::atomic<std::size_t> next = 0;
    std::size_t end = 0;
  };

  void reset(std::size_t threads, std::size_t runs) {
    if (runs > capacity_) {
      computed_ = std::make_unique<std::atomic<bool>[]>(runs);
      finished_ = std::make_unique<std::atomic<bool>[]>(runs);
      capacity_ = runs;
    }
    for (std::size_t k = 0; k < runs; ++k) {
      computed_[k].store(false, std::memory_order_relaxed);
      finished_[k].store(false, std::memory_order_relaxed);
    }
    if (ranges_.size() != threads) ranges_ = std::vector<WorkerRange>(threads);
    // The last runs are short ones, for those who are done with their own.
    const std::size_t shared = std::min(runs, shared_chunks);
    for (std::size_t part = 0; part < threads; ++part) {
      ranges_[part].next = part * (runs - shared) / threads;
      ranges_[part].end = part + 1 == threads ? runs : (part + 1) * (runs - shared) / threads;
    }
  }

  /// The next run of a worker's own part, or else of another's, the last part first.
  bool take_next(unsigned worker, std::size_t& run) {
    for (std::size_t k = 0; k <= ranges_.size(); ++k) {
      WorkerRange& part = ranges_[k == 0 ? worker : ranges_.size() - k];
      run = part.next++;
      if (run < part.end) return true;
    }
    return false;
  }

  [[nodiscard]] bool is_ready(std::size_t run, std::span<const std::uint32_t> after) const {
    return computed_[run].load(std::memory_order_acquire) &&
           std::ranges::all_of(after, [&](std::uint32_t k) {
             return computed_[k].load(std::memory_order_acquire);
           });
  }

  std::unique_ptr<std::atomic<bool>[]> computed_;
  std::unique_ptr<std::atomic<bool>[]> finished_;  ///< or somebody does it just now
  std::size_t capacity_ = 0;
  std::vector<WorkerRange> ranges_;
};

/// Seconds a thread spent, a line of cache apart from those of others.
struct alignas(64) WorkerTimes {
  double forces = 0;
  double integration = 0;
};

}  // namespace abut
