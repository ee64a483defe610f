#pragma once

#include <abut/polygon.hpp>
#include <string>
#include <vector>

#include "papers/paper.hpp"
#include "papers/timing.hpp"

namespace abut {

/// Counterpart of table 1 in 3D: the common planes of polyhedra found by Cundall's algorithm and by
/// abut. It extends the paper on the fast common plane, which announces 3D as future work.
Figure polyhedron_table(bool quick, ProgressMeter& meter);

/// Estimated work of `polyhedron_table`, in ns.
double polyhedron_table_work(bool quick);

/// A pair of polygons of table 1 with its common plane.
struct PlanePair {
  std::string name;
  Polygon a;
  Polygon b;
  CommonPlane<2> plane{};
  std::string label{};  ///< text below its drawing
};

/// Sixteen pairs similar to those of table 1 of Nezami et al.: triangles, quadrilaterals and
/// pentagons, compact and slender. The first eight are separated, the others overlap.
std::vector<PlanePair> plane_pairs();

/// All pairs as one SVG, four in a row: both polygons and their common plane.
std::string draw(const std::vector<PlanePair>& pairs);

}  // namespace abut
