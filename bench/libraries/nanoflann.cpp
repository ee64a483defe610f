// nanoflann: a kd-tree over the centres, asked for the neighbourhood of each particle.
#include <algorithm>
#include <nanoflann.hpp>

#include "libraries/boxes.hpp"
#include "libraries/library.hpp"
#include "libraries/queries.hpp"

namespace abut {
namespace {

// The points as nanoflann likes them, all of one together; the names are its own.
template <std::size_t D>
struct Cloud {
  struct Point {
    std::array<double, D> x;
    double radius;
  };
  std::vector<Point> points;

  [[nodiscard]] std::size_t kdtree_get_point_count() const { return points.size(); }
  [[nodiscard]] double kdtree_get_pt(std::size_t i, std::size_t k) const { return points[i].x[k]; }
  template <class Bounds>
  bool kdtree_get_bbox(Bounds&) const {
    return false;
  }
};

// Takes what the tree finds around one particle. The larger of two finds the smaller, so that the
// neighbourhood need not reach to where the largest of all might be; of equals the first. The tree
// adds the squares of a distance in the order of the predicate, so they need not be added again.
template <std::size_t D>
class NeighborCollector {
 public:
  NeighborCollector(Index centre, double around, const Cloud<D>& cloud,
                    const ContactPredicate<D>& reach, std::vector<Pair>& pairs)
      : center_(centre),
        own_(cloud.points[centre].radius),
        worst_(around * around * (1 + rounding)),
        cloud_(cloud),
        predicate_(reach),
        pairs_(pairs) {}
  [[nodiscard]] std::size_t size() const { return 0; }
  [[nodiscard]] bool full() const { return true; }
  [[nodiscard]] double worstDist() const { return worst_; }
  bool addPoint(double squared_distance, Index other) {
    const double radius = cloud_.points[other].radius;
    if (radius > own_ || (radius == own_ && other <= center_)) return true;
    const double reach = predicate_.cutoff(own_, radius);
    if (squared_distance <= reach * reach)
      pairs_.push_back({std::min(center_, other), std::max(center_, other)});
    return true;
  }

 private:
  static constexpr double rounding = 1e-9;  // far more than that of what the tree prunes by
  Index center_;
  double own_;
  double worst_;
  const Cloud<D>& cloud_;
  const ContactPredicate<D>& predicate_;
  std::vector<Pair>& pairs_;
};

template <std::size_t D>
class Nanoflann : public Library<D> {
 public:
  explicit Nanoflann(unsigned threads) : queries_(threads) {}

  void find(const Spheres<D>& particles, std::vector<Pair>& pairs) override {
    tree_.reset();
    pairs.clear();
    if (particles.size() == 0) return;
    cloud_.points.resize(particles.size());
    for (std::size_t k = 0; k < D; ++k)
      for (std::size_t i = 0; i < particles.size(); ++i)
        cloud_.points[i].x[k] = particles.coordinates(k)[i];
    for (std::size_t i = 0; i < particles.size(); ++i)
      cloud_.points[i].radius = particles.radii()[i];
    tree_ = std::make_unique<Tree>(static_cast<int>(D), cloud_, leaf);  // builds
    const Boxes<D> boxes(particles);
    const ContactPredicate<D> reach(particles, {});
    // In the order of the tree, so that one query finds in the cache what the last one looked at.
    queries_.run(particles.size(), pairs, [&](Index at, std::vector<Pair>& list) {
      const Index i = tree_->vAcc[at];
      NeighborCollector<D> neighbours(i, boxes.around(i), cloud_, reach, list);
      tree_->findNeighbors(neighbours, cloud_.points[i].x.data(), nanoflann::SearchParams());
    });
  }

  void reset() override {
    tree_.reset();
    cloud_.points = {};
  }

 private:
  using Metric = nanoflann::L2_Simple_Adaptor<double, Cloud<D>, double, Index>;
  using Tree = nanoflann::KDTreeSingleIndexAdaptor<Metric, Cloud<D>, static_cast<int>(D), Index>;
  // How many points a leaf may hold: 10 unless one says otherwise; on these scenes 40 is faster.
  inline static const nanoflann::KDTreeSingleIndexAdaptorParams leaf{40};
  Queries queries_;
  Cloud<D> cloud_;
  std::unique_ptr<Tree> tree_;
};

}  // namespace

template <std::size_t D>
std::unique_ptr<Library<D>> make_nanoflann(unsigned threads) {
  return std::make_unique<Nanoflann<D>>(threads);
}
template std::unique_ptr<Library<2>> make_nanoflann(unsigned);
template std::unique_ptr<Library<3>> make_nanoflann(unsigned);

}  // namespace abut
