#pragma once

#include <abut/detector_options.hpp>
#include <abut/error.hpp>
#include <abut/export.hpp>
#include <abut/mesh.hpp>
#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace abut {

struct SearchCountsAccess;  // for abut/research/search_counts.hpp

/// Cost of the last search.
struct DetectorStatistics {
  std::size_t structure_bytes = 0;  ///< memory of the search structure, without the pairs
  double build_seconds = 0;         ///< time to build or update the search structure
  double search_seconds = 0;        ///< time to find the pairs and to deliver them
};

/// Pairs as a half neighbor list in compressed rows (CSR): the neighbors of a are
/// neighbors[offsets[a]] … neighbors[offsets[a + 1] − 1], ascending and all greater than a (or
/// equal to a if it pairs with its own periodic image). `offsets` has N + 1 entries. A view of
/// the detector's memory, valid until its next update.
struct HalfNeighborList {
  std::span<const std::uint64_t> offsets;
  std::span<const Index> neighbors;

  /// Throws `Error` unless a < N.
  [[nodiscard]] std::span<const Index> neighbors_of(std::size_t a) const {
    if (a + 1 >= offsets.size())
      throw Error("particle " + std::to_string(a) + ": the list has only " +
                  std::to_string(offsets.empty() ? 0 : offsets.size() - 1));
    return neighbors.subspan(offsets[a], offsets[a + 1] - offsets[a]);
  }
};

/// A particle, or one of its periodic images, near a queried sphere.
template <std::size_t D>
struct Neighbor {
  Index particle;
  std::array<std::int32_t, D> image;  ///< periods by which the particle is shifted
  double gap;                         ///< distance between the surfaces; negative for overlap
  friend bool operator==(const Neighbor&, const Neighbor&) = default;
};

/// Finds the pairs of moving particles, once per update, and reuses its memory.
///
///     detector.update(particles);                          after every motion
///     detector.for_each_pair([](abut::Pair pair) {…});     as a stream, nothing is stored
///     detector.pairs();                                    as a sorted list
///     detector.half_neighbor_list().neighbors_of(a);       as neighbors of each particle
///
///     detector.for_each_contact([](const abut::Contact<3>& contact) {…});
///     detector.contacts();                                 with gap, normal and image
///     detector.contact_arrays().gap;                       the same, one array per component
///
/// In a periodic domain (`DetectorOptions::periodic`) a pair that is within the cutoff in several
/// images occurs once per image; `for_each_pair` with a `PeriodicPair` and `periodic_pairs` also
/// give the image.
///
/// Lists are computed by the first call after an update and stay valid until the next update,
/// reset, assignment or destruction; further calls cost nothing. Lengths are in the unit of the
/// coordinates. A detector may be used by one thread at a time. Every function except destructor
/// and assignment throws `Error` on a moved-from detector.
template <std::size_t D>
class ABUT_API Detector {
 public:
  /// Throws `Error` for an invalid option.
  explicit Detector(DetectorOptions<D> options = {});

  ~Detector();
  Detector(Detector&&) noexcept;
  Detector& operator=(Detector&&) noexcept;

  /// Sets the particles and checks their values; throws `Error` naming the first invalid one. O(n).
  /// Methods with a structure that persists between searches build or update it here. Contiguous
  /// arrays are not copied and must not change while pairs of this update are searched; strided
  /// ones are copied.
  void update(const Spheres<D>& particles);

  /// The sorted pairs.
  [[nodiscard]] const std::vector<Pair>& pairs();

  /// The sorted pairs with images, which are 0 along axes that are not periodic.
  [[nodiscard]] const std::vector<PeriodicPair<D>>& periodic_pairs();

  /// The pairs with gap, normal and image, in the order of `periodic_pairs`.
  [[nodiscard]] const std::vector<Contact<D>>& contacts();

  /// The same contacts in the same order, as one array per component.
  [[nodiscard]] ContactArrays<D> contact_arrays();

  /// The pairs as a half neighbor list.
  [[nodiscard]] HalfNeighborList half_neighbor_list();

  /// Calls `visit(Pair)` or `visit(PeriodicPair)` once for each pair, always from the calling
  /// thread, in an order that depends on the method but not on the number of threads. Stores
  /// nothing: every call searches again. `visit` must not use this detector; that throws `Error`.
  template <class Visit>
  void for_each_pair(Visit&& visit) {
    using Function = std::remove_reference_t<Visit>;
    using Found = std::conditional_t<std::is_invocable_v<Function&, Pair>, Pair, PeriodicPair<D>>;
    visit_each<Found>(visit);
  }

  /// Calls `visit(const Contact<D>&)` once for each pair, in the order of `for_each_pair`.
  template <class Visit>
  void for_each_contact(Visit&& visit) {
    visit_each<Contact<D>>(visit);
  }

  /// The same streams in batches, for callers that process many pairs at once.
  void for_each_batch(PairCallback callback, void* context);
  void for_each_batch(PeriodicPairCallback<D> callback, void* context);
  void for_each_batch(ContactCallback<D> callback, void* context);

  /// The stream of pairs in two parts: pairs with image 0, and pairs across a periodic boundary.
  void for_each_batch(PairCallback inside, PeriodicPairCallback<D> across, void* context);

  /// Whether contacts may have appeared that are not among the pairs of the last update: true if
  /// two particles may have approached each other, by motion and growth, by more than the margin
  /// (and expansion), or if the number of particles has changed; always true without margin and
  /// expansion, or without `DetectorOptions::track_motion`. While it is false, the pairs include
  /// every contact. Where particles are sorted in space, those that move together do not count as
  /// approaching; otherwise it is true once one has moved by half the margin. O(n).
  [[nodiscard]] bool needs_update(const Spheres<D>& particles);

  /// The particles of the last update within the cutoff of a sphere, as if the sphere were one of
  /// them; radius 0 queries a point. Sorted by particle and image. The first query after an update
  /// builds a hash grid of all particles in O(n).
  [[nodiscard]] std::vector<Neighbor<D>> overlaps(const Point<D>& center, double radius);

  /// The particle whose surface is nearest to a point, the one with the lowest index if there are
  /// several; nothing if there are no particles.
  [[nodiscard]] std::optional<Neighbor<D>> nearest(const Point<D>& point);

  /// Lends memory of the caller to the following updates: the engine uses it, if it is large enough
  /// (about 48 bytes per particle), instead of memory of its own; the other methods do not. It must
  /// stay valid, and not be used otherwise, until `reset` or the end of the detector.
  void lend_memory(std::span<std::byte> memory);

  /// Discards the particles and all data reused between updates, but keeps the memory: the next
  /// update works like the first.
  void reset();

  /// How the method adapted to the particles, as text for users, e.g. size classes and cells; empty
  /// for methods without such choices.
  [[nodiscard]] std::string description() const;

  /// Of the last search.
  [[nodiscard]] DetectorStatistics statistics() const;

 private:
  friend SearchCountsAccess;

  template <class Found, class Visit>
  void visit_each(Visit& visit) {
    for_each_batch(
        [](void* context, std::span<const Found> batch) {
          for (const Found& found : batch) (*static_cast<Visit*>(context))(found);
        },
        const_cast<std::remove_const_t<Visit>*>(std::addressof(visit)));
  }

  class ABUT_LOCAL State;
  [[nodiscard]] State& state() const;
  std::unique_ptr<State> state_;
};

using Detector2 = Detector<2>;
using Detector3 = Detector<3>;

/// The sorted pairs of one set of particles.
template <std::size_t D>
ABUT_API std::vector<Pair> find_contacts(
    const Spheres<D>& particles, const std::type_identity_t<DetectorOptions<D>>& options = {});

/// The sorted pairs with images.
template <std::size_t D>
ABUT_API std::vector<PeriodicPair<D>> find_periodic_contacts(
    const Spheres<D>& particles, const std::type_identity_t<DetectorOptions<D>>& options = {});

}  // namespace abut
