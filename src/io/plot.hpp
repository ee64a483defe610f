#pragma once

#include <array>
#include <string>
#include <vector>

#include "io/output_file.hpp"

namespace abut {

/// Lines through points, with titles on the axes.
struct Plot {
  struct Line {
    std::string name;
    std::vector<std::array<double, 2>> points;
  };
  std::string title;
  std::string x_title;
  std::string y_title;
  std::vector<Line> lines;
};

/// Draws it as SVG with logarithmic axes; points not above zero are left out.
void draw_log_log(OutputFile& out, const Plot& plot);

}  // namespace abut
