#pragma once

#include <abut/mesh.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "io/particle_file.hpp"

namespace abut {

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

}  // namespace abut
