#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "frames/dataset.hpp"
#include "io/contact_csv.hpp"

namespace abut {

/// The implementation of a `Dataset`: one class for runs, one for single frames.
class FrameSource {
 public:
  FrameSource() = default;
  virtual ~FrameSource() = default;
  FrameSource(const FrameSource&) = delete;
  FrameSource& operator=(const FrameSource&) = delete;

  virtual bool refresh() { return false; }
  [[nodiscard]] virtual const std::string& title() const = 0;
  [[nodiscard]] virtual const std::vector<double>& times() const = 0;
  [[nodiscard]] virtual bool has_si_units() const = 0;
  [[nodiscard]] virtual FrameData frame(std::size_t index) const = 0;
  [[nodiscard]] virtual std::string probes() const { return {}; }
  [[nodiscard]] virtual std::vector<std::string> warnings() const { return {}; }
};

/// Opens the folder of a run, which contains run.pvd.
std::unique_ptr<FrameSource> open_run_source(const std::string& folder);

/// Whether the run in a folder is in SI units: true unless its case.toml says units = "none".
bool run_has_si_units(const std::string& folder);

/// Reads one .vtp file of a run: particles, contacts or walls.
FrameData read_vtp_frame(const std::string& path);

/// Reads particles that `abut detect` reads, and their pairs if a matching file of pairs is in the
/// same folder.
FrameData read_particle_frame(const std::string& path);

/// Reads polygons or polyhedra that `abut detect` reads, and their contacts if a matching file of
/// contacts is in the same folder.
FrameData read_block_frame(const std::string& path);

/// The only CSV file of particles or polygons in a folder. Throws `Error` if there is none, or more
/// than one.
std::string find_particle_file(const std::string& folder);

/// Polygons or polyhedra in world coordinates, and for each particle its id, center and bounding
/// radius.
struct BlockOutlines {
  int dimension = 2;
  FrameBlocks blocks;
  std::vector<std::int64_t> ids;
  std::vector<std::array<float, 3>> centers;  ///< mean of the vertices
  std::vector<double> bounding_radii;         ///< largest distance of a vertex from the center

  /// Whether all contacts refer to particles of this set and lie near both of them. `index_of(id)`
  /// returns the index of a particle, or `ids.size()` for an unknown id.
  [[nodiscard]] bool matches(const ContactTable& table,
                             const std::function<std::size_t(std::int64_t)>& index_of) const;
};

/// Reads a file, or a folder of OBJ and STL files. Throws `Error` with the message of `abut
/// detect`.
BlockOutlines read_block_outlines(const std::string& path);

}  // namespace abut
