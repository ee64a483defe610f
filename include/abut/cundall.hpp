#pragma once

#include <abut/common_plane.hpp>
#include <abut/polyhedron.hpp>
#include <limits>

namespace abut {

struct CundallOptions {
  double tolerance = 1e-6;  ///< the angle below which the plane is no longer turned
  double delete_above = std::numeric_limits<double>::infinity();  ///< a gap at which it stops
  int most_iterations = 1000;
};

/// A plane that was turned until no small turn gained anything, and how often it was tried.
template <std::size_t D>
struct CundallPlane {
  CommonPlane<D> plane{};
  int iterations = 0;
};

/// Cundall's iterative common plane: begins across the line of centroids, or with the previous
/// plane, and turns it about two axes in it, both ways, by less and less. It can halt early, where
/// only a turn about a third axis would gain; `common_plane` does not.
CundallPlane<3> cundall_plane(const PolyhedronView& a, const PolyhedronView& b,
                              const CundallOptions& options = {},
                              const CommonPlane<3>* previous = nullptr);

}  // namespace abut
