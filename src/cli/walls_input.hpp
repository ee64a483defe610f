#pragma once

#include <abut/walls.hpp>
#include <string>
#include <vector>

#include "io/mesh_file.hpp"

namespace abut {

/// Walls from files: their pieces are numbered through, in the order the files were named.
struct ReadWalls {
  std::vector<MeshFile> files;

  [[nodiscard]] bool empty() const { return files.empty(); }

  template <std::size_t D>
  [[nodiscard]] Walls<D> walls() const {
    Walls<D> all;
    for (const MeshFile& file : files) all.add(file.mesh<D>());
    return all;
  }
};

/// Reads the files, for particles of this dimension, and tells on stderr what was wrong with each
/// and what was done about it. Throws `Error` where nothing can be.
ReadWalls read_walls(const std::vector<std::string>& paths, int dimension);

/// The same for a single mesh that must be closed.
MeshFile read_closed_mesh(const std::string& path, int dimension);

}  // namespace abut
