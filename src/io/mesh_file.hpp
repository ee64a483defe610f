#pragma once

#include <abut/mesh.hpp>
#include <string>
#include <vector>

#include "io/particle_file.hpp"

namespace abut {

/// A wall as its file has it: piece by piece in the order of the file, also those without area and
/// those that are there twice. Corners are numbered as the pieces come to use them; corners at the
/// same place are one.
struct MeshFile {
  std::string file;
  std::string format;  ///< "binary STL", "ASCII STL", "OBJ" or "CSV"
  int dimension = 3;
  Mesh<3> triangles{};                 ///< in 3D
  Mesh<2> segments{};                  ///< in 2D
  std::vector<std::string> remarks{};  ///< what a user should hear of, one line each

  template <std::size_t D>
  [[nodiscard]] const Mesh<D>& mesh() const {
    if constexpr (D == 2)
      return segments;
    else
      return triangles;
  }
};

/// Reads a wall for particles of this dimension: in 3D STL (binary or ASCII) and the faces of OBJ,
/// in 2D the lines of OBJ, and CSV with the header x1,y1,x2,y2. What it is, is told by content
/// and size; the ending of the name only helps. "-" is standard input. Throws `Error`.
MeshFile read_mesh(const std::string& path, int dimension, const Progress& progress = {});

class Scanner;
struct Field;

/// Reads a coordinate walls can work with.
double read_coordinate(Scanner& scan, const Field& field);

}  // namespace abut
