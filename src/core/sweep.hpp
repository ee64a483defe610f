#pragma once

#include <abut/options.hpp>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/chunk_line.hpp"
#include "core/counts.hpp"
#include "core/pair_sink.hpp"
#include "core/period.hpp"
#include "core/reach.hpp"
#include "core/runs.hpp"
#include "core/thread_pool.hpp"

namespace abut {

/// Judges candidates: puts them in canonical order, asks the predicate, keeps the pairs.
template <std::size_t D, bool Counting>
class Judge {
 public:
  Judge(const Reach<D>& reach, Index fixed, PairSink& sink)
      : reach_(reach), fixed_(fixed), sink_(&sink) {}

  // A call for every candidate would cost as much as judging it.
  [[gnu::always_inline]] void operator()(Index a, Index b) {
    counter_.candidates(1);
    const Pair pair{std::min(a, b), std::max(a, b)};
    sink_->offer(pair, reach_.touches(a, b) & (pair.b >= fixed_));
  }

  /// The candidates (a, first), (a, first + 1) … before `last`, all numbered above a.
  void row(Index a, Index first, Index last) {
    first = std::min(last, std::max(first, fixed_));
    counter_.candidates(last - first);
    std::array<double, 256> excess;
    while (first < last) {
      const auto count = std::min<std::size_t>(excess.size(), last - first);
      reach_.excess_each(a, first, {excess.data(), count});
      for (std::size_t i = 0; i < count; ++i)
        if (excess[i] <= 0) sink_->offer({a, first + static_cast<Index>(i)}, true);
      first += static_cast<Index>(count);
    }
  }

  /// Particle a and the image of b that is `shift` periods away, of so many particles. Which of the
  /// two is moved is for `is_moved` to say.
  void across(Index a, Index b, Shift<D> shift, const Period<D>& period, std::size_t particles) {
    counter_.candidates(1);
    if (!is_moved<D>(a, b, shift, reach_.radii())) {
      std::swap(a, b);
      shift = opposite<D>(shift);
    }
    std::array<double, D + 1> image = reach_.particle(b);
    for (std::size_t k = 0; k < D; ++k) image[k] = period.moved(k, image[k], shift[k]);
    sink_->offer({a, NeighbourImages<D>::number(b, shift, particles)},
                 reach_.excess(reach_.particle(a), image) <= 0);
  }

  /// For a method that asks the predicate itself.
  [[nodiscard]] PairSink& sink() { return *sink_; }

  /// For what a method counts beyond the candidates.
  [[nodiscard]] Counter<Counting>& counter() { return counter_; }

 private:
  Reach<D> reach_;
  Index fixed_;
  PairSink* sink_;
  Counter<Counting> counter_;
};

/// What a chunk found, before it is handed on. The lists are kept from search to search.
struct FoundList {
  std::vector<Pair> pairs;
  Counts counts;
};
using FoundLists = std::vector<FoundList>;

/// One search, cut into numbered chunks that any thread may take. Pairs reach the sink chunk by
/// chunk in the order of their numbers, so the stream is the same for any number of threads.
template <std::size_t D, bool Counting>
class Sweep {
 public:
  Sweep(const Reach<D>& reach, Index fixed, ThreadPool& pool, PairSink& sink, FoundLists& found,
        const std::function<void(double)>& progress)
      : reach_(reach),
        fixed_(fixed),
        pool_(pool),
        sink_(sink),
        found_(found),
        progress_(progress) {}

  /// How many chunks the whole search has, for the progress.
  void expect(std::size_t chunks) { expected_ = chunks; }

  /// Calls work(chunk, worker, judge) for chunks 0 … chunks−1. A worker does one at a time.
  template <class Work>
  void chunks(std::size_t chunks, const Work& work) {
    if (pool_.threads() == 1)
      one_by_one(chunks, work);
    else
      in_order(chunks, work);
  }

  /// A whole search, particle by particle: visit(i, worker, judge) for 0 … count−1.
  template <class Visit>
  void each(std::size_t count, const Visit& visit) {
    const Runs runs(count);
    expect(runs.size());
    chunks(runs.size(), [&](std::size_t chunk, unsigned worker, auto& judge) {
      for (std::size_t i = runs.first(chunk); i < runs.last(chunk); ++i)
        visit(static_cast<Index>(i), worker, judge);
    });
  }

  /// Sorting that has to be done between chunks, by the calling thread: work(counter).
  template <class Work>
  void sort(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    Counter<Counting> counter;
    work(counter);
    counts_ += counter.counts();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    sorting_seconds_ += took.count();
  }
  [[nodiscard]] double sorting_seconds() const { return sorting_seconds_; }

  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  template <class Work>
  void one_by_one(std::size_t chunks, const Work& work) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      Judge<D, Counting> judge(reach_, fixed_, sink_);
      work(chunk, 0U, judge);
      counts_ += judge.counter().counts();
      report(1);
    }
  }

  // All threads search, each chunk into a list of its own; the caller hands the lists on in order,
  // and searches while there is none.
  template <class Work>
  void in_order(std::size_t chunks, const Work& work) {
    found_.resize(4UL * pool_.threads());
    ChunkLine line(chunks, found_.size());
    const auto list_of = [&](std::size_t chunk) -> FoundList& {
      return found_[chunk % found_.size()];
    };
    const auto search = [&](std::size_t chunk, unsigned worker) {
      FoundList& own = list_of(chunk);
      own.pairs.clear();
      PairSink sink(own.pairs);
      Judge<D, Counting> judge(reach_, fixed_, sink);
      work(chunk, worker, judge);
      sink.hand_on();
      own.counts = judge.counter().counts();
      line.searched(chunk);
    };
    const auto hand_on = [&](std::size_t chunk) {
      sink_.pass(list_of(chunk).pairs);
      counts_ += list_of(chunk).counts;
      line.handed_on();
      report(1);
    };
    const auto take_turns = [&](unsigned worker) {
      try {
        for (auto turn = line.next(worker == 0); turn.task != ChunkLine::Task::none;
             turn = line.next(worker == 0))
          turn.task == ChunkLine::Task::search ? search(turn.chunk, worker) : hand_on(turn.chunk);
      } catch (...) {
        line.fail();
        throw;
      }
    };
    pool_.run(pool_.threads(), [&](std::size_t, unsigned worker) { take_turns(worker); });
    take_turns(0);  // the others may have been done before this thread began
  }

  void report(std::size_t chunks) {
    done_ += chunks;
    if (progress_) progress_(static_cast<double>(done_) / static_cast<double>(expected_));
  }

  const Reach<D>& reach_;
  Index fixed_;
  ThreadPool& pool_;
  PairSink& sink_;
  FoundLists& found_;
  const std::function<void(double)>& progress_;
  Counts counts_;
  double sorting_seconds_ = 0;
  std::size_t done_ = 0;
  std::size_t expected_ = 1;
};

}  // namespace abut
