#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/arrays.hpp"
#include "core/thread_pool.hpp"
#include "walls/contact_resolution.hpp"
#include "walls/kernel.hpp"
#include "walls/periodic_shifts.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// A particle as the caller has it.
template <std::size_t D>
struct QueryParticle {
  Point<D> center;
  double radius;
  Index index;
};

/// A particle and a view of a body (see `WallSearch`) that it may touch.
template <std::size_t D>
struct WallCandidate {
  QueryParticle<D> particle;
  SphericalCap cap;
  std::uint32_t image;
};

/// One search for contacts with walls, in two steps: every body picks particles that may be near
/// it, which are few; for these, facets are looked up and resolved.
template <std::size_t D>
class WallSearch {
 public:
  /// What a thread needs for itself.
  struct Workspace {
    ParticleBlock<D> block;
    ParticleBlock<D> body_block;
    Selection selection;
    VisitedSet visited;
    std::vector<ClosestPoint<D>> closest_points;
    ContactResolution<D> resolution;
    std::array<WallQuery<D>, WallQuery<D>::batch_size> queries;
  };

  /// Throws `Error` for particles that cannot be worked with, as do `pick` and `contacts`.
  WallSearch(std::span<const PlacedBody<D>> bodies, const Spheres<D>& particles,
             const WallOptions<D>& options);

  /// Adds who of the particles `first` to `last`−1 may be near which body, ordered by particle.
  void prefilter(std::size_t first, std::size_t last, Workspace& own,
                 std::vector<WallCandidate<D>>& near) const;

  /// Adds the contacts of one particle with the views it may be near, ordered by wall.
  void find_contacts(const QueryParticle<D>& given, std::span<const std::uint32_t> views,
                     Workspace& own, std::vector<WallContact<D>>& found) const;

  /// Somebody who is to look at a view.
  void prepare_query(const QueryParticle<D>& given, const SphericalCap& cap, std::uint32_t view,
                     WallQuery<D>& looking) const {
    const Point<D> at = wrap(given.center);
    looking.center = body_position(images_[view], at);
    looking.cutoff = cutoff(given.radius);
    looking.rounding_error = rounding_error(given, at);
    looking.cap = cap;
  }

  /// Up to `WallQuery::most` look.
  void quick_query(std::span<WallQuery<D>> all, std::uint32_t view) const {
    images_[view].body->body->quick_query(all);
  }

  /// The contact with a face that one of them saw. Put where it is to be: on the way through other
  /// memory the machine would wait for it.
  void make_contact(const QueryParticle<D>& given, std::uint32_t view, ClosestPoint<D>& touch,
                    WallContact<D>& contact) const {
    to_caller_frame(images_[view], given, wrap(given.center), touch);
    contact.particle = given.index;
    contact.element = touch.element;
    contact.feature = touch.feature;
    contact.gap = touch.distance - given.radius;
    contact.normal = touch.normal;
    contact.point = touch.point;
  }

  /// Adds the contacts of one who saw more: all that may be within the cutoff are known.
  void find_contacts(const QueryParticle<D>& given, std::uint32_t view,
                     std::span<const std::uint32_t> facets, Workspace& own,
                     std::vector<WallContact<D>>& found) const;

  /// Whether contacts with a single view can be told at a glance.
  [[nodiscard]] bool supports_quick_queries() const { return margin_ == 0; }

  [[nodiscard]] std::size_t max_facet_count() const { return max_facet_count_; }

 private:
  // A body as particles see it after a shift by whole periods.
  struct BodyImage {
    const PlacedBody<D>* body;
    Point<D> shift;
    Box<D> box;
    bool is_direct;  // neither moved nor shifted: the block serves as it is
  };

  [[nodiscard]] double cutoff(double radius) const { return radius * tolerance_factor_ + margin_; }

  void load(std::size_t first, std::size_t last, ParticleBlock<D>& block) const;
  void transform_block(const BodyImage& view, const ParticleBlock<D>& block,
                       ParticleBlock<D>& as_seen) const;
  void prefilter_block(std::size_t first, Workspace& own,
                       std::vector<WallCandidate<D>>& near) const;
  void load_particle(std::size_t particle, QueryParticle<D>& given) const {
    for (std::size_t k = 0; k < D; ++k) given.center[k] = particles_.coordinates(k)[particle];
    given.radius = particles_.radii()[particle];
    given.index = static_cast<Index>(particle);
  }
  [[nodiscard]] Point<D> wrap(Point<D> point) const {
    if (periodic_shifts_.is_periodic())
      for (std::size_t k = 0; k < D; ++k) point[k] = periodic_shifts_.wrap(k, point[k]);
    return point;
  }
  [[nodiscard]] Point<D> body_position(const BodyImage& view, const Point<D>& wrapped) const {
    return view.is_direct ? wrapped : transformed_position(view, wrapped);
  }
  [[nodiscard]] Point<D> transformed_position(const BodyImage& view, const Point<D>& wrapped) const;
  void to_caller_frame(const BodyImage& view, const QueryParticle<D>& given,
                       const Point<D>& wrapped, ClosestPoint<D>& touch) const {
    if (!view.is_direct || periodic_shifts_.is_periodic())
      transform_to_caller_frame(view, given, wrapped, touch);
  }
  void transform_to_caller_frame(const BodyImage& view, const QueryParticle<D>& given,
                                 const Point<D>& wrapped, ClosestPoint<D>& touch) const;
  [[nodiscard]] double rounding_error(const QueryParticle<D>& given,
                                      const Point<D>& wrapped) const {
    const double size = max_abs(wrapped) + max_abs(given.center) + max_shift_;
    return 16 * std::numeric_limits<double>::epsilon() * size;
  }
  void gather_closest_points(const BodyImage& view, const QueryParticle<D>& given,
                             const Point<D>& wrapped, Workspace& own) const;
  void resolve(const QueryParticle<D>& given, const Point<D>& wrapped, Workspace& own,
               std::vector<WallContact<D>>& found) const;

  const WallKernels<D>* kernels_ = &wall_kernels<D>();
  const Spheres<D>& particles_;
  PeriodicShifts<D> periodic_shifts_;
  double tolerance_factor_;
  double margin_;
  double max_shift_ = 0;  // of bodies: it is lost to rounding
  std::size_t max_facet_count_ = 0;
  std::vector<BodyImage> images_;
};

extern template class WallSearch<2>;
extern template class WallSearch<3>;

/// Carries a search out, alone or by several threads. Particles near walls are dealt with in the
/// order of their places, so that what is known of a wall is still at hand when the next one comes
/// to it, and listed in the order of their numbers.
template <std::size_t D>
class WallSearchDriver {
 public:
  /// Adds all contacts of so many particles, ordered by particle, then by wall. Keeps its memory,
  /// and its threads as long as there are to be as many.
  void run(const WallSearch<D>& search, std::size_t particles, unsigned threads,
           std::vector<WallContact<D>>& found);

 private:
  // Where the contacts of a particle near walls are.
  struct ContactRange {
    std::uint32_t chunk;
    std::uint32_t first;
    std::uint32_t count;
  };

  // A particle near walls, with all that is needed of it: what is next must not be anywhere in
  // memory.
  struct ParticleTask {
    QueryParticle<D> particle;
    SphericalCap cap;  // for one view
    std::uint32_t slot;
    std::uint32_t image;        // or where its views are, if there are several
    std::uint32_t image_count;  // how many
  };

  template <class Work>
  void for_each_chunk(const Chunks& runs, const Work& work);
  void prefilter();
  void group_by_particle(std::span<const WallCandidate<D>> near);
  void sort_spatially();
  void resolve_tasks();
  std::size_t resolve_batch(std::size_t first, std::size_t last, std::uint32_t run,
                            typename WallSearch<D>::Workspace& own);
  void resolve_particle(const ParticleTask& turn, std::uint32_t run,
                        typename WallSearch<D>::Workspace& own);
  void collect_contacts(std::vector<WallContact<D>>& found) const;

  const WallSearch<D>* search_ = nullptr;  // while it runs
  std::size_t particle_count_ = 0;
  std::optional<ThreadPool> pool_;
  unsigned threads_ = 1;
  std::vector<std::vector<WallCandidate<D>>> candidates_;  // by runs of particles
  HugePageVector<ParticleTask> tasks_by_particle_;
  std::vector<std::uint32_t> task_cells_;  // of places
  std::vector<std::uint32_t> cell_ends_;
  std::vector<std::unique_ptr<typename WallSearch<D>::Workspace>> workspaces_;
  std::vector<std::uint32_t> image_lists_;    // of those that have several
  std::vector<ContactRange> contact_ranges_;  // by particle
  HugePageVector<ParticleTask> tasks_;        // by place
  std::vector<std::vector<WallContact<D>>> chunk_contacts_;
};

extern template class WallSearchDriver<2>;
extern template class WallSearchDriver<3>;

}  // namespace abut
