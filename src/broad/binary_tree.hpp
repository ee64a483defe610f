#pragma once

#include <abut/detector_options.hpp>
#include <array>
#include <cstddef>
#include <vector>

#include "broad/search_method.hpp"
#include "core/inflated_radii.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// Spatial binary tree (alternating digital tree): the bounding box of a particle is a point in 2·D
/// dimensions, its D lower and its D upper bounds. Every node is such a point and halves its region
/// of that space along one axis, the axes in turn; a query descends into the halves whose boxes may
/// overlap its own.
///
/// J. Bonet, J. Peraire, Int. J. Numer. Meth. Engng 31 (1991) 1–17; cited as the classical
/// alternative by Munjiza and by Gorokhov, Kibets, Nagornykh (2025).
/// Time O(N log N) for scattered particles of any sizes; memory one double and two indices per
/// particle.
///
/// Differs from the paper: all particles are inserted first and queried afterward, so that threads
/// can share the queries. A node always has a smaller index than its descendants; a query that
/// ignores nodes with a larger index than its own finds every pair once, as a query before each
/// insertion would.
template <std::size_t D>
class BinaryTree {
 public:
  static constexpr MethodInfo info{
      .method = Method::binary_tree,
      .name = "binary_tree",
      .demcda_number = 0,
      .paper = "Bonet, Peraire 1991",
      .time = "N log N",
      .memory = "16 N",
      .best_for = "any sizes and density; slower than cell lists",
  };

  static double bytes_needed(const SearchInput<D>& input, unsigned /*threads*/) {
    return sizeof(Node) * static_cast<double>(input.particles.size());
  }

  [[nodiscard]] std::size_t bytes() const { return sizeof(Node) * nodes_.size(); }

  static constexpr bool is_persistent = true;
  static constexpr bool supports_any_extent = true;

  template <class Counter>
  void prepare(const SearchInput<D>& input, ThreadPool& pool, Counter& counter) {
    inflated_ = InflatedRadii<D>(input.summary, input.predicate);
    nodes_.resize(input.particles.size());
    pending_.resize(pool.threads());
    const Region root = root_region(input);
    nodes_[0] = {.split = midpoint(root, 0)};
    for (Index i = 1; i < nodes_.size(); ++i)
      counter.add_examinations(insert(i, point_of(input, i), root));
  }

  template <class Driver>
  void search(const SearchInput<D>& input, Driver& driver) {
    driver.for_each_particle(input.particles.size(), [&](Index i, unsigned worker, auto& filter) {
      query(input, i, pending_[worker], filter);
    });
  }

 private:
  static constexpr std::size_t axes = 2 * D;
  using Point = std::array<double, axes>;  // lower bounds, then upper bounds
  struct Region {
    Point min;
    Point max;
  };
  struct Node {
    double split;                     // smaller values along the node's axis are in child 0
    std::array<Index, 2> children{};  // 0: none, since the root is not a child
  };
  struct PendingNode {
    Index node;
    std::size_t axis;
  };

  static std::size_t next_axis(std::size_t axis) { return axis + 1 == axes ? 0 : axis + 1; }

  // Bounds are relative to the corner of the bounding box of all particles, which keeps precision.
  [[nodiscard]] Point point_of(const SearchInput<D>& input, std::size_t i) const {
    const double radius = inflated_.radius(input.particles.radii()[i]);
    Point point;
    for (std::size_t k = 0; k < D; ++k) {
      const double x = input.particles.coordinates(k)[i] - input.summary.center_box.min[k];
      point[k] = x - radius;
      point[D + k] = x + radius;
    }
    return point;
  }

  [[nodiscard]] Region root_region(const SearchInput<D>& input) const {
    Region root;
    for (std::size_t k = 0; k < D; ++k) {
      const double width = input.summary.center_box.max[k] - input.summary.center_box.min[k];
      root.min[k] = root.min[D + k] = -inflated_.max_radius();
      root.max[k] = root.max[D + k] = width + inflated_.max_radius();
    }
    return root;
  }

  static double midpoint(const Region& region, std::size_t axis) {
    return (region.min[axis] + region.max[axis]) / 2;
  }

  // Descends to a free child; returns the number of nodes visited.
  std::size_t insert(Index i, const Point& point, Region region) {
    std::size_t axis = 0;
    std::size_t visited = 1;
    for (Index node = 0;; ++visited) {
      const double split = nodes_[node].split;
      const bool above = point[axis] >= split;
      (above ? region.min : region.max)[axis] = split;
      axis = next_axis(axis);
      Index& child = nodes_[node].children[above ? 1 : 0];
      if (child == 0) {
        child = i;
        nodes_[i] = {.split = midpoint(region, axis)};
        return visited;
      }
      node = child;
    }
  }

  // Two boxes overlap unless one begins beyond the end of the other.
  static bool overlap(const Point& a, const Point& b) {
    for (std::size_t k = 0; k < D; ++k)
      if (a[k] > b[D + k] || b[k] > a[D + k]) return false;
    return true;
  }

  // If the node splits an upper bound, all boxes of child 0 end before the split; if it splits a
  // lower bound, all boxes of child 1 begin after it.
  static bool lower_child_may_overlap(std::size_t axis, double split, const Point& box) {
    return axis < D || split >= box[axis - D];
  }
  static bool upper_child_may_overlap(std::size_t axis, double split, const Point& box) {
    return axis >= D || split <= box[axis + D];
  }

  template <class Filter>
  void query(const SearchInput<D>& input, Index i, std::vector<PendingNode>& pending,
             Filter& filter) const {
    const Point box = point_of(input, i);
    const auto defer = [&](Index node, std::size_t axis) {
      if (node != 0 && node < i) pending.push_back({node, axis});
    };
    pending.clear();
    if (i > 0) pending.push_back({0, 0});
    while (!pending.empty()) {
      const auto [node, axis] = pending.back();
      pending.pop_back();
      filter.counter().add_examinations(1);
      if (overlap(point_of(input, node), box)) filter(i, node);
      const auto& [split, children] = nodes_[node];
      if (upper_child_may_overlap(axis, split, box)) defer(children[1], next_axis(axis));
      if (lower_child_may_overlap(axis, split, box)) defer(children[0], next_axis(axis));
    }
  }

  InflatedRadii<D> inflated_;
  std::vector<Node> nodes_;
  std::vector<std::vector<PendingNode>> pending_;  // one stack per thread
};

}  // namespace abut
