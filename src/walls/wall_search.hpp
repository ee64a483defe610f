#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/buffers.hpp"
#include "core/machine.hpp"
#include "walls/contact_resolution.hpp"
#include "walls/kernel.hpp"
#include "walls/periodic_shifts.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// A particle in the caller's frame.
template <std::size_t D>
struct QueryParticle {
  Point<D> center;
  double radius;
  Index index;
};

/// A particle and an image of a body (see `WallSearch`) that it may touch.
template <std::size_t D>
struct WallCandidate {
  QueryParticle<D> particle;
  SphericalCap cap;
  std::uint32_t image;
};

/// One search for contacts with walls, in two phases. `prefilter` selects the few particles that
/// may be within the cutoff of a body; for these, facets are looked up and contacts resolved. The
/// methods are const and may be called concurrently with different workspaces.
///
/// Bodies are searched once for each periodic image that particles of the domain can touch. Three
/// frames are involved: that of the caller, in which particles may lie outside the domain; the
/// wrapped frame, in which they are inside; and the body frame.
template <std::size_t D>
class WallSearch {
 public:
  /// Scratch memory of one thread.
  struct Workspace {
    ParticleBlock<D> block;
    ParticleBlock<D> body_block;
    Selection selection;
    VisitedSet visited;
    std::vector<ClosestPoint<D>> closest_points;
    ContactResolution<D> resolution;
    std::array<WallQuery<D>, WallQuery<D>::batch_size> queries;
  };

  /// Refers to the bodies and particles, which must outlive the search. Throws `Error` for invalid
  /// particles, as does `prefilter`.
  WallSearch(std::span<const PlacedBody<D>> bodies, const Spheres<D>& particles,
             const WallOptions<D>& options);

  /// Appends the candidates among particles first … last − 1, ordered by particle.
  void prefilter(std::size_t first, std::size_t last, Workspace& workspace,
                 std::vector<WallCandidate<D>>& candidates) const;

  /// Appends the contacts of one particle with the given images, ordered by element.
  void find_contacts(const QueryParticle<D>& particle, std::span<const std::uint32_t> images,
                     Workspace& workspace, std::vector<WallContact<D>>& found) const;

  /// Sets up the test of a particle against an image.
  void prepare_query(const QueryParticle<D>& particle, const SphericalCap& cap, std::uint32_t image,
                     WallQuery<D>& query) const {
    const Point<D> wrapped = wrap(particle.center);
    query.center = body_position(images_[image], wrapped);
    query.cutoff = cutoff(particle.radius);
    query.rounding_error = rounding_error(particle, wrapped);
    query.cap = cap;
  }

  /// Answers up to `WallQuery::batch_size` queries of one image.
  void quick_query(std::span<WallQuery<D>> queries, std::uint32_t image) const {
    images_[image].body->body->quick_query(queries);
  }

  /// The contact with the face found by a quick query. Written in place: a copy would stall on
  /// store forwarding.
  void make_contact(const QueryParticle<D>& particle, std::uint32_t image, ClosestPoint<D>& closest,
                    WallContact<D>& contact) const {
    to_caller_frame(images_[image], particle, wrap(particle.center), closest);
    contact.particle = particle.index;
    contact.element = WallElementId(closest.element);
    contact.feature = closest.feature;
    contact.gap = closest.distance - particle.radius;
    contact.normal = closest.normal;
    contact.point = closest.point;
  }

  /// Appends the contacts of one particle with the given facets of one image, which must include
  /// all facets within the cutoff.
  void find_contacts(const QueryParticle<D>& particle, std::uint32_t image,
                     std::span<const std::uint32_t> facets, Workspace& workspace,
                     std::vector<WallContact<D>>& found) const;

  /// Quick queries assume that the cutoff is the contact radius.
  [[nodiscard]] bool supports_quick_queries() const { return margin_ == 0; }

  [[nodiscard]] std::size_t max_facet_count() const { return max_facet_count_; }

 private:
  // A body relative to particles that are shifted by whole periods.
  struct BodyImage {
    const PlacedBody<D>* body;
    Point<D> shift;  // added to wrapped positions
    Box<D> box;      // of the transformed body
    bool is_direct;  // neither moved nor shifted: wrapped and body frame coincide
  };

  [[nodiscard]] double cutoff(double radius) const { return radius * tolerance_factor_ + margin_; }

  void load(std::size_t first, std::size_t last, ParticleBlock<D>& block) const;
  void transform_block(const BodyImage& image, const ParticleBlock<D>& block,
                       ParticleBlock<D>& body_block) const;
  void prefilter_block(std::size_t first, Workspace& workspace,
                       std::vector<WallCandidate<D>>& candidates) const;
  void load_particle(std::size_t index, QueryParticle<D>& particle) const {
    for (std::size_t k = 0; k < D; ++k) particle.center[k] = particles_.coordinates(k)[index];
    particle.radius = particles_.radii()[index];
    particle.index = static_cast<Index>(index);
  }
  [[nodiscard]] Point<D> wrap(Point<D> point) const {
    if (periodic_shifts_.is_periodic())
      for (std::size_t k = 0; k < D; ++k) point[k] = periodic_shifts_.wrap(k, point[k]);
    return point;
  }
  [[nodiscard]] Point<D> body_position(const BodyImage& image, const Point<D>& wrapped) const {
    return image.is_direct ? wrapped : transformed_position(image, wrapped);
  }
  [[nodiscard]] Point<D> transformed_position(const BodyImage& image,
                                              const Point<D>& wrapped) const;
  void to_caller_frame(const BodyImage& image, const QueryParticle<D>& particle,
                       const Point<D>& wrapped, ClosestPoint<D>& closest) const {
    if (!image.is_direct || periodic_shifts_.is_periodic())
      transform_to_caller_frame(image, particle, wrapped, closest);
  }
  void transform_to_caller_frame(const BodyImage& image, const QueryParticle<D>& particle,
                                 const Point<D>& wrapped, ClosestPoint<D>& closest) const;
  [[nodiscard]] double rounding_error(const QueryParticle<D>& particle,
                                      const Point<D>& wrapped) const {
    const double magnitude = max_abs(wrapped) + max_abs(particle.center) + max_shift_;
    return 16 * std::numeric_limits<double>::epsilon() * magnitude;
  }
  void gather_closest_points(const BodyImage& image, const QueryParticle<D>& particle,
                             const Point<D>& wrapped, Workspace& workspace) const;
  void resolve(const QueryParticle<D>& particle, const Point<D>& wrapped, Workspace& workspace,
               std::vector<WallContact<D>>& found) const;

  const WallKernels<D>* kernels_ = &wall_kernels<D>();
  const Spheres<D>& particles_;
  PeriodicShifts<D> periodic_shifts_;
  double tolerance_factor_;
  double margin_;
  double max_shift_ = 0;  // over all images; determines the rounding error
  std::size_t max_facet_count_ = 0;
  std::vector<BodyImage> images_;
};

extern template class WallSearch<2>;
extern template class WallSearch<3>;

/// Runs a search on one or several threads. Particles near walls are processed in spatial order,
/// which keeps wall data in the cache, and their contacts are listed in the order of the particles.
/// The result does not depend on the number of threads.
template <std::size_t D>
class WallSearchDriver {
 public:
  /// Appends all contacts of the particles, ordered by particle, then by element. Memory is kept
  /// for the next run.
  void run(const WallSearch<D>& search, std::size_t particles, unsigned threads,
           std::vector<WallContact<D>>& found);

 private:
  // The contacts of one task, in chunk_contacts_.
  struct ContactRange {
    std::uint32_t chunk;
    std::uint32_t first;
    std::uint32_t count;
  };

  // A particle near walls. Self-contained, so that tasks are read sequentially.
  struct ParticleTask {
    QueryParticle<D> particle;
    SphericalCap cap;     // if there is one image
    std::uint32_t slot;   // in contact_ranges_
    std::uint32_t image;  // or, if there are several, the first in image_lists_
    std::uint32_t image_count;
  };

  template <class Work>
  void for_each_chunk(const Chunks& chunks, const Work& work);
  void prefilter();
  void group_by_particle(std::span<const WallCandidate<D>> candidates);
  void sort_spatially();
  void resolve_tasks();
  std::size_t resolve_batch(std::size_t first, std::size_t last, std::uint32_t chunk,
                            typename WallSearch<D>::Workspace& workspace);
  void resolve_particle(const ParticleTask& task, std::uint32_t chunk,
                        typename WallSearch<D>::Workspace& workspace);
  void collect_contacts(std::vector<WallContact<D>>& found) const;

  const WallSearch<D>* search_ = nullptr;  // during a run
  std::size_t particle_count_ = 0;
  ThreadPool pool_{1};
  std::vector<std::vector<WallCandidate<D>>> candidates_;  // by chunks of particles
  HugePageVector<ParticleTask> tasks_by_particle_;
  std::vector<std::uint32_t> task_cells_;  // Morton codes of tasks_by_particle_
  std::vector<std::uint32_t> cell_ends_;
  std::vector<std::unique_ptr<typename WallSearch<D>::Workspace>> workspaces_;
  std::vector<std::uint32_t> image_lists_;    // of tasks with several images
  std::vector<ContactRange> contact_ranges_;  // by particle
  HugePageVector<ParticleTask> tasks_;        // in spatial order
  std::vector<std::vector<WallContact<D>>> chunk_contacts_;
};

extern template class WallSearchDriver<2>;
extern template class WallSearchDriver<3>;

}  // namespace abut
