#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/huge_vector.hpp"
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
  // Where the contacts of a particle near walls are.
  struct Visitor {
    std::uint32_t run;
    std::uint32_t first;
    std::uint32_t count;
  };

  // A particle near walls, with all that is needed of it: what is next must not be anywhere in
  // memory.
  struct Turn {
    Given<D> given;
    Cap cap;  // for one view
    std::uint32_t visitor;
    std::uint32_t view;   // or where its views are, if there are several
    std::uint32_t views;  // how many
  };

  template <class Work>
  void each_run(const Runs& runs, const Work& work);
  void pick();
  void group(std::span<const NearWall<D>> near);
  void order_by_place();
  void visit();
  std::size_t look_around(std::size_t first, std::size_t last, std::uint32_t run,
                          typename WallSearch<D>::Workspace& own);
  void look_closely(const Turn& turn, std::uint32_t run, typename WallSearch<D>::Workspace& own);
  void list(std::vector<WallContact<D>>& found) const;

  const WallSearch<D>* search_ = nullptr;  // while it runs
  std::size_t particles_ = 0;
  std::optional<ThreadPool> pool_;
  unsigned threads_ = 1;
  std::vector<std::vector<NearWall<D>>> picked_;  // by runs of particles
  HugeVector<Turn> by_number_;
  std::vector<std::uint32_t> numbers_;  // of places
  std::vector<std::uint32_t> ends_;
  std::vector<std::unique_ptr<typename WallSearch<D>::Workspace>> own_;
  std::vector<std::uint32_t> views_;  // of those that have several
  std::vector<Visitor> visitors_;     // by particle
  HugeVector<Turn> turns_;            // by place
  std::vector<std::vector<WallContact<D>>> parts_;
};

extern template class WallSweep<2>;
extern template class WallSweep<3>;

}  // namespace abut
