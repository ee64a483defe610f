// Life cycle of a contact: separated → potential (gap ≤ TOL) → active (gap < 0) → removed (gap >
// TOL). Pairs of the broad phase and contacts of the previous update have the same order, so that
// one pass over both finds the plane with which a pair is warm-started.
#include <abut/blocks.hpp>
#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "core/machine.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

template <std::size_t D>
PeriodicPair<D> pair_key(const BlockContact<D>& contact) {
  return {contact.part_a, contact.part_b, contact.image};
}

// Shifts a part to one of its periodic images. Owns the shifted vertices until the next call.
template <std::size_t D>
class ImageCopy {
 public:
  ConvexView<D> operator()(const ConvexView<D>& view, const Point<D>& offset) {
    if (offset == Point<D>{}) return view;
    vertices_.resize(view.vertices.size());
    for (std::size_t i = 0; i < vertices_.size(); ++i) vertices_[i] = sum(view.vertices[i], offset);
    ConvexView<D> shifted = view;
    shifted.vertices = vertices_;
    shifted.centroid = sum(view.centroid, offset);
    return shifted;
  }

 private:
  std::vector<Point<D>> vertices_;
};

}  // namespace

template <std::size_t D>
class BlockDetector<D>::State {
 public:
  explicit State(const DetectorOptions<D>& options)
      : options_(options), pool_(options.threads), fixed_count_(options.fixed_count) {}

  void update(const Blocks<D>& blocks) {
    if (instance_id_ != blocks.instance_id()) contacts_.clear();  // history of other blocks
    instance_id_ = blocks.instance_id();
    detector_for(blocks).update(blocks.bounding_spheres());
    const std::vector<PeriodicPair<D>>& pairs = find_pairs(blocks);
    const Chunks chunks(pairs.size(), 1024);
    chunk_results_.resize(std::max(chunk_results_.size(), chunks.size()));
    image_copies_.resize(pool_.threads());
    pool_.run(chunks.size(), [&](std::size_t chunk, unsigned worker) {
      const std::span<const PeriodicPair<D>> chunk_pairs(pairs.data() + chunks.first(chunk),
                                                         pairs.data() + chunks.last(chunk));
      find_contacts(blocks, chunk_pairs, image_copies_[worker], chunk_results_[chunk]);
    });
    collect(chunks.size());
  }

  [[nodiscard]] const std::vector<BlockContact<D>>& contacts() const { return contacts_; }
  [[nodiscard]] BlockStatistics statistics() const { return statistics_; }
  void reset() { contacts_.clear(); }

 private:
  struct ChunkResult {
    std::vector<BlockContact<D>> contacts;
    std::size_t warm_started = 0;
  };

  // The broad phase counts fixed parts, the options count fixed particles.
  Detector<D>& detector_for(const Blocks<D>& blocks) {
    const std::size_t fixed_parts = fixed_count_ == 0 ? 0
                                    : fixed_count_ < blocks.particle_count()
                                        ? blocks.first_part(static_cast<Index>(fixed_count_))
                                        : blocks.part_count();
    if (!detector_ || fixed_parts != options_.fixed_count) {
      options_.fixed_count = fixed_parts;
      detector_.emplace(options_);
    }
    return *detector_;
  }

  [[nodiscard]] Point<D> image_offset(const std::array<std::int32_t, D>& image) const {
    Point<D> offset{};
    for (std::size_t k = 0; k < D; ++k)
      if (image[k] != 0) offset[k] = image[k] * (options_.domain->max[k] - options_.domain->min[k]);
    return offset;
  }

  // The sorted pairs of parts that can be in contact. Pairs of parts of one particle, the number of
  // which can be quadratic, are counted, but not stored.
  const std::vector<PeriodicPair<D>>& find_pairs(const Blocks<D>& blocks) {
    if (blocks.part_count() == blocks.particle_count()) {
      statistics_.pairs = detector_->periodic_pairs().size();
      return detector_->periodic_pairs();
    }
    statistics_.pairs = 0;
    pairs_.clear();
    detector_->for_each_pair([&](const PeriodicPair<D>& pair) {
      ++statistics_.pairs;
      const bool is_same_particle = blocks.particle_of(pair.a) == blocks.particle_of(pair.b) &&
                                    pair.image == std::array<std::int32_t, D>{};
      if (!is_same_particle) pairs_.push_back(pair);
    });
    std::ranges::sort(pairs_);
    return pairs_;
  }

  void find_contacts(const Blocks<D>& blocks, std::span<const PeriodicPair<D>> pairs,
                     ImageCopy<D>& image_copy, ChunkResult& result) const {
    result.contacts.clear();
    result.warm_started = 0;
    auto previous = std::ranges::lower_bound(contacts_, pairs[0], {}, pair_key<D>);
    for (const PeriodicPair<D>& pair : pairs) {
      const Index a = blocks.particle_of(pair.a);
      const Index b = blocks.particle_of(pair.b);
      const Point<D> offset = image_offset(pair.image);
      while (previous != contacts_.end() && pair_key(*previous) < pair) ++previous;
      const bool has_previous = previous != contacts_.end() && pair_key(*previous) == pair;
      result.warm_started += has_previous ? 1U : 0U;
      const ConvexView<D> part_a = blocks.part(pair.a);
      const ConvexView<D> part_b = image_copy(blocks.part(pair.b), offset);
      const CommonPlane<D> plane = has_previous ? common_plane(part_a, part_b, previous->plane)
                                                : common_plane(part_a, part_b);
      if (contact_status(plane.gap, options_.margin) == ContactStatus::separated) continue;
      const PlaneContact<D> section = plane_contact(part_a, part_b, plane);
      result.contacts.push_back({a, b, pair.a, pair.b, pair.image, plane, section.point,
                                 section.area, has_previous ? previous->age + 1 : 0,
                                 has_previous ? static_cast<Index>(previous - contacts_.begin())
                                              : BlockContact<D>::no_previous});
    }
  }

  void collect(std::size_t chunk_count) {
    contacts_.clear();
    statistics_.warm_started = 0;
    for (std::size_t chunk = 0; chunk < chunk_count; ++chunk) {
      const ChunkResult& result = chunk_results_[chunk];
      contacts_.insert(contacts_.end(), result.contacts.begin(), result.contacts.end());
      statistics_.warm_started += result.warm_started;
    }
  }

  DetectorOptions<D> options_;  // of the broad phase
  ThreadPool pool_;
  std::size_t fixed_count_;  // particles
  std::optional<Detector<D>> detector_;
  std::uint64_t instance_id_ = 0;  // of the blocks of the last update
  std::vector<BlockContact<D>> contacts_;
  std::vector<PeriodicPair<D>> pairs_;  // unused if every particle is one part
  std::vector<ChunkResult> chunk_results_;
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
auto BlockDetector<D>::state() const -> State& {
  if (!state_) throw Error("the block detector has been moved from", ErrorCode::moved_from);
  return *state_;
}

template <std::size_t D>
void BlockDetector<D>::update(const Blocks<D>& blocks) {
  state().update(blocks);
}

template <std::size_t D>
const std::vector<BlockContact<D>>& BlockDetector<D>::contacts() const {
  return state().contacts();
}

template <std::size_t D>
auto BlockDetector<D>::statistics() const -> BlockStatistics {
  return state().statistics();
}

template <std::size_t D>
void BlockDetector<D>::reset() {
  state().reset();
}

template class BlockDetector<2>;
template class BlockDetector<3>;

// ---- merging of coplanar contacts

namespace {

constexpr double normal_tolerance = 1e-6;  // of the difference of unit normals
constexpr double offset_tolerance = 1e-6;  // of the offset of planes, relative to point distances

template <std::size_t D>
bool are_coplanar(const BlockContact<D>& first, const BlockContact<D>& second) {
  if (length(difference(first.plane.normal, second.plane.normal)) > normal_tolerance) return false;
  const Point<D> separation = difference(second.point, first.point);
  const double size = length(separation) + std::abs(first.plane.gap) + std::abs(second.plane.gap);
  return std::abs(dot(first.plane.normal, separation)) <= offset_tolerance * size &&
         std::abs(first.plane.gap - second.plane.gap) <= offset_tolerance * size;
}

// The point is the mean weighted by area, or the midpoint if both areas are zero.
template <std::size_t D>
void merge_into(const BlockContact<D>& other, BlockContact<D>& merged) {
  const double total = merged.area + other.area;
  const double weight = total > 0 ? other.area / total : 0.5;
  merged.point = add_scaled(merged.point, weight, difference(other.point, merged.point));
  merged.area = total;
  merged.plane.gap = std::min(merged.plane.gap, other.plane.gap);
}

}  // namespace

template <std::size_t D>
std::vector<BlockContact<D>> merge_coplanar(std::span<const BlockContact<D>> contacts) {
  const auto particles = [](const BlockContact<D>& contact) {
    return std::tie(contact.a, contact.b, contact.image);
  };
  std::vector<BlockContact<D>> sorted(contacts.begin(), contacts.end());
  std::ranges::stable_sort(sorted, {}, particles);
  std::vector<BlockContact<D>> result;
  std::size_t first = 0;  // result with the same particles
  for (const BlockContact<D>& contact : sorted) {
    if (result.empty() || particles(result.back()) != particles(contact)) first = result.size();
    const auto same =
        std::find_if(result.begin() + static_cast<std::ptrdiff_t>(first), result.end(),
                     [&](const BlockContact<D>& other) { return are_coplanar(other, contact); });
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
