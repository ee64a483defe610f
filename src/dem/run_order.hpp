#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "core/thread_pool.hpp"

namespace abut {

/// Does something with every run (`first`), and something else (`second`) as soon as that run and
/// all before it have been done: a run only pushes particles of its own and of later runs, so by
/// then all forces on its particles are known and nobody needs their places any more. Both are done
/// by the same thread, in whose cache the particles are.
class RunOrder {
 public:
  using Work = std::function<void(std::size_t run, unsigned worker)>;

  void run(ThreadPool& pool, std::size_t runs, const Work& first, const Work& second) {
    if (runs > size_) {
      done_ = std::make_unique<std::atomic<bool>[]>(runs);
      size_ = runs;
    }
    for (std::size_t k = 0; k < runs; ++k) done_[k].store(false, std::memory_order_relaxed);
    next_ = 0;
    owned_.resize(pool.threads());
    // Each takes runs as long as there are any; who comes late finds none left.
    const auto task = [&](std::size_t, unsigned worker) {
      std::vector<std::size_t>& owned = owned_[worker];  // not moved on yet
      owned.clear();
      std::size_t moved = 0;
      for (std::size_t k = next_++; k < runs; k = next_++) {
        first(k, worker);
        done_[k].store(true, std::memory_order_release);
        owned.push_back(k);
        for (; moved < owned.size() && are_done(owned[moved]); ++moved)
          second(owned[moved], worker);
      }
      for (; moved < owned.size(); ++moved) {
        while (!are_done(owned[moved])) std::this_thread::yield();
        second(owned[moved], worker);
      }
    };
    pool.run(pool.threads(), std::cref(task));
  }

 private:
  [[nodiscard]] bool are_done(std::size_t last) const {
    for (std::size_t k = last + 1; k-- > 0;)
      if (!done_[k].load(std::memory_order_acquire)) return false;
    return true;
  }

  std::unique_ptr<std::atomic<bool>[]> done_;
  std::size_t size_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::vector<std::vector<std::size_t>> owned_;  // of each worker, kept for their memory
};

/// Seconds a thread spent, a line of cache apart from those of others.
struct alignas(64) WorkTimes {
  double pairs = 0;
  double rest = 0;
};

}  // namespace abut
