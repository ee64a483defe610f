#pragma once

#include <abut/mesh.hpp>
#include <abut/pair.hpp>
#include <cstddef>
#include <cstdint>

namespace abut {

/// What the normal of a common plane is made of. In 2D an edge is a side.
enum class PlaneKind : std::uint8_t {
  bisector,  ///< across the line between two corners
  side_a,    ///< parallel to a side (an edge in 2D, a face in 3D) of a
  side_b,    ///< of b
  edges,     ///< parallel to an edge of each (3D)
  edge_a,    ///< parallel to an edge of a, across the way to a corner of b (3D)
  edge_b,    ///< parallel to an edge of b, across the way to a corner of a (3D)
};

/// The plane between two convex particles a and b that sees the largest gap between them, midway.
/// Where they are apart the gap is their distance; where they overlap it is negative, and -gap is
/// the shortest way out.
template <std::size_t D>
struct CommonPlane {
  Point<D> normal{};  ///< of length one, from a to b
  double gap = 0;     ///< between the particles along the normal
  Index a = 0;        ///< the corner of a nearest to the plane: what the next search starts from
  Index b = 0;        ///< the corner of b nearest to it
  PlaneKind kind = PlaneKind::bisector;
  Index part_a = 0;  ///< the side or edge of a that the normal is made of, if any (3D)
  Index part_b = 0;  ///< of b
};

/// The life of a contact: nothing is known of particles that are apart; a potential contact has a
/// plane and no force; a real one has both.
enum class Standing : std::uint8_t { apart, potential, real };

/// Real below 0, potential up to the tolerance, apart beyond it.
Standing standing(double gap, double tolerance);

/// Where two particles touch a common plane: the middle of what the plane cuts out of both.
template <std::size_t D>
struct PlaneContact {
  Point<D> point{};
  double measure =
      0;  ///< length (2D) or area (3D) of the cut; 0 where they only touch or are apart
};

}  // namespace abut
