#pragma once

#include <abut/polyhedron.hpp>
#include <array>
#include <span>
#include <vector>

namespace abut {

/// An edge of a polyhedron as seen from one of its two faces.
struct HalfEdge {
  Index origin;  ///< vertex at which it starts
  Index next;    ///< next half-edge counterclockwise around the face
  Index twin;    ///< the same edge in the adjacent face, in the opposite direction
  Index face;    ///< face on its left
};

/// A half-edge as seen from its origin.
struct OutgoingEdge {
  Index target;  ///< vertex at which it ends
  Index half_edge;
};

/// A half-edge with one more vertex of each adjacent face: all that is needed to decide whether the
/// edge is a support edge, in one record.
struct EdgeFan {
  Index origin;
  Index target;
  Index left;   ///< vertex after `target` in the face on the left
  Index right;  ///< vertex after `origin` in the face on the right
};

/// Connectivity of a convex polyhedron, without coordinates; shared by all transformed copies.
struct PolyhedronTopology {
  /// By face, counterclockwise seen from outside: face f has face_offsets[f] … face_offsets[f+1]−1.
  std::vector<HalfEdge> half_edges;
  std::vector<EdgeFan> edge_fans;  ///< by half-edge
  std::vector<Index> face_offsets;
  /// By vertex, counterclockwise: vertex v has vertex_offsets[v] … vertex_offsets[v+1]−1.
  std::vector<OutgoingEdge> outgoing_edges;
  std::vector<Index> vertex_offsets;
  std::vector<Index> edges;  ///< one half-edge of each edge
  /// By face: three of its vertices, counterclockwise and far from each other, that span its plane.
  std::vector<std::array<Index, 3>> face_frames;
  double bounding_radius = 0;  ///< of the sphere about the centroid that encloses all vertices

  [[nodiscard]] Index vertex_count() const { return static_cast<Index>(vertex_offsets.size() - 1); }
  [[nodiscard]] Index face_count() const { return static_cast<Index>(face_offsets.size() - 1); }
};

/// Faces as polygons of vertex indices, counterclockwise seen from outside.
using FaceLoops = std::vector<std::vector<Index>>;

/// Whether this build can compute convex hulls of points.
bool has_convex_hull();

/// The convex hull of points by Qhull; facets that are coplanar up to rounding are one face. Throws
/// `Error` if all points are coplanar or the build lacks Qhull. O(n log n).
FaceLoops convex_hull(std::span<const Point<3>> points);

/// The faces of a closed convex mesh whose facets refer to `vertices`: adjacent facets that are
/// coplanar up to rounding become one face. Facets may have any orientation. Throws `Error` if they
/// do not bound a convex body. O(n log n).
FaceLoops merge_coplanar_facets(std::vector<std::array<Index, 3>> facets,
                                std::span<const Point<3>> vertices);

/// Builds the connectivity of faces in which every vertex occurs. Throws `Error` if they are not a
/// closed surface without handles.
PolyhedronTopology build_topology(const FaceLoops& faces, std::span<const Point<3>> vertices);

/// Removes points that belong to fewer than three faces, i.e. lie inside the hull, in a face or on
/// an edge, from all faces and from the list, and renumbers the others.
void remove_redundant_vertices(FaceLoops& faces, std::vector<Point<3>>& points);

}  // namespace abut
