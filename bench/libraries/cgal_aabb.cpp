// CGAL: AABB tree of triangles. Tests whether the sphere intersects a triangle and, if so, queries
// the nearest point and its triangle. Querying the nearest point at once takes many times as long.
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>

#include <cmath>

#include "libraries/body_library.hpp"

namespace abut {
namespace {

using Kernel = CGAL::Simple_cartesian<double>;
using Triangles = std::vector<Kernel::Triangle_3>;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

class CgalAabb : public WallLibrary {
 public:
  explicit CgalAabb(bool test_first) : test_first_(test_first) {}

  void build(const Mesh<3>& mesh) override {
    tree_.clear();
    triangles_.clear();
    const auto vertex = [&](Index i) {
      const Point<3>& x = mesh.vertices[i];
      return Kernel::Point_3(x[0], x[1], x[2]);
    };
    for (const auto& [a, b, c] : mesh.facets)
      triangles_.emplace_back(vertex(a), vertex(b), vertex(c));
    tree_.insert(triangles_.begin(), triangles_.end());
    tree_.build();
    tree_.accelerate_distance_queries();
  }

  void find(const Spheres<3>& particles, std::vector<NearestFacet>& nearest_facets) const override {
    nearest_facets.clear();
    for (std::size_t i = 0; i < particles.size(); ++i) {
      const Kernel::Point_3 center(particles.coordinates(0)[i], particles.coordinates(1)[i],
                                   particles.coordinates(2)[i]);
      const double radius = particles.radii()[i];
      if (test_first_ && !tree_.do_intersect(Kernel::Sphere_3(center, radius * radius))) continue;
      const auto [point, triangle] = tree_.closest_point_and_primitive(center);
      const double distance = std::sqrt(CGAL::squared_distance(center, point));
      if (distance <= radius)
        nearest_facets.push_back(
            {static_cast<Index>(i), static_cast<Index>(triangle - triangles_.begin()), distance});
    }
  }

 private:
  bool test_first_;
  Triangles triangles_;
  Tree tree_;
};

}  // namespace

__attribute__((visibility("default"))) std::unique_ptr<WallLibrary> make_cgal_aabb(
    bool test_first) {
  return std::make_unique<CgalAabb>(test_first);
}

}  // namespace abut
