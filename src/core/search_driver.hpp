#pragma once

#include <abut/detector_options.hpp>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "core/contact_predicate.hpp"
#include "core/pair_buffer.hpp"
#include "core/periodic_domain.hpp"
#include "core/thread_pool.hpp"

namespace abut {

/// What the papers count of a search.
struct SearchCounts {
  std::uint64_t candidates = 0;    ///< pairs handed to the predicate
  std::uint64_t examinations = 0;  ///< comparisons that place a particle or descend a tree
  std::uint64_t list_relinks = 0;  ///< particles relinked within a list that is kept

  SearchCounts& operator+=(const SearchCounts& more) {
    candidates += more.candidates;
    examinations += more.examinations;
    list_relinks += more.list_relinks;
    return *this;
  }
};

/// The counter every method counts with. Whether it counts is a template parameter, so that it
/// costs nothing when it is off.
template <bool On>
class Counter {
 public:
  void add_candidates(std::uint64_t more) {
    if constexpr (On) counts_.candidates += more;
  }
  void add_examinations(std::uint64_t more) {
    if constexpr (On) counts_.examinations += more;
  }
  void add_list_relinks(std::uint64_t more) {
    if constexpr (On) counts_.list_relinks += more;
  }
  [[nodiscard]] const SearchCounts& counts() const { return counts_; }

 private:
  SearchCounts counts_;
};

/// Numbered chunks of work for several threads, whose results one of them, the caller, hands on in
/// the order of the numbers. No more than `room` results wait at a time.
class OrderedChunkQueue {
 public:
  OrderedChunkQueue(std::size_t chunks, std::size_t room)
      : chunk_count_(chunks), ready_(room, false) {}

  enum class Task { search, flush, none };
  struct Assignment {
    Task task;
    std::size_t chunk;
  };

  /// What to do next; waits until there is something. The caller hands on what is ready first, so
  /// that the others find room.
  Assignment next(bool caller) {
    std::unique_lock lock(mutex_);
    while (!failed_) {
      if (caller && flushed_ < started_ && ready_[flushed_ % ready_.size()])
        return {Task::flush, flushed_};
      if (started_ < chunk_count_ && started_ < flushed_ + ready_.size())
        return {Task::search, started_++};
      if (caller ? flushed_ == chunk_count_ : started_ == chunk_count_) break;
      changed_.wait(lock);
    }
    return {Task::none, 0};
  }

  void mark_searched(std::size_t chunk) {
    update([&] { ready_[chunk % ready_.size()] = true; });
  }

  void mark_flushed() {
    update([&] { ready_[flushed_++ % ready_.size()] = false; });
  }

  /// Nobody shall wait for a chunk that will never be ready.
  void fail() {
    update([&] { failed_ = true; });
  }

 private:
  template <class Change>
  void update(const Change& change) {
    {
      const std::lock_guard lock(mutex_);
      change();
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t chunk_count_;
  std::size_t started_ = 0;
  std::size_t flushed_ = 0;
  bool failed_ = false;
  std::vector<bool> ready_;
};

/// Judges candidates: puts them in canonical order, asks the predicate, keeps the pairs.
template <std::size_t D, bool Counting>
class PairFilter {
 public:
  PairFilter(const ContactPredicate<D>& reach, Index fixed, PairSink& sink)
      : predicate_(reach), fixed_count_(fixed), sink_(&sink) {}

  // A call for every candidate would cost as much as judging it.
  [[gnu::always_inline]] void operator()(Index a, Index b) {
    counter_.add_candidates(1);
    const Pair pair{std::min(a, b), std::max(a, b)};
    sink_->add_if(pair, predicate_.touches(a, b) & (pair.b >= fixed_count_));
  }

  /// The candidates (a, first), (a, first + 1) … before `last`, all numbered above a.
  void test_row(Index a, Index first, Index last) {
    first = std::min(last, std::max(first, fixed_count_));
    counter_.add_candidates(last - first);
    std::array<double, 256> excess;
    while (first < last) {
      const auto count = std::min<std::size_t>(excess.size(), last - first);
      predicate_.excess_row(a, first, {excess.data(), count});
      for (std::size_t i = 0; i < count; ++i)
        if (excess[i] <= 0) sink_->add_if({a, first + static_cast<Index>(i)}, true);
      first += static_cast<Index>(count);
    }
  }

  /// Particle a and the image of b that is `shift` periods away, of so many particles. Which of the
  /// two is moved is for `is_moved` to say.
  void test_across_boundary(Index a, Index b, ImageOffset<D> shift, const PeriodicDomain<D>& period,
                            std::size_t particles) {
    counter_.add_candidates(1);
    if (!is_canonical_image<D>(a, b, shift, predicate_.radii())) {
      std::swap(a, b);
      shift = negated<D>(shift);
    }
    std::array<double, D + 1> image = predicate_.particle(b);
    for (std::size_t k = 0; k < D; ++k) image[k] = period.shifted(k, image[k], shift[k]);
    sink_->add_if({a, NeighborImageIndex<D>::encode(b, shift, particles)},
                  predicate_.excess(predicate_.particle(a), image) <= 0);
  }

  /// For a method that asks the predicate itself.
  [[nodiscard]] PairSink& sink() { return *sink_; }

  /// For what a method counts beyond the candidates.
  [[nodiscard]] Counter<Counting>& counter() { return counter_; }

 private:
  ContactPredicate<D> predicate_;
  Index fixed_count_;
  PairSink* sink_;
  Counter<Counting> counter_;
};

/// What a chunk found, before it is handed on. The lists are kept from search to search.
struct ChunkResult {
  std::vector<Pair> pairs;
  SearchCounts counts;
};
using ChunkResults = std::vector<ChunkResult>;

/// One search, cut into numbered chunks that any thread may take. Pairs reach the sink chunk by
/// chunk in the order of their numbers, so the stream is the same for any number of threads.
template <std::size_t D, bool Counting>
class SearchDriver {
 public:
  SearchDriver(const ContactPredicate<D>& reach, Index fixed, ThreadPool& pool, PairSink& sink,
               ChunkResults& found, const std::function<void(double)>& progress)
      : predicate_(reach),
        fixed_count_(fixed),
        pool_(pool),
        sink_(sink),
        results_(found),
        progress_(progress) {}

  /// How many chunks the whole search has, for the progress.
  void set_total_chunks(std::size_t chunks) { total_chunks_ = chunks; }

  /// Calls work(chunk, worker, judge) for chunks 0 … chunks−1. A worker does one at a time.
  template <class Work>
  void run_chunks(std::size_t chunks, const Work& work) {
    if (pool_.threads() == 1)
      run_serial(chunks, work);
    else
      run_parallel(chunks, work);
  }

  /// A whole search, particle by particle: visit(i, worker, judge) for 0 … count−1.
  template <class Visit>
  void for_each_particle(std::size_t count, const Visit& visit) {
    const Chunks runs(count);
    set_total_chunks(runs.size());
    run_chunks(runs.size(), [&](std::size_t chunk, unsigned worker, auto& judge) {
      for (std::size_t i = runs.first(chunk); i < runs.last(chunk); ++i)
        visit(static_cast<Index>(i), worker, judge);
    });
  }

  /// Sorting that has to be done between chunks, by the calling thread: work(counter).
  template <class Work>
  void build(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    Counter<Counting> counter;
    work(counter);
    counts_ += counter.counts();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    build_seconds_ += took.count();
  }
  [[nodiscard]] double build_seconds() const { return build_seconds_; }

  [[nodiscard]] const SearchCounts& counts() const { return counts_; }

 private:
  template <class Work>
  void run_serial(std::size_t chunks, const Work& work) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      PairFilter<D, Counting> judge(predicate_, fixed_count_, sink_);
      work(chunk, 0U, judge);
      counts_ += judge.counter().counts();
      report_progress(1);
    }
  }

  // All threads search, each chunk into a list of its own; the caller hands the lists on in order,
  // and searches while there is none.
  template <class Work>
  void run_parallel(std::size_t chunks, const Work& work) {
    results_.resize(4UL * pool_.threads());
    OrderedChunkQueue line(chunks, results_.size());
    const auto list_of = [&](std::size_t chunk) -> ChunkResult& {
      return results_[chunk % results_.size()];
    };
    const auto search = [&](std::size_t chunk, unsigned worker) {
      ChunkResult& own = list_of(chunk);
      own.pairs.clear();
      PairSink sink(own.pairs);
      PairFilter<D, Counting> judge(predicate_, fixed_count_, sink);
      work(chunk, worker, judge);
      sink.flush();
      own.counts = judge.counter().counts();
      line.mark_searched(chunk);
    };
    const auto hand_on = [&](std::size_t chunk) {
      sink_.append(list_of(chunk).pairs);
      counts_ += list_of(chunk).counts;
      line.mark_flushed();
      report_progress(1);
    };
    const auto take_turns = [&](unsigned worker) {
      try {
        for (auto turn = line.next(worker == 0); turn.task != OrderedChunkQueue::Task::none;
             turn = line.next(worker == 0))
          turn.task == OrderedChunkQueue::Task::search ? search(turn.chunk, worker)
                                                       : hand_on(turn.chunk);
      } catch (...) {
        line.fail();
        throw;
      }
    };
    pool_.run(pool_.threads(), [&](std::size_t, unsigned worker) { take_turns(worker); });
    take_turns(0);  // the others may have been done before this thread began
  }

  void report_progress(std::size_t chunks) {
    done_chunks_ += chunks;
    if (progress_)
      progress_(static_cast<double>(done_chunks_) / static_cast<double>(total_chunks_));
  }

  const ContactPredicate<D>& predicate_;
  Index fixed_count_;
  ThreadPool& pool_;
  PairSink& sink_;
  ChunkResults& results_;
  const std::function<void(double)>& progress_;
  SearchCounts counts_;
  double build_seconds_ = 0;
  std::size_t done_chunks_ = 0;
  std::size_t total_chunks_ = 1;
};

}  // namespace abut
