#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/contact_csv.hpp"
#include "show/shown.hpp"

namespace abut {

/// Polygons or polyhedra where they stand, and by particle its id, middle and extent.
struct BlockOutlines {
  int dimension = 2;
  ShownBlocks blocks;
  std::vector<std::int64_t> ids;
  std::vector<std::array<float, 3>> centres;
  std::vector<double> reach;  ///< how far corners are from there

  /// Whether contacts name particles there are, and lie between the two; `number_of` gives the
  /// number of an id, or how many there are for one that nobody has.
  [[nodiscard]] bool fit(const ContactTable& table,
                         const std::function<std::size_t(std::int64_t)>& number_of) const;
};

/// Reads a file, or a folder of OBJ and STL files. Throws `Error` as `abut detect` would.
BlockOutlines block_outlines(const std::string& path);

}  // namespace abut
