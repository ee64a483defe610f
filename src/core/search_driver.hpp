#pragma once

#include <abut/detector_options.hpp>
#include <abut/research/search_counts.hpp>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "core/buffers.hpp"
#include "core/contact_predicate.hpp"
#include "core/machine.hpp"
#include "core/periodic_domain.hpp"

namespace abut {

/// Counts operations if `Enabled`; otherwise compiles to nothing.
template <bool Enabled>
class Counter {
 public:
  void add_candidates(std::uint64_t count) {
    if constexpr (Enabled) counts_.candidates += count;
  }
  void add_examinations(std::uint64_t count) {
    if constexpr (Enabled) counts_.examinations += count;
  }
  void add_list_relinks(std::uint64_t count) {
    if constexpr (Enabled) counts_.list_relinks += count;
  }
  [[nodiscard]] const SearchCounts& counts() const { return counts_; }

 private:
  SearchCounts counts_;
};

/// Distributes chunks of a search to threads and lets the calling thread flush the results in chunk
/// order. At most `capacity` results wait at a time. Thread-safe.
class OrderedChunkQueue {
 public:
  OrderedChunkQueue(std::size_t chunks, std::size_t capacity)
      : chunk_count_(chunks), ready_(capacity, false) {}

  enum class Task { search, flush, none };
  struct Assignment {
    Task task;
    std::size_t chunk;
  };

  /// The next task of a thread; blocks until there is one. The calling thread flushes results as
  /// soon as they are ready, so that the others do not run out of capacity.
  Assignment next(bool is_caller) {
    std::unique_lock lock(mutex_);
    while (!failed_) {
      if (is_caller && flushed_ < started_ && ready_[flushed_ % ready_.size()])
        return {Task::flush, flushed_};
      if (started_ < chunk_count_ && started_ < flushed_ + ready_.size())
        return {Task::search, started_++};
      if (is_caller ? flushed_ == chunk_count_ : started_ == chunk_count_) break;
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

  /// Ends all waiting after an exception: `next` returns `Task::none` from now on.
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

/// Tests candidates with the contact predicate and adds the pairs, in canonical order a < b, to a
/// sink.
template <std::size_t D, bool Counting>
class PairFilter {
 public:
  PairFilter(const ContactPredicate<D>& predicate, Index fixed_count, PairSink& sink)
      : predicate_(predicate), fixed_count_(fixed_count), sink_(&sink) {}

  /// Tests one candidate. Inlined, since a call would cost as much as the test.
  [[gnu::always_inline]] void operator()(Index a, Index b) {
    counter_.add_candidates(1);
    const Pair pair{std::min(a, b), std::max(a, b)};
    sink_->add_if(pair, predicate_.touches(a, b) & (pair.b >= fixed_count_));
  }

  /// Tests the candidates (a, b) for first ≤ b < last, where a < first.
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

  /// Tests particle a and the image of b that is displaced by `offset` periods.
  /// `is_canonical_image` decides which of the two is displaced. The pair is added as (a, encoded
  /// image of b), see `NeighborImageIndex`.
  void test_across_boundary(Index a, Index b, ImageOffset<D> offset,
                            const PeriodicDomain<D>& domain, std::size_t particles) {
    counter_.add_candidates(1);
    if (!is_canonical_image<D>(a, b, offset, predicate_.radii())) {
      std::swap(a, b);
      offset = negated<D>(offset);
    }
    std::array<double, D + 1> image = predicate_.particle(b);
    for (std::size_t k = 0; k < D; ++k) image[k] = domain.shifted(k, image[k], offset[k]);
    sink_->add_if({a, NeighborImageIndex<D>::encode(b, offset, particles)},
                  predicate_.excess(predicate_.particle(a), image) <= 0);
  }

  /// For methods that evaluate the predicate themselves.
  [[nodiscard]] PairSink& sink() { return *sink_; }

  /// For methods that count more than candidates.
  [[nodiscard]] Counter<Counting>& counter() { return counter_; }

 private:
  ContactPredicate<D> predicate_;
  Index fixed_count_;
  PairSink* sink_;
  Counter<Counting> counter_;
};

/// The result of one chunk before it is flushed. Its memory is reused by later searches.
struct ChunkResult {
  std::vector<Pair> pairs;
  SearchCounts counts;
};
using ChunkResults = std::vector<ChunkResult>;

/// Runs one search in chunks, which the threads of a pool take in any order. Pairs reach the sink
/// in chunk order, so their order does not depend on the number of threads. The arguments of the
/// constructor must outlive the driver; `progress` may be empty.
template <std::size_t D, bool Counting>
class SearchDriver {
 public:
  SearchDriver(const ContactPredicate<D>& predicate, Index fixed_count, ThreadPool& pool,
               PairSink& sink, ChunkResults& results, const std::function<void(double)>& progress)
      : predicate_(predicate),
        fixed_count_(fixed_count),
        pool_(pool),
        sink_(sink),
        results_(results),
        progress_(progress) {}

  /// Sets the number of chunks of the whole search, for progress reports.
  void set_total_chunks(std::size_t chunks) { total_chunks_ = chunks; }

  /// Calls work(chunk, worker, filter) for chunks 0 … chunks−1. A worker runs one at a time.
  template <class Work>
  void run_chunks(std::size_t chunks, const Work& work) {
    if (pool_.threads() == 1)
      run_serial(chunks, work);
    else
      run_parallel(chunks, work);
  }

  /// Runs a whole search, calling visit(i, worker, filter) for the particles 0 … count−1.
  template <class Visit>
  void for_each_particle(std::size_t count, const Visit& visit) {
    const Chunks chunks(count);
    set_total_chunks(chunks.size());
    run_chunks(chunks.size(), [&](std::size_t chunk, unsigned worker, auto& filter) {
      for (std::size_t i = chunks.first(chunk); i < chunks.last(chunk); ++i)
        visit(static_cast<Index>(i), worker, filter);
    });
  }

  /// Runs and times work(counter) in the calling thread: building data structures between chunks.
  template <class Work>
  void build(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    Counter<Counting> counter;
    work(counter);
    counts_ += counter.counts();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    build_seconds_ += elapsed.count();
  }
  /// Wall-clock time spent in `build`.
  [[nodiscard]] double build_seconds() const { return build_seconds_; }

  [[nodiscard]] const SearchCounts& counts() const { return counts_; }

 private:
  template <class Work>
  void run_serial(std::size_t chunks, const Work& work) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      PairFilter<D, Counting> filter(predicate_, fixed_count_, sink_);
      work(chunk, 0U, filter);
      counts_ += filter.counter().counts();
      report_progress(1);
    }
  }

  // All threads search, each chunk into its own result; the calling thread flushes the results in
  // order, and searches while none is ready.
  template <class Work>
  void run_parallel(std::size_t chunks, const Work& work) {
    results_.resize(4UL * pool_.threads());
    OrderedChunkQueue queue(chunks, results_.size());
    const auto result_of = [&](std::size_t chunk) -> ChunkResult& {
      return results_[chunk % results_.size()];
    };
    const auto search = [&](std::size_t chunk, unsigned worker) {
      ChunkResult& result = result_of(chunk);
      result.pairs.clear();
      PairSink sink(result.pairs);
      PairFilter<D, Counting> filter(predicate_, fixed_count_, sink);
      work(chunk, worker, filter);
      sink.flush();
      result.counts = filter.counter().counts();
      queue.mark_searched(chunk);
    };
    const auto flush = [&](std::size_t chunk) {
      sink_.append(result_of(chunk).pairs);
      counts_ += result_of(chunk).counts;
      queue.mark_flushed();
      report_progress(1);
    };
    const auto run_worker = [&](unsigned worker) {
      try {
        for (auto assignment = queue.next(worker == 0);
             assignment.task != OrderedChunkQueue::Task::none; assignment = queue.next(worker == 0))
          assignment.task == OrderedChunkQueue::Task::search ? search(assignment.chunk, worker)
                                                             : flush(assignment.chunk);
      } catch (...) {
        queue.fail();
        throw;
      }
    };
    pool_.run(pool_.threads(), [&](std::size_t, unsigned worker) { run_worker(worker); });
    run_worker(0);  // the pool may have finished without this thread running a task
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
