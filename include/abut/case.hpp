#pragma once

#include <abut/insertion.hpp>
#include <abut/simulation.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace abut {

/// Centres and radii, kept.
template <std::size_t D>
struct SphereArrays {
  std::array<std::vector<double>, D> coordinates;
  std::vector<double> radii;

  [[nodiscard]] Spheres<D> view() const {
    std::array<std::span<const double>, D> views;
    for (std::size_t k = 0; k < D; ++k) views[k] = coordinates[k];
    return {views, radii};
  }
};

/// Particles that come into a run: as many as find room now, the others as soon as they do. Or
/// those of a list, all at once and as they are, which asks for neither region nor sizes.
template <std::size_t D>
struct Insertion {
  std::string name;
  std::size_t material = 0;
  std::size_t count = 0;
  Region<D> region{};
  SizeDistribution sizes = {};
  std::optional<SphereArrays<D>> particles = {};  ///< `count` of them
  Point<D> velocity{};
  Point<3> angular_velocity{};
  double start_time = 0;
  double interval =
      0;  ///< seconds between two attempts; 0 makes one, and what finds no room then is an error
  std::size_t batch_size = 0;  ///< at most so many an attempt; 0 is no limit
  double max_overlap = 0;
};

/// Balls that never move, such as those a rough wall is made of.
template <std::size_t D>
struct FixedParticles {
  std::array<std::vector<double>, D> coordinates;
  std::vector<double> radii;
  std::size_t material = 0;
  std::string name = {};
};

/// A wall that is taken away, and perhaps put back.
struct WallOpening {
  std::size_t wall = 0;
  double open_time = 0;
  double close_time = std::numeric_limits<double>::infinity();
};

/// Seconds of simulated time between two; 0 writes none but the last.
template <std::size_t D>
struct OutputOptions {
  double frame_interval = 0;
  double probe_interval = 0;
  double checkpoint_interval = 0;
  bool contacts = true;                           ///< also with each frame
  std::optional<Box<D>> solid_fraction_box = {};  ///< where the solid fraction is measured
};

/// The unit system of a case. abut computes in whatever consistent units the numbers are given in;
/// this only decides whether programs, tables and pictures print SI units beside them.
enum class Units : std::uint8_t { si, none };

/// A run from beginning to end.
template <std::size_t D>
struct Case {
  std::string title;
  Units units = Units::si;
  std::vector<std::string> input_files;  ///< meshes and particles it was read from
  Model<D> model;
  std::vector<Wall<D>> walls;
  std::vector<WallOpening> openings;
  std::vector<FixedParticles<D>> fixed_particles;
  std::vector<Insertion<D>> insertions;
  std::vector<Sink<D>> sinks;
  double end_time = 0;
  std::uint64_t seed = 1;
  OutputOptions<D> output;
};

/// What is due after some steps of a run.
struct DueOutputs {
  bool frame = false;
  bool probe = false;
  bool checkpoint = false;
  bool end = false;
};

/// A case on its way: the simulation, and what happens to it when.
template <std::size_t D>
class Run {
 public:
  explicit Run(Case<D> given);

  /// Goes on to the next step at which something is to be written, or to the end, or for a number
  /// of steps. Walls open, and particles come in, at the steps nearest to their times.
  DueOutputs advance(std::size_t most);

  [[nodiscard]] const Case<D>& setup() const { return case_; }
  [[nodiscard]] const Simulation<D>& simulation() const { return simulation_; }
  [[nodiscard]] std::uint64_t last_step() const;

  /// How many of each inflow have come in.
  [[nodiscard]] std::span<const std::uint64_t> inserted() const { return inserted_; }

  /// Tells what part of a release is done, while one goes on; what that throws ends it.
  void set_progress_callback(std::function<void(double)> placing) {
    on_progress_ = std::move(placing);
  }

  /// How many of an inflow would have come in by now had every attempt found room.
  [[nodiscard]] std::uint64_t scheduled(std::size_t number) const;

  /// Goes on from a state in place of the beginning.
  void restore(const SavedState& saved, std::span<const std::uint64_t> placed);

 private:
  void start();
  void update_openings();
  void insert_due();
  void insert(std::size_t number);
  void add(const Insertion<D>& inflow, const Spheres<D>& places);
  [[nodiscard]] std::uint64_t step_of(double time) const;
  [[nodiscard]] std::uint64_t interval_steps(double seconds) const;
  [[nodiscard]] std::uint64_t next_event_step(std::size_t most) const;
  [[nodiscard]] bool is_due(double seconds) const;

  Case<D> case_;
  Simulation<D> simulation_;
  std::vector<std::uint64_t> inserted_;
  bool started_ = false;
  std::function<void(double)> on_progress_;
};

using AnyCase = std::variant<Case<2>, Case<3>>;

}  // namespace abut
