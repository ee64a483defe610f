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

/// Another library's ways to tell how near two polygons are, used as its authors would use them.
class PolygonLibrary {
 public:
  PolygonLibrary() = default;
  virtual ~PolygonLibrary() = default;
  PolygonLibrary(const PolygonLibrary&) = delete;
  PolygonLibrary& operator=(const PolygonLibrary&) = delete;

  /// Copies the polygons, of at most eight corners. Of those as they were before, it keeps what
  /// makes the next search faster.
  virtual void load(std::span<const std::array<PolygonView, 2>> before,
                    std::span<const std::array<PolygonView, 2>> now) = 0;

  /// One for each pair, 0 where they overlap.
  virtual void distances(std::span<float> into) = 0;
  /// The same with what was kept.
  virtual void cached_distances(std::span<float> into) = 0;
  /// How many points each pair touches in; polygons have a skin.
  virtual void contact_counts(std::span<int> into) = 0;
  /// Twice its thickness: what is nearer than that touches.
  [[nodiscard]] virtual double skin() const = 0;
};

/// Box2D; none without ABUT_BENCH_LIBRARIES.
std::unique_ptr<PolygonLibrary> make_box2d();

/// What another library says of a pair: whether they overlap, and how far they are apart, or how
/// deep in each other, below 0. Some do not say how far.
struct LibraryGap {
  bool overlap = false;
  double gap = 0;
};

/// Another library's contact of two convex bodies, used as its authors would use it.
class PolyhedronLibrary {
 public:
  PolyhedronLibrary() = default;
  virtual ~PolyhedronLibrary() = default;
  PolyhedronLibrary(const PolyhedronLibrary&) = delete;
  PolyhedronLibrary& operator=(const PolyhedronLibrary&) = delete;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Whether it knows the gap of bodies that are apart.
  [[nodiscard]] virtual bool measures_distance() const = 0;
  /// Makes what the library keeps of each body.
  virtual void load(std::span<const std::array<PolyhedronView, 2>> pairs) = 0;
  /// One pair after the other, in place of what `gaps` held.
  virtual void find(std::vector<LibraryGap>& gaps) = 0;
};

/// libccd (MPR; GJK and EPA), FCL, Bullet; none without ABUT_BENCH_LIBRARIES.
std::vector<std::unique_ptr<PolyhedronLibrary>> polyhedron_libraries();

std::unique_ptr<PolyhedronLibrary> make_libccd(bool portal_refinement);
std::unique_ptr<PolyhedronLibrary> make_fcl();
std::unique_ptr<PolyhedronLibrary> make_bullet_gjk();

/// The point of a wall that is nearest to a particle which touches it.
struct NearestFacet {
  Index particle;
  Index facet;
  double distance;  ///< from the centre
};

/// Another library's tree over a mesh, used as its authors would use it.
class WallLibrary {
 public:
  WallLibrary() = default;
  virtual ~WallLibrary() = default;
  WallLibrary(const WallLibrary&) = delete;
  WallLibrary& operator=(const WallLibrary&) = delete;

  virtual void build(const Mesh<3>& mesh) = 0;

  /// For each particle that touches the wall, its nearest point, in place of what `touches` held.
  virtual void find(const Spheres<3>& particles, std::vector<NearestFacet>& touches) const = 0;
};

/// CGAL's AABB tree, asked for the nearest triangle of each particle, or only of those that it was
/// asked of first whether they meet any; none without ABUT_BENCH_LIBRARIES.
std::unique_ptr<WallLibrary> make_cgal_aabb(bool ask_first);

}  // namespace abut
