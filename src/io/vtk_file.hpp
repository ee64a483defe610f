#pragma once

#include <abut/pair.hpp>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/vtk_values.hpp"

namespace abut {

/// What each point or each cell has, by name.
struct VtkField {
  std::string name;
  VtkValues values;
};

/// What ParaView shows at one time. All of it is views: nothing is copied.
struct VtkFrame {
  double time = 0;
  std::int64_t step = 0;
  VtkValues points{};     ///< vectors
  bool vertices = false;  ///< each point is a cell too, so that points alone can be seen
  std::span<const std::array<Index, 2>> lines{};
  std::span<const std::array<Index, 3>> triangles{};
  std::vector<VtkField> point_fields{};
  std::vector<VtkField> cell_fields{};  ///< of vertices, lines, triangles, in this order
};

/// Writes VTK XML PolyData (.vtp), the numbers raw and appended. Throws `Error` if a field is not
/// as long as what it belongs to, a cell names a point that is not there, or a name cannot be
/// written.
void write_vtk(const std::string& path, const VtkFrame& frame);

}  // namespace abut
