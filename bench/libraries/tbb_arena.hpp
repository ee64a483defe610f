#pragma once

#include <tbb/task_arena.h>

#include <abut/pair.hpp>
#include <cstddef>
#include <vector>

namespace abut {

/// A thread pool for libraries that use TBB, with one list of pairs per thread. 0 threads: all
/// cores.
class TbbArena {
 public:
  explicit TbbArena(unsigned threads)
      : arena_(threads == 0 ? tbb::task_arena::automatic : static_cast<int>(threads)),
        thread_pairs_(static_cast<std::size_t>(arena_.max_concurrency())) {}

  /// Calls work() in the pool; then replaces `pairs` by all that was added to `thread_result()`.
  template <class Work>
  void run(std::vector<Pair>& pairs, const Work& work) {
    for (ThreadPairs& thread : thread_pairs_) thread.pairs.clear();
    thread_pairs_[0].pairs.swap(pairs);  // so that one thread needs no copy
    thread_pairs_[0].pairs.clear();
    arena_.execute(work);
    thread_pairs_[0].pairs.swap(pairs);
    for (std::size_t i = 1; i < thread_pairs_.size(); ++i)
      pairs.insert(pairs.end(), thread_pairs_[i].pairs.begin(), thread_pairs_[i].pairs.end());
  }

  /// The list of the calling thread.
  [[nodiscard]] std::vector<Pair>& thread_result() {
    return thread_pairs_[static_cast<std::size_t>(tbb::this_task_arena::current_thread_index())]
        .pairs;
  }

  [[nodiscard]] int threads() const { return arena_.max_concurrency(); }

 private:
  struct alignas(64) ThreadPairs {  // avoids false sharing
    std::vector<Pair> pairs;
  };
  tbb::task_arena arena_;
  std::vector<ThreadPairs> thread_pairs_;
};

}  // namespace abut
