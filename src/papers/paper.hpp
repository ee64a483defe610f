#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/plot.hpp"
#include "report/report.hpp"
#include "report/result_table.hpp"

namespace abut {

/// Called now and then with the part of the work that is done (0 … 1).
using ProgressCallback = std::function<void(double)>;

/// One figure of a paper, measured again.
struct Figure {
  std::string file;  ///< the name of its files, without ending
  std::string title;
  std::string text;
  ResultTable numbers;
  Plot plot;
  std::vector<Finding> findings;
  std::string svg{};  ///< SVG, in place of the plot
};

/// A paper whose experiments can be run again. Quick ones are smaller and have the same shape.
struct Paper {
  std::string_view name;
  std::string_view title;
  std::string_view citation;
  std::string_view introduction;
  std::span<const std::string_view> files;  ///< of its figures, known before the work begins
  std::vector<Figure> (*reproduce)(bool quick, const ProgressCallback& done);
};

std::span<const Paper> papers();

// One file each, papers/<name>.cpp.
extern const Paper demcda_paper;
extern const Paper mr_paper;
extern const Paper mmr_paper;
extern const Paper cubes_paper;
extern const Paper common_plane_paper;

}  // namespace abut
