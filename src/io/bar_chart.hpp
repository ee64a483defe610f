#pragma once

#include <string>
#include <vector>

namespace abut {

/// A bar for each of some things that have names, the first on top.
struct BarChart {
  struct Bar {
    std::string name;
    double value;
  };
  std::string title;
  std::string axis;  ///< what the bars measure, with its unit
  std::vector<Bar> bars;
};

/// The chart as an SVG picture, the same bytes for the same chart. Where the longest would hide the
/// others the axis is logarithmic, and says so.
std::string draw(const BarChart& chart);

}  // namespace abut
