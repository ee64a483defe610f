#pragma once

#include <abut/mesh.hpp>
#include <abut/pair.hpp>
#include <cstddef>
#include <cstdint>

namespace abut {

/// The features of the two particles that define the normal of a common plane. A face is a face in
/// 3D and an edge in 2D.
enum class PlaneKind : std::uint8_t {
  vertices,  ///< normal to the line between a vertex of each
  face_a,    ///< parallel to a face of a
  face_b,    ///< parallel to a face of b
  edges,     ///< parallel to an edge of each (3D)
  edge_a,    ///< parallel to an edge of a and normal to its distance from a vertex of b (3D)
  edge_b,    ///< parallel to an edge of b and normal to its distance from a vertex of a (3D)
};

/// The common plane of two convex particles a and b: its normal n maximizes the gap
///
///     gap(n) = min over x in b of n·x − max over x in a of n·x,
///
/// and the plane lies midway between the two. For separated particles the gap is their distance;
/// for overlapping ones it is negative, −gap is the penetration depth, and moving b by −gap·n is
/// the minimum translation that separates them. Lengths are in the unit of the vertices.
template <std::size_t D>
struct CommonPlane {
  Vec<D> normal{};     ///< unit vector, from a to b
  double gap = 0;      ///< along the normal; negative: overlap
  Index vertex_a = 0;  ///< vertex of a closest to the plane, where the next search starts
  Index vertex_b = 0;  ///< vertex of b closest to the plane
  PlaneKind kind = PlaneKind::vertices;
  Index feature_a = 0;  ///< face or half-edge of a that defines the normal, if any (3D)
  Index feature_b = 0;  ///< face or half-edge of b that defines the normal, if any (3D)
};

/// A separated pair is not tracked; a potential contact has a plane but no force; an active one has
/// both.
enum class ContactStatus : std::uint8_t { separated, potential, active };

/// Active for gap < 0, potential for 0 ≤ gap ≤ tolerance, separated for gap > tolerance.
[[nodiscard]] constexpr ContactStatus contact_status(double gap, double tolerance) {
  if (gap < 0) return ContactStatus::active;
  return gap <= tolerance ? ContactStatus::potential : ContactStatus::separated;
}

/// The section of two particles with their common plane: the part of the plane that lies in both.
template <std::size_t D>
struct PlaneContact {
  Point<D> point{};  ///< centroid of the section
  double area = 0;   ///< of the section, in 2D its length; 0 if the particles do not overlap
};

}  // namespace abut
