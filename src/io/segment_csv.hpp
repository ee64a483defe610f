#pragma once

#include <abut/mesh.hpp>
#include <string_view>

#include "io/particle_file.hpp"

namespace abut {

/// Reads walls in 2D: a header x1,y1,x2,y2 in any order, other columns are passed over, and a line
/// for each segment.
Mesh<2> read_segment_csv(std::string_view name, std::string_view text, const Progress& progress);

}  // namespace abut
