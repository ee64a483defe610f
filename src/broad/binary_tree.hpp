#pragma once

#include <abut/method.hpp>
#include <array>
#include <cstddef>
#include <vector>

#include "broad/task.hpp"
#include "core/body.hpp"
#include "core/sweep.hpp"

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
      .number = 0,
      .paper = "Bonet, Peraire 1991",
      .time = "N log N",
      .memory = "16 N",
      .use = "any sizes, any density; slower than lists of cells",
  };

  static double bytes_needed(const Task<D>& task, unsigned /*threads*/) {
    return sizeof(Node) * static_cast<double>(task.particles.size());
  }

  [[nodiscard]] std::size_t bytes() const { return sizeof(Node) * nodes_.size(); }

  static constexpr bool lasting = true;
  static constexpr bool any_extent = true;

  template <class Counter>
  void prepare(const Task<D>& task, ThreadPool& pool, Counter& counter) {
    body_ = Body<D>(task.survey, task.reach);
    nodes_.resize(task.particles.size());
    pending_.resize(pool.threads());
    const Region whole = whole_space(task);
    nodes_[0] = {.middle = middle_of(whole, 0)};
    for (Index i = 1; i < nodes_.size(); ++i)
      counter.examinations(insert(i, point_of(task, i), whole));
  }

  template <class Sweep>
  void search(const Task<D>& task, Sweep& sweep) {
    sweep.each(task.particles.size(), [&](Index i, unsigned worker, auto& judge) {
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
    double middle;                  // what is below it along the node's axis is in the first half
    std::array<Index, 2> halves{};  // 0 is none: the root is below nobody
  };
  struct Pending {
    Index node;
    std::size_t axis;
  };

  static std::size_t axis_after(std::size_t axis) { return axis + 1 == axes ? 0 : axis + 1; }

  // Ends are measured from a corner of the box, where they keep their digits.
  [[nodiscard]] Point point_of(const Task<D>& task, std::size_t i) const {
    const double radius = body_.radius(task.particles.radius()[i]);
    Point point;
    for (std::size_t k = 0; k < D; ++k) {
      const double x = task.particles.axis(k)[i] - task.survey.box.min[k];
      point[k] = x - radius;
      point[D + k] = x + radius;
    }
    return point;
  }

  [[nodiscard]] Region whole_space(const Task<D>& task) const {
    Region whole;
    for (std::size_t k = 0; k < D; ++k) {
      const double width = task.survey.box.max[k] - task.survey.box.min[k];
      whole.min[k] = whole.min[D + k] = -body_.largest();
      whole.max[k] = whole.max[D + k] = width + body_.largest();
    }
    return whole;
  }

  static double middle_of(const Region& region, std::size_t axis) {
    return (region.min[axis] + region.max[axis]) / 2;
  }

  // Descends to a place that is free; returns how many nodes it passed.
  std::size_t insert(Index i, const Point& point, Region region) {
    std::size_t axis = 0;
    std::size_t passed = 1;
    for (Index node = 0;; ++passed) {
      const double middle = nodes_[node].middle;
      const bool above = point[axis] >= middle;
      (above ? region.min : region.max)[axis] = middle;
      axis = axis_after(axis);
      Index& half = nodes_[node].halves[above ? 1 : 0];
      if (half == 0) {
        half = i;
        nodes_[i] = {.middle = middle_of(region, axis)};
        return passed;
      }
      node = half;
    }
  }

  // Two boxes meet when each begins before the other ends.
  static bool meet(const Point& a, const Point& b) {
    for (std::size_t k = 0; k < D; ++k)
      if (a[k] > b[D + k] || b[k] > a[D + k]) return false;
    return true;
  }

  // All boxes in the first half end before the middle, or all in the second begin after it: then
  // one half may be out of reach.
  static bool first_half_may_meet(std::size_t axis, double middle, const Point& box) {
    return axis < D || middle >= box[axis - D];
  }
  static bool second_half_may_meet(std::size_t axis, double middle, const Point& box) {
    return axis >= D || middle <= box[axis + D];
  }

  template <class Judge>
  void look_up(const Task<D>& task, Index i, std::vector<Pending>& pending, Judge& judge) const {
    const Point box = point_of(task, i);
    const auto wait = [&](Index node, std::size_t axis) {
      if (node != 0 && node < i) pending.push_back({node, axis});
    };
    pending.clear();
    if (i > 0) pending.push_back({0, 0});
    while (!pending.empty()) {
      const auto [node, axis] = pending.back();
      pending.pop_back();
      judge.counter().examinations(1);
      if (meet(point_of(task, node), box)) judge(i, node);
      const auto& [middle, halves] = nodes_[node];
      if (second_half_may_meet(axis, middle, box)) wait(halves[1], axis_after(axis));
      if (first_half_may_meet(axis, middle, box)) wait(halves[0], axis_after(axis));
    }
  }

  Body<D> body_;
  std::vector<Node> nodes_;
  std::vector<std::vector<Pending>> pending_;  // one stack for each thread
};

}  // namespace abut
