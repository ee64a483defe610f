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

/// Pairs of `abut detect` read back: of particles, or of polygons and polyhedra, which also have a
/// normal, a point and a measure. A vector has a row each contact, or is empty where the file has
/// no such column.
struct ContactTable {
  std::vector<std::int64_t> a;
  std::vector<std::int64_t> b;
  std::vector<double> gap;
  std::vector<std::array<double, 3>> normal;
  std::vector<std::array<double, 3>> point;
  std::vector<double> area;
  std::vector<std::array<double, 3>> image;  ///< periods by which b is moved

  [[nodiscard]] bool has_block_contacts() const { return !point.empty(); }
};

/// What a CSV file of abut holds, by its header.
enum class CsvKind : std::uint8_t { unknown, particles, polygons, contacts, block_contacts };

CsvKind csv_kind(const std::string& path);

/// Throws `Error` naming file, line and field.
ContactTable read_contacts(const std::string& path);

/// Writes contacts with walls as comma-separated values, in the order given:
///     particle,facet,feature,gap,nx,ny,nz,px,py,pz      in 2D without nz and pz
/// The particle is its id where there are `ids`, else its row counted from 0.
template <std::size_t D>
void write_wall_contacts_csv(OutputFile& out, std::span<const WallContact<D>> contacts,
                             std::span<const std::int64_t> ids, const Progress& progress);

/// Writes a,b,gap,nx,ny[,nz],px,py[,pz],measure and, where the domain repeats, ix,iy[,iz].
/// Particles are named by their ids.
template <std::size_t D>
void write_block_contacts_csv(OutputFile& out, std::span<const BlockContact<D>> contacts,
                              std::span<const std::int64_t> ids, bool images,
                              const Progress& progress);

/// Writes particle,x,y, a corner a line; particles are numbered from 0.
void write_polygons_csv(OutputFile& out, std::span<const std::vector<Point<2>>> polygons);

}  // namespace abut
