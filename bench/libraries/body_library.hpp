#pragma once

#include <abut/mesh.hpp>
#include <abut/polygon.hpp>
#include <abut/polyhedron.hpp>
#include <abut/spheres.hpp>
#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace abut {

/// Contact of two convex polygons in another library, used as its authors recommend.
class PolygonLibrary {
 public:
  PolygonLibrary() = default;
  virtual ~PolygonLibrary() = default;
  PolygonLibrary(const PolygonLibrary&) = delete;
  PolygonLibrary& operator=(const PolygonLibrary&) = delete;

  /// Copies the polygons, with at most eight vertices each. The pairs of the previous step fill the
  /// library's caches.
  virtual void load(std::span<const std::array<PolygonView, 2>> previous,
                    std::span<const std::array<PolygonView, 2>> current) = 0;

  // The results, one for each current pair:
  /// Distance without caches; 0 if the polygons overlap.
  virtual void distances(std::span<float> results) = 0;
  /// Distance, starting from the caches of the previous step.
  virtual void cached_distances(std::span<float> results) = 0;
  /// Number of contact points. Polygons closer than `skin()` may touch.
  virtual void contact_counts(std::span<int> results) = 0;
  /// Distance below which the library reports contact: twice the thickness of its skin.
  [[nodiscard]] virtual double skin() const = 0;
};

/// Box2D; null without ABUT_BENCH_LIBRARIES.
std::unique_ptr<PolygonLibrary> make_box2d();

/// Result of another library for one pair.
struct LibraryGap {
  bool overlap = false;
  double gap = 0;  ///< distance, or negative penetration depth; see `measures_distance`
};

/// Contact of two convex polyhedra in another library, used as its authors recommend.
class PolyhedronLibrary {
 public:
  PolyhedronLibrary() = default;
  virtual ~PolyhedronLibrary() = default;
  PolyhedronLibrary(const PolyhedronLibrary&) = delete;
  PolyhedronLibrary& operator=(const PolyhedronLibrary&) = delete;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Whether the gap of separated polyhedra is computed.
  [[nodiscard]] virtual bool measures_distance() const = 0;
  /// Converts the polyhedra to shapes of the library.
  virtual void load(std::span<const std::array<PolyhedronView, 2>> pairs) = 0;
  /// Replaces the contents of `gaps`, one for each pair.
  virtual void find(std::vector<LibraryGap>& gaps) = 0;
};

/// libccd (MPR; GJK and EPA), FCL, Bullet; empty without ABUT_BENCH_LIBRARIES.
std::vector<std::unique_ptr<PolyhedronLibrary>> polyhedron_libraries();

std::unique_ptr<PolyhedronLibrary> make_libccd(bool portal_refinement);
std::unique_ptr<PolyhedronLibrary> make_fcl();
std::unique_ptr<PolyhedronLibrary> make_bullet_gjk();

/// The facet nearest to a particle that touches the wall.
struct NearestFacet {
  Index particle;
  Index facet;
  double distance;  ///< from the center
};

/// Search for wall contacts in another library, used as its authors recommend.
class WallLibrary {
 public:
  WallLibrary() = default;
  virtual ~WallLibrary() = default;
  WallLibrary(const WallLibrary&) = delete;
  WallLibrary& operator=(const WallLibrary&) = delete;

  virtual void build(const Mesh<3>& mesh) = 0;

  /// Replaces the contents of `nearest_facets`: one for each particle that touches the wall, in the
  /// order of the particles.
  virtual void find(const Spheres<3>& particles,
                    std::vector<NearestFacet>& nearest_facets) const = 0;
};

/// The AABB tree of CGAL, which finds the triangle nearest to each particle; with `test_first` only
/// for particles that intersect a triangle. Null without ABUT_BENCH_LIBRARIES.
std::unique_ptr<WallLibrary> make_cgal_aabb(bool test_first);

}  // namespace abut
