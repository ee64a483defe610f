#pragma once

#include <abut/mesh.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "io/particle_file.hpp"

namespace abut {

/// A shape as its file has it.
template <std::size_t D>
struct BlockShape {
  std::string location;    ///< begins what is said of it: "rocks.csv:7: particle 3"
  bool is_convex = false;  ///< every part is promised to be
  std::vector<std::vector<Point<D>>> parts{};  ///< their corners; in 2D in order, in 3D of hulls
  Mesh<3> mesh{};                              ///< instead of parts, in 3D
};

/// A particle: a shape, turned about the origin and then moved.
struct BlockInstance {
  std::size_t shape;
  std::int64_t id;
  Point<3> position{};
  Point<3> axis{0, 0, 1};
  double angle = 0;
};

/// Polygons or polyhedra as read from a file or folder.
struct BlockFile {
  std::string format;  ///< "CSV", "JSON" or "folder"
  int dimension = 2;
  std::vector<BlockShape<2>> shapes_2d{};
  std::vector<BlockShape<3>> shapes_3d{};
  std::vector<BlockInstance> particles{};
  std::vector<std::string> mesh_files{};  ///< that were read besides: the meshes
  std::vector<std::string> warnings{};    ///< what a user should hear of, one line each

  template <std::size_t D>
  [[nodiscard]] const std::vector<BlockShape<D>>& shapes() const {
    if constexpr (D == 2)
      return shapes_2d;
    else
      return shapes_3d;
  }
};

/// Whether a path holds polygons or polyhedra: CSV whose header has a column `particle`, JSON, or a
/// folder of OBJ and STL files without elements.txt. Standard input does not.
bool contains_blocks(const std::string& path);

/// Reads them. Throws `Error` naming file, line or field, and what is wrong.
///
/// CSV: particle,x,y, a corner a line; those of a particle follow each other.
/// Folder: every OBJ or STL file is a particle, numbered from 0 in the order of their names.
/// JSON: see docs/common_plane.md.
BlockFile read_blocks(const std::string& path, const Progress& progress);

/// Each for one format.
BlockFile read_polygon_csv(std::string_view name, std::string_view text, const Progress& progress);
BlockFile read_block_json(const std::string& path, std::string_view text, const Progress& progress);

}  // namespace abut
