#pragma once

#include <abut/spheres.hpp>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/contact_predicate.hpp"
#include "core/machine.hpp"
#include "core/periodic_domain.hpp"

namespace abut {

/// Copies of the particles of a periodic domain for search methods without periodic boundaries: all
/// particles wrapped into the domain, followed by ghosts, which are images of particles near a face
/// displaced to the opposite side. Pairs found among these indices are translated back to the
/// caller's particles and images. Keeps its memory between uses.
template <std::size_t D>
class GhostParticles {
 public:
  /// Copies the particles and wraps them into the domain. Throws `Error` for a particle more than
  /// 10⁹ periods away from it.
  void wrap(const Spheres<D>& particles, const PeriodicDomain<D>& domain, ThreadPool& pool);

  /// Adds every image of a particle that a particle of the same or smaller radius could touch.
  /// Throws `MemoryLimitError` if the ghosts would need more than `max_bytes`.
  void add_ghosts(const DetectorOptions<D>& options, std::size_t max_bytes, ThreadPool& pool);

  /// View of the wrapped particles and the ghosts, valid until the next change.
  [[nodiscard]] Spheres<D> particles() const { return spheres_.view(); }

  [[nodiscard]] std::size_t bytes() const {
    return spheres_.size() * (D + 1) * sizeof(double) + ghosts_.size() * sizeof(Ghost) +
           wrap_offsets_.size() * sizeof(ImageOffset<D>);
  }

  [[nodiscard]] bool is_ghost(Index i) const { return i >= particle_count_; }

  /// Number of periods added to a particle's coordinates when it was wrapped.
  [[nodiscard]] ImageOffset<D> wrap_offset(Index i) const {
    return wrap_offsets_.empty() ? ImageOffset<D>{} : wrap_offsets_[i];
  }

  /// Whether two particles that are not ghosts were wrapped alike: the image of their pair is 0.
  [[nodiscard]] bool are_wrapped_alike(Pair pair) const {
    return wrap_offsets_.empty() || wrap_offsets_[pair.a] == wrap_offsets_[pair.b];
  }

  /// The pair of two particles that are not ghosts, as indices and image of the caller's particles.
  [[nodiscard]] PeriodicPair<D> interior_pair(Pair pair) const {
    return make_periodic_pair<D>(pair.a, wrap_offset(pair.a), pair.b, wrap_offset(pair.b));
  }

  /// The same for the pair of a particle and a ghost; nothing if the same contact is
  /// represented by another, canonical pair, or if both particles are among the first
  /// `fixed_count`.
  [[nodiscard]] std::optional<PeriodicPair<D>> boundary_pair(Pair pair, Index fixed_count) const;

 private:
  struct Ghost {
    Index source;
    ImageOffset<D> offset;
  };

  [[nodiscard]] Ghost ghost(Index index) const {
    return ghosts_.empty() ? Ghost{static_cast<Index>(index % particle_count_),
                                   NeighborImageIndex<D>::decode(index, particle_count_)}
                           : ghosts_[index - particle_count_];
  }

  PeriodicDomain<D> domain_;
  std::size_t particle_count_ = 0;  // ghosts follow
  SphereArrays<D> spheres_;
  std::vector<ImageOffset<D>> wrap_offsets_;      // empty if no particle was outside
  std::vector<Ghost> ghosts_;                     // empty if the method encodes images itself
  std::vector<std::vector<Ghost>> chunk_ghosts_;  // by chunk of particles, before they are joined
  std::vector<double> chunk_ghost_counts_;
};

extern template class GhostParticles<2>;
extern template class GhostParticles<3>;

}  // namespace abut
