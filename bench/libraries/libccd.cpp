// libccd: Minkowski portal refinement, and GJK with EPA. The support function tests all vertices,
// as in the examples of libccd. Measures overlaps only.
#include <ccd/ccd.h>

#include "libraries/body_library.hpp"

namespace abut {
namespace {

void support_point(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* result) {
  const auto& body = *static_cast<const PolyhedronView*>(object);
  const double x = direction->v[0];
  const double y = direction->v[1];
  const double z = direction->v[2];
  const Point<3>* best = nullptr;
  double max_projection = 0;
  for (const Point<3>& vertex : body.vertices) {
    const double projection = vertex[0] * x + vertex[1] * y + vertex[2] * z;
    if (best != nullptr && projection <= max_projection) continue;
    best = &vertex;
    max_projection = projection;
  }
  ccdVec3Set(result, (*best)[0], (*best)[1], (*best)[2]);
}

void center(const void* object, ccd_vec3_t* result) {
  const Point<3>& x = static_cast<const PolyhedronView*>(object)->centroid;
  ccdVec3Set(result, x[0], x[1], x[2]);
}

class Libccd : public PolyhedronLibrary {
 public:
  explicit Libccd(bool portal_refinement) : portal_refinement_(portal_refinement) {
    CCD_INIT(&settings_);
    settings_.support1 = settings_.support2 = support_point;
    settings_.center1 = settings_.center2 = center;
    settings_.max_iterations = 100;
    settings_.mpr_tolerance = 1e-6;
    settings_.epa_tolerance = 1e-6;
  }
  [[nodiscard]] std::string_view name() const override {
    return portal_refinement_ ? "libccd MPR" : "libccd GJK+EPA";
  }
  [[nodiscard]] bool measures_distance() const override { return false; }
  void load(std::span<const std::array<PolyhedronView, 2>> pairs) override {
    pairs_.assign(pairs.begin(), pairs.end());
  }
  void find(std::vector<LibraryGap>& gaps) override {
    gaps.clear();
    const auto penetration = portal_refinement_ ? ccdMPRPenetration : ccdGJKPenetration;
    for (const std::array<PolyhedronView, 2>& pair : pairs_) {
      ccd_real_t depth = 0;
      ccd_vec3_t direction;
      ccd_vec3_t position;
      const bool overlap =
          penetration(&pair[0], &pair[1], &settings_, &depth, &direction, &position) == 0;
      gaps.push_back({overlap, -depth});
    }
  }

 private:
  bool portal_refinement_;
  ccd_t settings_;
  std::vector<std::array<PolyhedronView, 2>> pairs_;
};

}  // namespace

std::unique_ptr<PolyhedronLibrary> make_libccd(bool portal_refinement) {
  return std::make_unique<Libccd>(portal_refinement);
}

}  // namespace abut
