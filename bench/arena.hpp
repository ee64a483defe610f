#pragma once

#include <tbb/task_arena.h>

#include <abut/pair.hpp>
#include <cstddef>
#include <vector>

namespace abut {

/// So many threads for libraries that bring theirs through TBB, with a list of pairs for each.
class Arena {
 public:
  explicit Arena(unsigned threads)
      : arena_(threads == 0 ? tbb::task_arena::automatic : static_cast<int>(threads)),
        found_(static_cast<std::size_t>(arena_.max_concurrency())) {}

  /// Calls work() inside; what it adds to `here` becomes `pairs`.
  template <class Work>
  void run(std::vector<Pair>& pairs, const Work& work) {
    for (Found& found : found_) found.pairs.clear();
    found_[0].pairs.swap(pairs);  // one thread has nothing to put together
    found_[0].pairs.clear();
    arena_.execute(work);
    found_[0].pairs.swap(pairs);
    for (std::size_t i = 1; i < found_.size(); ++i)
      pairs.insert(pairs.end(), found_[i].pairs.begin(), found_[i].pairs.end());
  }

  /// The list of the calling thread.
  [[nodiscard]] std::vector<Pair>& here() {
    return found_[static_cast<std::size_t>(tbb::this_task_arena::current_thread_index())].pairs;
  }

  [[nodiscard]] int threads() const { return arena_.max_concurrency(); }

 private:
  struct alignas(64) Found {  // a cache line of its own
    std::vector<Pair> pairs;
  };
  tbb::task_arena arena_;
  std::vector<Found> found_;
};

}  // namespace abut
