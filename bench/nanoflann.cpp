// nanoflann: a kd-tree over the centres, asked for the neighbourhood of each particle.
#include <nanoflann.hpp>

#include "bench/boxes.hpp"
#include "bench/judge.hpp"
#include "bench/libraries.hpp"
#include "bench/queries.hpp"

namespace abut {
namespace {

// How nanoflann sees the caller's arrays; the names are its own.
template <std::size_t D>
struct Cloud {
  Spheres<D> particles;
  [[nodiscard]] std::size_t kdtree_get_point_count() const { return particles.size(); }
  [[nodiscard]] double kdtree_get_pt(std::size_t i, std::size_t k) const {
    return particles.axis(k)[i];
  }
  template <class Bounds>
  bool kdtree_get_bbox(Bounds&) const {
    return false;
  }
};

// Takes what the tree finds around one particle. The larger of two finds the smaller, so that the
// neighbourhood need not reach to where the largest of all might be; of equals the first.
template <std::size_t D>
class Neighbours {
 public:
  Neighbours(Index centre, const Boxes<D>& boxes, const Judge<D>& judge, const double* radius,
             std::vector<Pair>& pairs)
      : centre_(centre), judge_(judge), radius_(radius), pairs_(pairs) {
    constexpr double rounding = 1e-9;  // the tree adds its squares in another order
    const double around = boxes.around(centre);
    worst_ = around * around * (1 + rounding);
  }
  [[nodiscard]] std::size_t size() const { return 0; }
  [[nodiscard]] bool full() const { return true; }
  [[nodiscard]] double worstDist() const { return worst_; }
  bool addPoint(double /*squared distance*/, Index other) {
    const double own = radius_[centre_];
    if (radius_[other] < own || (radius_[other] == own && centre_ < other))
      judge_.offer(centre_, other, pairs_);
    return true;
  }

 private:
  Index centre_;
  const Judge<D>& judge_;
  const double* radius_;
  std::vector<Pair>& pairs_;
  double worst_;
};

template <std::size_t D>
class Nanoflann : public Peer<D> {
 public:
  explicit Nanoflann(unsigned threads) : queries_(threads) {}

  void find(const Spheres<D>& particles, std::vector<Pair>& pairs) override {
    forget();
    pairs.clear();
    if (particles.size() == 0) return;
    cloud_ = {particles};
    tree_ = std::make_unique<Tree>(static_cast<int>(D), cloud_);  // builds
    const Boxes<D> boxes(particles);
    const Judge<D> judge(particles);
    queries_.run(particles.size(), pairs, [&](Index i, std::vector<Pair>& list) {
      std::array<double, D> centre;
      for (std::size_t k = 0; k < D; ++k) centre[k] = particles.axis(k)[i];
      Neighbours<D> neighbours(i, boxes, judge, particles.radius().data(), list);
      tree_->findNeighbors(neighbours, centre.data(), nanoflann::SearchParams());
    });
  }

  void forget() override { tree_.reset(); }

 private:
  using Metric = nanoflann::L2_Simple_Adaptor<double, Cloud<D>, double, Index>;
  using Tree = nanoflann::KDTreeSingleIndexAdaptor<Metric, Cloud<D>, static_cast<int>(D), Index>;
  Queries queries_;
  Cloud<D> cloud_;
  std::unique_ptr<Tree> tree_;
};

}  // namespace

template <std::size_t D>
std::unique_ptr<Peer<D>> make_nanoflann(unsigned threads) {
  return std::make_unique<Nanoflann<D>>(threads);
}
template std::unique_ptr<Peer<2>> make_nanoflann(unsigned);
template std::unique_ptr<Peer<3>> make_nanoflann(unsigned);

}  // namespace abut
