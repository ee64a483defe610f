// Bullet: btGjkPairDetector, GJK with EPA for overlaps, on convex hulls without margin. Single
// precision.
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include "libraries/body_library.hpp"

namespace abut {
namespace {

// Vertices relative to the centroid, for the best accuracy in single precision.
std::unique_ptr<btConvexHullShape> hull(const PolyhedronView& body) {
  auto shape = std::make_unique<btConvexHullShape>();
  const auto local = [&](const Point<3>& vertex, std::size_t k) {
    return static_cast<btScalar>(vertex[k] - body.centroid[k]);
  };
  for (const Point<3>& vertex : body.vertices)
    shape->addPoint({local(vertex, 0), local(vertex, 1), local(vertex, 2)}, false);
  shape->recalcLocalAabb();
  shape->setMargin(0);
  return shape;
}

btTransform translation_to_centroid(const PolyhedronView& body) {
  btTransform transform;
  transform.setIdentity();
  transform.setOrigin({static_cast<btScalar>(body.centroid[0]),
                       static_cast<btScalar>(body.centroid[1]),
                       static_cast<btScalar>(body.centroid[2])});
  return transform;
}

class BulletGjk : public PolyhedronLibrary {
 public:
  [[nodiscard]] std::string_view name() const override { return "Bullet GJK+EPA (float)"; }
  [[nodiscard]] bool measures_distance() const override { return true; }
  void load(std::span<const std::array<PolyhedronView, 2>> pairs) override {
    pairs_.clear();
    for (const auto& [a, b] : pairs) {
      BulletPair pair{hull(a), hull(b), {}};
      pair.input.m_transformA = translation_to_centroid(a);
      pair.input.m_transformB = translation_to_centroid(b);
      pairs_.push_back(std::move(pair));
    }
  }
  void find(std::vector<LibraryGap>& gaps) override {
    gaps.clear();
    for (const BulletPair& pair : pairs_) {
      btGjkPairDetector detector(pair.a.get(), pair.b.get(), &simplex_, &depth_);
      btPointCollector result;
      detector.getClosestPoints(pair.input, result, nullptr);
      gaps.push_back({result.m_hasResult && result.m_distance < 0, result.m_distance});
    }
  }

 private:
  struct BulletPair {
    std::unique_ptr<btConvexHullShape> a;
    std::unique_ptr<btConvexHullShape> b;
    btGjkPairDetector::ClosestPointInput input;
  };
  std::vector<BulletPair> pairs_;
  btVoronoiSimplexSolver simplex_;
  btGjkEpaPenetrationDepthSolver depth_;
};

}  // namespace

std::unique_ptr<PolyhedronLibrary> make_bullet_gjk() { return std::make_unique<BulletGjk>(); }

}  // namespace abut
