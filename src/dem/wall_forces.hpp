#pragma once

#include <abut/simulation.hpp>
#include <abut/walls.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/scratch_arena.hpp"
#include "dem/contact_forces.hpp"
#include "dem/contact_model.hpp"
#include "dem/kernels.hpp"
#include "dem/particles.hpp"

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

/// Forces of walls on particles, the contacts and their history, and the motion of walls.
/// `update_candidates` finds the particles that may touch a wall until it is called again;
/// `update_contacts` computes the contacts of these in every step. Most candidates are close to
/// static planes only: their overlaps follow from the particle position without a wall search.
template <std::size_t D>
class WallForces {
 public:
  struct Options {
    std::optional<Box<D>> domain;
    std::array<bool, D> periodic;
    unsigned threads;

    /// If false, a wall search computes the contacts of all candidates. Tracking energies requires
    /// this: which candidates are close to static planes only depends on the last search, and so
    /// would the order in which energies are summed.
    bool use_static_planes;
  };

  WallForces(const ContactModel& model, const Options& options)
      : model_(&model), options_(options) {}

  void add(WallState<D> wall);

  void set_open(std::size_t wall, bool open);

  /// Lists the particles within the range of forces plus `skin` (m) of a wall, except the fixed
  /// ones, which come first. Walls move to their positions at `time` (s). Uses memory of the arena
  /// until it returns.
  void update_candidates(const Spheres<D>& spheres, std::size_t fixed_count, double skin,
                         double time, ScratchArena& arena);

  /// Whether the candidates include all particles that walls act on.
  [[nodiscard]] bool has_valid_candidates() const {
    return candidates_valid_ ||
           (closed_walls_.empty() && contacts_.empty() && static_contacts_.empty());
  }

  /// To be called after particles have moved, by at most `particle_travel` (m) since the candidates
  /// were listed, to their positions at time `to` (s); walls are still at time `from`.
  void check_motion(double particle_travel, double from, double to);

  /// Moves the walls to their positions at `time` (s), computes the contacts of the candidates,
  /// except those with static planes, and takes over their springs from the previous step.
  void update_contacts(const Particles& particles, double time);

  /// Adds the forces of walls on particles first … last − 1; returns the energies of the contacts.
  ContactEnergy add_forces(std::size_t first, std::size_t last, const Particles& particles,
                           double spring_time_step, ForceSums& sums);

  /// Adds the work (J) of moving walls in a time step (s) with the forces of the last evaluation.
  /// Static planes do no work.
  void add_work(double time_step, double& work) const;

  /// Contacts of any spheres with the closed walls, within a margin (m).
  [[nodiscard]] std::vector<WallContact<D>> find_contacts(const Spheres<D>& spheres,
                                                          double margin) const;

  /// Whether the contacts of a particle with a wall are computed by `update_contacts`.
  [[nodiscard]] bool is_candidate(Index particle, std::size_t wall) const;

  /// Whether candidates have been listed since walls or the order of particles changed.
  [[nodiscard]] bool has_candidates() const { return has_candidates_; }

  /// Renumbers particle i to new_index[i] and drops contacts of removed particles.
  void renumber(std::span<const std::uint32_t> new_index);

  /// All contacts with closed walls and overlap ≥ 0, sorted by particle, with the forces of the
  /// last evaluation.
  [[nodiscard]] std::vector<WallContactState> overlapping(const Particles& particles) const;

  /// The same before the first evaluation: from a search, without history. `spheres` are the
  /// particles.
  [[nodiscard]] std::vector<WallContactState> search_overlapping(const Particles& particles,
                                                                 const Spheres<D>& spheres) const;

  /// Restores the result of `overlapping`.
  void restore(std::vector<WallContactState> contacts);
  [[nodiscard]] const std::vector<WallState<D>>& wall_states() const { return wall_states_; }
  [[nodiscard]] const Walls<D>& geometry() const { return geometry_; }  ///< of closed walls

  /// The wall that an element of `geometry` belongs to.
  [[nodiscard]] std::size_t wall_of(WallElementId element) const;

 private:
  void rebuild_geometry();
  void move_to(double time);
  [[nodiscard]] double max_speed(double from, double to) const;
  [[nodiscard]] WallOptions<D> wall_options(double margin) const;
  [[nodiscard]] StaticPlaneChunk static_plane_chunk(std::size_t first, std::size_t last);
  [[nodiscard]] WallContactChunk searched_chunk(std::size_t first, std::size_t last);
  [[nodiscard]] bool are_static_planes(std::span<const WallContact<D>> near) const;
  void search_contacts(const Particles& particles);
  [[nodiscard]] WallContactState contact_state(const WallContact<D>& found, Index particle) const;
  [[nodiscard]] WallContactState contact_state(const StaticPlaneContact& contact,
                                               const Point<D>& center, double radius) const;
  void list_candidates(const Spheres<D>& spheres, std::size_t fixed_count,
                       const WallOptions<D>& options);
  void list_plane_candidates(const Spheres<D>& spheres, std::size_t fixed_count, double margin);
  void find_near_planes(const Point<D>& center, double cutoff,
                        std::vector<WallContact<D>>& near) const;
  void add_candidate(Index particle, std::span<const WallContact<D>> near);
  [[nodiscard]] bool is_static_plane(std::size_t wall) const;
  void transfer_history(std::span<const StaticPlaneContact> previous, const Spheres<D>& spheres);
  void match_history();

  const ContactModel* model_;
  Options options_;
  bool has_candidates_ = false;
  bool candidates_valid_ = false;
  double skin_ = 0;    ///< m, of the candidates
  double travel_ = 0;  ///< upper bound (m) of the motion of walls since the candidates were listed
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
  std::vector<Index> searched_particles_;            ///< candidates that need a search
  SphereArrays<D> searched_spheres_;                 ///< positions and radii of these
  std::vector<WallContact<D>> found_;
  std::vector<WallContactState> contacts_;
  std::vector<WallContactState> previous_contacts_;
};

extern template class WallForces<2>;
extern template class WallForces<3>;

}  // namespace abut
