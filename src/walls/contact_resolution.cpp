#include "walls/contact_resolution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>

#include "core/vec.hpp"

namespace abut {
namespace {

constexpr std::size_t no_row = std::numeric_limits<std::size_t>::max();
constexpr double min_pivot = 1e-13;

}  // namespace

bool LcpSolver::solve(std::span<const double> matrix, std::span<const double> depth,
                      std::vector<double>& overlaps) {
  size_ = depth.size();
  width_ = 2 * size_ + 2;
  const std::size_t excess = 2 * size_;
  tableau_.assign(size_ * width_, 0);
  basis_.resize(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    at(i, i) = 1;
    for (std::size_t j = 0; j < size_; ++j) at(i, size_ + j) = -matrix[i * size_ + j];
    at(i, excess) = -1;
    at(i, excess + 1) = -depth[i];
    basis_[i] = i;
  }
  overlaps.assign(size_, 0);
  const auto deepest = static_cast<std::size_t>(std::ranges::max_element(depth) - depth.begin());
  if (size_ == 0 || depth[deepest] <= 0) return true;
  // What leaves is followed by its partner, until what is too much leaves.
  std::size_t row = deepest;
  std::size_t entering = excess;
  for (std::size_t round = 0; round < 50 * size_; ++round) {
    const std::size_t left = basis_[row];
    pivot(row, entering);
    if (left == excess) {
      for (std::size_t i = 0; i < size_; ++i)
        if (basis_[i] >= size_ && basis_[i] < excess)
          overlaps[basis_[i] - size_] = std::max(0.0, at(i, excess + 1));
      return true;
    }
    entering = left < size_ ? left + size_ : left - size_;
    row = leaving_row(entering);
    if (row == no_row) return false;
  }
  return false;
}

// The row that first comes to zero when the column's variable grows; where several do, the one of
// what is too much, which ends it.
std::size_t LcpSolver::leaving_row(std::size_t column) {
  std::size_t best = no_row;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < size_; ++i) {
    if (at(i, column) <= min_pivot) continue;
    const double ratio = at(i, width_ - 1) / at(i, column);
    const bool ends = basis_[i] == 2 * size_;
    if (ratio > least || (ratio == least && !ends)) continue;
    least = ratio;
    best = i;
  }
  return best;
}

void LcpSolver::pivot(std::size_t row, std::size_t column) {
  const double by = 1 / at(row, column);
  for (std::size_t j = 0; j < width_; ++j) at(row, j) *= by;
  for (std::size_t i = 0; i < size_; ++i) {
    const double part = at(i, column);
    if (i == row || part == 0) continue;
    for (std::size_t j = 0; j < width_; ++j) at(i, j) -= part * at(row, j);
  }
  basis_[row] = column;
}

namespace {

constexpr std::uint32_t no_index = std::numeric_limits<std::uint32_t>::max();
constexpr double relative_slack = 1e-12;  // of the deepest overlap: less is rounding
constexpr std::size_t max_active = 12;
constexpr double nearly_singular = 1e-9;

template <std::size_t D>
bool comes_before(const ClosestPoint<D>& a, const ClosestPoint<D>& b) {
  return std::tie(a.distance, a.element, a.point) < std::tie(b.distance, b.element, b.point);
}

// Whether b is at the same point as a, or an edge or vertex on or behind the plane of a.
template <std::size_t D>
bool occludes(const ClosestPoint<D>& a, const ClosestPoint<D>& b, double slack) {
  const Point<D> apart = difference(b.point, a.point);
  if (dot(apart, apart) <= slack * slack) return true;
  return b.feature != Feature::face && dot(a.normal, apart) <= slack;
}

}  // namespace

template <std::size_t D>
double ContactResolution<D>::coupling(const ClosestPoint<D>& a, const ClosestPoint<D>& b) {
  return std::max(0.0, dot(a.normal, b.normal));
}

template <std::size_t D>
auto ContactResolution<D>::resolve(std::vector<ClosestPoint<D>>& touches, const Sphere& sphere)
    -> const std::vector<ResolvedContact>& {
  contacts_.clear();
  if (touches.empty()) return contacts_;
  if (touches.size() == 1) {
    contacts_.push_back({touches[0], touches[0].distance - sphere.radius});
    return contacts_;
  }
  if (sphere.cutoff == sphere.contact_radius && resolve_nearest_alone(touches, sphere))
    return contacts_;
  std::ranges::sort(touches, comes_before<D>);
  const auto beyond = std::ranges::partition_point(touches, [&](const ClosestPoint<D>& touch) {
    return touch.distance <= sphere.contact_radius;
  });
  const std::span all(touches);
  const auto near = static_cast<std::size_t>(beyond - touches.begin());
  minimum_translation(all.first(near), sphere.contact_radius, sphere.rounding_error);
  overlapping_ = active_;
  if (sphere.cutoff > sphere.contact_radius)
    minimum_translation(all, sphere.cutoff, sphere.rounding_error);
  collect_contacts(all, sphere);
  return contacts_;
}

// Nearly always one push is enough, and then nothing need be put in order. What follows finds the
// same; this is only faster.
template <std::size_t D>
bool ContactResolution<D>::resolve_nearest_alone(std::span<const ClosestPoint<D>> touches,
                                                 const Sphere& sphere) {
  const ClosestPoint<D>* nearest = touches.data();
  for (const ClosestPoint<D>& touch : touches.subspan(1))
    if (touch.distance < nearest->distance ||
        (touch.distance == nearest->distance && comes_before(touch, *nearest)))
      nearest = &touch;
  const double overlap = sphere.contact_radius - nearest->distance;
  const double slack = relative_slack * overlap + sphere.rounding_error;
  for (const ClosestPoint<D>& touch : touches) {
    const double part = coupling(touch, *nearest);
    const bool violated = touch.distance - sphere.contact_radius + part * overlap < -slack * part;
    if (violated && !occludes(*nearest, touch, slack)) return false;
  }
  ClosestPoint<D> touch = *nearest;
  use_lowest_element(touches, touch, sphere.rounding_error);
  contacts_.push_back({touch, touch.distance - sphere.radius});
  return true;
}

// An active set: push where it is deepest, see what is left, and let the worst of it push too. In
// nearly all cases the first push is enough.
template <std::size_t D>
void ContactResolution<D>::minimum_translation(std::span<const ClosestPoint<D>> touches,
                                               double radius, double rounding) {
  active_.clear();
  if (touches.empty()) return;
  const double deepest = radius - touches[0].distance;
  const double slack = relative_slack * deepest + rounding;
  active_.push_back({0, deepest});
  processed_.assign(touches.size(), 0);
  processed_[0] = 1;
  bool convex = true;
  for (std::size_t round = 0;; ++round) {
    const std::uint32_t worst = most_violated(touches, radius, slack);
    if (worst == no_index) break;
    processed_[worst] = 1;
    if (is_occluded(touches, worst, slack)) continue;
    active_.push_back({worst, 0});
    convex = convex && active_.size() < max_active && round < 2 * touches.size() + 16 &&
             update_overlaps(touches, radius);
    if (!convex) solve_complementarity(touches, radius);
  }
  std::erase_if(active_, [](const ActiveContact& push) { return push.overlap <= 0; });
}

// Where a facet is left that no push concerns, any depth counts; rounding only matters where
// pushes should have done.
template <std::size_t D>
std::uint32_t ContactResolution<D>::most_violated(std::span<const ClosestPoint<D>> touches,
                                                  double radius, double slack) const {
  std::uint32_t worst = no_index;
  double least = 0;
  for (std::uint32_t i = 0; i < touches.size(); ++i) {
    if (processed_[i] != 0) continue;
    double left = touches[i].distance - radius;
    double concerned = 0;
    for (const ActiveContact& push : active_) {
      const double part = coupling(touches[i], touches[push.index]);
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
bool ContactResolution<D>::is_occluded(std::span<const ClosestPoint<D>> touches, std::uint32_t i,
                                       double slack) const {
  const auto pushes_hide = [&](const ActiveContact& push) {
    return occludes(touches[push.index], touches[i], slack);
  };
  if (std::ranges::any_of(active_, pushes_hide)) return true;
  return std::ranges::any_of(touches.first(i), [&](const ClosestPoint<D>& other) {
    return other.feature == Feature::face && occludes(other, touches[i], slack);
  });
}

// New overlaps for all pushes, such that each just does what is asked of it (Lawson and Hanson): on
// the way from the old to the new ones those that would pull drop out. False if G is not the matrix
// of a convex problem, which shows when the newest would pull, or if it goes round in circles.
template <std::size_t D>
bool ContactResolution<D>::update_overlaps(std::span<const ClosestPoint<D>> touches,
                                           double radius) {
  constexpr int most_rounds = 50;
  const std::uint32_t newest = active_.back().index;
  for (int round = 0; round < most_rounds; ++round) {
    if (!solve_active(touches, radius)) return false;
    double part = 1;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      if (trial_[i] > 0) continue;
      if (active_[i].index == newest) return false;
      part = std::min(part, active_[i].overlap / (active_[i].overlap - trial_[i]));
    }
    for (std::size_t i = 0; i < active_.size(); ++i)
      active_[i].overlap += part * (trial_[i] - active_[i].overlap);
    if (part == 1) return true;
    remove_inactive();
  }
  return false;
}

// Those that came to nothing. They may be needed again.
template <std::size_t D>
void ContactResolution<D>::remove_inactive() {
  double largest = 0;
  for (const ActiveContact& push : active_) largest = std::max(largest, push.overlap);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    if (trial_[i] <= 0 && active_[i].overlap <= relative_slack * largest)
      processed_[active_[i].index] = 0;
    else
      active_[kept++] = active_[i];
  }
  active_.resize(kept);
}

// Cholesky: G of the pushes times overlaps = depths, in trial_. Pushes that depend on each other,
// three in a plane or four in space, leave a pivot that is nearly zero; a small number in its place
// turns the solution towards the one that drops a push. A pivot below zero comes from walls that
// face each other.
template <std::size_t D>
bool ContactResolution<D>::solve_active(std::span<const ClosestPoint<D>> touches, double radius) {
  const std::size_t n = active_.size();
  matrix_.assign(n * n, 0);
  trial_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const ClosestPoint<D>& own = touches[active_[i].index];
    double rest = radius - own.distance;
    for (std::size_t j = 0; j <= i; ++j) {
      double value = i == j ? 1 : coupling(own, touches[active_[j].index]);
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
void ContactResolution<D>::solve_complementarity(std::span<const ClosestPoint<D>> touches,
                                                 double radius) {
  const std::size_t n = active_.size();
  matrix_.resize(n * n);
  depth_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    processed_[active_[i].index] = 1;
    const ClosestPoint<D>& own = touches[active_[i].index];
    depth_[i] = radius - own.distance;
    for (std::size_t j = 0; j < n; ++j)
      matrix_[i * n + j] = i == j ? 1 : coupling(own, touches[active_[j].index]);
  }
  if (!lcp_solver_.solve(matrix_, depth_, trial_)) relax_gauss_seidel();
  for (std::size_t i = 0; i < n; ++i) active_[i].overlap = trial_[i];
}

// One after the other takes what is left to it (projected Gauss–Seidel), so often that what is left
// to do is small.
template <std::size_t D>
void ContactResolution<D>::relax_gauss_seidel() {
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
void ContactResolution<D>::collect_contacts(std::span<const ClosestPoint<D>> touches,
                                            const Sphere& sphere) {
  for (const ActiveContact& push : overlapping_)
    if (std::ranges::none_of(active_,
                             [&](const ActiveContact& p) { return p.index == push.index; }))
      active_.push_back(push);
  for (const ActiveContact& push : active_) {
    ClosestPoint<D> touch = touches[push.index];
    double gap = touch.distance - sphere.radius;
    for (const ActiveContact& other : overlapping_)
      if (other.index != push.index) gap += coupling(touch, touches[other.index]) * other.overlap;
    if (gap > sphere.cutoff - sphere.radius) continue;  // others push it out of the margin
    use_lowest_element(touches, touch, sphere.rounding_error);
    contacts_.push_back({touch, gap});
  }
  std::ranges::sort(contacts_, [](const ResolvedContact& a, const ResolvedContact& b) {
    return std::tie(a.closest.element, a.closest.point) <
           std::tie(b.closest.element, b.closest.point);
  });
}

// A point on an edge or vertex belongs to several facets; the lowest number is as good as any, and
// always the same.
template <std::size_t D>
void ContactResolution<D>::use_lowest_element(std::span<const ClosestPoint<D>> touches,
                                              ClosestPoint<D>& touch, double slack) const {
  const Point<D> point = touch.point;
  for (const ClosestPoint<D>& other : touches) {
    if (other.element >= touch.element || std::abs(other.distance - touch.distance) > slack)
      continue;
    const Point<D> apart = difference(other.point, point);
    if (dot(apart, apart) > slack * slack) continue;
    touch.element = other.element;
    touch.feature = other.feature;
  }
}

template class ContactResolution<2>;
template class ContactResolution<3>;

}  // namespace abut
