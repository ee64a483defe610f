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
constexpr std::uint32_t no_index = std::numeric_limits<std::uint32_t>::max();
// Overlaps below this fraction of the deepest are rounding errors.
constexpr double relative_slack = 1e-12;
constexpr std::size_t max_active = 12;
constexpr double min_diagonal = 1e-9;

template <std::size_t D>
bool comes_before(const ClosestPoint<D>& a, const ClosestPoint<D>& b) {
  return std::tie(a.distance, a.element, a.point) < std::tie(b.distance, b.element, b.point);
}

// Whether b coincides with a, or is on an edge or vertex on or behind the plane of a.
template <std::size_t D>
bool occludes(const ClosestPoint<D>& a, const ClosestPoint<D>& b, double slack) {
  const Point<D> offset = difference(b.point, a.point);
  if (dot(offset, offset) <= slack * slack) return true;
  return b.feature != Feature::face && dot(a.normal, offset) <= slack;
}

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
  // The complement of the variable that left the basis enters next, until z leaves.
  std::size_t row = deepest;
  std::size_t entering = excess;
  for (std::size_t iteration = 0; iteration < 50 * size_; ++iteration) {
    const std::size_t leaving = basis_[row];
    pivot(row, entering);
    if (leaving == excess) {
      for (std::size_t i = 0; i < size_; ++i)
        if (basis_[i] >= size_ && basis_[i] < excess)
          overlaps[basis_[i] - size_] = std::max(0.0, at(i, excess + 1));
      return true;
    }
    entering = leaving < size_ ? leaving + size_ : leaving - size_;
    row = leaving_row(entering);
    if (row == no_row) return false;
  }
  return false;
}

// Minimum ratio test: the basic variable that first becomes zero when the column's variable grows.
// In case of a tie z is preferred, because it ends the iteration.
std::size_t LcpSolver::leaving_row(std::size_t column) {
  std::size_t best = no_row;
  double min_ratio = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < size_; ++i) {
    if (at(i, column) <= min_pivot) continue;
    const double ratio = at(i, width_ - 1) / at(i, column);
    const bool is_excess = basis_[i] == 2 * size_;
    if (ratio > min_ratio || (ratio == min_ratio && !is_excess)) continue;
    min_ratio = ratio;
    best = i;
  }
  return best;
}

void LcpSolver::pivot(std::size_t row, std::size_t column) {
  const double scale = 1 / at(row, column);
  for (std::size_t j = 0; j < width_; ++j) at(row, j) *= scale;
  for (std::size_t i = 0; i < size_; ++i) {
    const double factor = at(i, column);
    if (i == row || factor == 0) continue;
    for (std::size_t j = 0; j < width_; ++j) at(i, j) -= factor * at(row, j);
  }
  basis_[row] = column;
}

template <std::size_t D>
double ContactResolution<D>::coupling(const ClosestPoint<D>& a, const ClosestPoint<D>& b) {
  return std::max(0.0, dot(a.normal, b.normal));
}

template <std::size_t D>
auto ContactResolution<D>::resolve(std::vector<ClosestPoint<D>>& points, const Sphere& sphere)
    -> const std::vector<ResolvedContact>& {
  contacts_.clear();
  if (points.empty()) return contacts_;
  if (points.size() == 1) {
    contacts_.push_back({points[0], points[0].distance - sphere.radius});
    return contacts_;
  }
  if (sphere.cutoff == sphere.contact_radius && resolve_nearest_alone(points, sphere))
    return contacts_;
  std::ranges::sort(points, comes_before<D>);
  const auto beyond = std::ranges::partition_point(points, [&](const ClosestPoint<D>& closest) {
    return closest.distance <= sphere.contact_radius;
  });
  const std::span all(points);
  const auto touching = static_cast<std::size_t>(beyond - points.begin());
  minimum_translation(all.first(touching), sphere.contact_radius, sphere.rounding_error);
  overlapping_ = active_;
  if (sphere.cutoff > sphere.contact_radius)
    minimum_translation(all, sphere.cutoff, sphere.rounding_error);
  collect_contacts(all, sphere);
  return contacts_;
}

// Fast path: in nearly all cases the nearest facet is the only contact, and nothing has to be
// sorted. The general solution below would find the same.
template <std::size_t D>
bool ContactResolution<D>::resolve_nearest_alone(std::span<const ClosestPoint<D>> points,
                                                 const Sphere& sphere) {
  const ClosestPoint<D>* nearest = points.data();
  for (const ClosestPoint<D>& closest : points.subspan(1))
    if (closest.distance < nearest->distance ||
        (closest.distance == nearest->distance && comes_before(closest, *nearest)))
      nearest = &closest;
  const double overlap = sphere.contact_radius - nearest->distance;
  const double slack = relative_slack * overlap + sphere.rounding_error;
  for (const ClosestPoint<D>& closest : points) {
    const double factor = coupling(closest, *nearest);
    const bool violated =
        closest.distance - sphere.contact_radius + factor * overlap < -slack * factor;
    if (violated && !occludes(*nearest, closest, slack)) return false;
  }
  ClosestPoint<D> closest = *nearest;
  use_lowest_element(points, closest, sphere.rounding_error);
  contacts_.push_back({closest, closest.distance - sphere.radius});
  return true;
}

// Active-set method: starts with the deepest facet and adds the most violated constraint until none
// is violated. In nearly all cases the first is sufficient.
template <std::size_t D>
void ContactResolution<D>::minimum_translation(std::span<const ClosestPoint<D>> points,
                                               double radius, double rounding) {
  active_.clear();
  if (points.empty()) return;
  const double deepest = radius - points[0].distance;
  const double slack = relative_slack * deepest + rounding;
  active_.push_back({0, deepest});
  processed_.assign(points.size(), 0);
  processed_[0] = 1;
  bool convex = true;
  for (std::size_t iteration = 0;; ++iteration) {
    const std::uint32_t worst = most_violated(points, radius, slack);
    if (worst == no_index) break;
    processed_[worst] = 1;
    if (is_occluded(points, worst, slack)) continue;
    active_.push_back({worst, 0});
    convex = convex && active_.size() < max_active && iteration < 2 * points.size() + 16 &&
             update_overlaps(points, radius);
    if (!convex) solve_complementarity(points, radius);
  }
  std::erase_if(active_, [](const ActiveContact& contact) { return contact.overlap <= 0; });
}

// The point with the most negative w_i. Rounding is tolerated only to the extent that active
// contacts are coupled to it: for an independent facet any overlap counts.
template <std::size_t D>
std::uint32_t ContactResolution<D>::most_violated(std::span<const ClosestPoint<D>> points,
                                                  double radius, double slack) const {
  std::uint32_t worst = no_index;
  double min_residual = 0;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    if (processed_[i] != 0) continue;
    double residual = points[i].distance - radius;
    double max_coupling = 0;
    for (const ActiveContact& contact : active_) {
      const double factor = coupling(points[i], points[contact.index]);
      residual += factor * contact.overlap;
      max_coupling = std::max(max_coupling, factor);
    }
    if (residual >= min_residual || residual >= -slack * max_coupling) continue;
    min_residual = residual;
    worst = i;
  }
  return worst;
}

template <std::size_t D>
bool ContactResolution<D>::is_occluded(std::span<const ClosestPoint<D>> points, std::uint32_t i,
                                       double slack) const {
  const auto is_occluded_by = [&](const ActiveContact& contact) {
    return occludes(points[contact.index], points[i], slack);
  };
  if (std::ranges::any_of(active_, is_occluded_by)) return true;
  return std::ranges::any_of(points.first(i), [&](const ClosestPoint<D>& other) {
    return other.feature == Feature::face && occludes(other, points[i], slack);
  });
}

// Solves w = 0 for the active contacts as in the nonnegative least-squares method of Lawson and
// Hanson: moves from the old to the new overlaps, and removes contacts whose overlap would become
// negative. False if G is not positive semidefinite, which shows in a negative overlap of the
// newest contact, or if the iteration cycles.
template <std::size_t D>
bool ContactResolution<D>::update_overlaps(std::span<const ClosestPoint<D>> points, double radius) {
  constexpr int max_iterations = 50;
  const std::uint32_t newest = active_.back().index;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    if (!solve_active(points, radius)) return false;
    double step = 1;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      if (trial_[i] > 0) continue;
      if (active_[i].index == newest) return false;
      step = std::min(step, active_[i].overlap / (active_[i].overlap - trial_[i]));
    }
    for (std::size_t i = 0; i < active_.size(); ++i)
      active_[i].overlap += step * (trial_[i] - active_[i].overlap);
    if (step == 1) return true;
    remove_inactive();
  }
  return false;
}

// Removes contacts whose overlap has become zero. They may be added again later.
template <std::size_t D>
void ContactResolution<D>::remove_inactive() {
  double largest = 0;
  for (const ActiveContact& contact : active_) largest = std::max(largest, contact.overlap);
  std::size_t count = 0;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    if (trial_[i] <= 0 && active_[i].overlap <= relative_slack * largest)
      processed_[active_[i].index] = 0;
    else
      active_[count++] = active_[i];
  }
  active_.resize(count);
}

// Solves G λ = d for the active contacts by Cholesky factorization; λ is in trial_. Linearly
// dependent normals, as of three contacts in 2D or four in 3D, yield a diagonal element of nearly
// zero; replacing it by a small number drives the solution toward one that drops a contact. A
// negative diagonal element is due to opposing walls; the result is then false.
template <std::size_t D>
bool ContactResolution<D>::solve_active(std::span<const ClosestPoint<D>> points, double radius) {
  const std::size_t n = active_.size();
  matrix_.assign(n * n, 0);
  trial_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const ClosestPoint<D>& closest = points[active_[i].index];
    double rhs = radius - closest.distance;
    for (std::size_t j = 0; j <= i; ++j) {
      double value = i == j ? 1 : coupling(closest, points[active_[j].index]);
      for (std::size_t k = 0; k < j; ++k) value -= matrix_[i * n + k] * matrix_[j * n + k];
      if (i == j && value < -min_diagonal) return false;
      matrix_[i * n + j] =
          i == j ? std::sqrt(std::max(value, min_diagonal)) : value / matrix_[j * n + j];
      if (j < i) rhs -= matrix_[i * n + j] * trial_[j];
    }
    trial_[i] = rhs / matrix_[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) trial_[i] -= matrix_[j * n + i] * trial_[j];
    trial_[i] /= matrix_[i * n + i];
  }
  return true;
}

// Opposing walls that share overlaps: solves the complementarity problem for all active contacts.
// From then on none is removed.
template <std::size_t D>
void ContactResolution<D>::solve_complementarity(std::span<const ClosestPoint<D>> points,
                                                 double radius) {
  const std::size_t n = active_.size();
  matrix_.resize(n * n);
  depth_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    processed_[active_[i].index] = 1;
    const ClosestPoint<D>& closest = points[active_[i].index];
    depth_[i] = radius - closest.distance;
    for (std::size_t j = 0; j < n; ++j)
      matrix_[i * n + j] = i == j ? 1 : coupling(closest, points[active_[j].index]);
  }
  if (!lcp_solver_.solve(matrix_, depth_, trial_)) relax_gauss_seidel();
  for (std::size_t i = 0; i < n; ++i) active_[i].overlap = trial_[i];
}

// Fallback: projected Gauss–Seidel iteration, with enough sweeps for a small residual.
template <std::size_t D>
void ContactResolution<D>::relax_gauss_seidel() {
  constexpr int max_iterations = 100;
  const std::size_t n = depth_.size();
  trial_.assign(n, 0);
  for (int iteration = 0; iteration < max_iterations; ++iteration)
    for (std::size_t i = 0; i < n; ++i) {
      double residual = depth_[i] + trial_[i];
      for (std::size_t j = 0; j < n; ++j) residual -= matrix_[i * n + j] * trial_[j];
      trial_[i] = std::max(0.0, residual);
    }
}

template <std::size_t D>
void ContactResolution<D>::collect_contacts(std::span<const ClosestPoint<D>> points,
                                            const Sphere& sphere) {
  for (const ActiveContact& contact : overlapping_)
    if (std::ranges::none_of(
            active_, [&](const ActiveContact& other) { return other.index == contact.index; }))
      active_.push_back(contact);
  for (const ActiveContact& contact : active_) {
    ClosestPoint<D> closest = points[contact.index];
    double gap = closest.distance - sphere.radius;
    for (const ActiveContact& other : overlapping_)
      if (other.index != contact.index)
        gap += coupling(closest, points[other.index]) * other.overlap;
    if (gap > sphere.cutoff - sphere.radius)
      continue;  // the other contacts move it out of the margin
    use_lowest_element(points, closest, sphere.rounding_error);
    contacts_.push_back({closest, gap});
  }
  std::ranges::sort(contacts_, [](const ResolvedContact& a, const ResolvedContact& b) {
    return std::tie(a.closest.element, a.closest.point) <
           std::tie(b.closest.element, b.closest.point);
  });
}

// A point on an edge or vertex belongs to several facets. The lowest element is reported, so that
// the result does not depend on the order.
template <std::size_t D>
void ContactResolution<D>::use_lowest_element(std::span<const ClosestPoint<D>> points,
                                              ClosestPoint<D>& closest, double slack) const {
  const Point<D> point = closest.point;
  for (const ClosestPoint<D>& other : points) {
    if (other.element >= closest.element || std::abs(other.distance - closest.distance) > slack)
      continue;
    const Point<D> offset = difference(other.point, point);
    if (dot(offset, offset) > slack * slack) continue;
    closest.element = other.element;
    closest.feature = other.feature;
  }
}

template class ContactResolution<2>;
template class ContactResolution<3>;

}  // namespace abut
