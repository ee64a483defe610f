#pragma once

#include <abut/blocks.hpp>
#include <abut/walls.hpp>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/output_file.hpp"
#include "io/particle_file.hpp"

namespace abut {

/// Contacts as written by `abut detect`: of spheres; or of polygons and polyhedra, which also have
/// a normal, a point and an area. Each array has one element per contact, or is empty if the file
/// has no such column. In 2D the third component is 0.
struct ContactTable {
  std::vector<std::int64_t> a;  ///< particle ids
  std::vector<std::int64_t> b;
  std::vector<double> gap;  ///< negative for an overlap
  std::vector<std::array<double, 3>> normal;
  std::vector<std::array<double, 3>> point;
  std::vector<double> area;                  ///< of the contact face; its length in 2D
  std::vector<std::array<double, 3>> image;  ///< periods by which b is shifted

  [[nodiscard]] bool has_block_contacts() const { return !point.empty(); }
};

/// The kind of table in a CSV file of abut.
enum class CsvKind : std::uint8_t { unknown, particles, polygons, contacts, block_contacts };

/// Detects the kind by the header alone; unknown if the file cannot be read.
CsvKind csv_kind(const std::string& path);

/// Reads a file of kind `contacts` or `block_contacts`. Throws `Error` with file, line, column, key
/// and value.
ContactTable read_contacts(const std::string& path);

/// Writes sphere-wall contacts in the given order:
///
///     particle,facet,feature,gap,nx,ny,nz,px,py,pz      (2D: without nz and pz)
///
/// The particle is its id, or its row counted from 0 if `ids` is empty. The unit normal n points
/// from the wall to the particle; p is the closest point on the wall.
template <std::size_t D>
void write_wall_contacts_csv(OutputFile& out, std::span<const WallContact<D>> contacts,
                             std::span<const std::int64_t> ids, const Progress& progress);

/// Writes contacts of polygons or polyhedra in the given order; a and b are ids:
///
///     a,b,gap,nx,ny[,nz],px,py[,pz],area[,ix,iy[,iz]]   (image only if `images`)
template <std::size_t D>
void write_block_contacts_csv(OutputFile& out, std::span<const BlockContact<D>> contacts,
                              std::span<const std::int64_t> ids, bool images,
                              const Progress& progress);

/// Writes `particle,x,y`, one vertex per line; particles are numbered from 0.
void write_polygons_csv(OutputFile& out, std::span<const std::vector<Point<2>>> polygons);

}  // namespace abut
