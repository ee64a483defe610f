#pragma once

#include <malloc.h>

#include <abut/research/search_counts.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bench/measurement.hpp"
#include "cli/terminal.hpp"
#include "core/buffers.hpp"
#include "core/statistics.hpp"
#include "libraries/library.hpp"

namespace abut {

/// A method of abut or another library, as `abut bench` measures it: from the caller's arrays to
/// all pairs in memory, each once, in any order.
template <std::size_t D>
class BenchMethod {
 public:
  BenchMethod() = default;
  virtual ~BenchMethod() = default;
  BenchMethod(const BenchMethod&) = delete;
  BenchMethod& operator=(const BenchMethod&) = delete;

  /// Replaces the contents of `pairs`. Throws `MemoryLimitError` or `UnsupportedInput` if the
  /// method cannot search these particles.
  virtual void find(const Spheres<D>& particles, std::vector<Pair>& pairs) = 0;
  /// Statistics of the last search, if the method has any.
  [[nodiscard]] virtual std::optional<DetectorStatistics> statistics() const { return {}; }
  /// Candidates of the last search; 0 unless `collect_counts(true)` was called before.
  [[nodiscard]] virtual std::uint64_t candidate_count() const { return 0; }
  /// Number of pairs found by the last search, also of pairs that were not stored in `pairs`.
  [[nodiscard]] virtual std::size_t pair_count(const std::vector<Pair>& pairs) const {
    return pairs.size();
  }
  virtual void collect_counts(bool /*on*/) {}
  /// Called after each search, not timed: discards state that would speed up the next search.
  virtual void cool_down() {}
};

template <std::size_t D>
class AbutMethod : public BenchMethod<D> {
 public:
  /// If the particles are `moving`, every method keeps its structure from search to search. At rest
  /// the engine is reset; published methods that rely on the previous order keep it, as in their
  /// papers. `stream` counts the pairs instead of storing them.
  AbutMethod(DetectorOptions<D> options, bool moving, bool stream = false)
      : options_(std::move(options)),
        keep_structure_(moving || options_.method != Method::engine),
        stream_(stream) {}

  void find(const Spheres<D>& particles, std::vector<Pair>& pairs) override {
    if (!detector_) detector_.emplace(options_);
    pairs.clear();
    detector_->update(particles);
    streamed_count_ = 0;
    if (stream_)
      detector_->for_each_batch(count_pairs, &streamed_count_);
    else
      detector_->for_each_batch(append_to_vector, &pairs);
  }
  [[nodiscard]] std::size_t pair_count(const std::vector<Pair>& pairs) const override {
    return stream_ ? streamed_count_ : pairs.size();
  }
  [[nodiscard]] std::optional<DetectorStatistics> statistics() const override {
    return detector_->statistics();
  }
  [[nodiscard]] std::uint64_t candidate_count() const override {
    return search_counts(*detector_).candidates;
  }
  void collect_counts(bool on) override {
    options_.collect_counts = on;
    detector_.reset();
  }
  void cool_down() override {
    if (!keep_structure_ && detector_) detector_->reset();
  }

 private:
  static void count_pairs(void* count, std::span<const Pair> pairs) {
    *static_cast<std::size_t*>(count) += pairs.size();
  }

  DetectorOptions<D> options_;
  bool keep_structure_;
  bool stream_;
  std::size_t streamed_count_ = 0;
  std::optional<Detector<D>> detector_;
};

template <std::size_t D>
class LibraryMethod : public BenchMethod<D> {
 public:
  /// `keep_structure`: the library updates its structure after small motion instead of rebuilding
  /// it.
  LibraryMethod(std::unique_ptr<Library<D>> library, bool keep_structure)
      : library_(std::move(library)), keep_structure_(keep_structure) {}

  void find(const Spheres<D>& particles, std::vector<Pair>& pairs) override {
    library_->find(particles, pairs);
  }
  void cool_down() override {
    if (!keep_structure_) library_->reset();
#ifdef __GLIBC__
    malloc_trim(0);  // otherwise the next method spends milliseconds on merging free blocks
#endif
  }

 private:
  std::unique_ptr<Library<D>> library_;
  bool keep_structure_;
};

/// Repeated runs of one method, and their results.
template <std::size_t D>
class MethodRun {
 public:
  MethodRun(Measurement measurement, std::unique_ptr<BenchMethod<D>> method)
      : measurement_(std::move(measurement)), method_(std::move(method)) {}

  /// First run, not timed: collects counts and measures the peak memory of a search from scratch.
  void warm_up(const Spheres<D>& particles) {
    const PeakMemory peak;
    method_->collect_counts(true);
    if (find(particles)) {
      measurement_.peak_bytes = peak.bytes();
      measurement_.pairs = method_->pair_count(pairs_);
      if (const auto statistics = method_->statistics()) {
        measurement_.candidates = method_->candidate_count();
        measurement_.structure_bytes = statistics->structure_bytes;
      }
    }
    method_->collect_counts(false);
    method_->cool_down();
  }

  /// Timed run. If the particles have moved too far apart for the method, it is skipped.
  void time(const Spheres<D>& particles) {
    const Stopwatch watch;
    if (!find(particles)) return;
    seconds_.push_back(watch.seconds());
    if (const auto statistics = method_->statistics())
      build_seconds_.push_back(statistics->build_seconds);
    measurement_.pairs = method_->pair_count(pairs_);  // changes as particles move
    method_->cool_down();
  }

  /// Computes the medians; call after the last run.
  [[nodiscard]] Measurement& finish() {
    if (const auto time = steady_median(seconds_)) measurement_.seconds = *time;
    measurement_.build_seconds = steady_median(build_seconds_);
    return measurement_;
  }

  [[nodiscard]] bool is_skipped() const { return !measurement_.skip_reason.empty(); }
  [[nodiscard]] const Measurement& measurement() const { return measurement_; }
  /// Pairs of the last run.
  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }
  /// Frees the memory of the pairs, so that the first timed run of every method allocates it again.
  void free_pairs() { pairs_ = {}; }

 private:
  bool find(const Spheres<D>& particles) {
    try {
      method_->find(particles, pairs_);
    } catch (const MemoryLimitError& error) {
      measurement_.skip_reason = error.what();
    } catch (const UnsupportedInput& error) {
      measurement_.skip_reason = error.what();
    }
    return !is_skipped();
  }

  // Omits the first timed run, which allocates memory, unless it is the only one.
  static std::optional<double> steady_median(std::vector<double> times) {
    if (times.size() > 1) times.erase(times.begin());
    if (times.empty()) return {};
    return median_of(times);
  }

  Measurement measurement_;
  std::unique_ptr<BenchMethod<D>> method_;
  std::vector<Pair> pairs_;
  std::vector<double> seconds_;
  std::vector<double> build_seconds_;
};

}  // namespace abut
