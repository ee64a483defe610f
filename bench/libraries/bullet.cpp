// Bullet: btDbvtBroadphase, a dynamic tree of bounding boxes that is updated for moving particles
// and maintains the list of overlapping boxes. Single precision, one thread.
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <utility>

#include "libraries/boxes.hpp"
#include "libraries/library.hpp"
#include "libraries/pair_predicate.hpp"

namespace abut {
namespace {

btVector3 vector(const std::array<float, 3>& x) { return {x[0], x[1], x[2]}; }

// Proxies of a new tree are numbered from 1, in the order of creation, which is that of particles.
Index index_of(const btBroadphaseProxy& proxy) { return static_cast<Index>(proxy.getUid() - 1); }

template <std::size_t D>
class Bullet : public Library<D> {
 public:
  ~Bullet() override { clear(); }

  void find(const Spheres<D>& particles, std::vector<Pair>& pairs) override {
    check_single_precision("bullet", particles);
    const Boxes<D> boxes(particles);
    if (proxies_.size() == particles.size() && tree_)
      move(boxes);
    else
      build(particles.size(), boxes);
    tree_->calculateOverlappingPairs(nullptr);
    const PairPredicate<D> predicate(particles);
    pairs.clear();
    const btBroadphasePairArray& overlaps =
        tree_->getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < overlaps.size(); ++i)
      predicate.test(index_of(*overlaps[i].m_pProxy0), index_of(*overlaps[i].m_pProxy1), pairs);
  }

  void reset() override { clear(); }

 private:
  void build(std::size_t particles, const Boxes<D>& boxes) {
    clear();
    tree_ = std::make_unique<btDbvtBroadphase>();
    for (std::size_t i = 0; i < particles; ++i) {
      const FloatBox box = rounded_outward(boxes.of(i));
      proxies_.push_back(
          tree_->createProxy(vector(box.min), vector(box.max), 0, nullptr, 1, 1, nullptr));
    }
  }

  void move(const Boxes<D>& boxes) {
    for (std::size_t i = 0; i < proxies_.size(); ++i) {
      const FloatBox box = rounded_outward(boxes.of(i));
      tree_->setAabb(proxies_[i], vector(box.min), vector(box.max), nullptr);
    }
  }

  // Destroying a proxy searches the whole list of pairs; replacing the list by an empty one avoids
  // this quadratic cost.
  void clear() {
    if (!tree_) return;
    btNullPairCache empty;
    btOverlappingPairCache* const pair_cache = std::exchange(tree_->m_paircache, &empty);
    for (btBroadphaseProxy* proxy : proxies_) tree_->destroyProxy(proxy, nullptr);
    tree_->m_paircache = pair_cache;
    tree_.reset();
    proxies_ = {};
  }

  std::unique_ptr<btDbvtBroadphase> tree_;
  std::vector<btBroadphaseProxy*> proxies_;
};

}  // namespace

template <std::size_t D>
std::unique_ptr<Library<D>> make_bullet(unsigned /*threads*/) {
  return std::make_unique<Bullet<D>>();
}
template std::unique_ptr<Library<2>> make_bullet(unsigned);
template std::unique_ptr<Library<3>> make_bullet(unsigned);

}  // namespace abut
