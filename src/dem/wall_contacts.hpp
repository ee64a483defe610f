#pragma once

#include <abut/simulation.hpp>
#include <abut/walls.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "dem/forces.hpp"
#include "dem/particle_store.hpp"

namespace abut {

/// One wall of a simulation.
template <std::size_t D>
struct StandingWall {
  std::string name;
  WallShape<D> shape;
  std::uint8_t material = 0;
  Motion<D> motion = {};
  bool open = false;  ///< an outlet that lets everything through
};

/// What particles feel of walls. Now and then a search among all finds those that may touch a wall
/// until the next search; in each step only those are looked at.
template <std::size_t D>
class WallContacts {
 public:
  void add(StandingWall<D> body);

  /// Opens or closes an outlet; whether that changes anything.
  bool set_open(std::size_t body, bool open);

  /// Walls move to where they are at a time.
  void move_to(double time);

  /// No wall moves faster.
  [[nodiscard]] double fastest(double time) const;

  /// The particles within a margin of the walls.
  void find_near(const Spheres<D>& all, const WallOptions<D>& options);

  /// The contacts as they are now, with the springs they had.
  void touch(const ParticleStore& particles, const WallOptions<D>& options);

  /// Particle i has become to[i], or is gone.
  void relabel(std::span<const std::uint32_t> to);

  /// Those of particles first … last − 1.
  [[nodiscard]] WallRun run(std::size_t first, std::size_t last);

  [[nodiscard]] std::span<const WallPush> touches() const { return touches_; }
  [[nodiscard]] std::vector<WallPush>& touches() { return touches_; }
  [[nodiscard]] const std::vector<StandingWall<D>>& bodies() const { return bodies_; }
  [[nodiscard]] const Walls<D>& walls() const { return walls_; }

 private:
  /// A particle that may touch a wall. Most are near a plane that never moves, and nothing else:
  /// how deep they are in it needs no search.
  struct Near {
    Index particle;
    Index plane;  ///< a body, or `several` if it takes a search
  };
  static constexpr Index several = std::numeric_limits<Index>::max();

  void build();
  [[nodiscard]] Index resting_plane(Index piece) const;
  void search(const ParticleStore& particles, const WallOptions<D>& options);
  void touch_plane(const ParticleStore& particles, const Near& near);
  void put(Index particle, std::size_t body, double overlap, const Point<D>& normal,
           const Point<D>& point);
  [[nodiscard]] std::size_t body_of(Index piece) const;
  void take_springs();

  std::vector<StandingWall<D>> bodies_;
  Walls<D> walls_;
  std::vector<std::size_t> built_;  ///< bodies that are there
  std::vector<Index> first_piece_;  ///< of each of them
  double time_ = 0;
  std::vector<Plane<D>> planes_;  ///< of each body, if it is one; the normal of length one
  std::vector<Near> near_;
  std::vector<Index> searched_;              ///< those near that take a search,
  std::array<std::vector<double>, D> axes_;  ///< and where they are
  std::vector<double> radius_;
  std::vector<WallContact<D>> found_;
  std::vector<WallPush> touches_;
  std::vector<WallPush> before_;
};

extern template class WallContacts<2>;
extern template class WallContacts<3>;

}  // namespace abut
