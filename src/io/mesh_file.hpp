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

/// A wall as its file has it: piece by piece in the order of the file, also those without area and
/// those that are there twice. Corners are numbered as the pieces come to use them; corners at the
/// same place are one.
struct MeshFile {
  std::string file;
  std::string format;  ///< "binary STL", "ASCII STL", "OBJ" or "CSV"
  int dimension = 3;
  Mesh<3> triangles{};                  ///< in 3D
  Mesh<2> segments{};                   ///< in 2D
  std::vector<std::string> warnings{};  ///< what a user should hear of, one line each

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

// Binary STL: a header of 80 bytes that means nothing, the number of triangles, and 50 bytes for
// each: normal and corners as floats, and two bytes that mean nothing. Little endian.

inline constexpr std::size_t stl_header_size = 84;
inline constexpr std::size_t stl_facet_size = 50;

/// How many triangles the bytes of a binary STL, at least `stl_header_size` of them, say there are.
std::uint32_t stl_facet_count(std::string_view bytes);

/// Whether the size is what the number of triangles needs. The header is not asked: that of many
/// a binary STL begins with "solid", as ASCII STL does.
bool is_binary_stl(std::string_view bytes);

/// Reads what `is_binary_stl`.
Mesh<3> read_binary_stl(std::string_view name, std::string_view bytes, const Progress& progress);

/// Coordinates are rounded to floats.
void write_stl(OutputFile& out, const Mesh<3>& mesh, const Progress& progress);

// ASCII STL, in small or capital letters, with blanks and line ends wherever they like:
//   solid <name>
//     facet normal nx ny nz
//       outer loop  vertex x y z  vertex x y z  vertex x y z  endloop
//     endfacet
//     …
//   endsolid <name>
// and again for further solids. Names end with their line; normals are read but not used.

/// Whether a text begins with "solid". So do the headers of many a binary STL.
bool begins_with_solid(std::string_view text);

/// Whether it begins with "solid" and has "facet" or "endsolid".
bool is_ascii_stl(std::string_view text);

Mesh<3> read_ascii_stl(std::string_view name, std::string_view text, const Progress& progress,
                       std::vector<std::string>& remarks);

// Of Wavefront OBJ:
//   v x y z          a vertex; a weight or colour after it is passed over
//   f 1 2 3 …        a face, a triangle or polygon, of vertices numbered from 1, or from −1
//                    backwards; also 1/4, 1//7 and 1/4/7, of which only the first matters
//   l 1 2 3 …        a line from vertex to vertex
//   # …              a comment; a line that ends with \ goes on in the next
// Other statements are passed over.

/// Whether a text has a line that is a vertex, a face or a line.
bool is_obj(std::string_view text);

/// Reads the faces, or in 2D the lines. A polygon of n corners becomes n − 2 triangles in a row.
template <std::size_t D>
Mesh<D> read_obj(std::string_view name, std::string_view text, const Progress& progress,
                 std::vector<std::string>& remarks);

/// Reads walls in 2D: a header x1,y1,x2,y2 in any order, other columns are passed over, and a line
/// for each segment.
Mesh<2> read_segment_csv(std::string_view name, std::string_view text, const Progress& progress);

/// How a polygon is best cut into triangles that share one corner.
struct TriangleFan {
  std::size_t apex = 0;  ///< the first from which no triangle is folded back, else 0
  bool overlaps_itself =
      false;                  ///< there is none: the triangles cover more than the polygon encloses
  bool is_nonplanar = false;  ///< a corner is off the plane by more than 1/10000 of the size
};

/// Looks at a polygon of at least four corners. One with very many is not tried from each.
TriangleFan choose_fan(std::span<const Point<3>> polygon);

}  // namespace abut
