#pragma once

#include <abut/index.hpp>
#include <abut/simulation.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/periodic_domain.hpp"
#include "core/vec4.hpp"

namespace abut {

/// New index of a particle that is removed, in a renumbering of particles.
inline constexpr std::uint32_t removed_particle = std::numeric_limits<std::uint32_t>::max();

/// Rank of each particle in the order in which forces are summed. The order belongs to the
/// particles, not to their place in memory, so that sums do not depend on how particles are
/// distributed to processes. One process has all particles, sorted by rank: rank and memory index
/// are equal.
class GlobalOrder {
 public:
  /// All `count` particles in one process.
  explicit GlobalOrder(std::size_t count) : total_(count) {}

  /// Some of `total` particles, with their ascending ranks, which must outlive this object.
  GlobalOrder(std::span<const std::uint64_t> ranks, std::uint64_t total)
      : ranks_(ranks), total_(total), is_partial_(true) {}

  [[nodiscard]] std::uint64_t total() const { return total_; }

  /// Memory index of the first particle of this rank or a higher one. O(log n).
  [[nodiscard]] std::size_t index_of(std::uint64_t rank) const;

 private:
  std::span<const std::uint64_t> ranks_;
  std::uint64_t total_;
  bool is_partial_ = false;
};

/// The particles of a simulation in memory order; fixed ones first.
class Particles {
 public:
  /// All data of a particle but its id.
  struct Record {
    Vec4 position;          ///< m; and radius, m
    Vec4 velocity;          ///< m/s; and inverse mass, 1/kg, 0 if fixed
    Vec4 angular_velocity;  ///< rad/s; and inverse moment of inertia, 1/(kg m²), 0 if fixed
    std::uint8_t material;
  };

  [[nodiscard]] std::size_t size() const { return id_.size(); }
  [[nodiscard]] std::size_t fixed_count() const { return fixed_count_; }
  [[nodiscard]] std::uint32_t next_id() const { return next_id_; }
  [[nodiscard]] GlobalOrder order() const { return GlobalOrder(size()); }

  /// Arrays by memory index; the fourth component as in `Record`. Along periodic axes positions are
  /// those of an image of the particle that `wrap` has moved into the domain; until the next call
  /// it may leave the domain again.
  [[nodiscard]] const std::vector<Vec4>& position() const { return position_; }
  [[nodiscard]] const std::vector<Vec4>& velocity() const { return velocity_; }
  [[nodiscard]] const std::vector<Vec4>& angular_velocity() const { return angular_velocity_; }
  [[nodiscard]] const std::vector<std::uint8_t>& material() const { return material_; }
  [[nodiscard]] const std::vector<std::uint32_t>& id() const { return id_; }

  /// (unwrapped position − position) / period along each axis; empty before the first call of
  /// `wrap`.
  [[nodiscard]] const std::vector<PeriodCounts>& image() const { return image_; }

  /// For the integration of the equations of motion.
  struct Motion {
    Vec4* position;
    Vec4* velocity;
    Vec4* angular_velocity;
  };
  [[nodiscard]] Motion motion() {
    return {position_.data(), velocity_.data(), angular_velocity_.data()};
  }

  void set_velocity(std::size_t index, const Vec4& velocity) { velocity_[index] = velocity; }
  void set_angular_velocity(std::size_t index, const Vec4& angular_velocity) {
    angular_velocity_[index] = angular_velocity;
  }

  void reserve(std::size_t count);

  /// Appends a particle with the next id. Fixed particles must come first.
  void add(const Record& particle, bool is_fixed);

  /// Moves particle i to new_index[i], or removes it where that is `removed_particle`; `remaining`
  /// are left.
  void renumber(std::span<const std::uint32_t> new_index, std::size_t remaining);

  /// Moves the moving particles into a periodic domain. Returns by how many periods each particle
  /// was moved back. Without periodic axes nothing happens and the result is empty.
  template <std::size_t D>
  std::vector<PeriodCounts> wrap(const PeriodicDomain<D>& domain);

  /// Memory index of a particle; none if it was removed or never added. O(1).
  [[nodiscard]] std::optional<std::size_t> find(ParticleId id) const;

  /// Memory index of a particle. Both throw `Error` if it does not exist, the second one also if it
  /// is fixed.
  [[nodiscard]] std::size_t index_of(ParticleId id) const;
  [[nodiscard]] std::size_t index_of_moving(ParticleId id) const;

  /// The results of value(memory index) for all particles, sorted by id. O(n).
  template <class Value>
  [[nodiscard]] auto by_id(const Value& value) const {
    std::vector<std::invoke_result_t<Value, std::size_t>> values;
    values.reserve(size());
    for (const std::uint32_t index : index_by_id_)
      if (index != removed_particle) values.push_back(value(index));
    return values;
  }

  /// New index of each particle so that particles close in space are close in memory: along a
  /// Hilbert curve through cells of twice the diameter of the last particle, fixed particles first.
  /// O(n log n).
  [[nodiscard]] std::vector<std::uint32_t> spatial_order() const;

  [[nodiscard]] double mean_radius() const;  ///< m; 1 without particles. O(n)

  /// Copies to and from the particle arrays of a saved state.
  void save(SavedState& saved) const;
  void restore(const SavedState& saved);

 private:
  std::vector<Vec4> position_;
  std::vector<Vec4> velocity_;
  std::vector<Vec4> angular_velocity_;
  std::vector<std::uint32_t> id_;
  std::vector<std::uint8_t> material_;
  std::vector<PeriodCounts> image_;
  std::vector<std::uint32_t> index_by_id_;  ///< or `removed_particle`
  std::size_t fixed_count_ = 0;
  std::uint32_t next_id_ = 0;
};

/// Moves value i to new_index[i], or drops it where that is `removed_particle`. Follows the cycles
/// of the permutation, so that no second array is needed.
template <class T>
void permute_in_place(std::span<T> values, std::span<const std::uint32_t> new_index) {
  std::vector<bool> is_free(new_index.size());
  for (std::size_t i = 0; i < new_index.size(); ++i) is_free[i] = new_index[i] == removed_particle;
  for (std::size_t i = 0; i < new_index.size(); ++i) {
    if (is_free[i]) continue;
    T moving = values[i];
    is_free[i] = true;
    for (std::size_t at = new_index[i];; at = new_index[at]) {
      std::swap(moving, values[at]);
      if (is_free[at]) break;
      is_free[at] = true;
    }
  }
}

template <class T>
void permute_in_place(std::vector<T>& values, std::span<const std::uint32_t> new_index,
                      std::size_t remaining) {
  permute_in_place(std::span(values), new_index);
  values.resize(remaining);
}

/// Throws `Error` if the center of an added particle coincides with another center: the contact
/// normal would be undefined. Two fixed particles may coincide. O(n log n).
template <std::size_t D>
void check_coincident_centers(const Particles& existing, const NewParticles<D>& added);

/// Vectors of a saved state: four doubles each, the first `count` of `vectors`.
std::vector<double> flatten(std::span<const Vec4> vectors, std::size_t count);
std::vector<Vec4> unflatten(const std::vector<double>& values);

}  // namespace abut
