// Box2D: b2Distance (GJK), without cache or starting from the last simplex, and b2CollidePolygons
// (separating axes and clipping). Single precision. Box2D transforms the polygons in every call;
// here the transform is the identity.
#include <box2d/b2_collision.h>
#include <box2d/b2_distance.h>
#include <box2d/b2_polygon_shape.h>

#include <algorithm>
#include <vector>

#include "libraries/body_library.hpp"

namespace abut {
namespace {

using Pairs = std::span<const std::array<PolygonView, 2>>;

b2PolygonShape shape_of(const PolygonView& view) {
  std::array<b2Vec2, b2_maxPolygonVertices> vertices;
  std::ranges::transform(view.vertices, vertices.begin(), [](const Point<2>& vertex) {
    return b2Vec2(static_cast<float>(vertex[0]), static_cast<float>(vertex[1]));
  });
  b2PolygonShape shape;
  shape.Set(vertices.data(), static_cast<int32>(view.vertices.size()));
  return shape;
}

class Box2d : public PolygonLibrary {
 public:
  void load(Pairs previous, Pairs current) override {
    load(previous);
    caches_.assign(previous.size(), {});
    for (std::size_t i = 0; i < previous.size(); ++i) (void)distance(i, caches_[i]);
    load(current);
  }

  void distances(std::span<float> results) override {
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      b2SimplexCache cache{};
      results[i] = distance(i, cache);
    }
  }

  void cached_distances(std::span<float> results) override {
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      b2SimplexCache cache = caches_[i];  // every call starts from the same state
      results[i] = distance(i, cache);
    }
  }

  void contact_counts(std::span<int> results) override {
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      b2Manifold manifold;
      b2CollidePolygons(&manifold, &shapes_[i][0], origin_, &shapes_[i][1], origin_);
      results[i] = manifold.pointCount;
    }
  }

  [[nodiscard]] double skin() const override { return 2 * b2_polygonRadius; }

 private:
  void load(Pairs pairs) {
    shapes_.clear();
    for (const auto& [a, b] : pairs) shapes_.push_back({shape_of(a), shape_of(b)});
  }

  float distance(std::size_t i, b2SimplexCache& cache) const {
    b2DistanceInput input;
    input.proxyA.Set(&shapes_[i][0], 0);
    input.proxyB.Set(&shapes_[i][1], 0);
    input.transformA = origin_;
    input.transformB = origin_;
    input.useRadii = false;
    b2DistanceOutput output;
    b2Distance(&output, &cache, &input);
    return output.distance;
  }

  const b2Transform origin_{b2Vec2(0, 0), b2Rot(0)};
  std::vector<std::array<b2PolygonShape, 2>> shapes_;
  std::vector<b2SimplexCache> caches_;
};

}  // namespace

__attribute__((visibility("default"))) std::unique_ptr<PolygonLibrary> make_box2d() {
  return std::make_unique<Box2d>();
}

}  // namespace abut
