#pragma once

#include <abut/pair.hpp>
#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/machine.hpp"

namespace abut {

/// Runs one query per particle on several threads: for libraries whose structures allow concurrent
/// queries.
class Queries {
 public:
  explicit Queries(unsigned threads) : pool_(threads), thread_pairs_(pool_.threads()) {}

  /// Calls query(i, list) for every particle i, with one list per thread; then replaces `pairs` by
  /// the concatenated lists.
  template <class Query>
  void run(std::size_t particles, std::vector<Pair>& pairs, const Query& query) {
    constexpr std::size_t chunk = 4096;
    for (ThreadPairs& thread : thread_pairs_) thread.pairs.clear();
    thread_pairs_[0].pairs.swap(pairs);  // so that one thread needs no copy
    thread_pairs_[0].pairs.clear();
    pool_.run((particles + chunk - 1) / chunk, [&](std::size_t task, unsigned worker) {
      const std::size_t end = std::min(particles, (task + 1) * chunk);
      for (std::size_t i = task * chunk; i < end; ++i)
        query(static_cast<Index>(i), thread_pairs_[worker].pairs);
    });
    thread_pairs_[0].pairs.swap(pairs);
    for (std::size_t i = 1; i < thread_pairs_.size(); ++i)
      pairs.insert(pairs.end(), thread_pairs_[i].pairs.begin(), thread_pairs_[i].pairs.end());
  }

 private:
  struct alignas(64) ThreadPairs {  // avoids false sharing
    std::vector<Pair> pairs;
  };
  ThreadPool pool_;
  std::vector<ThreadPairs> thread_pairs_;
};

}  // namespace abut
