#pragma once

#include <tbb/task_arena.h>

#include <abut/pair.hpp>
#include <cstddef>
#include <vector>

namespace abut {

/// So many threads for libraries that bring theirs through TBB, with a list of pairs for each.
class TbbArena {
 public:
  explicit TbbArena(unsigned threads)
      : arena_(threads == 0 ? tbb::task_arena::automatic : static_cast<int>(threads)),
        thread_pairs_(static_cast<std::size_t>(arena_.max_concurrency())) {}

  /// Calls work() inside; what it adds to `here` becomes `pairs`.
  template <class Work>
  void run(std::vector<Pair>& pairs, const Work& work) {
    for (ThreadPairs& found : thread_pairs_) found.pairs.clear();
    thread_pairs_[0].pairs.swap(pairs);  // one thread has nothing to put together
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
  struct alignas(64) ThreadPairs {  // a cache line of its own
    std::vector<Pair> pairs;
  };
  tbb::task_arena arena_;
  std::vector<ThreadPairs> thread_pairs_;
};

}  // namespace abut
