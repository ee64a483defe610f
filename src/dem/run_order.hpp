#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <thread>

#include "core/thread_pool.hpp"

namespace abut {

/// Does something with every run (`first`), and something else (`second`) as soon as that run and
/// all before it have been done: a run only pushes particles of its own and of later runs, so by
/// then all forces on its particles are known and nobody needs their places any more. While a run
/// is moved on, its particles are still in the cache.
class RunOrder {
 public:
  using Work = std::function<void(std::size_t run, unsigned worker)>;

  void run(ThreadPool& pool, std::size_t runs, const Work& first, const Work& second) {
    if (runs > size_) {
      done_ = std::make_unique<std::atomic<bool>[]>(runs);
      size_ = runs;
    }
    for (std::size_t k = 0; k < runs; ++k) done_[k].store(false, std::memory_order_relaxed);
    // Others work on runs before this one; the more there are, the later it can be moved on.
    const std::size_t lag = pool.threads() - 1;
    const auto task = [&](std::size_t number, unsigned worker) {
      const std::size_t k = number / 2;
      if (number % 2 == 0) {
        if (k >= runs) return;
        first(k, worker);
        done_[k].store(true, std::memory_order_release);
      } else if (k >= lag) {
        wait_for(k - lag);
        second(k - lag, worker);
      }
    };
    pool.run(2 * (runs + lag), std::cref(task));
  }

 private:
  void wait_for(std::size_t last) const {
    for (std::size_t k = 0; k <= last; ++k)
      while (!done_[k].load(std::memory_order_acquire)) std::this_thread::yield();
  }

  std::unique_ptr<std::atomic<bool>[]> done_;
  std::size_t size_ = 0;
};

/// Seconds a thread spent, a line of cache apart from those of others.
struct alignas(64) WorkTimes {
  double pairs = 0;
  double rest = 0;
};

}  // namespace abut
