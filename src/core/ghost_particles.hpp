#pragma once

#include <abut/spheres.hpp>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/contact_predicate.hpp"
#include "core/periodic_domain.hpp"
#include "core/thread_pool.hpp"

namespace abut {

/// Particles of a periodic domain as particles of plain space, for methods that know of no other:
/// all are brought back into the domain, and after them come images of those near a face, moved to
/// the other side of it. What a method finds among these numbers is then put in terms of the
/// caller's. Keeps its memory from one use to the next.
template <std::size_t D>
class GhostParticles {
 public:
  /// Copies the particles, brought back. Throws `Error` for one that is 10⁹ periods away.
  void wrap(const Spheres<D>& particles, const PeriodicDomain<D>& period, ThreadPool& pool);

  /// Adds the image of every particle at every place where one of its size or smaller could touch
  /// it. Throws `MemoryLimitError` if that would take more than `most_bytes`.
  void add_ghosts(const DetectorOptions<D>& options, std::size_t most_bytes, ThreadPool& pool);

  [[nodiscard]] Spheres<D> particles() const {
    std::array<std::span<const double>, D> views;
    for (std::size_t k = 0; k < D; ++k) views[k] = coordinates_[k];
    return {views, radii_};
  }

  [[nodiscard]] std::size_t bytes() const {
    return radii_.size() * (D + 1) * sizeof(double) + ghosts_.size() * sizeof(Ghost) +
           wrap_offsets_.size() * sizeof(ImageOffset<D>);
  }

  [[nodiscard]] bool is_ghost(Index number) const { return number >= particle_count_; }

  /// By how many periods a particle was moved when it was brought back.
  [[nodiscard]] ImageOffset<D> wrap_offset(Index i) const {
    return wrap_offsets_.empty() ? ImageOffset<D>{} : wrap_offsets_[i];
  }

  /// The pair of two particles that both are where they were brought back to.
  [[nodiscard]] PeriodicPair<D> interior_pair(Pair pair) const {
    return make_periodic_pair<D>(pair.a, wrap_offset(pair.a), pair.b, wrap_offset(pair.b));
  }

  /// The pair of a particle and an image, if it is the one of the two or more ways to see it that
  /// counts. `fixed` particles do not pair with each other.
  [[nodiscard]] std::optional<PeriodicPair<D>> boundary_pair(Pair pair, Index fixed) const;

 private:
  struct Ghost {
    Index source;
    ImageOffset<D> offset;
  };

  [[nodiscard]] Ghost ghost(Index number) const {
    return ghosts_.empty() ? Ghost{static_cast<Index>(number % particle_count_),
                                   NeighborImageIndex<D>::decode(number, particle_count_)}
                           : ghosts_[number - particle_count_];
  }

  PeriodicDomain<D> domain_;
  std::size_t particle_count_ = 0;  // of particles; images come after them
  std::array<std::vector<double>, D> coordinates_;
  std::vector<double> radii_;
  std::vector<ImageOffset<D>> wrap_offsets_;      // empty where none had to be moved
  std::vector<Ghost> ghosts_;                     // empty where the method makes its own
  std::vector<std::vector<Ghost>> chunk_ghosts_;  // by runs of particles, to be joined
  std::vector<double> chunk_ghost_counts_;
};

extern template class GhostParticles<2>;
extern template class GhostParticles<3>;

}  // namespace abut
