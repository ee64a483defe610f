#pragma once

#include <abut/pair.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/checked_number.hpp"
#include "core/grown_array.hpp"

namespace abut {

/// One element of A: a cube that a ball meets.
struct Membership {
  Index cube;
  Index place;          ///< of the ball among those in the cube
  std::uint16_t lower;  ///< where from this cube the ball's lower-numbered cubes lie, as bits
};

/// One element of B: a ball that meets a cube.
struct CubeMember {
  Index ball;
  std::uint16_t lower;
};

/// Which balls meet which cubes, both ways: the vectors a and b and the matrices A and B of fixed
/// cubes. Rows are packed and grow with what they hold; cubes without balls are never visited.
class CubeTable {
 public:
  static constexpr std::size_t bytes_per_cube = 2 * sizeof(Index);
  static constexpr std::size_t bytes_per_membership = sizeof(Membership) + sizeof(CubeMember);

  /// Makes room for this many cubes and forgets all balls.
  void reshape(std::size_t cubes) {
    forget();
    (void)checked_number<Index>(cubes);
    counts_.at_least(cubes);
    starts_.at_least(cubes);
  }

  /// Forgets all balls; `count` are to come, numbered from `first` without gaps, each with at most
  /// so many cubes. Room for all is set aside at once: growing would take twice as much.
  void begin(Index first, std::size_t count, std::size_t most_cubes) {
    forget();
    first_ = first;
    fullest_ = 0;
    rows_.reserve(count + 1);
    cubes_.reserve(count * most_cubes);
    balls_.reserve(count * most_cubes);
  }

  /// Algorithm 2: ball and cube meet.
  void add(Index ball, std::size_t cube, unsigned lower) {
    while (rows_.size() <= ball - first_) rows_.push_back(checked_number<Index>(cubes_.size()));
    Index& count = counts_[cube];
    cubes_.push_back({static_cast<Index>(cube), count, static_cast<std::uint16_t>(lower)});
    fullest_ = std::max(fullest_, ++count);
  }

  /// All balls are known: the rows of B can be laid out, in the order in which balls met them.
  void end() {
    rows_.push_back(checked_number<Index>(cubes_.size()));
    balls_.resize(cubes_.size());
    Index used = 0;
    Index ball = first_;
    for (std::size_t at = 0; at < cubes_.size(); ++at) {
      while (at == rows_[ball + 1 - first_]) ++ball;
      const Membership& met = cubes_[at];
      if (met.place == 0) {
        starts_[met.cube] = used;
        used += counts_[met.cube];
      }
      balls_[starts_[met.cube] + met.place] = {ball, met.lower};
    }
  }

  [[nodiscard]] std::span<const Membership> cubes_of(Index ball) const {
    const Membership* all = cubes_.data();
    return {all + rows_[ball - first_], all + rows_[ball + 1 - first_]};
  }
  [[nodiscard]] std::span<const CubeMember> balls_in(std::size_t cube) const {
    return {balls_.data() + starts_[cube], counts_[cube]};
  }
  /// The balls of a cube that came before this member.
  [[nodiscard]] std::span<const CubeMember> before(const Membership& member) const {
    return {balls_.data() + starts_[member.cube], member.place};
  }
  [[nodiscard]] Index fullest() const { return fullest_; }

  [[nodiscard]] std::size_t bytes() const {
    return sizeof(Index) * (counts_.size() + starts_.size() + rows_.capacity()) +
           sizeof(Membership) * cubes_.capacity() + sizeof(CubeMember) * balls_.capacity();
  }

 private:
  void forget() {
    for (const Membership& met : cubes_) counts_[met.cube] = starts_[met.cube] = 0;
    rows_.clear();
    cubes_.clear();
    balls_.clear();
  }

  Index first_ = 0;
  Index fullest_ = 0;
  ZeroedArray<Index> counts_;      // b
  ZeroedArray<Index> starts_;      // of the rows of B
  std::vector<Index> rows_;        // of A: the row of a ball has a elements
  std::vector<Membership> cubes_;  // A
  std::vector<CubeMember> balls_;  // B
};

}  // namespace abut
