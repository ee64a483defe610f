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
#include "dem/contact_list.hpp"
#include "dem/law_constants.hpp"
#include "dem/loops.hpp"
#include "dem/particle_store.hpp"
#include "dem/run_order.hpp"
#include "dem/wall_contacts.hpp"

namespace abut {

template <std::size_t D>
class Simulation<D>::State {
 public:
  explicit State(Model<D> given);

  void add(const NewParticles<D>& more);
  void open(std::size_t wall, bool open);
  void advance(std::size_t steps);

  [[nodiscard]] double mass_of(double radius, std::size_t material) const;
  [[nodiscard]] double inverse_inertia(double radius, double mass) const;
  [[nodiscard]] ContactState<D> contact(std::size_t pair) const;
  [[nodiscard]] Energy energy() const;

  /// What overlaps hold, by a search of its own.
  [[nodiscard]] double energy_of_overlaps() const;

  /// Particles come or go, or walls do: with a ledger, what that changes is put in.
  void put_in(const std::function<void()>& change);
  void check_pairs(std::size_t one_in) const;

  Model<D> model;
  LawTable laws;
  ParticleStore particles;
  WallContacts<D> walls;
  std::vector<Sink<D>> sinks;
  std::uint64_t step = 0;
  double time_step = 0;  ///< 0 until the first step
  double largest_step = 0;
  std::uint32_t next_id = 0;
  std::uint64_t left = 0;
  double left_mass = 0;
  StepTimes times;
  Energy account;            ///< what was dissipated and put in, and what springs hold
  double stored_across = 0;  ///< of that, what springs across contacts hold
  ContactList contacts;
  std::vector<Record> shifts;  ///< of the images in `contacts`
  std::vector<Record> push;    ///< of particles, and behind them slots
  std::vector<Record> twist;
  std::vector<Record> acceleration;
  std::vector<Record> turning;

  // Everything below can be found anew from what is above.
  void prepare();
  void begin_step();
  void find_touches();
  void push_pairs(std::size_t run, double over);
  void push_rest(std::size_t run, double over);
  void end_step(StepPart part);
  MotionReport move(StepPart part, std::size_t first, std::size_t last);
  void sum_up();
  void put_in_order();
  void renew();
  void look();
  [[nodiscard]] Spheres<D> places();
  void search();
  void settle(const MotionReport& report, std::uint64_t now);
  void keep_house();
  [[nodiscard]] bool leaves(std::size_t particle);
  void move_particles(std::span<const std::uint32_t> to, std::size_t stay);
  void check(const NewParticles<D>& more) const;
  void append(const NewParticles<D>& more);
  void make_room_for_forces(std::size_t before);
  [[nodiscard]] std::vector<double> smallest_radii() const;
  [[nodiscard]] double stable_with(std::size_t a, const std::vector<double>& smallest) const;
  void choose_step();
  void choose_skin();
  [[noreturn]] void lost(std::size_t particle, std::uint64_t now) const;
  [[nodiscard]] Box<D> searchable() const;
  [[nodiscard]] Box<D> bounds() const;
  [[nodiscard]] bool is_outside(std::size_t particle) const;
  [[nodiscard]] ParticleRecords records();
  [[nodiscard]] ForceRules rules(double over) const;
  [[nodiscard]] std::size_t spring_axes() const { return rolls ? 6 : rough ? 3 : 0; }
  [[nodiscard]] MotionRun motion(std::size_t first, std::size_t last);
  [[nodiscard]] WallOptions<D> wall_options(double margin) const;
  [[nodiscard]] Options<D> search_options(const Spheres<D>& all) const;

  std::shared_ptr<ThreadPool> threads;  ///< the detector's, too
  ThreadPool& pool;
  StepLoops loops;
  bool rough = false;
  bool rolls = false;
  bool returns = false;
  bool coheres = false;
  double reach = 0;  ///< of cohesion, at most
  bool has_forces = false;
  bool step_is_checked = false;
  bool has_list = false;  ///< perhaps an old one
  bool list_is_valid = false;
  double skin = 0;
  std::uint32_t listed_ids = 0;  ///< the last search knew those below
  double travelled = 0;          ///< at most, since the last search
  std::uint64_t steps_since_search = 0;
  std::optional<Detector<D>> detector;
  std::optional<Box<D>> searched_domain;  ///< the detector's
  std::vector<ContactList::Image> images;
  std::vector<Pair> pairs;      ///< of periodic domains, until they are taken over
  std::vector<Index> first_of;  ///< of each particle, while pairs are sorted
  RunOrder order;
  std::vector<MotionReport> reports;
  std::vector<WorkTimes> work_times;  ///< of each thread
  std::vector<ContactEnergy> energies;
};

}  // namespace abut
