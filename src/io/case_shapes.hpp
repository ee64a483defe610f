#pragma once

#include <abut/case.hpp>
#include <filesystem>

#include "io/toml_table.hpp"

namespace abut {

// Where things of a case are, and how they move. What makes no sense is an `Error` with its place.

/// `min` and `max`; other keys may stand beside them.
template <std::size_t D>
Box<D> box_from(TomlTable& table);

/// Of a wall: a plane, cylinder, cone, ring or disc, or a mesh from a file in this folder.
template <std::size_t D>
WallShape<D> shape_from(TomlTable& table, const std::filesystem::path& folder);

template <std::size_t D>
Motion<D> motion_from(TomlTable table);

/// What particles are released into.
template <std::size_t D>
Region<D> region_from(TomlTable table, const std::filesystem::path& folder);

}  // namespace abut
