#pragma once

#include <abut/detector.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "cli/entrant.hpp"
#include "cli/measured.hpp"
#include "cli/peak_memory.hpp"
#include "cli/units.hpp"
#include "core/median.hpp"

namespace abut {

/// Runs one entrant again and again.
template <std::size_t D>
class Runner {
 public:
  Runner(Measured measured, std::unique_ptr<Entrant<D>> entrant)
      : measured_(std::move(measured)), entrant_(std::move(entrant)) {}

  /// The first run is not timed: it counts, and shows what memory is needed from nothing.
  void rehearse(const Spheres<D>& particles) {
    const PeakMemory peak;
    entrant_->count(true);
    if (find(particles)) {
      measured_.peak_bytes = peak.bytes();
      measured_.pairs = entrant_->found(pairs_);
      if (const auto statistics = entrant_->statistics()) {
        measured_.candidates = statistics->candidates;
        measured_.structure_bytes = statistics->structure_bytes;
      }
    }
    entrant_->count(false);
    entrant_->rest();
  }

  void time(const Spheres<D>& particles) {
    const Stopwatch watch;
    if (!find(particles)) return;  // they have moved too far apart
    seconds_.push_back(watch.seconds());
    if (const auto statistics = entrant_->statistics())
      sorting_seconds_.push_back(statistics->sorting_seconds);
    measured_.pairs = entrant_->found(pairs_);  // of the last run: they may have moved
    entrant_->rest();
  }

  /// What was measured, after the last run.
  [[nodiscard]] Measured& finish() {
    if (const auto time = typical(seconds_)) measured_.seconds = *time;
    measured_.sorting_seconds = typical(sorting_seconds_);
    return measured_;
  }

  [[nodiscard]] bool refused() const { return !measured_.refused.empty(); }
  [[nodiscard]] const Measured& measured() const { return measured_; }
  /// Those of the last run.
  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }
  /// Gives their memory back, so that the first timed run meets fresh memory whoever came before.
  void drop_pairs() { pairs_ = {}; }

 private:
  bool find(const Spheres<D>& particles) {
    try {
      entrant_->find(particles, pairs_);
    } catch (const MemoryRefused& refusal) {
      measured_.refused = refusal.what();
    } catch (const PeerRefused& refusal) {
      measured_.refused = refusal.what();
    }
    return !refused();
  }

  // The first timed run meets fresh memory; it is kept only if there is no other.
  static std::optional<double> typical(std::vector<double> times) {
    if (times.size() > 1) times.erase(times.begin());
    if (times.empty()) return {};
    return median_of(times);
  }

  Measured measured_;
  std::unique_ptr<Entrant<D>> entrant_;
  std::vector<Pair> pairs_;
  std::vector<double> seconds_;
  std::vector<double> sorting_seconds_;
};

}  // namespace abut
