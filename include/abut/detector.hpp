#pragma once

#include <abut/detector_options.hpp>
#include <abut/mesh.hpp>
#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace abut {

class ThreadPool;
template <std::size_t D>
class Simulation;

/// What the last search did. The three counts are taken only if `DetectorOptions::count` asks for
/// them.
struct DetectorStatistics {
  std::uint64_t candidates = 0;     ///< pairs handed to the predicate
  std::uint64_t examinations = 0;   ///< comparisons that placed a particle or descended a tree
  std::uint64_t list_relinks = 0;   ///< particles relinked in a list kept from the search before
  std::size_t structure_bytes = 0;  ///< memory of the search structure, without the pairs
  double build_seconds = 0;         ///< building or mending the structure
  double search_seconds = 0;        ///< finding the pairs with it, and handing them on
};

/// Pairs in compressed rows: the partners of a are partners[first[a]] … partners[first[a + 1] − 1],
/// ascending and all above a (or a itself, where it touches an image of its own). `first` has one
/// entry more than there are particles.
struct HalfNeighborList {
  std::span<const std::uint64_t> offsets;
  std::span<const Index> neighbors;

  [[nodiscard]] std::span<const Index> neighbors_of(std::size_t a) const {
    return neighbors.subspan(offsets[a], offsets[a + 1] - offsets[a]);
  }
};

/// A particle, or an image of it, as seen from a sphere somewhere.
template <std::size_t D>
struct Neighbor {
  Index particle;
  std::array<std::int32_t, D> image;  ///< by how many periods it is moved
  double gap;                         ///< between the surfaces, below 0 where they overlap
  friend bool operator==(const Neighbor&, const Neighbor&) = default;
};

/// Finds the pairs of one set of particles after another and keeps its memory between them.
///
///     search.update(particles);                      as often as they move
///     search.for_each_pair([](abut::Pair p) {…});    streamed, nothing stored
///     search.pairs();                                or as a sorted list
///     search.half_list().of(a);                      or as the partners of each particle
///
/// In a periodic domain (`DetectorOptions::periodic`) the same functions give the particles of each
/// pair, and
///
///     search.for_each_pair([](const abut::PeriodicPair<3>& p) {…});
///     search.periodic_pairs();
///
/// also the image. A pair that touches in several images is there as often.
template <std::size_t D>
class Detector {
 public:
  explicit Detector(DetectorOptions<D> options = {});
  ~Detector();
  Detector(Detector&&) noexcept;
  Detector& operator=(Detector&&) noexcept;

  /// Takes a new view, checks its values, and throws `Error` naming the first that is wrong.
  /// Methods that keep an order from step to step mend it here. The arrays must stay as they are
  /// until the pairs have been asked for.
  void update(const Spheres<D>& particles);

  /// The pairs, sorted; found on the first call after an update and kept until the next one.
  [[nodiscard]] const std::vector<Pair>& pairs();

  /// The same with images; those are 0 where the domain is not periodic.
  [[nodiscard]] const std::vector<PeriodicPair<D>>& periodic_pairs();

  /// Calls `visit(Pair)` or `visit(PeriodicPair)` once for each pair, in an order that depends on
  /// the method but not on the number of threads, always from the calling thread. `visit` cannot
  /// use this detector.
  template <class Visit>
  void for_each_pair(Visit&& visit) {
    using Function = std::remove_reference_t<Visit>;
    using Seen = std::conditional_t<std::is_invocable_v<Function&, Pair>, Pair, PeriodicPair<D>>;
    for_each_batch(
        [](void* to, std::span<const Seen> pairs) {
          for (const Seen& pair : pairs) (*static_cast<Function*>(to))(pair);
        },
        const_cast<std::remove_const_t<Function>*>(std::addressof(visit)));
  }

  /// The same in batches, for callers that can use many pairs at once.
  void for_each_batch(PairCallback drain, void* to);
  void for_each_batch(PeriodicPairCallback<D> drain, void* to);

  /// The same as a half list: for each particle its partners of larger number, in the memory of one
  /// array. Found on the first call after an update and kept until the next one.
  [[nodiscard]] HalfNeighborList half_neighbor_list();

  /// Whether a contact may have appeared since the last update that is not among its pairs: if a
  /// particle has moved, or grown, by more than half the margin (and expansion) of the search; if
  /// there are more particles or fewer. As long as it says no, every contact is one of the pairs.
  /// Without margin and expansion it always says yes.
  [[nodiscard]] bool needs_update(const Spheres<D>& particles) const;

  /// The particles of the last update that are within reach of a sphere anywhere, as if it were one
  /// of them; a radius of 0 makes it a point. Sorted by particle and image. The first look after
  /// an update makes a table of all particles.
  [[nodiscard]] std::vector<Neighbor<D>> overlaps(const Point<D>& centre, double radius);

  /// The particle whose surface is nearest to a point, the first of several; none if there are
  /// none.
  [[nodiscard]] std::optional<Neighbor<D>> nearest(const Point<D>& point);

  /// Forgets the particles and what was kept of their order, but not the memory: the next update
  /// starts as the first did.
  void reset();

  /// What the method measured of the particles, and what it chose to do; empty for those that have
  /// no choice.
  [[nodiscard]] std::string description() const;

  [[nodiscard]] DetectorStatistics statistics() const;

 private:
  friend class Simulation<D>;
  /// With the threads of somebody who does something else meanwhile: waiting for this.
  Detector(DetectorOptions<D> options, std::shared_ptr<ThreadPool> threads);

  class State;
  std::unique_ptr<State> state_;
};

using Detector2 = Detector<2>;
using Detector3 = Detector<3>;

/// The pairs of one set of particles, sorted.
template <std::size_t D>
std::vector<Pair> find_contacts(const Spheres<D>& particles,
                                const std::type_identity_t<DetectorOptions<D>>& options = {});

/// The same with images.
template <std::size_t D>
std::vector<PeriodicPair<D>> find_periodic_contacts(
    const Spheres<D>& particles, const std::type_identity_t<DetectorOptions<D>>& options = {});

}  // namespace abut
