#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace abut {

class FrameSource;

// Frames hold single-precision values: they are for display only. Units are those of the files.

/// One value or vector per particle, contact or wall element.
struct FrameField {
  std::string name;            ///< "velocity", "coordination_number", …
  std::size_t components = 1;  ///< 1 or 3
  std::vector<float> values;   ///< `components` per element
};

struct FrameParticles {
  std::vector<std::array<float, 3>> position;
  std::vector<float> radius;
  std::vector<std::int64_t> id;
  std::vector<FrameField> fields;  ///< other fields: speed, material, coordination_number, fixed, …
};

struct FrameContacts {
  /// From center to center, or from center to contact point on a wall.
  std::vector<std::array<std::array<float, 3>, 2>> ends;
  std::vector<std::int64_t> a;     ///< particle ids; `a` and `b` are empty if the file has no ids
  std::vector<std::int64_t> b;     ///< particle ids, or −1 − index of a wall
  std::vector<FrameField> fields;  ///< force, force_magnitude, overlap, …
};

struct FrameWalls {
  std::vector<std::array<float, 3>> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< in 3D
  std::vector<std::array<std::uint32_t, 2>> segments;   ///< in 2D
  std::vector<std::int32_t> wall_id;                    ///< of each segment, then of each triangle
};

/// Polygons given by their outlines, or polyhedra given by the triangles of their faces.
struct FrameBlocks {
  std::vector<std::array<float, 3>> vertices;
  std::vector<std::uint32_t> outline_offsets;           ///< of polygon i: offsets i and i + 1
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< of polyhedra
  std::vector<std::int64_t> id;                         ///< of each polygon, or of each triangle
};

/// The state at one time. z is 0 in 2D.
struct FrameData {
  double time = 0;
  int dimension = 3;
  FrameParticles particles;
  FrameContacts contacts;
  FrameWalls walls;
  FrameBlocks blocks;
  std::vector<std::string> warnings;  ///< one line each, with the name of the file
};

/// The frames of a run of `abut run`, or a single frame of particles, polygons or polyhedra that
/// `abut detect` reads, with their contacts.
class Dataset {
 public:
  /// Opens the folder of a run (run.pvd), a file or folder that `abut detect` reads (CSV, JSON,
  /// OBJ, STL, elements.txt, LAMMPS; a matching contact file in the same folder is used), or one
  /// .vtp file.
  /// Throws `Error` naming what is missing or damaged, with a hint.
  explicit Dataset(std::string path);
  ~Dataset();
  Dataset(Dataset&&) noexcept;
  Dataset& operator=(Dataset&&) noexcept;

  /// Rereads the list of frames of a run in progress. Returns whether there are new frames.
  bool refresh();

  [[nodiscard]] const std::string& title() const;
  /// The time of each frame, ascending.
  [[nodiscard]] const std::vector<double>& times() const;

  /// Whether values are in SI units: true for runs, unless their case says units = "none"; false
  /// for files of `abut detect`, whose units are unknown.
  [[nodiscard]] bool has_si_units() const;

  /// Warnings about the file of a single frame, one line each with its name; none for a run.
  [[nodiscard]] std::vector<std::string> warnings() const;

  /// Reads a frame. Throws `Error` if a file is damaged or missing.
  [[nodiscard]] FrameData frame(std::size_t index) const;

  /// The complete lines of probes.csv; empty if there is no such file.
  [[nodiscard]] std::string probes() const;

 private:
  std::unique_ptr<FrameSource> source_;
};

}  // namespace abut
