#include "walls/wall_search.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/input_checks.hpp"
#include "core/message.hpp"

namespace abut {
namespace {

constexpr auto max_particles = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());

template <std::size_t D>
[[noreturn]] void throw_invalid_particle(const Spheres<D>& particles) {
  (void)summarize_input(particles, DetectorOptions<D>{});  // throws for the first one
  throw Error("particles are invalid");
}

constexpr std::size_t small_count =
    512;  // up to this many particles, sorting and threads do not pay off

// Morton codes of points: indices of the cells of a coarse grid over their bounding box, in an
// order similar to that of the facets in memory.
template <std::size_t D>
class MortonGrid {
 public:
  static constexpr unsigned bits_per_axis = D == 3 ? 5 : 7;
  static constexpr std::uint32_t cell_count = 1U << (bits_per_axis * D);

  void include(const Point<D>& point) {
    for (std::size_t k = 0; k < D; ++k) {
      box_.min[k] = std::min(box_.min[k], point[k]);
      box_.max[k] = std::max(box_.max[k], point[k]);
    }
  }

  /// To be called after the last point was included.
  void finish() {
    const double side = max_abs(difference(box_.max, box_.min));
    scale_ = side > 0 ? ((1U << bits_per_axis) - 1) / side : 0;
  }

  [[nodiscard]] std::uint32_t operator()(const Point<D>& point) const {
    std::uint32_t code = 0;
    for (std::size_t k = 0; k < D; ++k)
      code |= spread_bits[static_cast<std::uint32_t>((point[k] - box_.min[k]) * scale_)] << k;
    return code;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr Point<D> filled(double value) {
    Point<D> point{};
    point.fill(value);
    return point;
  }
  // The bits of an index, with D − 1 zeros inserted between them.
  static constexpr auto spread_bits = [] {
    std::array<std::uint32_t, 1U << bits_per_axis> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i)
      for (unsigned j = 0; j < bits_per_axis; ++j) table[i] |= (i >> j & 1U) << (D * j);
    return table;
  }();

  Box<D> box_{filled(infinity), filled(-infinity)};
  double scale_ = 0;
};

}  // namespace

template <std::size_t D>
WallSearch<D>::WallSearch(std::span<const PlacedBody<D>> bodies, const Spheres<D>& particles,
                          const WallOptions<D>& options)
    : particles_(particles),
      periodic_shifts_(options),
      tolerance_factor_(1 + options.tolerance),
      margin_(options.margin) {
  // Otherwise invalid particles are detected when blocks are loaded.
  const bool check_first = periodic_shifts_.is_periodic() || particles.size() > max_particles;
  const double max_radius =
      check_first ? summarize_input(particles, DetectorOptions<D>{}).max_radius : 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const PlacedBody<D>& body = bodies[i];
    if (body.body->facet_count() == 0) continue;
    max_facet_count_ = std::max(max_facet_count_, body.body->facet_count());
    max_shift_ = std::max(max_shift_, max_abs(body.transform.translation));
    const Box<D> box = body.body->bounding_box(body.transform);
    for (const Point<D>& shift : periodic_shifts_.shifts(body, cutoff(max_radius), i)) {
      max_shift_ = std::max(max_shift_, max_abs(shift));
      images_.push_back({&body, shift, box, !body.is_moved && shift == Point<D>{}});
    }
  }
}

template <std::size_t D>
void WallSearch<D>::prefilter(std::size_t first, std::size_t last, Workspace& workspace,
                              std::vector<WallCandidate<D>>& candidates) const {
  for (std::size_t from = first; from < last; from += ParticleBlock<D>::capacity) {
    load(from, std::min(last, from + ParticleBlock<D>::capacity), workspace.block);
    prefilter_block(from, workspace, candidates);
  }
}

template <std::size_t D>
void WallSearch<D>::find_contacts(const QueryParticle<D>& particle,
                                  std::span<const std::uint32_t> images, Workspace& workspace,
                                  std::vector<WallContact<D>>& found) const {
  const Point<D> wrapped = wrap(particle.center);
  workspace.visited.reserve(max_facet_count_);
  workspace.closest_points.clear();
  for (const std::uint32_t image : images)
    gather_closest_points(images_[image], particle, wrapped, workspace);
  resolve(particle, wrapped, workspace, found);
}

template <std::size_t D>
void WallSearch<D>::find_contacts(const QueryParticle<D>& particle, std::uint32_t image,
                                  std::span<const std::uint32_t> facets, Workspace& workspace,
                                  std::vector<WallContact<D>>& found) const {
  const Point<D> wrapped = wrap(particle.center);
  workspace.closest_points.clear();
  images_[image].body->body->find_closest_points_of(facets, body_position(images_[image], wrapped),
                                                    cutoff(particle.radius),
                                                    workspace.closest_points);
  for (ClosestPoint<D>& closest : workspace.closest_points)
    to_caller_frame(images_[image], particle, wrapped, closest);
  resolve(particle, wrapped, workspace, found);
}

template <std::size_t D>
void WallSearch<D>::load(std::size_t first, std::size_t last, ParticleBlock<D>& block) const {
  block.size = last - first;
  const double* const radius = particles_.radii().data() + first;
  for (std::size_t k = 0; k < D; ++k)
    block.coordinates[k] = particles_.coordinates(k).data() + first;
  if (!kernels_->load_block(radius, tolerance_factor_, margin_, block))
    throw_invalid_particle(particles_);
  if (!periodic_shifts_.is_periodic()) return;
  for (std::size_t k = 0; k < D; ++k) {
    for (std::size_t i = 0; i < block.size; ++i)
      block.storage[k][i] = periodic_shifts_.wrap(k, block.coordinates[k][i]);
    block.coordinates[k] = block.storage[k].data();
  }
}

// The particles whose cutoff sphere may overlap the bounding box of the image, in the body frame.
template <std::size_t D>
void WallSearch<D>::transform_block(const BodyImage& image, const ParticleBlock<D>& block,
                                    ParticleBlock<D>& body_block) const {
  body_block.size = 0;
  for (std::size_t k = 0; k < D; ++k) body_block.coordinates[k] = body_block.storage[k].data();
  for (std::size_t i = 0; i < block.size; ++i) {
    const Point<D> shifted = sum(block.center(i), image.shift);
    bool is_near = true;
    for (std::size_t k = 0; k < D; ++k)
      is_near = is_near && shifted[k] + block.cutoff[i] >= image.box.min[k] &&
                shifted[k] - block.cutoff[i] <= image.box.max[k];
    if (!is_near) continue;
    const Point<D> position =
        image.body->is_moved ? to_body_frame(image.body->transform, shifted) : shifted;
    for (std::size_t k = 0; k < D; ++k) body_block.storage[k][body_block.size] = position[k];
    body_block.cutoff[body_block.size] = block.cutoff[i];
    body_block.index[body_block.size] = static_cast<std::uint16_t>(i);
    ++body_block.size;
  }
}

template <std::size_t D>
void WallSearch<D>::prefilter_block(std::size_t first, Workspace& workspace,
                                    std::vector<WallCandidate<D>>& candidates) const {
  const std::size_t old_size = candidates.size();
  for (std::uint32_t i = 0; i < images_.size(); ++i) {
    const BodyImage& image = images_[i];
    if (!image.is_direct) transform_block(image, workspace.block, workspace.body_block);
    const ParticleBlock<D>& block = image.is_direct ? workspace.block : workspace.body_block;
    workspace.selection.has_caps = false;
    image.body->body->prefilter(block, workspace.selection);
    for (std::size_t j = 0; j < workspace.selection.size; ++j) {
      WallCandidate<D>& candidate = candidates.emplace_back();
      load_particle(first + block.index[workspace.selection.indices[j]], candidate.particle);
      if (workspace.selection.has_caps) candidate.cap = workspace.selection.caps[j];
      candidate.image = i;
    }
  }
  if (images_.size() < 2) return;
  std::stable_sort(candidates.begin() + static_cast<std::ptrdiff_t>(old_size), candidates.end(),
                   [](const WallCandidate<D>& a, const WallCandidate<D>& b) {
                     return a.particle.index < b.particle.index;
                   });
}

template <std::size_t D>
Point<D> WallSearch<D>::transformed_position(const BodyImage& image,
                                             const Point<D>& wrapped) const {
  const Point<D> shifted = sum(wrapped, image.shift);
  return image.body->is_moved ? to_body_frame(image.body->transform, shifted) : shifted;
}

// From the body frame to the frame in which the caller has the particle.
template <std::size_t D>
void WallSearch<D>::transform_to_caller_frame(const BodyImage& image,
                                              const QueryParticle<D>& particle,
                                              const Point<D>& wrapped,
                                              ClosestPoint<D>& closest) const {
  const PlacedBody<D>& body = *image.body;
  if (body.is_moved) {
    closest.normal = rotated(body.transform, closest.normal);
    closest.point = sum(rotated(body.transform, closest.point), body.transform.translation);
  }
  const Point<D> shifted = sum(wrapped, image.shift);
  if (shifted != particle.center)
    closest.point = sum(closest.point, difference(particle.center, shifted));
}

template <std::size_t D>
void WallSearch<D>::gather_closest_points(const BodyImage& image, const QueryParticle<D>& particle,
                                          const Point<D>& wrapped, Workspace& workspace) const {
  const std::size_t old_size = workspace.closest_points.size();
  image.body->body->find_closest_points(body_position(image, wrapped), cutoff(particle.radius),
                                        workspace.visited, workspace.closest_points);
  for (std::size_t i = old_size; i < workspace.closest_points.size(); ++i)
    to_caller_frame(image, particle, wrapped, workspace.closest_points[i]);
}

template <std::size_t D>
void WallSearch<D>::resolve(const QueryParticle<D>& particle, const Point<D>& wrapped,
                            Workspace& workspace, std::vector<WallContact<D>>& found) const {
  if (workspace.closest_points.empty()) return;
  const double radius = particle.radius;
  for (const auto& [closest, gap] : workspace.resolution.resolve(
           workspace.closest_points,
           {radius, radius * tolerance_factor_, cutoff(radius), rounding_error(particle, wrapped)}))
    found.push_back({particle.index, closest.feature, WallElementId(closest.element), gap,
                     closest.normal, closest.point});
}

// Each chunk has its own result list, so the order of results does not depend on the threads.
template <std::size_t D>
template <class Work>
void WallSearchDriver<D>::for_each_chunk(const Chunks& chunks, const Work& work) {
  const auto process = [&](std::size_t chunk, unsigned worker) {
    if (!workspaces_[worker])
      workspaces_[worker] = std::make_unique<typename WallSearch<D>::Workspace>();
    work(chunk, *workspaces_[worker]);
  };
  if (particle_count_ > small_count)
    pool_.run(chunks.size(), process);
  else
    for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) process(chunk, 0);
}

template <std::size_t D>
void WallSearchDriver<D>::run(const WallSearch<D>& search, std::size_t particles, unsigned threads,
                              std::vector<WallContact<D>>& found) {
  search_ = &search;
  particle_count_ = particles;
  pool_ = ThreadPool(threads);
  workspaces_.resize(pool_.threads());
  prefilter();
  sort_spatially();
  resolve_tasks();
  collect_contacts(found);
}

template <std::size_t D>
void WallSearchDriver<D>::prefilter() {
  const Chunks chunks(particle_count_);
  if (candidates_.size() < chunks.size()) candidates_.resize(chunks.size());
  for_each_chunk(chunks, [&](std::size_t chunk, auto& workspace) {
    candidates_[chunk].clear();
    search_->prefilter(chunks.first(chunk), chunks.last(chunk), workspace, candidates_[chunk]);
  });
  tasks_by_particle_.clear();
  image_lists_.clear();
  for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) group_by_particle(candidates_[chunk]);
  contact_ranges_.resize(tasks_by_particle_.size());
}

// One task per particle, also if it is near several images.
template <std::size_t D>
void WallSearchDriver<D>::group_by_particle(std::span<const WallCandidate<D>> candidates) {
  for (std::size_t first = 0; first < candidates.size();) {
    const WallCandidate<D>& candidate = candidates[first];
    std::size_t last = first + 1;
    while (last < candidates.size() && candidates[last].particle.index == candidate.particle.index)
      ++last;
    const auto slot = static_cast<std::uint32_t>(tasks_by_particle_.size());
    const auto image_count = static_cast<std::uint32_t>(last - first);
    ParticleTask& task = tasks_by_particle_.emplace_back();
    task.particle = candidate.particle;
    task.cap = candidate.cap;
    task.slot = slot;
    task.image =
        image_count > 1 ? static_cast<std::uint32_t>(image_lists_.size()) : candidate.image;
    task.image_count = image_count;
    for (; first < last; ++first)
      if (image_count > 1) image_lists_.push_back(candidates[first].image);
  }
}

// Counting sort by Morton code.
template <std::size_t D>
void WallSearchDriver<D>::sort_spatially() {
  const auto count = static_cast<std::uint32_t>(tasks_by_particle_.size());
  if (count <= small_count) {
    tasks_.swap(tasks_by_particle_);
    return;
  }
  tasks_.resize(count);
  MortonGrid<D> grid;
  for (const ParticleTask& task : tasks_by_particle_) grid.include(task.particle.center);
  grid.finish();
  cell_ends_.assign(MortonGrid<D>::cell_count + 1, 0);
  task_cells_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    task_cells_[i] = grid(tasks_by_particle_[i].particle.center);
    ++cell_ends_[task_cells_[i] + 1];
  }
  std::partial_sum(cell_ends_.begin(), cell_ends_.end(), cell_ends_.begin());
  for (std::uint32_t i = 0; i < count; ++i)
    tasks_[cell_ends_[task_cells_[i]]++] = tasks_by_particle_[i];
}

template <std::size_t D>
void WallSearchDriver<D>::resolve_tasks() {
  const Chunks chunks(tasks_.size(), 2048);
  if (chunk_contacts_.size() < chunks.size()) chunk_contacts_.resize(chunks.size());
  for (auto& contacts : chunk_contacts_) contacts.clear();
  for_each_chunk(chunks, [&](std::size_t chunk, auto& workspace) {
    const auto index = static_cast<std::uint32_t>(chunk);
    const std::size_t last = chunks.last(chunk);
    for (std::size_t i = chunks.first(chunk); i < last;)
      if (search_->supports_quick_queries() && tasks_[i].image_count == 1)
        i += resolve_batch(i, last, index, workspace);
      else
        resolve_particle(tasks_[i++], index, workspace);
  });
}

// The common case: a particle near one image only, with one face contact or none. Processes
// consecutive tasks of the same image and returns their number.
template <std::size_t D>
std::size_t WallSearchDriver<D>::resolve_batch(std::size_t first, std::size_t last,
                                               std::uint32_t chunk,
                                               typename WallSearch<D>::Workspace& workspace) {
  const std::uint32_t image = tasks_[first].image;
  std::vector<WallContact<D>>& contacts = chunk_contacts_[chunk];
  const void* const end = contacts.data() + contacts.size();
  const auto* const next = static_cast<const char*>(end);
  // Prefetches the memory to which contacts will be written.
  if (contacts.size() + workspace.queries.size() <= contacts.capacity())
    for (std::size_t byte = 0; byte < workspace.queries.size() * sizeof(WallContact<D>); byte += 64)
      __builtin_prefetch(next + byte, 1);
  std::size_t count = 0;
  for (; count < workspace.queries.size() && first + count < last; ++count) {
    const ParticleTask& task = tasks_[first + count];
    if (task.image_count != 1 || task.image != image) break;
    search_->prepare_query(task.particle, task.cap, image, workspace.queries[count]);
  }
  search_->quick_query(std::span(workspace.queries).first(count), image);
  for (std::size_t i = 0; i < count; ++i) {
    const ParticleTask& task = tasks_[first + i];
    WallQuery<D>& query = workspace.queries[i];
    const auto old_size = static_cast<std::uint32_t>(contacts.size());
    if (query.result == QuickResult::face)
      search_->make_contact(task.particle, image, query.closest, contacts.emplace_back());
    if (query.result == QuickResult::undecided && query.candidates.size == 0) {
      resolve_particle(task, chunk, workspace);
      continue;
    }
    if (query.result == QuickResult::undecided)
      search_->find_contacts(task.particle, image, query.candidates.view(), workspace, contacts);
    contact_ranges_[task.slot] = {chunk, old_size,
                                  static_cast<std::uint32_t>(contacts.size()) - old_size};
  }
  return count;
}

template <std::size_t D>
void WallSearchDriver<D>::resolve_particle(const ParticleTask& task, std::uint32_t chunk,
                                           typename WallSearch<D>::Workspace& workspace) {
  std::vector<WallContact<D>>& contacts = chunk_contacts_[chunk];
  const auto old_size = static_cast<std::uint32_t>(contacts.size());
  const std::span images =
      task.image_count == 1
          ? std::span(&task.image, 1)
          : std::span(std::as_const(image_lists_)).subspan(task.image, task.image_count);
  search_->find_contacts(task.particle, images, workspace, contacts);
  contact_ranges_[task.slot] = {chunk, old_size,
                                static_cast<std::uint32_t>(contacts.size()) - old_size};
}

template <std::size_t D>
void WallSearchDriver<D>::collect_contacts(std::vector<WallContact<D>>& found) const {
  std::size_t total = 0;
  for (const auto& contacts : chunk_contacts_) total += contacts.size();
  found.reserve(total);
  for (const ContactRange& range : contact_ranges_) {
    const WallContact<D>* const first = chunk_contacts_[range.chunk].data() + range.first;
    for (std::uint32_t i = 0; i < range.count; ++i) found.push_back(first[i]);
  }
}

template class WallSearch<2>;
template class WallSearch<3>;
template class WallSearchDriver<2>;
template class WallSearchDriver<3>;

}  // namespace abut
