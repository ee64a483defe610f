#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

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
  std::vector<double> measure;
  std::vector<std::array<double, 3>> image;  ///< periods by which b is moved

  [[nodiscard]] bool of_blocks() const { return !point.empty(); }
};

/// What a CSV file of abut holds, by its header.
enum class CsvContent : std::uint8_t { unknown, particles, polygons, contacts, block_contacts };

CsvContent csv_content(const std::string& path);

/// Throws `Error` naming file, line and field.
ContactTable read_contacts(const std::string& path);

}  // namespace abut
