#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/runs.hpp"
#include "core/thread_pool.hpp"
#include "walls/wall_search.hpp"

namespace abut {

/// Carries a search out, alone or by several threads. Particles near walls are dealt with in the
/// order of their places, so that what is known of a wall is still at hand when the next one comes
/// to it, and listed in the order of their numbers.
template <std::size_t D>
class WallSweep {
 public:
  /// Adds all contacts of so many particles, ordered by particle, then by wall. Keeps its memory,
  /// and its threads as long as there are to be as many.
  void run(const WallSearch<D>& search, std::size_t particles, unsigned threads,
           std::vector<WallContact<D>>& found);

 private:
  // A particle near walls: its part of near_, and where its contacts are.
  struct Visitor {
    std::uint32_t first;
    std::uint32_t count;
    std::uint32_t first_contact;
    std::uint32_t contacts;
  };

  // The same in the order of places, with what is needed of the particle: what is next must not be
  // anywhere in memory.
  struct Turn {
    Given<D> given;
    std::uint32_t visitor;
    NearWall first;
    std::uint32_t count;
  };

  template <class Work>
  void each_run(const Runs& runs, const Work& work);
  void pick();
  void group();
  void order_by_place();
  void visit();
  [[nodiscard]] std::span<const NearWall> walls_of(std::uint32_t visitor) const {
    return std::span(near_).subspan(visitors_[visitor].first, visitors_[visitor].count);
  }
  void list(std::vector<WallContact<D>>& found) const;

  const WallSearch<D>* search_ = nullptr;  // while it runs
  std::size_t particles_ = 0;
  std::optional<ThreadPool> pool_;
  unsigned threads_ = 1;
  std::vector<std::vector<NearWall>> picked_;  // by runs of particles
  std::vector<Turn> by_number_;
  std::vector<std::uint32_t> numbers_;  // of places
  std::vector<std::uint32_t> ends_;
  std::vector<std::unique_ptr<typename WallSearch<D>::Workspace>> own_;
  std::vector<NearWall> near_;
  std::vector<Visitor> visitors_;      // by particle
  std::vector<Turn> turns_;            // by place
  std::vector<std::uint32_t> run_of_;  // by particle
  std::vector<std::vector<WallContact<D>>> parts_;
};

extern template class WallSweep<2>;
extern template class WallSweep<3>;

}  // namespace abut
