#pragma once

#include <abut/polygon.hpp>
#include <string>
#include <vector>

namespace abut {

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
