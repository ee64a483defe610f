#pragma once

#include <abut/polygon.hpp>
#include <abut/polyhedron.hpp>
#include <limits>

// Published searches for the common plane, to compare `common_plane` with.

namespace abut {

/// How the iterative search turns a plane. Angles are tangents.
struct CundallOptions {
  double initial_rotation = 0.1;  ///< of the first perturbation; halved where it gains nothing
  double min_rotation = 1e-4;     ///< smaller ones are not tried: the accuracy of the normal
  double tolerance =
      std::numeric_limits<double>::infinity();  ///< TOL: a larger gap ends the search
  int max_iterations = 1000;
};

/// What an iterative search found, and in how many iterations.
template <std::size_t D>
struct IteratedPlane {
  CommonPlane<D> plane{};
  int iterations = 0;
};

/// P. A. Cundall's iterative common plane (1988): turned about the middle between the centres, to
/// and fro, in space about two axes in it, as long as the gap grows. It begins across the line of
/// centres, or with the plane of before. Not exact: it can halt early.
IteratedPlane<2> cundall_plane(const PolygonView& a, const PolygonView& b,
                               const CundallOptions& options = {},
                               const CommonPlane<2>* previous = nullptr);
IteratedPlane<3> cundall_plane(const PolyhedronView& a, const PolyhedronView& b,
                               const CundallOptions& options = {},
                               const CommonPlane<3>* previous = nullptr);

/// The fast common plane to the letter of E. G. Nezami and others (2004): the best
/// of five candidates, until it stays the same. Where two corners are equally near it may stop too
/// early, with a gap that is too small. Iterations are rounds of candidates.
IteratedPlane<2> five_candidate_plane(const PolygonView& a, const PolygonView& b,
                                      const CommonPlane<2>* previous = nullptr);

}  // namespace abut
