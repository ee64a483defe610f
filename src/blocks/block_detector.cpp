// The way of a contact: no plane → potential (gap up to TOL) → real (below 0) → gone (above TOL).
// Pairs come sorted, and so does the table of the step before: both are walked together, and a pair
// that is in the table starts from its plane.
#include <abut/blocks.hpp>
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "core/thread_pool.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

template <std::size_t D>
PeriodicPair<D> pair_key(const BlockContact<D>& contact) {
  return {contact.part_a, contact.part_b, contact.image};
}

// A part as it is seen some periods away.
template <std::size_t D>
class ImageCopy {
 public:
  ConvexView<D> operator()(const ConvexView<D>& view, const Point<D>& shift) {
    if (shift == Point<D>{}) return view;
    vertices_.resize(view.vertices.size());
    for (std::size_t i = 0; i < vertices_.size(); ++i) vertices_[i] = sum(view.vertices[i], shift);
    ConvexView<D> moved = view;
    moved.vertices = vertices_;
    moved.centroid = sum(view.centroid, shift);
    return moved;
  }

 private:
  std::vector<Point<D>> vertices_;
};

}  // namespace

template <std::size_t D>
class BlockDetector<D>::State {
 public:
  explicit State(const DetectorOptions<D>& options)
      : options_(options), fixed_count_(options.fixed_count) {
    if (options.threads != 1) pool_.emplace(options.threads);
  }

  void update(const Blocks<D>& blocks) {
    if (instance_id_ != blocks.instance_id()) contacts_.clear();  // planes of other blocks
    instance_id_ = blocks.instance_id();
    detector_for(blocks).update(blocks.bounding_spheres());
    const std::vector<PeriodicPair<D>>& pairs = detector_->periodic_pairs();
    const Chunks runs(pairs.size(), 1024);
    chunk_results_.resize(std::max(chunk_results_.size(), runs.size()));
    image_copies_.resize(pool_ ? pool_->threads() : 1);
    const auto work = [&](std::size_t run, unsigned worker) {
      const std::span<const PeriodicPair<D>> own(pairs.data() + runs.first(run),
                                                 pairs.data() + runs.last(run));
      find_contacts(blocks, own, image_copies_[worker], chunk_results_[run]);
    };
    if (pool_)
      pool_->run(runs.size(), work);
    else
      for (std::size_t run = 0; run < runs.size(); ++run) work(run, 0);
    collect(runs.size(), pairs.size());
  }

  [[nodiscard]] const std::vector<BlockContact<D>>& contacts() const { return contacts_; }
  [[nodiscard]] BlockStatistics statistics() const { return statistics_; }
  void reset() { contacts_.clear(); }

 private:
  struct ChunkResult {
    std::vector<BlockContact<D>> contacts;
    std::size_t warm_started = 0;
  };

  // Fixed particles are the first parts; only the blocks know how many.
  Detector<D>& detector_for(const Blocks<D>& blocks) {
    const std::size_t parts = fixed_count_ == 0 ? 0
                              : fixed_count_ < blocks.particle_count()
                                  ? blocks.first_part(static_cast<Index>(fixed_count_))
                                  : blocks.part_count();
    if (!detector_ || parts != options_.fixed_count) {
      options_.fixed_count = parts;
      detector_.emplace(options_);
    }
    return *detector_;
  }

  [[nodiscard]] Point<D> image_offset(const std::array<std::int32_t, D>& image) const {
    Point<D> shift{};
    for (std::size_t k = 0; k < D; ++k)
      if (image[k] != 0) shift[k] = image[k] * (options_.domain->max[k] - options_.domain->min[k]);
    return shift;
  }

  void find_contacts(const Blocks<D>& blocks, std::span<const PeriodicPair<D>> pairs,
                     ImageCopy<D>& moved, ChunkResult& found) const {
    found.contacts.clear();
    found.warm_started = 0;
    auto old = std::ranges::lower_bound(contacts_, pairs[0], {}, pair_key<D>);
    for (const PeriodicPair<D>& pair : pairs) {
      const Index a = blocks.particle_of(pair.a);
      const Index b = blocks.particle_of(pair.b);
      const Point<D> shift = image_offset(pair.image);
      if (a == b && shift == Point<D>{}) continue;  // parts of one cluster
      while (old != contacts_.end() && pair_key(*old) < pair) ++old;
      const bool known = old != contacts_.end() && pair_key(*old) == pair;
      found.warm_started += known ? 1U : 0U;
      const ConvexView<D> one = blocks.part(pair.a);
      const ConvexView<D> other = moved(blocks.part(pair.b), shift);
      const CommonPlane<D> plane =
          known ? common_plane(one, other, old->plane) : common_plane(one, other);
      if (contact_status(plane.gap, options_.margin) == ContactStatus::separated) continue;
      const PlaneContact<D> at = plane_contact(one, other, plane);
      found.contacts.push_back(
          {a, b, pair.a, pair.b, pair.image, plane, at.point, at.area, known ? old->age + 1 : 0,
           known ? static_cast<Index>(old - contacts_.begin()) : BlockContact<D>::no_previous});
    }
  }

  void collect(std::size_t runs, std::size_t pairs) {
    contacts_.clear();
    statistics_ = {pairs, 0};
    for (std::size_t run = 0; run < runs; ++run) {
      contacts_.insert(contacts_.end(), chunk_results_[run].contacts.begin(),
                       chunk_results_[run].contacts.end());
      statistics_.warm_started += chunk_results_[run].warm_started;
    }
  }

  DetectorOptions<D> options_;
  std::size_t fixed_count_;  // particles
  std::optional<Detector<D>> detector_;
  std::optional<ThreadPool> pool_;
  std::uint64_t instance_id_ = 0;
  std::vector<BlockContact<D>> contacts_;
  std::vector<ChunkResult> chunk_results_;  // by run
  std::vector<ImageCopy<D>> image_copies_;  // by worker
  BlockStatistics statistics_;
};

template <std::size_t D>
BlockDetector<D>::BlockDetector(DetectorOptions<D> options)
    : state_(std::make_unique<State>(options)) {}
template <std::size_t D>
BlockDetector<D>::~BlockDetector() = default;
template <std::size_t D>
BlockDetector<D>::BlockDetector(BlockDetector&&) noexcept = default;
template <std::size_t D>
BlockDetector<D>& BlockDetector<D>::operator=(BlockDetector&&) noexcept = default;

template <std::size_t D>
void BlockDetector<D>::update(const Blocks<D>& blocks) {
  state_->update(blocks);
}

template <std::size_t D>
const std::vector<BlockContact<D>>& BlockDetector<D>::contacts() const {
  return state_->contacts();
}

template <std::size_t D>
auto BlockDetector<D>::statistics() const -> BlockStatistics {
  return state_->statistics();
}

template <std::size_t D>
void BlockDetector<D>::reset() {
  state_->reset();
}

template class BlockDetector<2>;
template class BlockDetector<3>;

namespace {

constexpr double normal_tolerance = 1e-6;  // of normals: what their difference may be long
constexpr double offset_tolerance = 1e-6;  // of planes, in distances between the points

// Whether two contacts of the same particles lie in one plane, or nearly.
template <std::size_t D>
bool are_coplanar(const BlockContact<D>& a, const BlockContact<D>& b) {
  if (length(difference(a.plane.normal, b.plane.normal)) > normal_tolerance) return false;
  const Point<D> apart = difference(b.point, a.point);
  const double size = length(apart) + std::abs(a.plane.gap) + std::abs(b.plane.gap);
  return std::abs(dot(a.plane.normal, apart)) <= offset_tolerance * size &&
         std::abs(a.plane.gap - b.plane.gap) <= offset_tolerance * size;
}

// By their measures; where both have none, half way.
template <std::size_t D>
void merge_into(const BlockContact<D>& other, BlockContact<D>& own) {
  const double whole = own.area + other.area;
  const double part = whole > 0 ? other.area / whole : 0.5;
  own.point = add_scaled(own.point, part, difference(other.point, own.point));
  own.area = whole;
  own.plane.gap = std::min(own.plane.gap, other.plane.gap);
}

}  // namespace

template <std::size_t D>
std::vector<BlockContact<D>> merge_coplanar(std::span<const BlockContact<D>> contacts) {
  const auto particles = [](const BlockContact<D>& one) {
    return std::tie(one.a, one.b, one.image);
  };
  std::vector<BlockContact<D>> sorted(contacts.begin(), contacts.end());
  std::ranges::stable_sort(sorted, {}, particles);
  std::vector<BlockContact<D>> result;
  std::size_t first = 0;  // of the same particles
  for (const BlockContact<D>& contact : sorted) {
    if (result.empty() || particles(result.back()) != particles(contact)) first = result.size();
    const auto same =
        std::find_if(result.begin() + static_cast<std::ptrdiff_t>(first), result.end(),
                     [&](const BlockContact<D>& own) { return are_coplanar(own, contact); });
    if (same == result.end())
      result.push_back(contact);
    else
      merge_into(contact, *same);
  }
  return result;
}

template std::vector<BlockContact<2>> merge_coplanar(std::span<const BlockContact<2>>);
template std::vector<BlockContact<3>> merge_coplanar(std::span<const BlockContact<3>>);

}  // namespace abut
