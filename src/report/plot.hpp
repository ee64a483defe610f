#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// A plot of lines or bars over two axes. Axis titles include the unit.
struct Plot {
  struct Axis {
    std::string title;
    /// Logarithmic axes omit values ≤ 0; linear axes start at zero.
    bool logarithmic = false;
  };
  enum class Style {
    points,         ///< measured values, joined by a line
    curve,          ///< expected values: a dashed line without points
    bars,           ///< measured values over integers
    expected_bars,  ///< expected values, next to the measured bars
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

/// Throws `Error` with the remedy if gnuplot, which draws the plots, cannot be run. Call it before
/// long computations whose results are plotted.
void check_gnuplot();

/// The plot as SVG; the same plot gives the same bytes. `name` (letters, digits, hyphens) prefixes
/// the element ids, so that several plots can be embedded in one page.
std::string draw(const Plot& plot, std::string_view name = "plot");

/// A horizontal bar chart of named values, the first at the top.
struct BarChart {
  struct Bar {
    std::string name;
    double value;
  };
  std::string title;
  std::string axis;  ///< axis title with the unit
  std::vector<Bar> bars;
};

/// The chart as SVG; the same chart gives the same bytes. The axis is logarithmic, and labeled so,
/// if the smallest bars would be invisible on a linear axis.
std::string draw(const BarChart& chart);

}  // namespace abut
