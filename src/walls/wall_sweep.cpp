#include "walls/wall_sweep.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace abut {
namespace {

constexpr std::size_t few = 512;  // visitors that are not worth an order

// Numbers places by cells of a coarse grid over the box of all that were shown to it, along the
// same curve that pieces lie in memory (Morton): what comes next is then next in memory too.
template <std::size_t D>
class PlaceNumbers {
 public:
  static constexpr unsigned bits = D == 3 ? 5 : 7;  // along an axis
  static constexpr std::uint32_t cells = 1U << (bits * D);

  void show(const Point<D>& point) {
    for (std::size_t k = 0; k < D; ++k) {
      box_.min[k] = std::min(box_.min[k], point[k]);
      box_.max[k] = std::max(box_.max[k], point[k]);
    }
  }

  [[nodiscard]] std::uint32_t operator()(const Point<D>& point) const {
    const double side = largest_part(difference(box_.max, box_.min));
    const double scale = side > 0 ? ((1U << bits) - 1) / side : 0;
    std::uint32_t number = 0;
    for (std::size_t k = 0; k < D; ++k) {
      const auto at = static_cast<std::uint32_t>((point[k] - box_.min[k]) * scale);
      for (unsigned i = 0; i < bits; ++i) number |= (at >> i & 1U) << (D * i + k);
    }
    return number;
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  static constexpr Point<D> all(double value) {
    Point<D> point{};
    point.fill(value);
    return point;
  }
  Box<D> box_{all(infinite), all(-infinite)};
};

}  // namespace

template <std::size_t D>
WallSweep<D>::WallSweep(const WallSearch<D>& search, std::size_t particles, unsigned threads)
    : search_(search), particles_(particles) {
  if (threads != 1 && particles > few) pool_.emplace(threads);
  own_.resize(pool_ ? pool_->threads() : 1);
}

// Each run has a list of its own; their order does not depend on who fills them.
template <std::size_t D>
template <class Work>
void WallSweep<D>::each_run(const Runs& runs, const Work& work) {
  const auto one = [&](std::size_t run, unsigned worker) {
    if (!own_[worker]) own_[worker] = std::make_unique<typename WallSearch<D>::Workspace>();
    work(run, *own_[worker]);
  };
  if (pool_)
    pool_->run(runs.size(), one);
  else
    for (std::size_t run = 0; run < runs.size(); ++run) one(run, 0);
}

template <std::size_t D>
void WallSweep<D>::run(std::vector<WallContact<D>>& found) {
  pick();
  group();
  order_by_place();
  visit();
  list(found);
}

template <std::size_t D>
void WallSweep<D>::pick() {
  const Runs runs(particles_);
  std::vector<std::vector<NearWall>> parts(runs.size());
  each_run(runs, [&](std::size_t run, auto& own) {
    search_.pick(runs.first(run), runs.last(run), own, parts[run]);
  });
  for (const auto& part : parts) near_.insert(near_.end(), part.begin(), part.end());
}

template <std::size_t D>
void WallSweep<D>::group() {
  for (std::uint32_t first = 0; first < near_.size();) {
    std::uint32_t last = first;
    while (last < near_.size() && near_[last].particle == near_[first].particle) ++last;
    visitors_.push_back({first, last - first, 0, 0});
    first = last;
  }
}

// A counting sort.
template <std::size_t D>
void WallSweep<D>::order_by_place() {
  order_.resize(visitors_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  if (visitors_.size() <= few) return;
  PlaceNumbers<D> number;
  const auto centre = [&](const Visitor& visitor) {
    return search_.centre(near_[visitor.first].particle);
  };
  for (const Visitor& visitor : visitors_) number.show(centre(visitor));
  std::vector<std::uint32_t> numbers(visitors_.size());
  std::vector<std::uint32_t> ends(PlaceNumbers<D>::cells + 1);
  for (std::size_t i = 0; i < visitors_.size(); ++i) {
    numbers[i] = number(centre(visitors_[i]));
    ++ends[numbers[i] + 1];
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  for (std::uint32_t i = 0; i < visitors_.size(); ++i) order_[ends[numbers[i]]++] = i;
}

template <std::size_t D>
void WallSweep<D>::visit() {
  const Runs runs(order_.size(), 2048);
  parts_.resize(runs.size());
  run_of_.resize(order_.size());
  each_run(runs, [&](std::size_t run, auto& own) {
    std::vector<WallContact<D>>& part = parts_[run];
    for (std::size_t i = runs.first(run); i < runs.last(run); ++i) {
      Visitor& visitor = visitors_[order_[i]];
      run_of_[order_[i]] = static_cast<std::uint32_t>(run);
      visitor.first_contact = static_cast<std::uint32_t>(part.size());
      search_.contacts(std::span(near_).subspan(visitor.first, visitor.count), own, part);
      visitor.contacts = static_cast<std::uint32_t>(part.size()) - visitor.first_contact;
    }
  });
}

template <std::size_t D>
void WallSweep<D>::list(std::vector<WallContact<D>>& found) const {
  std::size_t total = 0;
  for (const auto& part : parts_) total += part.size();
  found.reserve(total);
  for (std::size_t i = 0; i < visitors_.size(); ++i) {
    const auto first = parts_[run_of_[i]].begin() + visitors_[i].first_contact;
    found.insert(found.end(), first, first + visitors_[i].contacts);
  }
}

template class WallSweep<2>;
template class WallSweep<3>;

}  // namespace abut
