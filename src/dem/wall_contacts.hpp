#pragma once

#include <abut/simulation.hpp>
#include <abut/walls.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dem/kernels.hpp"
#include "dem/particle_store.hpp"

namespace abut {

/// One wall of a simulation.
template <std::size_t D>
struct WallState {
  std::string name;
  WallShape<D> shape;
  std::uint8_t material = 0;
  WallMotion<D> motion = {};
  bool is_open = false;  ///< an outlet that lets everything through
};

/// What particles feel of walls. Now and then a search among all finds those that may touch a wall
/// until the next search; in each step only those are looked at. Most of them are near planes that
/// never move, and nothing else: they rest on them, and how deep they are in them needs no search.
template <std::size_t D>
class WallContacts {
 public:
  /// Who keeps account of energies looks at all walls alike: else it would depend on the last
  /// search which of them rest, and so in which order energies are added up.
  explicit WallContacts(bool some_rest) : use_static_planes_(some_rest) {}

  void add(WallState<D> body);

  /// Opens or closes an outlet.
  void set_open(std::size_t body, bool open);

  /// Walls move to where they are at a time.
  void move_to(double time);

  /// No wall moves faster.
  [[nodiscard]] double max_speed(double time) const;

  /// The particles within a margin of the walls, but for the first ones, which are fixed.
  void update_candidates(const Spheres<D>& all, std::size_t fixed, const WallOptions<D>& options);

  /// The contacts as they are now, with the springs they had, but for those that rest.
  void update_contacts(const ParticleStore& particles, const WallOptions<D>& options);

  /// Particle i has become to[i], or is gone.
  void renumber(std::span<const std::uint32_t> to);

  /// Contacts of particles first … last − 1: of those that rest, and of the others.
  [[nodiscard]] StaticPlaneChunk static_plane_chunk(std::size_t first, std::size_t last);
  [[nodiscard]] WallContactChunk searched_chunk(std::size_t first, std::size_t last);

  /// All that overlap, by particle.
  [[nodiscard]] std::vector<WallContactState> overlapping(const ParticleStore& particles) const;

  /// Contacts with walls that may move, and some others.
  [[nodiscard]] std::span<const WallContactState> searched_contacts() const { return contacts_; }

  /// What `touches` was.
  void restore(std::vector<WallContactState> touches);
  [[nodiscard]] const std::vector<WallState<D>>& wall_states() const { return wall_states_; }
  [[nodiscard]] const Walls<D>& geometry() const { return geometry_; }

  /// Whose piece of `walls` that is.
  [[nodiscard]] std::size_t wall_of(WallElementId element) const;

 private:
  void rebuild_geometry();
  [[nodiscard]] bool are_static_planes(std::span<const WallContact<D>> near) const;
  void search_contacts(const ParticleStore& particles, const WallOptions<D>& options);
  [[nodiscard]] WallContactState contact_state(const StaticPlaneContact& rest,
                                               const Point<D>& centre, double radius) const;
  void list_candidates(const Spheres<D>& all, std::size_t fixed, const WallOptions<D>& options);
  void list_plane_candidates(const Spheres<D>& all, std::size_t fixed, double margin);
  void add_candidate(Index particle, std::span<const WallContact<D>> near);
  void resize_search_arrays();
  [[nodiscard]] bool is_static_plane(std::size_t body) const;
  void transfer_history(const Spheres<D>& all);
  void match_history();

  bool use_static_planes_;
  std::vector<WallState<D>> wall_states_;
  Walls<D> geometry_;
  std::vector<std::size_t> closed_walls_;  ///< bodies that are there
  std::vector<Index> first_element_;       ///< of each of them
  double time_ = 0;
  std::vector<Vec4> plane_normal_;  ///< of each body, if it is a plane; of length one
  std::vector<Vec4> plane_point_;
  std::vector<Vec4> angular_velocity_;  ///< of each body
  std::vector<std::uint8_t> material_;  ///< of each body
  std::vector<StaticPlaneContact>
      static_contacts_;  ///< those near that rest, whether they touch or not
  std::vector<StaticPlaneContact> previous_static_contacts_;  ///< and before; kept for its memory
  std::vector<Index> searched_particles_;                     ///< those near that take a search,
  std::array<std::vector<double>, D> coordinates_;            ///< and where they are
  std::vector<double> radii_;
  std::vector<WallContact<D>> found_;
  std::vector<WallContactState> contacts_;
  std::vector<WallContactState> previous_contacts_;
};

extern template class WallContacts<2>;
extern template class WallContacts<3>;

}  // namespace abut
