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

/// A wall of a simulation; see `Wall`.
template <std::size_t D>
struct WallState {
  std::string name;
  WallShape<D> shape;
  std::uint8_t material = 0;
  WallMotion<D> motion = {};
  bool is_open = false;  ///< exerts no forces
};

/// Contacts of particles with walls, and their springs. `update_candidates` finds the particles
/// that may touch a wall until it is called again; `update_contacts` computes the contacts of these
/// in every step. Most candidates are close to static planes only: their overlaps follow from the
/// particle position without a wall search.
template <std::size_t D>
class WallContacts {
 public:
  /// Without `use_static_planes`, a wall search computes the contacts of all candidates. Tracking
  /// energies requires this: which candidates are close to static planes only depends on the last
  /// neighbor search, and so would the order in which energies are summed.
  explicit WallContacts(bool use_static_planes) : use_static_planes_(use_static_planes) {}

  void add(WallState<D> wall);

  void set_open(std::size_t wall, bool open);

  /// Moves the walls to their positions at a time (s).
  void move_to(double time);

  /// Upper bound of the speed (m/s) of all points of all walls.
  [[nodiscard]] double max_speed(double time) const;

  /// Lists the particles within `options.margin` of a wall, except the fixed ones, which come
  /// first.
  void update_candidates(const Spheres<D>& spheres, std::size_t fixed_count,
                         const WallOptions<D>& options);

  /// Computes the contacts of the candidates, except those with static planes, and takes over their
  /// springs from the previous step.
  void update_contacts(const ParticleStore& particles, const WallOptions<D>& options);

  /// Renumbers particle i to new_index[i] and drops contacts of removed particles.
  void renumber(std::span<const std::uint32_t> new_index);

  /// Contacts of particles first … last − 1: those with static planes, and all others.
  [[nodiscard]] StaticPlaneChunk static_plane_chunk(std::size_t first, std::size_t last);
  [[nodiscard]] WallContactChunk searched_chunk(std::size_t first, std::size_t last);

  /// All contacts with overlap ≥ 0, sorted by particle.
  [[nodiscard]] std::vector<WallContactState> overlapping(const ParticleStore& particles) const;

  /// All contacts except those with static planes.
  [[nodiscard]] std::span<const WallContactState> searched_contacts() const { return contacts_; }

  /// Restores the result of `overlapping`.
  void restore(std::vector<WallContactState> contacts);
  [[nodiscard]] const std::vector<WallState<D>>& wall_states() const { return wall_states_; }
  [[nodiscard]] const Walls<D>& geometry() const { return geometry_; }  ///< of closed walls

  /// The wall that an element of `geometry` belongs to.
  [[nodiscard]] std::size_t wall_of(WallElementId element) const;

 private:
  void rebuild_geometry();
  [[nodiscard]] bool are_static_planes(std::span<const WallContact<D>> near) const;
  void search_contacts(const ParticleStore& particles, const WallOptions<D>& options);
  [[nodiscard]] WallContactState contact_state(const StaticPlaneContact& contact,
                                               const Point<D>& center, double radius) const;
  void list_candidates(const Spheres<D>& spheres, std::size_t fixed_count,
                       const WallOptions<D>& options);
  void list_plane_candidates(const Spheres<D>& spheres, std::size_t fixed_count, double margin);
  void add_candidate(Index particle, std::span<const WallContact<D>> near);
  void resize_search_arrays();
  [[nodiscard]] bool is_static_plane(std::size_t wall) const;
  void transfer_history(const Spheres<D>& spheres);
  void match_history();

  bool use_static_planes_;
  std::vector<WallState<D>> wall_states_;
  Walls<D> geometry_;
  std::vector<std::size_t> closed_walls_;
  std::vector<Index> first_element_;  ///< in `geometry_`, of each closed wall
  double time_ = 0;
  std::vector<Vec4> plane_normal_;  ///< by wall, if it is a plane; unit vector
  std::vector<Vec4> plane_point_;
  std::vector<Vec4> angular_velocity_;               ///< by wall
  std::vector<std::uint8_t> material_;               ///< by wall
  std::vector<StaticPlaneContact> static_contacts_;  ///< candidates, touching or not
  std::vector<StaticPlaneContact> previous_static_contacts_;
  std::vector<Index> searched_particles_;           ///< candidates that need a search
  std::array<std::vector<double>, D> coordinates_;  ///< of the searched particles
  std::vector<double> radii_;
  std::vector<WallContact<D>> found_;
  std::vector<WallContactState> contacts_;
  std::vector<WallContactState> previous_contacts_;
};

extern template class WallContacts<2>;
extern template class WallContacts<3>;

}  // namespace abut
