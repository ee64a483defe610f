#pragma once

#include <abut/detector_options.hpp>
#include <array>
#include <cstddef>
#include <vector>

#include "broad/search_input.hpp"
#include "core/inflated_radii.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// Spatial binary tree (alternating digital tree): the box around a particle is a point in 2·D
/// dimensions, its lower ends and its upper ends. Every node is such a point and halves its part
/// of that space along one axis, the axes taking turns; a query walks the halves it can meet.
///
/// J. Bonet, J. Peraire, Int. J. Numer. Meth. Engng 31 (1991) 1–17; named as the classical peer by
/// Munjiza and by Gorokhov, Kibets, Nagornykh (2025).
/// Time N log N for particles spread out, whatever their sizes; memory a number and two links a
/// particle.
///
/// Different from the paper: all particles are put into the tree first and then looked up, which
/// threads can share. A node is always older than those below it, so a lookup that passes over
/// nodes younger than its own particle meets every pair once, as a lookup before insertion would.
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
      .best_for = "any sizes, any density; slower than lists of cells",
  };

  static double bytes_needed(const SearchInput<D>& task, unsigned /*threads*/) {
    return sizeof(Node) * static_cast<double>(task.particles.size());
  }

  [[nodiscard]] std::size_t bytes() const { return sizeof(Node) * nodes_.size(); }

  static constexpr bool is_persistent = true;
  static constexpr bool supports_any_extent = true;

  template <class Counter>
  void prepare(const SearchInput<D>& task, ThreadPool& pool, Counter& counter) {
    inflated_ = InflatedRadii<D>(task.summary, task.predicate);
    nodes_.resize(task.particles.size());
    pending_.resize(pool.threads());
    const Region whole = root_region(task);
    nodes_[0] = {.split = midpoint(whole, 0)};
    for (Index i = 1; i < nodes_.size(); ++i)
      counter.add_examinations(insert(i, point_of(task, i), whole));
  }

  template <class Sweep>
  void search(const SearchInput<D>& task, Sweep& sweep) {
    sweep.for_each_particle(task.particles.size(), [&](Index i, unsigned worker, auto& judge) {
      look_up(task, i, pending_[worker], judge);
    });
  }

 private:
  static constexpr std::size_t axes = 2 * D;
  using Point = std::array<double, axes>;  // lower ends, then upper ends
  struct Region {
    Point min;
    Point max;
  };
  struct Node {
    double split;                     // what is below it along the node's axis is in the first half
    std::array<Index, 2> children{};  // 0 is none: the root is below nobody
  };
  struct PendingNode {
    Index node;
    std::size_t axis;
  };

  static std::size_t next_axis(std::size_t axis) { return axis + 1 == axes ? 0 : axis + 1; }

  // Ends are measured from a corner of the box, where they keep their digits.
  [[nodiscard]] Point point_of(const SearchInput<D>& task, std::size_t i) const {
    const double radius = inflated_.radius(task.particles.radii()[i]);
    Point point;
    for (std::size_t k = 0; k < D; ++k) {
      const double x = task.particles.coordinates(k)[i] - task.summary.center_box.min[k];
      point[k] = x - radius;
      point[D + k] = x + radius;
    }
    return point;
  }

  [[nodiscard]] Region root_region(const SearchInput<D>& task) const {
    Region whole;
    for (std::size_t k = 0; k < D; ++k) {
      const double width = task.summary.center_box.max[k] - task.summary.center_box.min[k];
      whole.min[k] = whole.min[D + k] = -inflated_.max_radius();
      whole.max[k] = whole.max[D + k] = width + inflated_.max_radius();
    }
    return whole;
  }

  static double midpoint(const Region& region, std::size_t axis) {
    return (region.min[axis] + region.max[axis]) / 2;
  }

  // Descends to a place that is free; returns how many nodes it passed.
  std::size_t insert(Index i, const Point& point, Region region) {
    std::size_t axis = 0;
    std::size_t passed = 1;
    for (Index node = 0;; ++passed) {
      const double middle = nodes_[node].split;
      const bool above = point[axis] >= middle;
      (above ? region.min : region.max)[axis] = middle;
      axis = next_axis(axis);
      Index& half = nodes_[node].children[above ? 1 : 0];
      if (half == 0) {
        half = i;
        nodes_[i] = {.split = midpoint(region, axis)};
        return passed;
      }
      node = half;
    }
  }

  // Two boxes meet when each begins before the other ends.
  static bool overlap(const Point& a, const Point& b) {
    for (std::size_t k = 0; k < D; ++k)
      if (a[k] > b[D + k] || b[k] > a[D + k]) return false;
    return true;
  }

  // All boxes in the first half end before the middle, or all in the second begin after it: then
  // one half may be out of reach.
  static bool lower_child_may_overlap(std::size_t axis, double middle, const Point& box) {
    return axis < D || middle >= box[axis - D];
  }
  static bool upper_child_may_overlap(std::size_t axis, double middle, const Point& box) {
    return axis >= D || middle <= box[axis + D];
  }

  template <class Judge>
  void look_up(const SearchInput<D>& task, Index i, std::vector<PendingNode>& pending,
               Judge& judge) const {
    const Point box = point_of(task, i);
    const auto wait = [&](Index node, std::size_t axis) {
      if (node != 0 && node < i) pending.push_back({node, axis});
    };
    pending.clear();
    if (i > 0) pending.push_back({0, 0});
    while (!pending.empty()) {
      const auto [node, axis] = pending.back();
      pending.pop_back();
      judge.counter().add_examinations(1);
      if (overlap(point_of(task, node), box)) judge(i, node);
      const auto& [split, children] = nodes_[node];
      if (upper_child_may_overlap(axis, split, box)) wait(children[1], next_axis(axis));
      if (lower_child_may_overlap(axis, split, box)) wait(children[0], next_axis(axis));
    }
  }

  InflatedRadii<D> inflated_;
  std::vector<Node> nodes_;
  std::vector<std::vector<PendingNode>> pending_;  // one stack for each thread
};

}  // namespace abut
