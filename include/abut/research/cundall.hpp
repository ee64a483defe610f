#pragma once

#include <abut/export.hpp>
#include <abut/polygon.hpp>
#include <abut/polyhedron.hpp>
#include <limits>

// Published searches for the common plane, for comparison with `common_plane`.

namespace abut {

/// Parameters of Cundall's iterative search. Angles are given by their tangents.
struct CundallOptions {
  double initial_rotation = 0.1;  ///< of the first trial; halved when no rotation increases the gap
  double min_rotation = 1e-4;     ///< the search ends below it; accuracy of the normal
  /// TOL of the paper, in the unit of the vertices: the search ends at a larger gap.
  double tolerance = std::numeric_limits<double>::infinity();
  int max_iterations = 1000;
};

/// The result of an iterative search and the number of iterations it took.
template <std::size_t D>
struct IteratedPlane {
  CommonPlane<D> plane{};  ///< `kind` and features are not determined by Cundall's search
  int iterations = 0;
};

/// P. A. Cundall's iterative common plane (1988): the plane is rotated about a point midway between
/// the centroids by ± an angle, in 3D about two axes in the plane, as long as the gap grows. It
/// starts normal to the line of centroids or from `previous`. Not exact: it can stop at a gap that
/// is too small.
ABUT_API IteratedPlane<2> cundall_plane(const PolygonView& a, const PolygonView& b,
                                        const CundallOptions& options = {},
                                        const CommonPlane<2>* previous = nullptr);
ABUT_API IteratedPlane<3> cundall_plane(const PolyhedronView& a, const PolyhedronView& b,
                                        const CundallOptions& options = {},
                                        const CommonPlane<3>* previous = nullptr);

/// The fast common plane as published by E. G. Nezami et al. (2004): the best of five candidates,
/// repeated until the plane no longer changes. When two vertices are equally close it may stop too
/// early, with a gap that is too small. `iterations` counts rounds of candidates.
ABUT_API IteratedPlane<2> five_candidate_plane(const PolygonView& a, const PolygonView& b,
                                               const CommonPlane<2>* previous = nullptr);

}  // namespace abut
