#pragma once

#include <abut/box.hpp>
#include <abut/detector_options.hpp>
#include <abut/mesh.hpp>
#include <abut/rigid_transform.hpp>
#include <abut/shapes.hpp>
#include <abut/spheres.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace abut {

/// Which part of a wall a particle touches. In 2D segments have faces and corners only.
enum class Feature : std::uint8_t { face, edge, vertex };

/// A particle that touches a wall, or is within the margin of it.
///
/// The contacts of a particle are those pieces of wall that the shortest way out of all of them has
/// to push against, and `-gap` is how far each pushes. Where only one wall is near, or walls meet
/// at right angles or less, that is the overlap. Where faces meet at a blunt angle, on a flat sheet
/// as on the inside of a drum, they share the overlap, so that what a rolling particle feels is
/// continuous however the wall is cut into pieces. A margin adds contacts with a gap above 0 and
/// leaves the others as they are.
template <std::size_t D>
struct WallContact {
  Index particle;
  Index element;    ///< the number of the piece or shape, see `Walls`
  Feature feature;  ///< of that piece, where the point lies
  double gap;       ///< negative where they overlap
  Point<D> normal;  ///< of length one, from the wall to the particle
  Point<D> point;   ///< of the wall, nearest to the particle
  friend bool operator==(const WallContact&, const WallContact&) = default;
};

template <std::size_t D>
struct WallOptions {
  double margin = 0;                  ///< gap up to which a wall is still reported
  double tolerance = 1e-12;           ///< relative slack on the radius
  std::optional<Box<D>> domain = {};  ///< needed where an axis is periodic
  std::array<bool, D> periodic{};     ///< walls and particles repeat along these axes
  unsigned threads = 1;               ///< 0 takes every core; contacts are the same for any
};

/// The walls of a domain: meshes, held in a quadtree or octree that is built once, and exact
/// shapes.
///
/// Pieces and shapes are numbered from 0 in the order they were added; the pieces of a mesh in the
/// order of its list, also those that were left out because they have no area or are there twice.
///
///     abut::Walls3 walls;
///     walls.add(mesh);
///     walls.add(abut::Plane<3>{{0, 0, 0}, {0, 0, 1}});
///     for (const auto& contact : walls.contacts(particles)) …
template <std::size_t D>
class Walls {
 public:
  Walls();
  ~Walls();
  Walls(Walls&&) noexcept;
  Walls& operator=(Walls&&) noexcept;

  /// Each returns the body that was added, for `place`. Throws `Error` naming what is wrong: a
  /// coordinate that is no number, a corner that is not there, a radius below 0, a normal of length
  /// 0.
  std::size_t add(const Mesh<D>& mesh);
  std::size_t add(const Plane<D>& plane);
  std::size_t add(const Frustum& shell) requires(D == 3);
  std::size_t add(const Annulus& ring) requires(D == 3);

  /// Moves a body from where it was given. Nothing is built anew.
  void set_transform(std::size_t body, const RigidTransform<D>& where);

  /// All contacts, ordered by particle, then by wall, then by point: across a period a particle can
  /// touch the same wall twice. `Error` names the particle or option that cannot be worked with,
  /// and an endless plane oblique to a periodic axis, which cannot repeat.
  [[nodiscard]] std::vector<WallContact<D>> contacts(const Spheres<D>& particles,
                                                     const WallOptions<D>& options = {}) const;

  /// The same in place of what a list held, for one search after the other: the memory of the list
  /// and of the search is kept, and so are the threads.
  void contacts(const Spheres<D>& particles, const WallOptions<D>& options,
                std::vector<WallContact<D>>& found);

  /// How deep a sphere is in the walls: the overlap with the nearest; below 0 if it is free.
  [[nodiscard]] double overlap(const Point<D>& centre, double radius) const;

  /// The same where walls repeat along the periodic axes of a domain; throws as `contacts` does.
  [[nodiscard]] double overlap(const Point<D>& centre, double radius,
                               const WallOptions<D>& options) const;

  /// How many numbers pieces and shapes have.
  [[nodiscard]] Index element_count() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

using Walls2 = Walls<2>;
using Walls3 = Walls<3>;

/// What was found wrong with a mesh, and left out or left as it is.
struct MeshReport {
  std::size_t facets = 0;
  std::vector<Index> degenerate;       ///< left out
  std::vector<Index> duplicates;       ///< left out: the corners of an earlier piece
  std::size_t boundary_edges = 0;      ///< edges of one piece only
  std::size_t nonmanifold_edges = 0;   ///< edges of more than two
  std::size_t inconsistent_edges = 0;  ///< edges whose two pieces face different ways
  [[nodiscard]] bool is_closed() const {
    return facets > 0 && boundary_edges == 0 && nonmanifold_edges == 0;
  }
};

/// Looks a mesh over. Corners at the same place are taken for one. Throws as `Walls::add` does.
template <std::size_t D>
MeshReport inspect_mesh(const Mesh<D>& mesh);

/// Whether points are inside a closed mesh, by the parity of the faces above them.
template <std::size_t D>
class MeshInterior {
 public:
  /// Throws `Error` if the mesh is not closed.
  explicit MeshInterior(const Mesh<D>& mesh);
  ~MeshInterior();
  MeshInterior(MeshInterior&&) noexcept;
  MeshInterior& operator=(MeshInterior&&) noexcept;

  [[nodiscard]] bool contains(const Point<D>& point) const;
  [[nodiscard]] const Box<D>& bounding_box() const;
  [[nodiscard]] double volume() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace abut
