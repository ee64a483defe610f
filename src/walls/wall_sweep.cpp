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

// Each run has a list of its own; their order does not depend on who fills them.
template <std::size_t D>
template <class Work>
void WallSweep<D>::each_run(const Runs& runs, const Work& work) {
  const auto one = [&](std::size_t run, unsigned worker) {
    if (!own_[worker]) own_[worker] = std::make_unique<typename WallSearch<D>::Workspace>();
    work(run, *own_[worker]);
  };
  if (pool_ && particles_ > few)
    pool_->run(runs.size(), one);
  else
    for (std::size_t run = 0; run < runs.size(); ++run) one(run, 0);
}

template <std::size_t D>
void WallSweep<D>::run(const WallSearch<D>& search, std::size_t particles, unsigned threads,
                       std::vector<WallContact<D>>& found) {
  search_ = &search;
  particles_ = particles;
  if (threads != threads_) {
    pool_.reset();
    if (threads != 1) pool_.emplace(threads);
    threads_ = threads;
  }
  own_.resize(pool_ ? pool_->threads() : 1);
  pick();
  group();
  order_by_place();
  visit();
  list(found);
}

template <std::size_t D>
void WallSweep<D>::pick() {
  const Runs runs(particles_);
  if (picked_.size() < runs.size()) picked_.resize(runs.size());
  each_run(runs, [&](std::size_t run, auto& own) {
    picked_[run].clear();
    search_->pick(runs.first(run), runs.last(run), own, picked_[run]);
  });
  near_.clear();
  for (std::size_t run = 0; run < runs.size(); ++run)
    near_.insert(near_.end(), picked_[run].begin(), picked_[run].end());
}

template <std::size_t D>
void WallSweep<D>::group() {
  visitors_.clear();
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
  const auto turn = [&](std::uint32_t i) {
    const NearWall& first = near_[visitors_[i].first];
    return Turn{search_->given(first.particle), i, first, visitors_[i].count};
  };
  const auto count = static_cast<std::uint32_t>(visitors_.size());
  turns_.resize(count);
  by_number_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) by_number_[i] = turn(i);
  if (count <= few) {
    turns_.swap(by_number_);
    return;
  }
  PlaceNumbers<D> number;
  for (const Turn& each : by_number_) number.show(each.given.centre);
  ends_.assign(PlaceNumbers<D>::cells + 1, 0);
  numbers_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    numbers_[i] = number(by_number_[i].given.centre);
    ++ends_[numbers_[i] + 1];
  }
  std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
  for (std::uint32_t i = 0; i < count; ++i) turns_[ends_[numbers_[i]]++] = by_number_[i];
}

template <std::size_t D>
void WallSweep<D>::visit() {
  const Runs runs(turns_.size(), 2048);
  if (parts_.size() < runs.size()) parts_.resize(runs.size());
  for (auto& part : parts_) part.clear();
  run_of_.resize(turns_.size());
  each_run(runs, [&](std::size_t run, auto& own) {
    std::vector<WallContact<D>>& part = parts_[run];
    for (std::size_t i = runs.first(run); i < runs.last(run); ++i) {
      const Turn& turn = turns_[i];
      const auto before = static_cast<std::uint32_t>(part.size());
      const std::span near = turn.count == 1 ? std::span(&turn.first, 1) : walls_of(turn.visitor);
      search_->contacts(turn.given, near, own, part);
      run_of_[turn.visitor] = static_cast<std::uint32_t>(run);
      visitors_[turn.visitor].first_contact = before;
      visitors_[turn.visitor].contacts = static_cast<std::uint32_t>(part.size()) - before;
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
