#pragma once

#include <abut/export.hpp>
#include <abut/index.hpp>
#include <abut/insertion.hpp>
#include <abut/simulation.hpp>
#include <abut/spheres.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace abut {

/// Particles that are inserted during a run: random ones into a region, as many as fit at each
/// attempt; or a given list, all at once at `start_time`, which needs neither `region` nor `sizes`.
template <std::size_t D>
struct Insertion {
  std::string name;
  MaterialId material{};
  std::size_t count = 0;  ///< total number of particles
  Region<D> region{};
  SizeDistribution sizes = {};
  std::optional<SphereArrays<D>> particles = {};  ///< the list, of `count` particles; m
  Vec<D> velocity{};                              ///< m/s
  Vec<3> angular_velocity{};                      ///< rad/s
  double start_time = 0;                          ///< s

  /// s between attempts; 0: one attempt, and it is an error if a particle does not fit.
  double interval = 0;
  std::size_t batch_size = 0;  ///< maximum number of particles per attempt; 0: no limit
  double max_overlap = 0;      ///< allowed at insertion, as a fraction of the smaller radius

  // One element per particle of `particles`, instead of the values above; empty: the values above.
  std::vector<MaterialId> materials = {};
  std::vector<Vec<D>> velocities = {};          ///< m/s
  std::vector<Vec<3>> angular_velocities = {};  ///< rad/s
};

/// An entry of `Case::insertions`.
using InsertionId = StrongIndex<struct InsertionIdTag>;

/// Particles that never move, e.g. those that form a rough wall. Lengths in m.
template <std::size_t D>
struct ABUT_API FixedParticles : SphereArrays<D> {
  MaterialId material{};
  std::string name = {};
};

/// The time (s) during which a wall is open.
struct WallOpening {
  WallId wall{};
  double open_time = 0;
  double close_time = std::numeric_limits<double>::infinity();
};

/// Intervals of simulated time (s) between outputs; 0: at the end only.
template <std::size_t D>
struct OutputOptions {
  double frame_interval = 0;
  double probe_interval = 0;
  double checkpoint_interval = 0;
  bool contacts = true;                           ///< write contacts with each frame
  std::optional<Box<D>> solid_fraction_box = {};  ///< where the solid fraction is measured, m
};

/// Whether programs print SI units after numbers. abut computes in any consistent system of units;
/// `Units::none` is for cases that are not in SI units.
enum class Units : std::uint8_t { si, none };

/// A complete simulation run as described by a case file.
template <std::size_t D>
struct Case {
  std::string title;
  Units units = Units::si;
  std::vector<std::string> input_files;  ///< paths of the meshes and particle lists that were read
  std::vector<std::string>
      warnings;  ///< about these files, one line each with the name of the file
  Model<D> model;
  std::vector<Wall<D>> walls;         ///< `WallId{k}` is the k-th
  std::vector<WallOpening> openings;  ///< at most one per wall
  std::vector<FixedParticles<D>> fixed_particles;
  std::vector<Insertion<D>> insertions;
  std::vector<Sink<D>> sinks;
  double end_time = 0;     ///< s
  std::uint64_t seed = 1;  ///< of random insertion
  OutputOptions<D> output;
};

/// The outputs that are due at the current step of a run.
struct DueOutputs {
  bool frame = false;
  bool probe = false;
  bool checkpoint = false;
  bool end = false;  ///< the run has reached `Case::end_time`
};

/// Runs a case: a simulation with its insertions and wall openings. Any use of a moved-from object
/// other than assignment and destruction throws `Error`.
template <std::size_t D>
class ABUT_API Run {
 public:
  /// Adds fixed particles, walls and sinks. Throws `Error` if the case is invalid.
  explicit Run(Case<D> setup);

  /// Advances to the next step at which an output is due, particles are inserted, or a wall is
  /// opened or closed; to the end; or by `max_steps`, whichever comes first. Event times are
  /// rounded to the nearest step.
  DueOutputs advance(std::size_t max_steps);

  [[nodiscard]] const Case<D>& setup() const;
  [[nodiscard]] const Simulation<D>& simulation() const { return simulation_; }

  /// The step at which the run ends, from `Case::end_time`.
  [[nodiscard]] std::uint64_t last_step() const;

  /// Number of particles inserted so far by each insertion.
  [[nodiscard]] std::span<const std::uint64_t> inserted() const;

  /// `on_progress` is called during insertions with the fraction done, 0 … 1. If it throws, the
  /// insertion is abandoned and the exception is passed on.
  void set_progress_callback(std::function<void(double)> on_progress);

  /// Number of particles that would have been inserted by now if all had fitted.
  [[nodiscard]] std::uint64_t scheduled(InsertionId insertion) const;

  /// Continues from a saved state instead of the beginning; `inserted` as returned by `inserted()`
  /// when it was saved.
  void restore(const SavedState& saved, std::span<const std::uint64_t> inserted);

 private:
  void start();
  void update_openings();
  void insert_due();
  void insert(std::size_t number);
  void add(const Insertion<D>& insertion, const Spheres<D>& spheres);
  [[nodiscard]] std::uint64_t step_of(double time) const;
  [[nodiscard]] std::uint64_t interval_steps(double interval) const;
  [[nodiscard]] std::uint64_t next_event_step(std::size_t max_steps) const;
  [[nodiscard]] bool is_due(double interval) const;
  void check_not_moved_from() const;

  Case<D> case_;
  Simulation<D> simulation_;
  std::vector<std::uint64_t> inserted_;
  bool started_ = false;
  std::function<void(double)> on_progress_;
};

/// A case of either dimension, as read from a file.
using AnyCase = std::variant<Case<2>, Case<3>>;

}  // namespace abut
