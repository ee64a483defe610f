#pragma once

#include <abut/simulation.hpp>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/machine.hpp"
#include "core/scratch_arena.hpp"
#include "dem/chunk_schedule.hpp"
#include "dem/contact_forces.hpp"
#include "dem/contact_model.hpp"
#include "dem/energy_balance.hpp"
#include "dem/neighbor_list.hpp"
#include "dem/particles.hpp"
#include "dem/simulation_domain.hpp"
#include "dem/time_integration.hpp"
#include "dem/wall_forces.hpp"

namespace abut {

/// The parts of a simulation, and the time step that connects them. Each part owns its data.
/// Indices of particles refer to their order in memory, not to their ids.
template <std::size_t D>
class Simulation<D>::Core {
 public:
  explicit Core(Model<D> model);

  void add(const NewParticles<D>& added);
  void add(WallState<D> wall);
  std::size_t add(Sink<D> sink) { return domain_.add(std::move(sink)); }
  void set_open(std::size_t wall, bool open);
  void set_velocity(std::size_t particle, const Vec4& velocity);
  void set_angular_velocity(std::size_t particle, const Vec4& angular_velocity);
  void advance(std::size_t steps);
  void restore(const SavedState& saved);

  [[nodiscard]] const Model<D>& model() const { return model_; }
  [[nodiscard]] const Particles& particles() const { return particles_; }
  [[nodiscard]] const SimulationDomain<D>& domain() const { return domain_; }
  [[nodiscard]] const WallForces<D>& walls() const { return wall_forces_; }
  [[nodiscard]] const StepTimings& timings() const { return timings_; }
  [[nodiscard]] std::uint64_t step() const { return step_; }
  [[nodiscard]] double time() const { return static_cast<double>(step_) * time_step_; }

  /// The time step (s) in use, or to be used. Throws `Error` if it is not stable.
  [[nodiscard]] double time_step() const;
  [[nodiscard]] double critical_time_step() const;

  [[nodiscard]] double mass(std::size_t particle) const;

  /// Position in the periodic domain, and (unwrapped position − position) / period.
  struct WrappedPosition {
    Point<D> position;
    std::array<std::int32_t, D> image;
  };
  [[nodiscard]] WrappedPosition wrapped_position(std::size_t particle) const;

  [[nodiscard]] Energy energy() const;
  [[nodiscard]] double overlap_energy() const;
  [[nodiscard]] std::vector<ContactState<D>> contacts() const;
  [[nodiscard]] SavedState save() const;

  /// Compares the neighbor list with brute force for every `stride`-th particle, and the wall
  /// candidates with a wall search of all particles. O(n²/stride + n).
  void verify_neighbors(std::size_t stride) const;

 private:
  // The parts of `advance`.
  void initialize();
  void begin_step();
  void sort_spatially();
  void rebuild_neighbor_list();
  void search_neighbors();
  void use_memory_of_forces(const std::function<void()>& search);
  void update_wall_candidates();
  void finish_step(StepPhase phase);
  void remove_departed();

  void add_stored_and_wall_forces(std::size_t chunk, double spring_time_step);
  void check_motion(std::uint64_t at_step);
  void check_energy();
  void check_displacements(std::uint64_t at_step) const;
  void check_displacements_of_particles(std::uint64_t at_step) const;
  void check(const NewParticles<D>& added) const;
  void update_min_radii();
  void track_input(const std::function<void()>& change);
  void append_contacts(const PairRows& rows, const ContactForces& forces,
                       std::vector<ContactState<D>>& all) const;
  void append_contacts(std::span<const WallContactState> contacts,
                       std::vector<ContactState<D>>& all) const;
  [[nodiscard]] typename NeighborList<D>::Options neighbor_options() const;
  [[nodiscard]] TimeIntegration::Options integration_options() const;

  Model<D> model_;
  ThreadPool pool_;
  ContactModel contact_model_;
  SimulationDomain<D> domain_;
  Particles particles_;
  NeighborList<D> neighbor_list_;
  ContactForces contact_forces_;
  WallForces<D> wall_forces_;
  TimeIntegration integration_;
  EnergyBalance energy_;
  ScratchArena arena_;  ///< memory of `force_sums_`, and of searches
  ForceSums force_sums_;

  std::uint64_t step_ = 0;
  double time_step_ = 0;  ///< s; 0 before the first step
  bool has_forces_ = false;
  std::vector<double> min_radius_;  ///< m, of each material; see `critical_time_step`
  StepTimings timings_;

  ChunkSchedule chunk_schedule_;
  std::vector<IntegrationResult> integration_results_;  ///< of each chunk
  std::vector<WorkerTimes> worker_times_;
  std::vector<ContactEnergy> chunk_energies_;
};

/// Properties of a saved state that a simulation requires.
struct SavedStateRequirements {
  std::size_t dimension, materials, walls, sinks;
  bool torques, accelerations, rolling_springs;
};

/// Throws `Error`, with the section of a checkpoint as key, if a saved state does not fit or is
/// inconsistent, or has a value that no simulation has.
void check(const SavedState& saved, const SavedStateRequirements& required);

/// Contact history to and from a saved state.
void save_history(std::span<const PairHistory> history, bool has_rolling, SavedState& saved);
void save_history(std::span<const WallContactState> contacts, bool has_rolling, SavedState& saved);
[[nodiscard]] std::vector<PairHistory> saved_pair_history(const SavedState& saved);
[[nodiscard]] std::vector<WallContactState> saved_wall_contacts(const SavedState& saved);

}  // namespace abut
