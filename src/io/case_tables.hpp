#pragma once

#include <abut/case.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/toml_table.hpp"

namespace abut {

// Readers of the tables of a case file. All throw `Error` with file, line, column, key and value.
// Paths in a case are relative to `folder`.

/// Reads `min` and `max`. The table may have other keys.
template <std::size_t D>
Box<D> read_box(TomlTable& table);

/// Reads the shape of a wall: plane, cylinder, cone, annulus or disk (`shape`), or a mesh file
/// (`mesh`).
template <std::size_t D>
WallShape<D> read_wall_shape(TomlTable& table, const std::filesystem::path& folder);

/// Reads the prescribed motion of a wall.
template <std::size_t D>
WallMotion<D> read_motion(TomlTable table);

/// Reads the region that particles are inserted into.
template <std::size_t D>
Region<D> read_region(TomlTable table, const std::filesystem::path& folder);

/// The material of this name; fails at a key of the table if there is none.
MaterialId require_material(const TomlTable& table, std::string_view key, const std::string& name,
                            const std::vector<Material>& materials);

/// Reads `material`, which may be omitted if there is only one.
MaterialId read_material_reference(TomlTable& table, const std::vector<Material>& materials);

/// Reads an [[insertion]]: random particles in a region, or the particles of a file. `insertion`
/// has a name; `partial_case` has materials, domain, fixed particles and earlier insertions.
/// Appends to `warnings`.
template <std::size_t D>
Insertion<D> read_insertion_table(TomlTable& table, Insertion<D> insertion,
                                  const std::filesystem::path& folder, const Case<D>& partial_case,
                                  std::vector<std::string>& warnings);

/// Reads `particles`, the name of a particle file of any format, and the keys that depend on it:
/// `material` and `types`. Throws `Error` with file and line for the first particle that is outside
/// the domain, has a material that the case does not have or a density that is not that of its
/// material, or coincides with another one of the file, of the fixed particles, or of a file that
/// is inserted at the same time: the direction of their contact force would be undefined.
template <std::size_t D>
void read_listed_insertion(TomlTable& table, Insertion<D>& insertion,
                           const std::filesystem::path& folder, const Case<D>& partial_case,
                           std::vector<std::string>& warnings);

/// Checks an insertion against the whole case, so that errors that can be known in advance do not
/// stop a run at a later insertion.
template <std::size_t D>
void check_insertion(const TomlTable& table, const Insertion<D>& insertion,
                     const Case<D>& whole_case);

/// Smallest radius of the particles of each material of an insertion; 0 for others.
template <std::size_t D>
std::vector<double> min_radii(const Insertion<D>& insertion, std::size_t material_count);

/// Reads `radius`: one number, or the smallest and the largest radius. Returns both.
std::pair<double, double> read_radii(TomlTable& table);

}  // namespace abut
