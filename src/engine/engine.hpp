#pragma once

#include <abut/detector_options.hpp>
#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/message.hpp"
#include "core/search_driver.hpp"
#include "engine/cell_sort.hpp"
#include "engine/kernel.hpp"
#include "engine/plan.hpp"

namespace abut {

/// Chooses the skin distance of the engine's neighbor list from the motion between updates, and
/// decides whether measuring that motion is worthwhile. Lengths are in units of the cutoff of the
/// largest particle.
class SkinController {
 public:
  /// Whether to measure the displacements of this update. After fast motion or a list that needed
  /// too much memory, returns false for a number of updates that doubles with every failure.
  [[nodiscard]] bool should_track() {
    if (backoff_remaining_ == 0) return true;
    --backoff_remaining_;
    return false;
  }

  [[nodiscard]] double skin() const { return skin_; }

  /// No particle has left its skin.
  void on_list_reused() {
    ++reused_steps_;
    backoff_ = 0;
  }

  /// The list is rebuilt; `displacement` is the largest one since the last update.
  void on_list_rebuilt(double displacement) {
    constexpr double max_skin = 0.06;  // above, testing the candidates costs more than sorting
    constexpr double min_skin = 0.005;
    constexpr double target_steps = 20;  // between rebuilds
    constexpr double min_steps = 2;      // below, a skin is not worthwhile
    reused_steps_ = 0;
    if (min_steps * displacement > max_skin) return disable();
    skin_ = std::clamp(target_steps * displacement, min_skin, max_skin);
    backoff_ = 0;
  }

  void on_too_many_candidates() { disable(); }

  [[nodiscard]] std::string description() const {
    if (reused_steps_ > 0) return message("; neighbor list reused for ", reused_steps_, " steps");
    return skin_ > 0 ? message("; rebuilt with a skin of ", static_cast<float>(skin_), " cutoffs")
                     : "";
  }

 private:
  void disable() {
    skin_ = 0;
    backoff_ = std::min(2 * backoff_ + 1, 64);
    backoff_remaining_ = backoff_;
  }

  double skin_ = 0;
  int reused_steps_ = 0;
  int backoff_ = 0;
  int backoff_remaining_ = 0;
};

/// abut's own search method. Particles are copied in cell order; each one is then compared with
/// short contiguous ranges of candidates, eight at a time.
///
/// - Levels: particles of similar size share a grid (`Plan`); larger particles search among the
///   smaller ones.
/// - Sorting: particles are scattered into buckets and sorted in cache (`CellSortedParticles`).
/// - Filter: coordinates quantized to 16 bits select candidates; the exact contact predicate
/// decides
///   (`Kernels`), so the pairs are those of brute force.
/// - Memory: the number of cells is bounded by N. In sparse regions cells are larger, or cell
///   coordinates are taken modulo a power of two (`Level`).
/// - Neighbor-list reuse: for slow motion, candidates are collected with a skin distance and reused
///   until a particle has moved beyond it (`SkinController`).
///
/// Time O(N). Memory: at most 64 bytes per particle, plus one bucket per thread, for any extent.
template <std::size_t D>
class Engine {
 public:
  static constexpr MethodInfo info{
      .method = Method::engine,
      .name = "engine",
      .demcda_number = 0,
      .paper = "abut",
      .time = "N",
      .memory = "64 N at most",
      .best_for = "everything; the default",
  };

  /// Upper bound of `bytes()`; of the input only the number of particles is used.
  template <class Input>
  static double bytes_needed(const Input& input, unsigned threads) {
    return CellSortedParticles<D>::bytes_needed(static_cast<double>(input.particles.size()),
                                                threads);
  }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t candidate_bytes = candidate_counts_.bytes();
    for (const CandidateList& list : candidates_)
      candidate_bytes += list.index_offsets.capacity() * sizeof(std::uint16_t);
    return sorted_.bytes() + candidate_bytes;
  }

  static constexpr bool is_persistent = true;
  static constexpr bool supports_any_extent = true;

  /// Reuses the neighbor list if no particle has left its skin; otherwise plans the grids and sorts
  /// the particles.
  template <class Input, class Counter>
  void prepare(const Input& input, ThreadPool& pool, Counter& /*counter*/) {
    if (sorted_.size() == input.particles.size() && plan_.supports_skin() &&
        skin_controller_.should_track()) {
      const Level<D>& level = plan_.levels[0];
      const auto motion = sorted_.update_positions(input.particles, level, input.predicate, pool);
      const bool is_small = motion.radii_unchanged && motion.since_last < units_per_cell;
      if (is_small && candidates_valid_ && motion.since_sorted + 2 <= level.skin) {
        skin_controller_.on_list_reused();
        return;
      }
      const double cutoff = input.predicate.cutoff(level.max_radius, level.max_radius);
      skin_controller_.on_list_rebuilt(
          is_small ? motion.since_last / (cutoff * level.inverse_cell_size * units_per_cell) : 1);
    }
    candidates_valid_ = false;
    plan_ = make_plan(input.particles, input.summary, input.predicate, skin_controller_.skin());
    sorted_.sort(input.particles, plan_, input.predicate, pool);
  }

  /// Sends all pairs to the driver.
  template <class Input, class Driver>
  void search(const Input& input, Driver& driver) {
    const Chunks chunks = make_chunks(input.particles.size());
    driver.set_total_chunks(chunks.size());
    const SortedView<D> view = sorted_.view(input.predicate, input.fixed_count);
    if (plan_.has_skin())
      search_candidates(view, chunks, driver);
    else
      search_levels(view, chunks, driver);
  }

  /// Memory for the sorted particles, until `reset`.
  void lend_memory(std::span<std::byte> memory) { sorted_.lend_memory(memory); }

  /// Discards the sorted particles and the measured motion; the next update starts without history.
  void reset() {
    sorted_.reset();
    skin_controller_ = {};
    candidates_valid_ = false;
  }

  /// The chosen levels and cells and the state of the neighbor list, as one line of text.
  [[nodiscard]] std::string description() const {
    return describe(plan_) + skin_controller_.description();
  }

 private:
  // At least some dozens of chunks where possible, for load balance.
  static Chunks make_chunks(std::size_t particles) {
    return Chunks(particles,
                  std::clamp<std::size_t>(std::bit_floor(particles / 32 + 1), 512, 4096));
  }

  template <class Driver>
  void search_levels(const SortedView<D>& view, const Chunks& chunks, Driver& driver) {
    const Kernels<D>& kernels = sorted_.kernels();
    driver.run_chunks(chunks.size(), [&](std::size_t chunk, unsigned, auto& filter) {
      for (std::size_t i = 0; i < plan_.levels.size(); ++i) {
        const Level<D>& level = plan_.levels[i];
        const auto first = std::max(level.first, static_cast<Index>(chunks.first(chunk)));
        const auto last = std::min(level.last, static_cast<Index>(chunks.last(chunk)));
        if (first >= last) continue;
        filter.counter().add_candidates(
            kernels.search_level(view, level, first, last, filter.sink()));
        for (std::size_t j = 0; j < plan_.levels.size(); ++j)
          if (should_search(i, j))
            filter.counter().add_candidates(kernels.search_between_levels(
                view, level, plan_.levels[j], first, last, filter.sink()));
      }
    });
  }

  // Whether the particles of level i search among those of level j. Of two levels the larger
  // particles search, since they are fewer; unless the cells of the smaller ones are modular, where
  // a large particle might have to visit all cells.
  [[nodiscard]] bool should_search(std::size_t i, std::size_t j) const {
    if (i == j) return false;
    const bool small_searches = plan_.levels[std::max(i, j)].is_modular();
    return (i > j) == small_searches;
  }

  // With a skin: candidates are collected once, then only tested until the next rebuild.
  template <class Driver>
  void search_candidates(const SortedView<D>& view, const Chunks& chunks, Driver& driver) {
    const Kernels<D>& kernels = sorted_.kernels();
    const bool collect = !candidates_valid_;
    if (collect) {
      candidate_counts_.ensure_size(sorted_.size());
      candidates_.resize(chunks.size());
    }
    driver.run_chunks(chunks.size(), [&](std::size_t chunk, unsigned, auto& filter) {
      const auto first = static_cast<Index>(chunks.first(chunk));
      const auto last = static_cast<Index>(chunks.last(chunk));
      CandidateList& list = candidates_[chunk];
      if (collect) {
        list.counts = candidate_counts_.data();
        list.clear();
        kernels.collect_candidates(view, plan_.levels[0], first, last, list);
        list.finish();
      }
      filter.counter().add_candidates(
          list.overflowed ? kernels.search_level(view, plan_.levels[0], first, last, filter.sink())
                          : kernels.test_candidates(view, first, last, list, filter.sink()));
    });
    if (collect) keep_if_memory_allows();
  }

  // Keeps the candidates unless they exceed the memory bound of the engine.
  void keep_if_memory_allows() {
    const bool overflowed = std::ranges::any_of(candidates_, &CandidateList::overflowed);
    candidates_valid_ =
        !overflowed && bytes() - sorted_.scratch_bytes() <= 64 * sorted_.size() + (1U << 16U);
    if (candidates_valid_) return;
    skin_controller_.on_too_many_candidates();
    candidates_ = {};
  }

  Plan<D> plan_;
  CellSortedParticles<D> sorted_;
  SkinController skin_controller_;
  bool candidates_valid_ = false;  // candidates_ belong to the current order
  HugePageArray<std::uint8_t> candidate_counts_;
  std::vector<CandidateList> candidates_;
};

}  // namespace abut
