#pragma once

#include <abut/mesh.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.hpp"
#include "io/particle_file.hpp"

namespace abut {

/// A wall mesh as read from a file. Facets keep the order of the file; degenerate and duplicate
/// facets are kept. Vertices at the same position are merged; they are numbered in the order in
/// which the facets use them.
struct MeshFile {
  std::string file;
  std::string format;  ///< "binary STL", "ASCII STL", "OBJ" or "CSV"
  int dimension = 3;
  Mesh<3> triangles{};                  ///< in 3D
  Mesh<2> segments{};                   ///< in 2D
  std::vector<std::string> warnings{};  ///< for the user, one line each

  template <std::size_t D>
  [[nodiscard]] const Mesh<D>& mesh() const {
    if constexpr (D == 2)
      return segments;
    else
      return triangles;
  }
};

/// Reads a wall for particles of the given dimension: in 3D from STL (binary or ASCII) or the faces
/// of OBJ; in 2D from the lines of OBJ or from CSV with the header x1,y1,x2,y2. The format is
/// detected by content and size first, then by the extension. "-" is standard input. Throws `Error`
/// with file, line, column, key and value, or byte offset for binary STL.
MeshFile read_mesh(const std::string& path, int dimension, const Progress& progress = {});

class Scanner;
struct Field;

/// Reads a coordinate and fails if it is farther than 1e150 from the origin.
double read_coordinate(Scanner& scan, const Field& field);

// Binary STL, little endian: a comment of 80 bytes, which is ignored, the number of facets (4
// bytes), and 50 bytes per facet: normal and vertices as floats, and two unused bytes.

inline constexpr std::size_t stl_header_size = 84;
inline constexpr std::size_t stl_facet_size = 50;

/// The number of facets in the header. `bytes` must have at least `stl_header_size` bytes.
std::uint32_t stl_facet_count(std::string_view bytes);

/// Whether the size agrees with the number of facets. The comment is not considered: in many files
/// it begins with "solid", as ASCII STL does.
bool is_binary_stl(std::string_view bytes);

/// Reads bytes for which `is_binary_stl` is true. Normals are ignored.
Mesh<3> read_binary_stl(std::string_view name, std::string_view bytes, const Progress& progress);

/// Writes binary STL; coordinates are rounded to float. Throws `Error` for coordinates beyond its
/// range.
void write_stl(OutputFile& out, const Mesh<3>& mesh, const Progress& progress);

// ASCII STL, case-insensitive, with arbitrary blanks and line ends:
//   solid <name>
//     facet normal nx ny nz
//       outer loop  vertex x y z  vertex x y z  vertex x y z  endloop
//     endfacet
//     …
//   endsolid <name>
// Further solids may follow. A name ends with its line. Normals are ignored.

/// Whether a text begins with "solid". This does not imply ASCII: many binary STL files do, too.
bool begins_with_solid(std::string_view text);

/// Whether a text begins with "solid" and contains "facet" or "endsolid".
bool is_ascii_stl(std::string_view text);

/// Reads all solids as one mesh and appends warnings for the user.
Mesh<3> read_ascii_stl(std::string_view name, std::string_view text, const Progress& progress,
                       std::vector<std::string>& warnings);

// Wavefront OBJ:
//   v x y z          a vertex; a weight or color after it is ignored
//   f 1 2 3 …        a triangle or polygon of vertices numbered from 1, or backward from −1; also
//                    1/4, 1//7 and 1/4/7, of which only the first number is used
//   l 1 2 3 …        a polyline
//   # …              a comment; a line that ends with \ continues in the next line
// Other statements are ignored.

/// Whether a line of the text begins with v, f or l.
bool is_obj(std::string_view text);

/// Reads the faces (3D) or lines (2D) and appends warnings for the user. A polygon of n vertices
/// becomes a fan of n − 2 triangles.
template <std::size_t D>
Mesh<D> read_obj(std::string_view name, std::string_view text, const Progress& progress,
                 std::vector<std::string>& warnings);

/// Reads a wall in 2D: one segment per line, columns x1,y1,x2,y2 in any order; other columns are
/// ignored.
Mesh<2> read_segment_csv(std::string_view name, std::string_view text, const Progress& progress);

}  // namespace abut
