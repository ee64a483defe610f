#pragma once

#include <abut/case.hpp>
#include <filesystem>
#include <string>
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

/// Reads an [[insertion]]: random particles in a region, or the particles of a file. `insertion`
/// has name and material; `partial_case` has domain, fixed particles and earlier insertions.
template <std::size_t D>
Insertion<D> read_insertion_table(TomlTable& table, Insertion<D> insertion,
                                  const std::filesystem::path& folder, const Case<D>& partial_case);

/// Checks an insertion against the whole case, so that errors that can be known in advance do not
/// stop a run at a later insertion.
template <std::size_t D>
void check_insertion(const TomlTable& table, const Insertion<D>& insertion,
                     const Case<D>& whole_case);

/// Smallest radius of the particles of an insertion.
template <std::size_t D>
double min_radius(const Insertion<D>& insertion);

/// Reads `radius`: one number, or the smallest and the largest radius. Returns both.
std::pair<double, double> read_radii(TomlTable& table);

/// Reads the particles of a CSV file (x,y[,z],r). Throws `Error` with file and line for the first
/// particle that is outside the domain, which is given in `bounds_file`, or that coincides with
/// another one of the file or with one of `existing`: the direction of their contact force would be
/// undefined.
template <std::size_t D>
SphereArrays<D> read_particle_list(const std::string& path, const std::optional<Box<D>>& domain,
                                   const std::array<bool, D>& periodic,
                                   const std::string& bounds_file,
                                   const std::vector<Spheres<D>>& existing);

}  // namespace abut
