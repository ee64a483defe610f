// FCL: signed distance of two convex polytopes.
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/distance.h>

#include "libraries/body_library.hpp"
#include "narrow/polyhedron_topology.hpp"

namespace abut {
namespace {

std::shared_ptr<fcl::Convexd> convex(const PolyhedronView& body) {
  const auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  for (const Point<3>& x : body.vertices) vertices->emplace_back(x[0], x[1], x[2]);
  const auto faces = std::make_shared<std::vector<int>>();
  const PolyhedronTopology& topology = *body.topology;
  for (Index face = 0; face < topology.face_count(); ++face) {
    faces->push_back(
        static_cast<int>(topology.face_offsets[face + 1] - topology.face_offsets[face]));
    for (Index h = topology.face_offsets[face]; h < topology.face_offsets[face + 1]; ++h)
      faces->push_back(static_cast<int>(topology.half_edges[h].origin));
  }
  return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(topology.face_count()), faces);
}

class Fcl : public PolyhedronLibrary {
 public:
  [[nodiscard]] std::string_view name() const override { return "FCL signed distance"; }
  [[nodiscard]] bool measures_distance() const override { return true; }
  void load(std::span<const std::array<PolyhedronView, 2>> pairs) override {
    pairs_.clear();
    for (const std::array<PolyhedronView, 2>& pair : pairs)
      pairs_.emplace_back(std::make_unique<fcl::CollisionObjectd>(convex(pair[0])),
                          std::make_unique<fcl::CollisionObjectd>(convex(pair[1])));
  }
  void find(std::vector<LibraryGap>& gaps) override {
    gaps.clear();
    for (const auto& [a, b] : pairs_) {
      fcl::DistanceRequestd request;
      request.enable_signed_distance = true;
      request.distance_tolerance = 1e-6;
      fcl::DistanceResultd result;
      fcl::distance(a.get(), b.get(), request, result);
      gaps.push_back({result.min_distance < 0, result.min_distance});
    }
  }

 private:
  using Object = std::unique_ptr<fcl::CollisionObjectd>;
  std::vector<std::pair<Object, Object>> pairs_;
};

}  // namespace

std::unique_ptr<PolyhedronLibrary> make_fcl() { return std::make_unique<Fcl>(); }

}  // namespace abut
