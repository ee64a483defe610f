#pragma once

#include <abut/mesh.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "io/particle_file.hpp"

namespace abut {

/// A shape as given in a file, in its own frame.
template <std::size_t D>
struct BlockShape {
  std::string location;    ///< prefix of its error messages, as "rocks.csv:7: particle 3"
  bool is_convex = false;  ///< the file states that every part is convex
  /// Vertices of each part: in 2D in order along the boundary; in 3D the part is their convex hull.
  std::vector<std::vector<Point<D>>> parts{};
  Mesh<3> mesh{};  ///< closed boundary, instead of parts; 3D only
};

/// A particle: a shape that is rotated about the origin of its frame and then translated.
struct BlockInstance {
  std::size_t shape;  ///< index into the shapes of the file
  std::int64_t id;
  Point<3> position{};     ///< translation
  Point<3> axis{0, 0, 1};  ///< of the rotation; any length except 0
  double angle = 0;        ///< radians, counterclockwise about the axis
};

/// Polygons or polyhedra as read from a file or folder.
struct BlockFile {
  std::string format;  ///< "CSV", "JSON", "folder" or "mesh"
  int dimension = 2;
  std::vector<BlockShape<2>> shapes_2d{};
  std::vector<BlockShape<3>> shapes_3d{};
  std::vector<BlockInstance> particles{};
  std::vector<std::string> mesh_files{};  ///< files that were read for shapes
  std::vector<std::string> warnings{};    ///< for the user, one line each

  template <std::size_t D>
  [[nodiscard]] const std::vector<BlockShape<D>>& shapes() const {
    if constexpr (D == 2)
      return shapes_2d;
    else
      return shapes_3d;
  }
};

/// Whether a path contains polygons or polyhedra: a CSV file with a column `particle`, a JSON file,
/// or a folder of OBJ and STL files without elements.txt; never standard input.
bool contains_blocks(const std::string& path);

/// Reads polygons or polyhedra. Throws `Error` with file, line, key and value.
///
/// - CSV: `particle,x,y`, one vertex per line; the vertices of a particle are consecutive.
/// - Folder: each OBJ or STL file is a particle, numbered from 0 in the order of the file names.
/// - JSON: see docs/common_plane.md.
BlockFile read_blocks(const std::string& path, const Progress& progress);

/// The readers of single formats.
BlockFile read_polygon_csv(std::string_view name, std::string_view text, const Progress& progress);
BlockFile read_block_json(const std::string& path, std::string_view text, const Progress& progress);

}  // namespace abut
