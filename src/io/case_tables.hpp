#pragma once

#include <abut/case.hpp>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/toml_table.hpp"

namespace abut {

// Where things of a case are, and how they move. What makes no sense is an `Error` with its place.

/// `min` and `max`; other keys may stand beside them.
template <std::size_t D>
Box<D> read_box(TomlTable& table);

/// Of a wall: a plane, cylinder, cone, ring or disc, or a mesh from a file in this folder.
template <std::size_t D>
WallShape<D> read_wall_shape(TomlTable& table, const std::filesystem::path& folder);

template <std::size_t D>
WallMotion<D> read_motion(TomlTable table);

/// What particles are released into.
template <std::size_t D>
Region<D> read_region(TomlTable table, const std::filesystem::path& folder);

/// What a [[release]] lets in: particles of a region, or those of a file in this folder. Name and
/// material are given; domain and fixed balls of the case are known already.
template <std::size_t D>
Insertion<D> read_insertion_table(TomlTable& one, Insertion<D> inflow,
                                  const std::filesystem::path& folder, const Case<D>& so_far);

/// Also of those that come later, so that no run ends in its middle for what could be seen before.
template <std::size_t D>
void check_insertion(const TomlTable& one, const Insertion<D>& inflow, const Case<D>& whole);

/// The smallest of its particles.
template <std::size_t D>
double min_radius(const Insertion<D>& inflow);

/// `radius`: one number, or the smallest and the largest.
std::pair<double, double> read_radii(TomlTable& one);

/// Particles of a CSV file (x,y[,z],r) for a simulation. Throws `Error` with file and line for the
/// first that is outside the domain, which is given in `bounds_file`, or at the very place of
/// another or of one of those that are there: nothing would push them apart.
template <std::size_t D>
SphereArrays<D> read_particle_list(const std::string& path, const std::optional<Box<D>>& domain,
                                   const std::array<bool, D>& periodic,
                                   const std::string& bounds_file,
                                   const std::vector<Spheres<D>>& there);

}  // namespace abut
