#pragma once

#include <memory>
#include <string>
#include <vector>

#include "show/shown.hpp"

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
  [[nodiscard]] virtual ShownFrame frame(std::size_t number) const = 0;
  [[nodiscard]] virtual std::string probes() const { return {}; }
};

/// The folder of a run: it holds run.pvd.
std::unique_ptr<FrameSource> run_source(const std::string& folder);

/// A single moment, which has been read.
std::unique_ptr<FrameSource> still_source(std::string title, ShownFrame frame);

/// One .vtp file, whichever part of a run it is.
ShownFrame frame_of_vtp(const std::string& path);

/// Particles of `abut detect`, and their pairs if these lie beside them.
ShownFrame frame_of_particles(const std::string& path);

/// Polygons or polyhedra, and their contacts if these lie beside them.
ShownFrame frame_of_blocks(const std::string& path);

/// The one file of particles or polygons in a folder of CSV files. Throws `Error` if there is none,
/// or more than one.
std::string only_particles_in(const std::string& folder);

}  // namespace abut
