#pragma once

#include <abut/box.hpp>
#include <abut/detector_options.hpp>
#include <abut/export.hpp>
#include <abut/index.hpp>
#include <abut/mesh.hpp>
#include <abut/rigid_transform.hpp>
#include <abut/shapes.hpp>
#include <abut/spheres.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace abut {

/// The part of a wall element that a particle touches. Segments in 2D have faces and vertices only.
enum class Feature : std::uint8_t { face, edge, vertex };

/// A contact between a particle and a wall element, or a gap of at most the margin.
///
/// The contacts of a particle are those wall elements that limit the minimum translation, that is
/// the shortest displacement u that separates the particle from all walls: u = Σ −gap_i · normal_i
/// over the contacts i. If only one wall is near, or walls meet at an angle of at most 90°, −gap is
/// the geometric overlap. Faces that meet at an obtuse angle, as on a flat sheet or inside a drum,
/// share the overlap. The force on a rolling particle is therefore continuous and does not depend
/// on the tessellation of the wall. A margin adds contacts with positive gap and does not change
/// the others.
///
/// Lengths are in the unit of the particles, vectors and points in the frame of the particles.
template <std::size_t D>
struct WallContact {
  Index particle;         ///< index in the `Spheres` that were searched
  Feature feature;        ///< part of the element on which the point lies
  WallElementId element;  ///< facet or shape
  double gap;             ///< negative if they overlap
  Vec<D> normal;          ///< unit vector from the wall to the particle
  Point<D> point;         ///< point of the wall closest to the particle's center
  friend bool operator==(const WallContact&, const WallContact&) = default;
};

/// How wall contacts are searched. Lengths are in the unit of the particles.
template <std::size_t D>
struct WallOptions {
  double margin = 0;                  ///< largest gap that is reported, ≥ 0
  double tolerance = 1e-12;           ///< relative slack of the radius
  std::optional<Box<D>> domain = {};  ///< required if an axis is periodic; its extent is the period
  std::array<bool, D> periodic{};     ///< axes along which walls and particles are repeated
  unsigned threads = 1;               ///< 0: all cores. The result does not depend on it
};

/// Vertices of a mesh count as one if their distance is at most this fraction of the largest extent
/// of the mesh, or 4 units in the last place of its coordinates: far above the rounding errors of
/// double precision, below those of single precision. See `inspect_mesh`.
inline constexpr double default_weld_tolerance = 1e-9;

/// The walls of a domain: triangle meshes (in 2D polylines) and exact shapes. Each wall is a rigid
/// body that can be moved. Every wall can be touched from both sides.
///
/// A wall consists of elements: the facets of a mesh, or the shape itself. Elements are numbered
/// from 0 in the order in which they were added, facets in the order of their mesh; degenerate and
/// duplicate facets are ignored, but numbered.
///
///     abut::Walls3 walls;
///     walls.add(mesh);
///     walls.add(abut::Plane<3>{{0, 0, 0}, {0, 0, 1}});
///     for (const auto& contact : walls.contacts(particles)) …
///
/// Meshes and shapes are copied. Adding a mesh of n facets costs O(n log n); a search costs O(1)
/// per particle away from walls, and time independent of n per particle at a wall of facets of
/// similar size. All functions of a moved-from object throw `Error`, except destruction and
/// assignment.
template <std::size_t D>
class ABUT_API Walls {
 public:
  Walls();
  ~Walls();
  Walls(Walls&&) noexcept;
  Walls& operator=(Walls&&) noexcept;

  /// Adds a wall. Throws `Error` for a coordinate that is not finite, a vertex index that is out of
  /// range, a negative radius, or a normal of zero length; the walls are then unchanged.
  WallId add(const Mesh<D>& mesh);
  WallId add(const Plane<D>& plane);
  WallId add(const Frustum& frustum) requires(D == 3);
  WallId add(const Annulus& annulus) requires(D == 3);

  /// Moves a wall: a point x of the wall as it was added moves to rotation · x + translation.
  /// Transforms are not cumulative. Costs O(1). Throws `Error` if there is no such wall, or if the
  /// rotation is not orthogonal with determinant 1.
  void set_transform(WallId wall, const RigidTransform<D>& transform);

  /// All contacts, ordered by particle, then by element, then by point: across a periodic boundary
  /// a particle can touch the same element twice. Throws `Error` for an invalid particle or option,
  /// and for an infinite plane that is oblique to a periodic axis.
  [[nodiscard]] std::vector<WallContact<D>> contacts(const Spheres<D>& particles,
                                                     const WallOptions<D>& options = {}) const;

  /// The same for repeated searches: replaces the content of `found`, and keeps the memory and the
  /// threads of the search for the next call.
  void contacts(const Spheres<D>& particles, const WallOptions<D>& options,
                std::vector<WallContact<D>>& found);

  /// Overlap of a sphere with the nearest wall: radius − distance of the center; negative if they
  /// are separated, −∞ without walls.
  [[nodiscard]] double overlap(const Point<D>& center, double radius) const;

  /// The same with periodic images of the walls; throws as `contacts` does. Walls farther away than
  /// the radius may be ignored.
  [[nodiscard]] double overlap(const Point<D>& center, double radius,
                               const WallOptions<D>& options) const;

  [[nodiscard]] std::size_t wall_count() const;

  /// The number of elements of all walls, including ignored facets.
  [[nodiscard]] std::size_t element_count() const;

  /// The wall to which an element belongs. Throws `Error` if there is no such element. Costs
  /// O(log wall_count()).
  [[nodiscard]] WallId wall_of(WallElementId element) const;

 private:
  class ABUT_LOCAL State;
  [[nodiscard]] State& state();
  [[nodiscard]] const State& state() const;
  std::unique_ptr<State> state_;  // null if moved from
};

using Walls2 = Walls<2>;
using Walls3 = Walls<3>;

/// Defects of a mesh. In 2D the "edges" are the vertices of the segments.
struct MeshReport {
  /// An edge of one facet, or of more than two.
  struct OpenEdge {
    Index facet = 0;                 ///< the first one that has this edge
    std::array<Point<3>, 2> ends{};  ///< equal in 2D, where z is 0
    std::size_t facets = 0;          ///< number of facets with this edge
  };

  std::size_t facets = 0;
  std::vector<Index> degenerate;       ///< facets without area, in 2D without length; ignored
  std::vector<Index> duplicates;       ///< facets with the vertices of an earlier one; ignored
  std::vector<Index> redundant;        ///< other facets of which two vertices count as one, or all
                                       ///< vertices as those of an earlier facet; walls keep them,
                                       ///< but their edges are not counted here
  std::size_t boundary_edges = 0;      ///< edges of one facet
  std::size_t nonmanifold_edges = 0;   ///< edges of more than two facets
  std::size_t inconsistent_edges = 0;  ///< edges of two facets with opposite orientation
  std::optional<OpenEdge> open_edge;   ///< the first one in the order of facets, if there is any
  [[nodiscard]] bool is_closed() const {
    return facets > 0 && boundary_edges == 0 && nonmanifold_edges == 0;
  }
};

/// Finds the defects of a mesh of n facets in O(n log n).
///
/// Vertices whose distance is at most `weld_tolerance` times the largest extent of the mesh count
/// as one, but not chains of such vertices: in the order of their coordinates, each vertex counts
/// as the nearest earlier one that is within the tolerance and does not itself count as another.
/// The order of facets and vertices is irrelevant. With 0 only equal vertices count as one. Throws
/// as `Walls::add` does, and for a tolerance that is not between 0 and 0.1.
template <std::size_t D>
ABUT_API MeshReport inspect_mesh(const Mesh<D>& mesh,
                                 double weld_tolerance = default_weld_tolerance);

/// Point-in-mesh test for a closed mesh, by the parity of the facets that a ray crosses. The
/// orientation of the facets does not matter. All functions of a moved-from object throw `Error`,
/// except destruction and assignment.
template <std::size_t D>
class ABUT_API MeshInterior {
 public:
  /// Copies what it needs of the mesh, with vertices moved to those they count as (see
  /// `inspect_mesh`). Throws `Error` if the mesh is not closed.
  explicit MeshInterior(const Mesh<D>& mesh, double weld_tolerance = default_weld_tolerance);
  ~MeshInterior();
  MeshInterior(MeshInterior&&) noexcept;
  MeshInterior& operator=(MeshInterior&&) noexcept;

  [[nodiscard]] bool contains(const Point<D>& point) const;
  [[nodiscard]] const Box<D>& bounding_box() const;
  /// Enclosed volume, in 2D area.
  [[nodiscard]] double volume() const;

 private:
  class ABUT_LOCAL State;
  [[nodiscard]] const State& state() const;
  std::unique_ptr<State> state_;  // null if moved from
};

}  // namespace abut
