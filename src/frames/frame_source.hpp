#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "frames/dataset.hpp"
#include "io/contact_csv.hpp"
#include "io/vtk_reader.hpp"

namespace abut {

/// Where frames come from; one kind a file.
class FrameSource {
 public:
  FrameSource() = default;
  virtual ~FrameSource() = default;
  FrameSource(const FrameSource&) = delete;
  FrameSource& operator=(const FrameSource&) = delete;

  /// Looks again; whether there is more than before.
  virtual bool refresh() { return false; }
  [[nodiscard]] virtual const std::string& title() const = 0;
  [[nodiscard]] virtual const std::vector<double>& times() const = 0;
  [[nodiscard]] virtual FrameData frame(std::size_t number) const = 0;
  [[nodiscard]] virtual std::string probes() const { return {}; }
};

/// The folder of a run: it holds run.pvd.
std::unique_ptr<FrameSource> open_run_source(const std::string& folder);

/// A single moment, which has been read.
std::unique_ptr<FrameSource> single_frame_source(std::string title, FrameData frame);

/// One .vtp file, whichever part of a run it is.
FrameData read_vtp_frame(const std::string& path);

/// Particles of `abut detect`, and their pairs if these lie beside them.
FrameData read_particle_frame(const std::string& path);

/// Polygons or polyhedra, and their contacts if these lie beside them.
FrameData read_block_frame(const std::string& path);

/// The one file of particles or polygons in a folder of CSV files. Throws `Error` if there is none,
/// or more than one.
std::string find_particle_file(const std::string& folder);

/// A file of `abut run` as a part of what is shown. Throws `Error` naming the file for a field that
/// is missing, and for numbers that are none.
FrameParticles particles_from_vtp(const std::string& path, const VtkContent& file);
FrameContacts contacts_from_vtp(const std::string& path, const VtkContent& file);
FrameWalls walls_from_vtp(const std::string& path, const VtkContent& file);

/// Whether nothing in it leaves the plane.
bool is_planar(const FrameData& frame);

/// Polygons or polyhedra where they stand, and by particle its id, middle and extent.
struct BlockOutlines {
  int dimension = 2;
  FrameBlocks blocks;
  std::vector<std::int64_t> ids;
  std::vector<std::array<float, 3>> centers;
  std::vector<double> bounding_radii;  ///< how far corners are from there

  /// Whether contacts name particles there are, and lie between the two; `index_of` gives the
  /// number of an id, or how many there are for one that nobody has.
  [[nodiscard]] bool matches(const ContactTable& table,
                             const std::function<std::size_t(std::int64_t)>& number_of) const;
};

/// Reads a file, or a folder of OBJ and STL files. Throws `Error` as `abut detect` would.
BlockOutlines read_block_outlines(const std::string& path);

}  // namespace abut
