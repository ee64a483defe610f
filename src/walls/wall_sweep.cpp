#include "walls/wall_sweep.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

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

  /// After all were shown.
  void close() {
    const double side = largest_part(difference(box_.max, box_.min));
    scale_ = side > 0 ? ((1U << bits) - 1) / side : 0;
  }

  [[nodiscard]] std::uint32_t operator()(const Point<D>& point) const {
    std::uint32_t number = 0;
    for (std::size_t k = 0; k < D; ++k)
      number |= spread[static_cast<std::uint32_t>((point[k] - box_.min[k]) * scale_)] << k;
    return number;
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  static constexpr Point<D> all(double value) {
    Point<D> point{};
    point.fill(value);
    return point;
  }
  // Bits with D − 1 others between each.
  static constexpr auto spread = [] {
    std::array<std::uint32_t, 1U << bits> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i)
      for (unsigned j = 0; j < bits; ++j) table[i] |= (i >> j & 1U) << (D * j);
    return table;
  }();

  Box<D> box_{all(infinite), all(-infinite)};
  double scale_ = 0;
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
  by_number_.clear();
  views_.clear();
  for (std::size_t run = 0; run < runs.size(); ++run) group(picked_[run]);
  visitors_.resize(by_number_.size());
}

// A particle that several views may be near has one turn.
template <std::size_t D>
void WallSweep<D>::group(std::span<const NearWall<D>> near) {
  for (std::size_t first = 0; first < near.size();) {
    const NearWall<D>& own = near[first];
    std::size_t last = first + 1;
    while (last < near.size() && near[last].given.particle == own.given.particle) ++last;
    const auto visitor = static_cast<std::uint32_t>(by_number_.size());
    const auto views = static_cast<std::uint32_t>(last - first);
    Turn& turn = by_number_.emplace_back();
    turn.given = own.given;
    turn.cap = own.cap;
    turn.visitor = visitor;
    turn.view = views > 1 ? static_cast<std::uint32_t>(views_.size()) : own.view;
    turn.views = views;
    for (; first < last; ++first)
      if (views > 1) views_.push_back(near[first].view);
  }
}

// A counting sort.
template <std::size_t D>
void WallSweep<D>::order_by_place() {
  const auto count = static_cast<std::uint32_t>(by_number_.size());
  if (count <= few) {
    turns_.swap(by_number_);
    return;
  }
  turns_.resize(count);
  PlaceNumbers<D> number;
  for (const Turn& each : by_number_) number.show(each.given.centre);
  number.close();
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
  each_run(runs, [&](std::size_t run, auto& own) {
    const auto number = static_cast<std::uint32_t>(run);
    const std::size_t last = runs.last(run);
    for (std::size_t i = runs.first(run); i < last;)
      if (search_->glances() && turns_[i].views == 1)
        i += look_around(i, last, number, own);
      else
        look_closely(turns_[i++], number, own);
  });
}

// Nearly always there is one body near, and one face of it pushes, or none. Returns how many looked
// at the same view.
template <std::size_t D>
std::size_t WallSweep<D>::look_around(std::size_t first, std::size_t last, std::uint32_t run,
                                      typename WallSearch<D>::Workspace& own) {
  const std::uint32_t view = turns_[first].view;
  std::vector<WallContact<D>>& part = parts_[run];
  const void* const end = part.data() + part.size();
  const auto* const next = static_cast<const char*>(end);
  if (part.size() + own.looking.size() <= part.capacity())  // where contacts will be written
    for (std::size_t at = 0; at < own.looking.size() * sizeof(WallContact<D>); at += 64)
      __builtin_prefetch(next + at, 1);
  std::size_t count = 0;
  for (; count < own.looking.size() && first + count < last; ++count) {
    const Turn& turn = turns_[first + count];
    if (turn.views != 1 || turn.view != view) break;
    search_->aim(turn.given, turn.cap, view, own.looking[count]);
  }
  search_->glance(std::span(own.looking).first(count), view);
  for (std::size_t i = 0; i < count; ++i) {
    const Turn& turn = turns_[first + i];
    Looking<D>& looking = own.looking[i];
    const auto before = static_cast<std::uint32_t>(part.size());
    if (looking.glance == Glance::face)
      search_->put_contact(turn.given, view, looking.touch, part.emplace_back());
    if (looking.glance == Glance::more && looking.near.size == 0) {
      look_closely(turn, run, own);
      continue;
    }
    if (looking.glance == Glance::more)
      search_->contacts(turn.given, view, looking.near.all(), own, part);
    visitors_[turn.visitor] = {run, before, static_cast<std::uint32_t>(part.size()) - before};
  }
  return count;
}

template <std::size_t D>
void WallSweep<D>::look_closely(const Turn& turn, std::uint32_t run,
                                typename WallSearch<D>::Workspace& own) {
  std::vector<WallContact<D>>& part = parts_[run];
  const auto before = static_cast<std::uint32_t>(part.size());
  const std::span views = turn.views == 1
                              ? std::span(&turn.view, 1)
                              : std::span(std::as_const(views_)).subspan(turn.view, turn.views);
  search_->contacts(turn.given, views, own, part);
  visitors_[turn.visitor] = {run, before, static_cast<std::uint32_t>(part.size()) - before};
}

template <std::size_t D>
void WallSweep<D>::list(std::vector<WallContact<D>>& found) const {
  std::size_t total = 0;
  for (const auto& part : parts_) total += part.size();
  found.reserve(total);
  for (const Visitor& visitor : visitors_) {
    const WallContact<D>* const first = parts_[visitor.run].data() + visitor.first;
    for (std::uint32_t i = 0; i < visitor.count; ++i) found.push_back(first[i]);
  }
}

template class WallSweep<2>;
template class WallSweep<3>;

}  // namespace abut
