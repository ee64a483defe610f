#pragma once

#include <malloc.h>

#include <abut/detector.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bench/measurement.hpp"
#include "cli/number_format.hpp"
#include "core/pair_buffer.hpp"
#include "core/statistics.hpp"
#include "libraries/library.hpp"

namespace abut {

/// Whoever is measured: a method of ours or another library. From the caller's arrays to each pair
/// once, in memory, in whatever order they are found.
template <std::size_t D>
class BenchMethod {
 public:
  BenchMethod() = default;
  virtual ~BenchMethod() = default;
  BenchMethod(const BenchMethod&) = delete;
  BenchMethod& operator=(const BenchMethod&) = delete;

  virtual void find(const Spheres<D>& particles, std::vector<Pair>& pairs) = 0;
  /// What the last search did, where that is known; the counts only if they are asked for.
  [[nodiscard]] virtual std::optional<DetectorStatistics> statistics() const { return {}; }
  /// How many pairs it found: those in memory, or more if they were only counted.
  [[nodiscard]] virtual std::size_t pair_count(const std::vector<Pair>& pairs) const {
    return pairs.size();
  }
  virtual void collect_counts(bool /*on*/) {}
  /// After a search, outside of its time: what the next one must not profit from goes.
  virtual void cool_down() {}
};

template <std::size_t D>
class AbutMethod : public BenchMethod<D> {
 public:
  /// For a search after a small motion, all keep what they know of the order of before. At rest the
  /// engine may not; published methods that live on it may, as in their papers.
  /// `stream` counts the pairs as they come instead of storing them.
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
  void collect_counts(bool on) override {
    options_.collect_counts = on;
    detector_.reset();
  }
  void cool_down() override {
    if (!keep_structure_ && detector_) detector_->reset();
  }

 private:
  static void count_pairs(void* counted, std::span<const Pair> pairs) {
    *static_cast<std::size_t*>(counted) += pairs.size();
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
  /// `keep` leaves the structure where it is, for a search after a small motion.
  LibraryMethod(std::unique_ptr<Library<D>> peer, bool keep)
      : library_(std::move(peer)), keep_structure_(keep) {}

  void find(const Spheres<D>& particles, std::vector<Pair>& pairs) override {
    library_->find(particles, pairs);
  }
  void cool_down() override {
    if (!keep_structure_) library_->reset();
#ifdef __GLIBC__
    malloc_trim(0);  // else whoever allocates next spends milliseconds on the pieces left behind
#endif
  }

 private:
  std::unique_ptr<Library<D>> library_;
  bool keep_structure_;
};

/// Runs one entrant again and again.
template <std::size_t D>
class MethodRun {
 public:
  MethodRun(Measurement measured, std::unique_ptr<BenchMethod<D>> entrant)
      : measurement_(std::move(measured)), method_(std::move(entrant)) {}

  /// The first run is not timed: it counts, and shows what memory is needed from nothing.
  void warm_up(const Spheres<D>& particles) {
    const PeakMemory peak;
    method_->collect_counts(true);
    if (find(particles)) {
      measurement_.peak_bytes = peak.bytes();
      measurement_.pairs = method_->pair_count(pairs_);
      if (const auto statistics = method_->statistics()) {
        measurement_.candidates = statistics->candidates;
        measurement_.structure_bytes = statistics->structure_bytes;
      }
    }
    method_->collect_counts(false);
    method_->cool_down();
  }

  void time(const Spheres<D>& particles) {
    const Stopwatch watch;
    if (!find(particles)) return;  // they have moved too far apart
    seconds_.push_back(watch.seconds());
    if (const auto statistics = method_->statistics())
      build_seconds_.push_back(statistics->build_seconds);
    measurement_.pairs = method_->pair_count(pairs_);  // of the last run: they may have moved
    method_->cool_down();
  }

  /// What was measured, after the last run.
  [[nodiscard]] Measurement& finish() {
    if (const auto time = steady_median(seconds_)) measurement_.seconds = *time;
    measurement_.build_seconds = steady_median(build_seconds_);
    return measurement_;
  }

  [[nodiscard]] bool is_skipped() const { return !measurement_.skip_reason.empty(); }
  [[nodiscard]] const Measurement& measurement() const { return measurement_; }
  /// Those of the last run.
  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }
  /// Gives their memory back, so that the first timed run meets fresh memory whoever came before.
  void free_pairs() { pairs_ = {}; }

 private:
  bool find(const Spheres<D>& particles) {
    try {
      method_->find(particles, pairs_);
    } catch (const MemoryLimitError& refusal) {
      measurement_.skip_reason = refusal.what();
    } catch (const UnsupportedInput& refusal) {
      measurement_.skip_reason = refusal.what();
    }
    return !is_skipped();
  }

  // The first timed run meets fresh memory; it is kept only if there is no other.
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
