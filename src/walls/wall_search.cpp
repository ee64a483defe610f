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
  (void)summarize_input(particles, DetectorOptions<D>{});  // names the first
  throw Error("particles that cannot be worked with");
}

}  // namespace

template <std::size_t D>
WallSearch<D>::WallSearch(std::span<const PlacedBody<D>> bodies, const Spheres<D>& particles,
                          const WallOptions<D>& options)
    : particles_(particles),
      periodic_shifts_(options),
      tolerance_factor_(1 + options.tolerance),
      margin_(options.margin) {
  // Otherwise what is wrong with them is seen on the way.
  const bool first_of_all = periodic_shifts_.is_periodic() || particles.size() > max_particles;
  const double largest_radius =
      first_of_all ? summarize_input(particles, DetectorOptions<D>{}).max_radius : 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const PlacedBody<D>& body = bodies[i];
    if (body.body->facet_count() == 0) continue;
    max_facet_count_ = std::max(max_facet_count_, body.body->facet_count());
    max_shift_ = std::max(max_shift_, max_abs(body.transform.translation));
    const Box<D> box = body.body->bounding_box(body.transform);
    for (const Point<D>& shift : periodic_shifts_.shifts(body, cutoff(largest_radius), i)) {
      max_shift_ = std::max(max_shift_, max_abs(shift));
      images_.push_back({&body, shift, box, !body.is_moved && shift == Point<D>{}});
    }
  }
}

template <std::size_t D>
void WallSearch<D>::prefilter(std::size_t first, std::size_t last, Workspace& own,
                              std::vector<WallCandidate<D>>& near) const {
  for (std::size_t from = first; from < last; from += ParticleBlock<D>::capacity) {
    load(from, std::min(last, from + ParticleBlock<D>::capacity), own.block);
    prefilter_block(from, own, near);
  }
}

template <std::size_t D>
void WallSearch<D>::find_contacts(const QueryParticle<D>& given,
                                  std::span<const std::uint32_t> views, Workspace& own,
                                  std::vector<WallContact<D>>& found) const {
  const Point<D> at = wrap(given.center);
  own.visited.reserve(max_facet_count_);
  own.closest_points.clear();
  for (const std::uint32_t view : views) gather_closest_points(images_[view], given, at, own);
  resolve(given, at, own, found);
}

template <std::size_t D>
void WallSearch<D>::find_contacts(const QueryParticle<D>& given, std::uint32_t view,
                                  std::span<const std::uint32_t> facets, Workspace& own,
                                  std::vector<WallContact<D>>& found) const {
  const Point<D> at = wrap(given.center);
  own.closest_points.clear();
  images_[view].body->body->find_closest_points_of(facets, body_position(images_[view], at),
                                                   cutoff(given.radius), own.closest_points);
  for (ClosestPoint<D>& touch : own.closest_points)
    to_caller_frame(images_[view], given, at, touch);
  resolve(given, at, own, found);
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

// Most particles are not near a shifted body at all; those that are, as the body sees them.
template <std::size_t D>
void WallSearch<D>::transform_block(const BodyImage& view, const ParticleBlock<D>& block,
                                    ParticleBlock<D>& as_seen) const {
  as_seen.size = 0;
  for (std::size_t k = 0; k < D; ++k) as_seen.coordinates[k] = as_seen.storage[k].data();
  for (std::size_t i = 0; i < block.size; ++i) {
    const Point<D> shifted = sum(block.center(i), view.shift);
    bool near = true;
    for (std::size_t k = 0; k < D; ++k)
      near = near && shifted[k] + block.cutoff[i] >= view.box.min[k] &&
             shifted[k] - block.cutoff[i] <= view.box.max[k];
    if (!near) continue;
    const Point<D> at =
        view.body->is_moved ? to_body_frame(view.body->transform, shifted) : shifted;
    for (std::size_t k = 0; k < D; ++k) as_seen.storage[k][as_seen.size] = at[k];
    as_seen.cutoff[as_seen.size] = block.cutoff[i];
    as_seen.index[as_seen.size] = static_cast<std::uint16_t>(i);
    ++as_seen.size;
  }
}

template <std::size_t D>
void WallSearch<D>::prefilter_block(std::size_t first, Workspace& own,
                                    std::vector<WallCandidate<D>>& near) const {
  const std::size_t before = near.size();
  for (std::uint32_t i = 0; i < images_.size(); ++i) {
    const BodyImage& view = images_[i];
    if (!view.is_direct) transform_block(view, own.block, own.body_block);
    const ParticleBlock<D>& block = view.is_direct ? own.block : own.body_block;
    own.selection.has_caps = false;
    view.body->body->prefilter(block, own.selection);
    for (std::size_t j = 0; j < own.selection.size; ++j) {
      WallCandidate<D>& one = near.emplace_back();
      load_particle(first + block.index[own.selection.indices[j]], one.particle);
      if (own.selection.has_caps) one.cap = own.selection.caps[j];
      one.image = i;
    }
  }
  if (images_.size() < 2) return;
  std::stable_sort(near.begin() + static_cast<std::ptrdiff_t>(before), near.end(),
                   [](const WallCandidate<D>& a, const WallCandidate<D>& b) {
                     return a.particle.index < b.particle.index;
                   });
}

template <std::size_t D>
Point<D> WallSearch<D>::transformed_position(const BodyImage& view, const Point<D>& wrapped) const {
  const Point<D> shifted = sum(wrapped, view.shift);
  return view.body->is_moved ? to_body_frame(view.body->transform, shifted) : shifted;
}

// Touches are found where the body sees them and told where the caller has the particle.
template <std::size_t D>
void WallSearch<D>::transform_to_caller_frame(const BodyImage& view, const QueryParticle<D>& given,
                                              const Point<D>& wrapped,
                                              ClosestPoint<D>& touch) const {
  const PlacedBody<D>& body = *view.body;
  if (body.is_moved) {
    touch.normal = rotated(body.transform, touch.normal);
    touch.point = sum(rotated(body.transform, touch.point), body.transform.translation);
  }
  const Point<D> shifted = sum(wrapped, view.shift);
  if (shifted != given.center) touch.point = sum(touch.point, difference(given.center, shifted));
}

template <std::size_t D>
void WallSearch<D>::gather_closest_points(const BodyImage& view, const QueryParticle<D>& given,
                                          const Point<D>& wrapped, Workspace& own) const {
  const std::size_t before = own.closest_points.size();
  view.body->body->find_closest_points(body_position(view, wrapped), cutoff(given.radius),
                                       own.visited, own.closest_points);
  for (std::size_t i = before; i < own.closest_points.size(); ++i)
    to_caller_frame(view, given, wrapped, own.closest_points[i]);
}

template <std::size_t D>
void WallSearch<D>::resolve(const QueryParticle<D>& given, const Point<D>& wrapped, Workspace& own,
                            std::vector<WallContact<D>>& found) const {
  if (own.closest_points.empty()) return;
  const double radius = given.radius;
  for (const auto& [closest, gap] : own.resolution.resolve(
           own.closest_points,
           {radius, radius * tolerance_factor_, cutoff(radius), rounding_error(given, wrapped)}))
    found.push_back(
        {given.index, closest.element, closest.feature, gap, closest.normal, closest.point});
}

template class WallSearch<2>;
template class WallSearch<3>;

namespace {

constexpr std::size_t small_count = 512;  // visitors that are not worth an order

// Numbers places by cells of a coarse grid over the box of all that were shown to it, along the
// same curve that facets lie in memory (Morton): what comes next is then next in memory too.
template <std::size_t D>
class MortonGrid {
 public:
  static constexpr unsigned bits_per_axis = D == 3 ? 5 : 7;  // along an axis
  static constexpr std::uint32_t cell_count = 1U << (bits_per_axis * D);

  void include(const Point<D>& point) {
    for (std::size_t k = 0; k < D; ++k) {
      box_.min[k] = std::min(box_.min[k], point[k]);
      box_.max[k] = std::max(box_.max[k], point[k]);
    }
  }

  /// After all were shown.
  void finish() {
    const double side = max_abs(difference(box_.max, box_.min));
    scale_ = side > 0 ? ((1U << bits_per_axis) - 1) / side : 0;
  }

  [[nodiscard]] std::uint32_t operator()(const Point<D>& point) const {
    std::uint32_t number = 0;
    for (std::size_t k = 0; k < D; ++k)
      number |= spread_bits[static_cast<std::uint32_t>((point[k] - box_.min[k]) * scale_)] << k;
    return number;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr Point<D> filled(double value) {
    Point<D> point{};
    point.fill(value);
    return point;
  }
  // Bits with D − 1 others between each.
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

// Each run has a list of its own; their order does not depend on who fills them.
template <std::size_t D>
template <class Work>
void WallSearchDriver<D>::for_each_chunk(const Chunks& runs, const Work& work) {
  const auto one = [&](std::size_t run, unsigned worker) {
    if (!workspaces_[worker])
      workspaces_[worker] = std::make_unique<typename WallSearch<D>::Workspace>();
    work(run, *workspaces_[worker]);
  };
  if (pool_ && particle_count_ > small_count)
    pool_->run(runs.size(), one);
  else
    for (std::size_t run = 0; run < runs.size(); ++run) one(run, 0);
}

template <std::size_t D>
void WallSearchDriver<D>::run(const WallSearch<D>& search, std::size_t particles, unsigned threads,
                              std::vector<WallContact<D>>& found) {
  search_ = &search;
  particle_count_ = particles;
  if (threads != threads_) {
    pool_.reset();
    if (threads != 1) pool_.emplace(threads);
    threads_ = threads;
  }
  workspaces_.resize(pool_ ? pool_->threads() : 1);
  prefilter();
  sort_spatially();
  resolve_tasks();
  collect_contacts(found);
}

template <std::size_t D>
void WallSearchDriver<D>::prefilter() {
  const Chunks runs(particle_count_);
  if (candidates_.size() < runs.size()) candidates_.resize(runs.size());
  for_each_chunk(runs, [&](std::size_t run, auto& own) {
    candidates_[run].clear();
    search_->prefilter(runs.first(run), runs.last(run), own, candidates_[run]);
  });
  tasks_by_particle_.clear();
  image_lists_.clear();
  for (std::size_t run = 0; run < runs.size(); ++run) group_by_particle(candidates_[run]);
  contact_ranges_.resize(tasks_by_particle_.size());
}

// A particle that several views may be near has one turn.
template <std::size_t D>
void WallSearchDriver<D>::group_by_particle(std::span<const WallCandidate<D>> near) {
  for (std::size_t first = 0; first < near.size();) {
    const WallCandidate<D>& own = near[first];
    std::size_t last = first + 1;
    while (last < near.size() && near[last].particle.index == own.particle.index) ++last;
    const auto visitor = static_cast<std::uint32_t>(tasks_by_particle_.size());
    const auto views = static_cast<std::uint32_t>(last - first);
    ParticleTask& turn = tasks_by_particle_.emplace_back();
    turn.particle = own.particle;
    turn.cap = own.cap;
    turn.slot = visitor;
    turn.image = views > 1 ? static_cast<std::uint32_t>(image_lists_.size()) : own.image;
    turn.image_count = views;
    for (; first < last; ++first)
      if (views > 1) image_lists_.push_back(near[first].image);
  }
}

// A counting sort.
template <std::size_t D>
void WallSearchDriver<D>::sort_spatially() {
  const auto count = static_cast<std::uint32_t>(tasks_by_particle_.size());
  if (count <= small_count) {
    tasks_.swap(tasks_by_particle_);
    return;
  }
  tasks_.resize(count);
  MortonGrid<D> number;
  for (const ParticleTask& each : tasks_by_particle_) number.include(each.particle.center);
  number.finish();
  cell_ends_.assign(MortonGrid<D>::cell_count + 1, 0);
  task_cells_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    task_cells_[i] = number(tasks_by_particle_[i].particle.center);
    ++cell_ends_[task_cells_[i] + 1];
  }
  std::partial_sum(cell_ends_.begin(), cell_ends_.end(), cell_ends_.begin());
  for (std::uint32_t i = 0; i < count; ++i)
    tasks_[cell_ends_[task_cells_[i]]++] = tasks_by_particle_[i];
}

template <std::size_t D>
void WallSearchDriver<D>::resolve_tasks() {
  const Chunks runs(tasks_.size(), 2048);
  if (chunk_contacts_.size() < runs.size()) chunk_contacts_.resize(runs.size());
  for (auto& part : chunk_contacts_) part.clear();
  for_each_chunk(runs, [&](std::size_t run, auto& own) {
    const auto number = static_cast<std::uint32_t>(run);
    const std::size_t last = runs.last(run);
    for (std::size_t i = runs.first(run); i < last;)
      if (search_->supports_quick_queries() && tasks_[i].image_count == 1)
        i += resolve_batch(i, last, number, own);
      else
        resolve_particle(tasks_[i++], number, own);
  });
}

// Nearly always there is one body near, and one face of it pushes, or none. Returns how many looked
// at the same view.
template <std::size_t D>
std::size_t WallSearchDriver<D>::resolve_batch(std::size_t first, std::size_t last,
                                               std::uint32_t run,
                                               typename WallSearch<D>::Workspace& own) {
  const std::uint32_t view = tasks_[first].image;
  std::vector<WallContact<D>>& part = chunk_contacts_[run];
  const void* const end = part.data() + part.size();
  const auto* const next = static_cast<const char*>(end);
  if (part.size() + own.queries.size() <= part.capacity())  // where contacts will be written
    for (std::size_t at = 0; at < own.queries.size() * sizeof(WallContact<D>); at += 64)
      __builtin_prefetch(next + at, 1);
  std::size_t count = 0;
  for (; count < own.queries.size() && first + count < last; ++count) {
    const ParticleTask& turn = tasks_[first + count];
    if (turn.image_count != 1 || turn.image != view) break;
    search_->prepare_query(turn.particle, turn.cap, view, own.queries[count]);
  }
  search_->quick_query(std::span(own.queries).first(count), view);
  for (std::size_t i = 0; i < count; ++i) {
    const ParticleTask& turn = tasks_[first + i];
    WallQuery<D>& looking = own.queries[i];
    const auto before = static_cast<std::uint32_t>(part.size());
    if (looking.result == QuickResult::face)
      search_->make_contact(turn.particle, view, looking.closest, part.emplace_back());
    if (looking.result == QuickResult::undecided && looking.candidates.size == 0) {
      resolve_particle(turn, run, own);
      continue;
    }
    if (looking.result == QuickResult::undecided)
      search_->find_contacts(turn.particle, view, looking.candidates.view(), own, part);
    contact_ranges_[turn.slot] = {run, before, static_cast<std::uint32_t>(part.size()) - before};
  }
  return count;
}

template <std::size_t D>
void WallSearchDriver<D>::resolve_particle(const ParticleTask& turn, std::uint32_t run,
                                           typename WallSearch<D>::Workspace& own) {
  std::vector<WallContact<D>>& part = chunk_contacts_[run];
  const auto before = static_cast<std::uint32_t>(part.size());
  const std::span views =
      turn.image_count == 1
          ? std::span(&turn.image, 1)
          : std::span(std::as_const(image_lists_)).subspan(turn.image, turn.image_count);
  search_->find_contacts(turn.particle, views, own, part);
  contact_ranges_[turn.slot] = {run, before, static_cast<std::uint32_t>(part.size()) - before};
}

template <std::size_t D>
void WallSearchDriver<D>::collect_contacts(std::vector<WallContact<D>>& found) const {
  std::size_t total = 0;
  for (const auto& part : chunk_contacts_) total += part.size();
  found.reserve(total);
  for (const ContactRange& visitor : contact_ranges_) {
    const WallContact<D>* const first = chunk_contacts_[visitor.chunk].data() + visitor.first;
    for (std::uint32_t i = 0; i < visitor.count; ++i) found.push_back(first[i]);
  }
}

template class WallSearchDriver<2>;
template class WallSearchDriver<3>;

}  // namespace abut
