#pragma once

#include <abut/mesh.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "io/particle_file.hpp"

namespace abut {

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

}  // namespace abut
