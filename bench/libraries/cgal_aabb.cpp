// CGAL: the AABB tree over triangles, asked whether the sphere meets one, and if so for the nearest
// point and the triangle it is on. Asking for the nearest point at once takes several times as
// long.
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
  explicit CgalAabb(bool ask_first) : test_intersection_first_(ask_first) {}

  void build(const Mesh<3>& mesh) override {
    tree_.clear();
    triangles_.clear();
    const auto corner = [&](Index i) {
      const Point<3>& at = mesh.vertices[i];
      return Kernel::Point_3(at[0], at[1], at[2]);
    };
    for (const auto& [a, b, c] : mesh.facets)
      triangles_.emplace_back(corner(a), corner(b), corner(c));
    tree_.insert(triangles_.begin(), triangles_.end());
    tree_.build();
    tree_.accelerate_distance_queries();
  }

  void find(const Spheres<3>& particles, std::vector<NearestFacet>& touches) const override {
    touches.clear();
    for (std::size_t i = 0; i < particles.size(); ++i) {
      const Kernel::Point_3 centre(particles.coordinates(0)[i], particles.coordinates(1)[i],
                                   particles.coordinates(2)[i]);
      const double radius = particles.radii()[i];
      if (test_intersection_first_ &&
          !tree_.do_intersect(Kernel::Sphere_3(centre, radius * radius)))
        continue;
      const auto [point, triangle] = tree_.closest_point_and_primitive(centre);
      const double distance = std::sqrt(CGAL::squared_distance(centre, point));
      if (distance <= radius)
        touches.push_back(
            {static_cast<Index>(i), static_cast<Index>(triangle - triangles_.begin()), distance});
    }
  }

 private:
  bool test_intersection_first_;
  Triangles triangles_;
  Tree tree_;
};

}  // namespace

__attribute__((visibility("default"))) std::unique_ptr<WallLibrary> make_cgal_aabb(bool ask_first) {
  return std::make_unique<CgalAabb>(ask_first);
}

}  // namespace abut
