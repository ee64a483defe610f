#pragma once

#include <abut/mesh.hpp>
#include <abut/pair.hpp>
#include <cstddef>
#include <cstdint>

namespace abut {

/// What the normal of a common plane is made of. In 2D an edge is a side.
enum class PlaneKind : std::uint8_t {
  vertices,  ///< across the line between two corners
  face_a,    ///< parallel to a side (an edge in 2D, a face in 3D) of a
  face_b,    ///< of b
  edges,     ///< parallel to an edge of each (3D)
  edge_a,    ///< parallel to an edge of a, across the way to a corner of b (3D)
  edge_b,    ///< parallel to an edge of b, across the way to a corner of a (3D)
};

/// The plane between two convex particles a and b that sees the largest gap between them, midway.
/// Where they are apart the gap is their distance; where they overlap it is negative, and -gap is
/// the shortest way out.
template <std::size_t D>
struct CommonPlane {
  Point<D> normal{};   ///< of length one, from a to b
  double gap = 0;      ///< between the particles along the normal
  Index vertex_a = 0;  ///< the corner of a nearest to the plane: what the next search starts from
  Index vertex_b = 0;  ///< the corner of b nearest to it
  PlaneKind kind = PlaneKind::vertices;
  Index feature_a = 0;  ///< the side or edge of a that the normal is made of, if any (3D)
  Index feature_b = 0;  ///< of b
};

/// The life of a contact: nothing is known of particles that are apart; a potential contact has a
/// plane and no force; a real one has both.
enum class ContactStatus : std::uint8_t { separated, potential, active };

/// Real below 0, potential up to the tolerance, apart beyond it.
ContactStatus contact_status(double gap, double tolerance);

/// Where two particles touch a common plane: the middle of what the plane cuts out of both.
template <std::size_t D>
struct PlaneContact {
  Point<D> point{};
  double area = 0;  ///< length (2D) or area (3D) of the cut; 0 where they only touch or are apart
};

}  // namespace abut
