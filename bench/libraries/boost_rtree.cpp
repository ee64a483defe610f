// Boost.Geometry: an R-tree, bulk-loaded from the bounding boxes of all particles, with a query for
// the boxes that intersect that of each particle.
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <optional>

#include "libraries/boxes.hpp"
#include "libraries/library.hpp"
#include "libraries/pair_predicate.hpp"
#include "libraries/queries.hpp"

namespace abut {
namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

template <std::size_t D>
class BoostRtree : public Library<D> {
 public:
  explicit BoostRtree(unsigned threads) : queries_(threads) {}

  void find(const Spheres<D>& particles, std::vector<Pair>& pairs) override {
    const Boxes<D> boxes(particles);
    const PairPredicate<D> predicate(particles);
    values_.clear();
    values_.reserve(particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i)
      values_.emplace_back(as_box(boxes.of(i)), static_cast<Index>(i));
    tree_.emplace(values_.begin(), values_.end());
    queries_.run(particles.size(), pairs, [&](Index i, std::vector<Pair>& list) {
      const auto test = [&](const Value& other) {
        if (i < other.second) predicate.test(i, other.second, list);
      };
      tree_->query(bgi::intersects(values_[i].first), boost::make_function_output_iterator(test));
    });
  }

  void reset() override {
    tree_.reset();
    values_ = {};
  }

 private:
  using Point = bg::model::point<double, D, bg::cs::cartesian>;
  using Bounds = bg::model::box<Point>;
  using Value = std::pair<Bounds, Index>;
  using Tree = bgi::rtree<Value, bgi::rstar<16>>;

  static Bounds as_box(const Box<D>& box) {
    Bounds bounds;
    set<0>(bounds, box);
    set<1>(bounds, box);
    if constexpr (D == 3) set<2>(bounds, box);
    return bounds;
  }
  template <std::size_t K>
  static void set(Bounds& bounds, const Box<D>& box) {
    bg::set<bg::min_corner, K>(bounds, box.min[K]);
    bg::set<bg::max_corner, K>(bounds, box.max[K]);
  }

  Queries queries_;
  std::vector<Value> values_;
  std::optional<Tree> tree_;
};

}  // namespace

template <std::size_t D>
std::unique_ptr<Library<D>> make_boost_rtree(unsigned threads) {
  return std::make_unique<BoostRtree<D>>(threads);
}
template std::unique_ptr<Library<2>> make_boost_rtree(unsigned);
template std::unique_ptr<Library<3>> make_boost_rtree(unsigned);

}  // namespace abut
