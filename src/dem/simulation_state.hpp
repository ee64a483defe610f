#pragma once

#include <abut/detector.hpp>
#include <abut/simulation.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/machine.hpp"
#include "dem/chunk_schedule.hpp"
#include "dem/contact_coefficients.hpp"
#include "dem/kernels.hpp"
#include "dem/neighbor_list.hpp"
#include "dem/particle_store.hpp"
#include "dem/wall_contacts.hpp"

namespace abut {

/// All data of a simulation, and the time stepping. Indices of particles refer to their order in
/// memory, not to their ids.
template <std::size_t D>
class Simulation<D>::State {
 public:
  explicit State(Model<D> given);

  void add(const NewParticles<D>& added);
  void set_open(std::size_t wall, bool open);
  void advance(std::size_t steps);

  [[nodiscard]] double mass_of(double radius, std::size_t material) const;
  [[nodiscard]] double inverse_inertia(double radius, double mass) const;
  [[nodiscard]] ContactState<D> contact(std::size_t index, const Pair& pair) const;
  [[nodiscard]] Energy energy() const;

  /// Memory index of a particle; none if it was removed or never added. O(n) after the memory order
  /// has changed, else O(1).
  [[nodiscard]] std::optional<std::size_t> find(ParticleId id);

  /// Memory index of a particle. Both throw `Error` if it does not exist, the second one also if it
  /// is fixed.
  [[nodiscard]] std::size_t index_of(ParticleId id);
  [[nodiscard]] std::size_t index_of_moving(ParticleId id);

  /// The results of value(memory index) for all particles, sorted by id. O(n).
  template <class Value>
  [[nodiscard]] auto by_id(const Value& value) {
    update_index_by_id();
    std::vector<std::invoke_result_t<Value, std::size_t>> values;
    values.reserve(particles.size());
    for (const std::uint32_t index : index_by_id)
      if (index != ParticleStore::removed) values.push_back(value(index));
    return values;
  }

  /// Elastic energy (J) of all overlaps. Searches for all contacts.
  [[nodiscard]] double total_overlap_energy() const;

  /// Runs `change`, which adds or removes particles or walls. With `Model::track_energy`, the
  /// change of mechanical energy is counted as input.
  void track_input(const std::function<void()>& change);

  /// Compares the neighbor list with brute force for every `stride`-th particle. O(n²/stride).
  void verify_neighbors(std::size_t stride) const;

  Model<D> model;
  CoefficientTable coefficients;
  ParticleStore particles;
  WallContacts<D> wall_contacts;
  std::vector<Sink<D>> sinks;
  std::uint64_t step = 0;
  double time_step = 0;           ///< s; 0 until it is chosen
  double critical_time_step = 0;  ///< s
  std::uint32_t next_id = 0;
  std::uint64_t removed = 0;  ///< number of particles
  double removed_mass = 0;    ///< kg
  StepTimings timings;
  Energy energy_totals;          ///< elastic, dissipated and input energy; the others are 0
  double tangential_energy = 0;  ///< the part of the elastic energy in tangential springs
  NeighborList neighbor_list;
  std::vector<Vec4> image_shifts;  ///< translation of each image in `neighbor_list`
  std::vector<Vec4> force_sum;     ///< of each particle, followed by the slots of `NeighborList`
  std::vector<Vec4> torque_sum;    ///< likewise
  std::vector<Vec4> acceleration;  ///< of the previous step; predictor-corrector only
  std::vector<Vec4> angular_acceleration;

  // The steps of `advance`, and helpers.
  void initialize();
  void begin_step();
  void update_wall_contacts();
  void compute_pair_forces(std::size_t chunk, double spring_time_step);
  void finish_forces(std::size_t chunk, double spring_time_step);
  void end_step(StepPhase phase);
  bool integrate(StepPhase phase, std::size_t first, std::size_t last);
  void accumulate();
  void sort_spatially();
  void rebuild_neighbor_list();
  void rebuild_for_query();
  [[nodiscard]] Spheres<D> search_spheres();
  void search_neighbors();
  void check_neighbor_list(std::uint64_t at_step);
  [[nodiscard]] double max_travel() const;
  void remove_departed();
  [[nodiscard]] bool should_remove(std::size_t particle);
  void permute_particles(std::span<const std::uint32_t> new_index, std::size_t remaining);
  void update_index_by_id();
  void check(const NewParticles<D>& added) const;
  void append(const NewParticles<D>& added);
  void resize_forces(std::size_t previous_count);
  [[nodiscard]] std::vector<double> min_radii() const;
  [[nodiscard]] double critical_time_step_of(std::size_t a,
                                             const std::vector<double>& min_radius) const;
  void choose_time_step();
  void choose_skin();
  [[noreturn]] void throw_lost_particle(std::size_t particle, std::uint64_t at_step) const;
  [[nodiscard]] Box<D> search_bounds() const;
  [[nodiscard]] Box<D> particle_bounds() const;
  [[nodiscard]] bool is_outside(std::size_t particle) const;
  [[nodiscard]] ParticleArrays particle_arrays();
  [[nodiscard]] ForceParameters force_parameters(double spring_time_step) const;
  /// Number of blocks of `displacements`.
  [[nodiscard]] std::size_t block_count() const {
    return (particles.size() + DisplacementBounds::block_size - 1) / DisplacementBounds::block_size;
  }
  [[nodiscard]] std::size_t spring_count() const { return has_rolling ? 2 : has_friction ? 1 : 0; }
  [[nodiscard]] IntegrationChunk integration_chunk(std::size_t first, std::size_t last);
  [[nodiscard]] WallOptions<D> wall_options(double margin) const;
  [[nodiscard]] DetectorOptions<D> search_options(const Spheres<D>& spheres) const;

  // Everything below can be computed from the data above, and is not part of a saved state.
  std::shared_ptr<ThreadPool> threads;  ///< shared with the detector
  ThreadPool& pool;
  StepKernels kernels;
  bool has_friction = false;  ///< sliding or rolling friction: particles rotate
  bool has_rolling = false;
  bool has_restitution = false;
  bool has_cohesion = false;
  double cohesion_range = 0;  ///< largest gap across which cohesion acts, m
  bool has_forces = false;
  bool time_step_checked = false;
  bool has_neighbor_list = false;  ///< it may be out of date
  bool neighbor_list_valid = false;
  double skin = 0;                  ///< m
  std::uint32_t listed_id_end = 0;  ///< the neighbor list covers smaller ids
  double wall_travel = 0;  ///< upper bound (m) of the motion of walls since the last rebuild
  std::vector<DisplacementBounds> displacements;  ///< of each block since the last rebuild
  std::uint64_t steps_since_rebuild = 0;
  std::optional<Detector<D>> detector;
  std::optional<Box<D>> search_domain;  ///< of the detector
  std::vector<NeighborList::Image> found_images;
  std::vector<Pair> found_pairs;           ///< in periodic domains
  std::vector<Index> first_pair_of;        ///< scratch for sorting pairs
  std::vector<std::uint32_t> index_by_id;  ///< or `ParticleStore::removed`; empty: out of date
  ChunkSchedule chunk_schedule;
  std::vector<unsigned char>
      chunk_is_valid;  ///< all its positions are finite and inside the domain
  std::vector<WorkerTimes> worker_times;
  std::vector<ContactEnergy> chunk_energies;
};

}  // namespace abut
