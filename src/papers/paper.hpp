#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "report/figure.hpp"

namespace abut {

/// A paper and the experiments that reproduce its claims. Quick runs use fewer particles and give
/// the same figures.
struct Paper {
  std::string_view name;
  std::string_view title;
  std::string_view citation;
  std::string_view introduction;
  std::span<const std::string_view> files;  ///< base names of its figures
  std::vector<Figure> (*reproduce)(bool quick, const ProgressCallback& progress);
};

std::span<const Paper> papers();

// Each defined in papers/<name>.cpp.
extern const Paper demcda_paper;
extern const Paper mr_paper;
extern const Paper mmr_paper;
extern const Paper cubes_paper;
extern const Paper common_plane_paper;

}  // namespace abut
