#pragma once

#include <abut/polygon.hpp>
#include <string>
#include <vector>

#include "papers/paper.hpp"
#include "papers/timing.hpp"

namespace abut {

/// Table 1 in space: Cundall's plane and ours between polyhedra. Part of the paper on the common
/// plane, which announces it.
Figure polyhedron_table(bool quick, ProgressMeter& meter);

/// How much work that is.
double polyhedron_table_work(bool quick);

/// Two polygons of the table, and what was found of them.
struct PlanePair {
  std::string name;
  Polygon a;
  Polygon b;
  CommonPlane<2> plane{};
  std::string label{};  ///< below its picture
};

/// Sixteen, in the spirit of table 1 of Nezami and others: triangles, quadrilaterals and pentagons,
/// compact and slender ones, the first eight apart, the others touching.
std::vector<PlanePair> plane_pairs();

/// All of them as SVG, four in a row: both particles, and their common plane.
std::string draw(const std::vector<PlanePair>& pairs);

}  // namespace abut
