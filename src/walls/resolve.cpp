#include "walls/resolve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>

#include "core/vec.hpp"

namespace abut {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr double relative = 1e-12;  // of the deepest overlap: less is rounding
constexpr std::size_t most_pushes = 12;
constexpr double nearly_singular = 1e-9;

template <std::size_t D>
bool comes_before(const Touch<D>& a, const Touch<D>& b) {
  return std::tie(a.distance, a.wall, a.point) < std::tie(b.distance, b.wall, b.point);
}

// Whether b is at the same point as a, or an edge or corner on or behind the plane of a.
template <std::size_t D>
bool hides(const Touch<D>& a, const Touch<D>& b, double slack) {
  const Point<D> apart = difference(b.point, a.point);
  if (dot(apart, apart) <= slack * slack) return true;
  return b.feature != Feature::face && dot(a.normal, apart) <= slack;
}

}  // namespace

template <std::size_t D>
double Resolution<D>::facing(const Touch<D>& a, const Touch<D>& b) {
  return std::max(0.0, dot(a.normal, b.normal));
}

template <std::size_t D>
auto Resolution<D>::of(std::vector<Touch<D>>& touches, const Sphere& sphere)
    -> const std::vector<Found>& {
  found_.clear();
  if (touches.empty()) return found_;
  if (touches.size() == 1) {
    found_.push_back({touches[0], touches[0].distance - sphere.radius});
    return found_;
  }
  if (sphere.reach == sphere.touching && nearest_alone(touches, sphere)) return found_;
  std::ranges::sort(touches, comes_before<D>);
  const auto beyond = std::ranges::partition_point(
      touches, [&](const Touch<D>& touch) { return touch.distance <= sphere.touching; });
  const std::span all(touches);
  const auto near = static_cast<std::size_t>(beyond - touches.begin());
  way_out(all.first(near), sphere.touching, sphere.rounding);
  touching_ = pushes_;
  if (sphere.reach > sphere.touching) way_out(all, sphere.reach, sphere.rounding);
  report(all, sphere);
  return found_;
}

// Nearly always one push is enough, and then nothing need be put in order. What follows finds the
// same; this is only faster.
template <std::size_t D>
bool Resolution<D>::nearest_alone(std::span<const Touch<D>> touches, const Sphere& sphere) {
  const Touch<D>* nearest = touches.data();
  for (const Touch<D>& touch : touches.subspan(1))
    if (touch.distance < nearest->distance ||
        (touch.distance == nearest->distance && comes_before(touch, *nearest)))
      nearest = &touch;
  const double overlap = sphere.touching - nearest->distance;
  const double slack = relative * overlap + sphere.rounding;
  for (const Touch<D>& touch : touches) {
    const double part = facing(touch, *nearest);
    const bool violated = touch.distance - sphere.touching + part * overlap < -slack * part;
    if (violated && !hides(*nearest, touch, slack)) return false;
  }
  Touch<D> touch = *nearest;
  name_lowest(touches, touch, sphere.rounding);
  found_.push_back({touch, touch.distance - sphere.radius});
  return true;
}

// An active set: push where it is deepest, see what is left, and let the worst of it push too. In
// nearly all cases the first push is enough.
template <std::size_t D>
void Resolution<D>::way_out(std::span<const Touch<D>> touches, double radius, double rounding) {
  pushes_.clear();
  if (touches.empty()) return;
  const double deepest = radius - touches[0].distance;
  const double slack = relative * deepest + rounding;
  pushes_.push_back({0, deepest});
  done_.assign(touches.size(), 0);
  done_[0] = 1;
  bool convex = true;
  for (std::size_t round = 0;; ++round) {
    const std::uint32_t worst = most_violated(touches, radius, slack);
    if (worst == none) break;
    done_[worst] = 1;
    if (hidden(touches, worst, slack)) continue;
    pushes_.push_back({worst, 0});
    convex = convex && pushes_.size() < most_pushes && round < 2 * touches.size() + 16 &&
             share(touches, radius);
    if (!convex) share_among_opposed(touches, radius);
  }
  std::erase_if(pushes_, [](const Push& push) { return push.overlap <= 0; });
}

// Where a piece is left that no push concerns, any depth counts; rounding only matters where
// pushes should have done.
template <std::size_t D>
std::uint32_t Resolution<D>::most_violated(std::span<const Touch<D>> touches, double radius,
                                           double slack) const {
  std::uint32_t worst = none;
  double least = 0;
  for (std::uint32_t i = 0; i < touches.size(); ++i) {
    if (done_[i] != 0) continue;
    double left = touches[i].distance - radius;
    double concerned = 0;
    for (const Push& push : pushes_) {
      const double part = facing(touches[i], touches[push.touch]);
      left += part * push.overlap;
      concerned = std::max(concerned, part);
    }
    if (left >= least || left >= -slack * concerned) continue;
    least = left;
    worst = i;
  }
  return worst;
}

template <std::size_t D>
bool Resolution<D>::hidden(std::span<const Touch<D>> touches, std::uint32_t i, double slack) const {
  const auto pushes_hide = [&](const Push& push) {
    return hides(touches[push.touch], touches[i], slack);
  };
  if (std::ranges::any_of(pushes_, pushes_hide)) return true;
  return std::ranges::any_of(touches.first(i), [&](const Touch<D>& other) {
    return other.feature == Feature::face && hides(other, touches[i], slack);
  });
}

// New overlaps for all pushes, such that each just does what is asked of it (Lawson and Hanson): on
// the way from the old to the new ones those that would pull drop out. False if G is not the matrix
// of a convex problem, which shows when the newest would pull, or if it goes round in circles.
template <std::size_t D>
bool Resolution<D>::share(std::span<const Touch<D>> touches, double radius) {
  constexpr int most_rounds = 50;
  const std::uint32_t newest = pushes_.back().touch;
  for (int round = 0; round < most_rounds; ++round) {
    if (!solve(touches, radius)) return false;
    double part = 1;
    for (std::size_t i = 0; i < pushes_.size(); ++i) {
      if (trial_[i] > 0) continue;
      if (pushes_[i].touch == newest) return false;
      part = std::min(part, pushes_[i].overlap / (pushes_[i].overlap - trial_[i]));
    }
    for (std::size_t i = 0; i < pushes_.size(); ++i)
      pushes_[i].overlap += part * (trial_[i] - pushes_[i].overlap);
    if (part == 1) return true;
    drop_idle();
  }
  return false;
}

// Those that came to nothing. They may be needed again.
template <std::size_t D>
void Resolution<D>::drop_idle() {
  double largest = 0;
  for (const Push& push : pushes_) largest = std::max(largest, push.overlap);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pushes_.size(); ++i) {
    if (trial_[i] <= 0 && pushes_[i].overlap <= relative * largest)
      done_[pushes_[i].touch] = 0;
    else
      pushes_[kept++] = pushes_[i];
  }
  pushes_.resize(kept);
}

// Cholesky: G of the pushes times overlaps = depths, in trial_. Pushes that depend on each other,
// three in a plane or four in space, leave a pivot that is nearly zero; a small number in its place
// turns the solution towards the one that drops a push. A pivot below zero comes from walls that
// face each other.
template <std::size_t D>
bool Resolution<D>::solve(std::span<const Touch<D>> touches, double radius) {
  const std::size_t n = pushes_.size();
  matrix_.assign(n * n, 0);
  trial_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Touch<D>& own = touches[pushes_[i].touch];
    double rest = radius - own.distance;
    for (std::size_t j = 0; j <= i; ++j) {
      double value = i == j ? 1 : facing(own, touches[pushes_[j].touch]);
      for (std::size_t k = 0; k < j; ++k) value -= matrix_[i * n + k] * matrix_[j * n + k];
      if (i == j && value < -nearly_singular) return false;
      matrix_[i * n + j] =
          i == j ? std::sqrt(std::max(value, nearly_singular)) : value / matrix_[j * n + j];
      if (j < i) rest -= matrix_[i * n + j] * trial_[j];
    }
    trial_[i] = rest / matrix_[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) trial_[i] -= matrix_[j * n + i] * trial_[j];
    trial_[i] /= matrix_[i * n + i];
  }
  return true;
}

// Walls that face each other and share all the same: the whole problem of the pushes so far, none
// of which is dropped any more.
template <std::size_t D>
void Resolution<D>::share_among_opposed(std::span<const Touch<D>> touches, double radius) {
  const std::size_t n = pushes_.size();
  matrix_.resize(n * n);
  depth_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    done_[pushes_[i].touch] = 1;
    const Touch<D>& own = touches[pushes_[i].touch];
    depth_[i] = radius - own.distance;
    for (std::size_t j = 0; j < n; ++j)
      matrix_[i * n + j] = i == j ? 1 : facing(own, touches[pushes_[j].touch]);
  }
  if (!complementarity_.solve(matrix_, depth_, trial_)) relax();
  for (std::size_t i = 0; i < n; ++i) pushes_[i].overlap = trial_[i];
}

// One after the other takes what is left to it (projected Gauss–Seidel), so often that what is left
// to do is small.
template <std::size_t D>
void Resolution<D>::relax() {
  constexpr int rounds = 100;
  const std::size_t n = depth_.size();
  trial_.assign(n, 0);
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < n; ++i) {
      double left = depth_[i] + trial_[i];
      for (std::size_t j = 0; j < n; ++j) left -= matrix_[i * n + j] * trial_[j];
      trial_[i] = std::max(0.0, left);
    }
}

template <std::size_t D>
void Resolution<D>::report(std::span<const Touch<D>> touches, const Sphere& sphere) {
  for (const Push& push : touching_)
    if (std::ranges::none_of(pushes_, [&](const Push& p) { return p.touch == push.touch; }))
      pushes_.push_back(push);
  for (const Push& push : pushes_) {
    Touch<D> touch = touches[push.touch];
    double gap = touch.distance - sphere.radius;
    for (const Push& other : touching_)
      if (other.touch != push.touch) gap += facing(touch, touches[other.touch]) * other.overlap;
    if (gap > sphere.reach - sphere.radius) continue;  // others push it out of the margin
    name_lowest(touches, touch, sphere.rounding);
    found_.push_back({touch, gap});
  }
  std::ranges::sort(found_, [](const Found& a, const Found& b) {
    return std::tie(a.touch.wall, a.touch.point) < std::tie(b.touch.wall, b.touch.point);
  });
}

// A point on an edge or corner belongs to several pieces; the lowest number is as good as any, and
// always the same.
template <std::size_t D>
void Resolution<D>::name_lowest(std::span<const Touch<D>> touches, Touch<D>& touch,
                                double slack) const {
  const Point<D> point = touch.point;
  for (const Touch<D>& other : touches) {
    if (other.wall >= touch.wall || std::abs(other.distance - touch.distance) > slack) continue;
    const Point<D> apart = difference(other.point, point);
    if (dot(apart, apart) > slack * slack) continue;
    touch.wall = other.wall;
    touch.feature = other.feature;
  }
}

template class Resolution<2>;
template class Resolution<3>;

}  // namespace abut
