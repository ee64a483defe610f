#pragma once

#include <abut/mesh.hpp>
#include <cstdint>
#include <string_view>

#include "io/output_file.hpp"
#include "io/particle_file.hpp"

namespace abut {

// Binary STL: a header of 80 bytes that means nothing, the number of triangles, and 50 bytes for
// each: normal and corners as floats, and two bytes that mean nothing. Little endian.

inline constexpr std::size_t stl_start = 84;
inline constexpr std::size_t stl_record = 50;

/// How many triangles the bytes of a binary STL, at least `stl_start` of them, say there are.
std::uint32_t stl_count(std::string_view bytes);

/// Whether the size is what the number of triangles needs. The header is not asked: that of many
/// a binary STL begins with "solid", as ASCII STL does.
bool is_binary_stl(std::string_view bytes);

/// Reads what `is_binary_stl`.
Mesh<3> read_binary_stl(std::string_view name, std::string_view bytes, const Progress& progress);

/// Coordinates are rounded to floats.
void write_stl(OutputFile& out, const Mesh<3>& mesh, const Progress& progress);

}  // namespace abut
