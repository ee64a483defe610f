#pragma once

#include <abut/simulation.hpp>
#include <abut/walls.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
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
/// until the next search; in each step only those are looked at. Most of them are near planes that
/// never move, and nothing else: they rest on them, and how deep they are in them needs no search.
template <std::size_t D>
class WallContacts {
 public:
  /// Who keeps account of energies looks at all walls alike: else it would depend on the last
  /// search which of them rest, and so in which order energies are added up.
  explicit WallContacts(bool some_rest) : some_rest_(some_rest) {}

  void add(StandingWall<D> body);

  /// Opens or closes an outlet.
  void set_open(std::size_t body, bool open);

  /// Walls move to where they are at a time.
  void move_to(double time);

  /// No wall moves faster.
  [[nodiscard]] double fastest(double time) const;

  /// The particles within a margin of the walls, but for the first ones, which are fixed.
  void find_near(const Spheres<D>& all, std::size_t fixed, const WallOptions<D>& options);

  /// The contacts as they are now, with the springs they had, but for those that rest.
  void touch(const ParticleStore& particles, const WallOptions<D>& options);

  /// Particle i has become to[i], or is gone.
  void relabel(std::span<const std::uint32_t> to);

  /// Contacts of particles first … last − 1: of those that rest, and of the others.
  [[nodiscard]] RestRun resting(std::size_t first, std::size_t last);
  [[nodiscard]] WallRun searched(std::size_t first, std::size_t last);

  /// All that overlap, by particle.
  [[nodiscard]] std::vector<WallPush> touches(const ParticleStore& particles) const;

  /// Contacts with walls that may move, and some others.
  [[nodiscard]] std::span<const WallPush> moving() const { return touches_; }

  /// What `touches` was.
  void restore(std::vector<WallPush> touches);
  [[nodiscard]] const std::vector<StandingWall<D>>& bodies() const { return bodies_; }
  [[nodiscard]] const Walls<D>& walls() const { return walls_; }

  /// Whose piece of `walls` that is.
  [[nodiscard]] std::size_t body_of(Index piece) const;

 private:
  void build();
  [[nodiscard]] bool can_rest(std::span<const WallContact<D>> near) const;
  void search(const ParticleStore& particles, const WallOptions<D>& options);
  [[nodiscard]] WallPush push_of(const RestPush& rest, const Point<D>& centre, double radius) const;
  void list_near(const Spheres<D>& all, std::size_t fixed, const WallOptions<D>& options);
  void list_near_planes(const Spheres<D>& all, std::size_t fixed, double margin);
  void put_near(Index particle, std::span<const WallContact<D>> near);
  void make_room_for_search();
  [[nodiscard]] bool is_still(std::size_t body) const;
  void hand_over(const Spheres<D>& all);
  void take_springs();

  bool some_rest_;
  std::vector<StandingWall<D>> bodies_;
  Walls<D> walls_;
  std::vector<std::size_t> built_;  ///< bodies that are there
  std::vector<Index> first_piece_;  ///< of each of them
  double time_ = 0;
  std::vector<Record> plane_normal_;  ///< of each body, if it is a plane; of length one
  std::vector<Record> plane_point_;
  std::vector<Record> spin_;                 ///< of each body
  std::vector<std::uint8_t> material_;       ///< of each body
  std::vector<RestPush> resting_;            ///< those near that rest, whether they touch or not
  std::vector<RestPush> rested_;             ///< and before; kept for its memory
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
