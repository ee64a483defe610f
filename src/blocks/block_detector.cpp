// The way of a contact: no plane → potential (gap up to TOL) → real (below 0) → gone (above TOL).
// Pairs come sorted, and so does the table of the step before: both are walked together, and a pair
// that is in the table starts from its plane.
#include <abut/blocks.hpp>
#include <algorithm>
#include <optional>
#include <tuple>

#include "core/runs.hpp"
#include "core/thread_pool.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

template <std::size_t D>
PeriodicPair<D> pair_of(const BlockContact<D>& contact) {
  return {contact.part_a, contact.part_b, contact.image};
}

// A part as it is seen some periods away.
template <std::size_t D>
class Moved {
 public:
  ConvexView<D> operator()(const ConvexView<D>& view, const Point<D>& shift) {
    if (shift == Point<D>{}) return view;
    corners_.resize(view.corners.size());
    for (std::size_t i = 0; i < corners_.size(); ++i) corners_[i] = sum(view.corners[i], shift);
    ConvexView<D> moved = view;
    moved.corners = corners_;
    moved.centre = sum(view.centre, shift);
    return moved;
  }

 private:
  std::vector<Point<D>> corners_;
};

}  // namespace

template <std::size_t D>
class BlockDetector<D>::State {
 public:
  explicit State(const Options<D>& options) : options_(options), fixed_(options.fixed) {
    if (options.threads != 1) pool_.emplace(options.threads);
  }

  void update(const Blocks<D>& blocks) {
    if (identity_ != blocks.identity()) contacts_.clear();  // planes of other blocks
    identity_ = blocks.identity();
    search_for(blocks).update(blocks.spheres());
    const std::vector<PeriodicPair<D>>& pairs = search_->periodic_pairs();
    const Runs runs(pairs.size(), 1024);
    found_.resize(std::max(found_.size(), runs.size()));
    moved_.resize(pool_ ? pool_->threads() : 1);
    const auto work = [&](std::size_t run, unsigned worker) {
      const std::span<const PeriodicPair<D>> own(pairs.data() + runs.first(run),
                                                 pairs.data() + runs.last(run));
      examine(blocks, own, moved_[worker], found_[run]);
    };
    if (pool_)
      pool_->run(runs.size(), work);
    else
      for (std::size_t run = 0; run < runs.size(); ++run) work(run, 0);
    take_over(runs.size(), pairs.size());
  }

  [[nodiscard]] const std::vector<BlockContact<D>>& contacts() const { return contacts_; }
  [[nodiscard]] Effort effort() const { return effort_; }
  void forget() { contacts_.clear(); }

 private:
  struct Found {
    std::vector<BlockContact<D>> contacts;
    std::size_t known = 0;
  };

  // Fixed particles are the first parts; only the blocks know how many.
  Detector<D>& search_for(const Blocks<D>& blocks) {
    const std::size_t parts = fixed_ == 0 ? 0
                              : fixed_ < blocks.size()
                                  ? blocks.first_part(static_cast<Index>(fixed_))
                                  : blocks.parts();
    if (!search_ || parts != options_.fixed) {
      options_.fixed = parts;
      search_.emplace(options_);
    }
    return *search_;
  }

  [[nodiscard]] Point<D> shift_of(const std::array<std::int32_t, D>& image) const {
    Point<D> shift{};
    for (std::size_t k = 0; k < D; ++k)
      if (image[k] != 0) shift[k] = image[k] * (options_.domain->max[k] - options_.domain->min[k]);
    return shift;
  }

  void examine(const Blocks<D>& blocks, std::span<const PeriodicPair<D>> pairs, Moved<D>& moved,
               Found& found) const {
    found.contacts.clear();
    found.known = 0;
    auto old = std::ranges::lower_bound(contacts_, pairs[0], {}, pair_of<D>);
    for (const PeriodicPair<D>& pair : pairs) {
      const Index a = blocks.owner(pair.a);
      const Index b = blocks.owner(pair.b);
      const Point<D> shift = shift_of(pair.image);
      if (a == b && shift == Point<D>{}) continue;  // parts of one cluster
      while (old != contacts_.end() && pair_of(*old) < pair) ++old;
      const bool known = old != contacts_.end() && pair_of(*old) == pair;
      found.known += known ? 1U : 0U;
      const ConvexView<D> one = blocks.part(pair.a);
      const ConvexView<D> other = moved(blocks.part(pair.b), shift);
      const CommonPlane<D> plane =
          known ? common_plane(one, other, old->plane) : common_plane(one, other);
      if (standing(plane.gap, options_.margin) == Standing::apart) continue;
      const PlaneContact<D> at = plane_contact(one, other, plane);
      found.contacts.push_back(
          {a, b, pair.a, pair.b, pair.image, plane, at.point, at.measure, known ? old->age + 1 : 0,
           known ? static_cast<Index>(old - contacts_.begin()) : BlockContact<D>::newcomer});
    }
  }

  void take_over(std::size_t runs, std::size_t pairs) {
    contacts_.clear();
    effort_ = {pairs, 0};
    for (std::size_t run = 0; run < runs; ++run) {
      contacts_.insert(contacts_.end(), found_[run].contacts.begin(), found_[run].contacts.end());
      effort_.known += found_[run].known;
    }
  }

  Options<D> options_;
  std::size_t fixed_;  // particles
  std::optional<Detector<D>> search_;
  std::optional<ThreadPool> pool_;
  std::uint64_t identity_ = 0;
  std::vector<BlockContact<D>> contacts_;
  std::vector<Found> found_;     // by run
  std::vector<Moved<D>> moved_;  // by worker
  Effort effort_;
};

template <std::size_t D>
BlockDetector<D>::BlockDetector(Options<D> options) : state_(std::make_unique<State>(options)) {}
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
auto BlockDetector<D>::effort() const -> Effort {
  return state_->effort();
}

template <std::size_t D>
void BlockDetector<D>::forget() {
  state_->forget();
}

template class BlockDetector<2>;
template class BlockDetector<3>;

}  // namespace abut
