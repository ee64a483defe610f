// nanoflann: a kd-tree of the centers, with a radius query for each particle.
#include <algorithm>
#include <nanoflann.hpp>

#include "libraries/boxes.hpp"
#include "libraries/library.hpp"
#include "libraries/queries.hpp"

namespace abut {
namespace {

// Adaptor that nanoflann reads the points from; nanoflann prescribes the names of its functions.
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

// Collects the touching neighbors of one particle. The larger particle of a pair finds the smaller
// one, so that the query radius depends on its own size only; of two equal ones the first does. The
// tree sums squared distances in the order of abut's predicate, so they are not computed again.
template <std::size_t D>
class NeighborCollector {
 public:
  NeighborCollector(Index particle, double query_radius, const Cloud<D>& cloud,
                    const ContactPredicate<D>& predicate, std::vector<Pair>& pairs)
      : particle_(particle),
        radius_(cloud.points[particle].radius),
        max_squared_distance_(query_radius * query_radius * (1 + rounding)),
        cloud_(cloud),
        predicate_(predicate),
        pairs_(pairs) {}
  [[nodiscard]] std::size_t size() const { return 0; }
  [[nodiscard]] bool full() const { return true; }
  [[nodiscard]] double worstDist() const { return max_squared_distance_; }
  bool addPoint(double squared_distance, Index other) {
    const double radius = cloud_.points[other].radius;
    if (radius > radius_ || (radius == radius_ && other <= particle_)) return true;
    const double cutoff = predicate_.cutoff(radius_, radius);
    if (squared_distance <= cutoff * cutoff)
      pairs_.push_back({std::min(particle_, other), std::max(particle_, other)});
    return true;
  }

 private:
  static constexpr double rounding = 1e-9;  // exceeds the rounding errors of the tree's pruning
  Index particle_;
  double radius_;
  double max_squared_distance_;
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
    tree_ = std::make_unique<Tree>(static_cast<int>(D), cloud_, leaf_size);  // builds the tree
    const Boxes<D> boxes(particles);
    const ContactPredicate<D> predicate(particles, {});
    // In the order of the tree, so that subsequent queries find their points in the cache.
    queries_.run(particles.size(), pairs, [&](Index position, std::vector<Pair>& list) {
      const Index i = tree_->vAcc[position];
      NeighborCollector<D> neighbors(i, boxes.max_distance(i), cloud_, predicate, list);
      tree_->findNeighbors(neighbors, cloud_.points[i].x.data(), nanoflann::SearchParams());
    });
  }

  void reset() override {
    tree_.reset();
    cloud_.points = {};
  }

 private:
  using Metric = nanoflann::L2_Simple_Adaptor<double, Cloud<D>, double, Index>;
  using Tree = nanoflann::KDTreeSingleIndexAdaptor<Metric, Cloud<D>, static_cast<int>(D), Index>;
  // Maximum number of points per leaf. The default is 10; 40 is faster in the scenes of the
  // benchmark.
  inline static const nanoflann::KDTreeSingleIndexAdaptorParams leaf_size{40};
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
