#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// A diagram. Titles of axes name the unit.
struct Plot {
  struct Axis {
    std::string title;
    bool logarithmic = false;  ///< what is not above zero is left out; otherwise it starts at zero
  };
  enum class Style {
    points,         ///< measured: joined by a line
    curve,          ///< expected: dashed, without points
    bars,           ///< measured, over whole numbers
    expected_bars,  ///< expected, beside them
  };
  struct Line {
    std::string name;
    std::vector<std::array<double, 2>> points;
    Style style = Style::points;
  };
  std::string title;
  Axis x{};
  Axis y{};
  std::vector<Line> lines{};
};

/// Throws `Error` with the remedy if gnuplot, which draws the plots, cannot be run: to be heard of
/// before the work whose results shall be drawn.
void check_gnuplot();

/// The plot as an SVG picture, the same bytes for the same plot. `name` tells its parts from those
/// of other pictures on the same page: letters, digits and hyphens.
std::string draw(const Plot& plot, std::string_view name = "plot");

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
