#pragma once

#include <abut/pair.hpp>
#include <abut/simulation.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/machine.hpp"
#include "core/scratch_arena.hpp"
#include "core/vec4.hpp"
#include "dem/contact_model.hpp"
#include "dem/kernels.hpp"
#include "dem/neighbor_list.hpp"
#include "dem/particles.hpp"

namespace abut {

/// Forces (N) and torques (N m) on the particles, followed by slots; see `ContactForces`. In memory
/// of an arena: a search for neighbors, which happens when all sums are 0, uses the same memory.
class ForceSums {
 public:
  explicit ForceSums(bool has_torque) : has_torque_(has_torque) {}

  /// Sets the number of particles and slots, and all sums to 0. The arena is reset.
  void allocate(std::size_t particles, std::size_t slots, ScratchArena& arena);

  /// Adds or drops particles at the end; the sums of new ones are 0. The slots are dropped.
  void resize(std::size_t particles, ScratchArena& arena);

  /// Moves the sums of particle i to new_index[i]. The slots are dropped.
  void renumber(std::span<const std::uint32_t> new_index, std::size_t remaining);

  [[nodiscard]] std::size_t particle_count() const { return particle_count_; }
  [[nodiscard]] std::span<Vec4> force() { return force_; }
  [[nodiscard]] std::span<Vec4> torque() { return torque_; }  ///< empty without rotation
  [[nodiscard]] std::span<const Vec4> force() const { return force_; }
  [[nodiscard]] std::span<const Vec4> torque() const { return torque_; }

 private:
  bool has_torque_;
  std::size_t particle_count_ = 0;
  std::span<Vec4> force_;
  std::span<Vec4> torque_;
};

/// The arrays that kernels use.
[[nodiscard]] inline ParticleArrays kernel_arrays(const Particles& particles, ForceSums& sums) {
  return {
      particles.position().data(), particles.velocity().data(), particles.angular_velocity().data(),
      particles.material().data(), sums.force().data(),         sums.torque().data()};
}

/// The springs of a contact between two particles, as they are saved in a checkpoint.
struct PairHistory {
  Pair pair;
  PeriodCounts image;
  Spring spring;
};

/// Forces between particles, and the history of their contacts.
///
/// The particles are divided into chunks; a chunk computes the pairs in which its particles are the
/// first. Forces on the second particle of a pair in a later chunk are stored in slots and added,
/// in the order of the slots, once all chunks that have pairs with that particle are done. Chunks
/// depend on the global order of the particles only, so sums are bitwise identical for any number
/// of threads.
class ContactForces {
 public:
  explicit ContactForces(const ContactModel& model) : model_(&model) {}

  // ---- history and list

  /// Takes the history of the contacts of the last evaluation out of a list that will be replaced.
  /// It stays in memory of the arena until `end_rebuild`.
  void begin_rebuild(const PairRows& rows, ScratchArena& arena);

  /// Assigns the history to the pairs of the new list, and divides it into chunks.
  void end_rebuild(const PairRows& rows, const GlobalOrder& order, ScratchArena& arena,
                   const ThreadPool& pool);

  /// Renumbers particle i to new_index[i], in any order. Before, particle i was moved back by
  /// moved_back[i] periods (see `Particles::wrap`). A rebuild must follow.
  void renumber(const PairRows& rows, std::span<const std::uint32_t> new_index,
                std::span<const PeriodCounts> moved_back);

  /// To be called before `NeighborList::remove`, with the same numbers. A rebuild must follow.
  void remove(const PairRows& rows, std::span<const std::uint32_t> new_index);

  /// All springs that are not 0, sorted by pair and image.
  [[nodiscard]] std::vector<PairHistory> history(const PairRows& rows) const;

  /// Replaces the history. A rebuild must follow.
  void restore(std::vector<PairHistory> history);

  // ---- evaluation

  /// Starts an evaluation of all forces: springs of pairs that are not touching in it are lost.
  void begin_evaluation();

  [[nodiscard]] std::size_t chunk_count() const { return first_particle_.size() - 1; }
  [[nodiscard]] std::size_t first_particle(std::size_t chunk) const {
    return first_particle_[chunk];
  }
  [[nodiscard]] std::size_t last_particle(std::size_t chunk) const {  ///< one past the last
    return first_particle_[chunk + 1];
  }
  [[nodiscard]] std::size_t slot_count() const { return transfers_.size(); }

  /// For each chunk, the earlier chunks that have pairs with its particles.
  [[nodiscard]] std::span<const std::vector<std::uint32_t>> dependencies() const {
    return dependencies_;
  }

  /// Adds the forces of the pairs of a chunk; returns their energies.
  ContactEnergy add_pair_forces(std::size_t chunk, const PairRows& rows, const Particles& particles,
                                double spring_time_step, ForceSums& sums);

  /// Adds the forces that other chunks have stored for particles of this chunk.
  void add_stored_forces(std::size_t chunk, ForceSums& sums) const;

  /// A pair at its current position.
  struct PairContact {
    double overlap;                ///< m; negative for a gap
    std::array<double, 3> normal;  ///< unit vector from a to b
    Vec4 force;                    ///< on a, N
  };

  /// Evaluates the law for pair k = (a, b) without advancing its springs.
  [[nodiscard]] PairContact evaluate(std::size_t k, const Pair& pair, const PairRows& rows,
                                     const Particles& particles) const;

 private:
  /// A slot whose force has to be added to a particle.
  struct Transfer {
    Index particle;
    Index slot;
  };

  /// A spring while the list is being replaced.
  struct CarriedSpring {
    Index b;
    float x, y, z;
  };

  /// Springs by row of the old list.
  struct CarriedHistory {
    std::span<Index> row_begin;
    std::array<std::span<CarriedSpring>, 2> springs;  ///< friction and rolling
    std::span<PeriodCounts> images;                   ///< of each spring; may be empty
  };

  [[nodiscard]] bool has_spring(std::size_t pair) const {
    return !springs_[0].empty() && springs_[0][pair].stamp == stamp_;
  }
  [[nodiscard]] Spring spring(std::size_t pair) const;  ///< 0 if the pair was not touching
  void carry_springs(const PairRows& rows, ScratchArena& arena);
  void carry_detached(ScratchArena& arena);
  template <bool HasImages>
  void assign_row(std::size_t a, const PairRows& rows);
  [[nodiscard]] std::size_t chunk_of(Index particle) const;
  void partition(const PairRows& rows, const GlobalOrder& order, ScratchArena& arena);
  void add_dependency(std::size_t chunk, std::size_t on);
  [[nodiscard]] PairChunk pair_chunk(std::size_t chunk, const PairRows& rows);

  const ContactModel* model_;
  std::array<std::vector<PairSpring>, 2> springs_;  ///< by pair: friction and rolling
  std::uint32_t stamp_ = 1;                         ///< of the last evaluation
  bool is_detached_ = false;           ///< the history is in `detached_`, not in `springs_`
  std::vector<PairHistory> detached_;  ///< sorted
  CarriedHistory carried_;             ///< during a rebuild

  std::vector<std::size_t> first_particle_{0};  ///< of each chunk, and the end
  std::vector<Index> slot_offset_;              ///< see `PairChunk`
  std::vector<std::vector<std::uint32_t>> dependencies_;
  std::vector<Transfer> transfers_;             ///< by chunk, then particle and slot
  std::vector<std::size_t> first_transfer_{0};  ///< of each chunk, and the end
};

/// Rank of the first particle of each chunk in the global order, and the end. Depends on the number
/// of particles only.
std::vector<std::uint64_t> chunk_boundaries(std::uint64_t particles);

}  // namespace abut
