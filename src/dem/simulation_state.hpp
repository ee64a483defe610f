#pragma once

#include <abut/detector.hpp>
#include <abut/simulation.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/thread_pool.hpp"
#include "dem/chunk_schedule.hpp"
#include "dem/contact_coefficients.hpp"
#include "dem/kernels.hpp"
#include "dem/neighbor_list.hpp"
#include "dem/particle_store.hpp"
#include "dem/wall_contacts.hpp"

namespace abut {

template <std::size_t D>
class Simulation<D>::State {
 public:
  explicit State(Model<D> given);

  void add(const NewParticles<D>& more);
  void set_open(std::size_t wall, bool open);
  void advance(std::size_t steps);

  [[nodiscard]] double mass_of(double radius, std::size_t material) const;
  [[nodiscard]] double inverse_inertia(double radius, double mass) const;
  [[nodiscard]] ContactState<D> contact(std::size_t pair) const;
  [[nodiscard]] Energy energy() const;

  /// What overlaps hold, by a search of its own.
  [[nodiscard]] double total_overlap_energy() const;

  /// Particles come or go, or walls do: with a ledger, what that changes is put in.
  void track_input(const std::function<void()>& change);
  void verify_neighbors(std::size_t one_in) const;

  Model<D> model;
  CoefficientTable coefficients;
  ParticleStore particles;
  WallContacts<D> wall_contacts;
  std::vector<Sink<D>> sinks;
  std::uint64_t step = 0;
  double time_step = 0;  ///< 0 until the first step
  double critical_time_step = 0;
  std::uint32_t next_id = 0;
  std::uint64_t removed = 0;
  double removed_mass = 0;
  StepTimings timings;
  Energy energy_totals;          ///< what was dissipated and put in, and what springs hold
  double tangential_energy = 0;  ///< of that, what springs across contacts hold
  NeighborList neighbor_list;
  std::vector<Vec4> image_shifts;  ///< of the images in `contacts`
  std::vector<Vec4> force_sum;     ///< of particles, and behind them slots
  std::vector<Vec4> torque_sum;
  std::vector<Vec4> acceleration;
  std::vector<Vec4> angular_acceleration;

  // Everything below can be found anew from what is above.
  void initialize();
  void begin_step();
  void update_wall_contacts();
  void compute_pair_forces(std::size_t run, double over);
  void finish_forces(std::size_t run, double over);
  void end_step(StepPhase part);
  MotionSummary integrate(StepPhase part, std::size_t first, std::size_t last);
  void accumulate();
  void sort_spatially();
  void rebuild_neighbor_list();
  void rebuild_for_query();
  [[nodiscard]] Spheres<D> search_spheres();
  void search_neighbors();
  void check_neighbor_list(const MotionSummary& report, std::uint64_t now);
  void remove_departed();
  [[nodiscard]] bool should_remove(std::size_t particle);
  void permute_particles(std::span<const std::uint32_t> to, std::size_t stay);
  void check(const NewParticles<D>& more) const;
  void append(const NewParticles<D>& more);
  void resize_forces(std::size_t before);
  [[nodiscard]] std::vector<double> min_radii() const;
  [[nodiscard]] double critical_time_step_of(std::size_t a,
                                             const std::vector<double>& smallest) const;
  void choose_time_step();
  void choose_skin();
  [[noreturn]] void throw_lost_particle(std::size_t particle, std::uint64_t now) const;
  [[nodiscard]] Box<D> search_bounds() const;
  [[nodiscard]] Box<D> particle_bounds() const;
  [[nodiscard]] bool is_outside(std::size_t particle) const;
  [[nodiscard]] ParticleArrays particle_arrays();
  [[nodiscard]] ForceParameters force_parameters(double over) const;
  [[nodiscard]] std::size_t spring_component_count() const {
    return has_rolling ? 6 : has_friction ? 3 : 0;
  }
  [[nodiscard]] IntegrationChunk integration_chunk(std::size_t first, std::size_t last);
  [[nodiscard]] WallOptions<D> wall_options(double margin) const;
  [[nodiscard]] DetectorOptions<D> search_options(const Spheres<D>& all) const;

  std::shared_ptr<ThreadPool> threads;  ///< the detector's, too
  ThreadPool& pool;
  StepKernels kernels;
  bool has_friction = false;
  bool has_rolling = false;
  bool has_restitution = false;
  bool has_cohesion = false;
  double cohesion_range = 0;  ///< of cohesion, at most
  bool has_forces = false;
  bool time_step_checked = false;
  bool has_neighbor_list = false;  ///< perhaps an old one
  bool neighbor_list_valid = false;
  double skin = 0;
  std::uint32_t listed_id_end = 0;  ///< the last search knew those below
  double max_travel = 0;            ///< at most, since the last search
  std::uint64_t steps_since_rebuild = 0;
  std::optional<Detector<D>> detector;
  std::optional<Box<D>> search_domain;  ///< the detector's
  std::vector<NeighborList::Image> found_images;
  std::vector<Pair> found_pairs;     ///< of periodic domains, until they are taken over
  std::vector<Index> first_pair_of;  ///< of each particle, while pairs are sorted
  ChunkSchedule chunk_schedule;
  std::vector<MotionSummary> motion_summaries;
  std::vector<WorkerTimes> worker_times;  ///< of each thread
  std::vector<ContactEnergy> chunk_energies;
};

}  // namespace abut
