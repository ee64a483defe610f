#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// A quantity of each particle, contact or piece of wall.
struct FrameField {
  std::string name;            ///< "velocity", "radius", …
  std::size_t components = 1;  ///< or 3
  std::vector<float> values;
};

struct FrameParticles {
  std::vector<std::array<float, 3>> position;
  std::vector<float> radius;
  std::vector<std::int64_t> id;
  std::vector<FrameField> fields;  ///< besides these: speed, material, contacts, fixed, …
};

/// Lines from centre to centre, or from centre to wall.
struct FrameContacts {
  std::vector<std::array<std::array<float, 3>, 2>> ends;
  std::vector<std::int64_t> a;  ///< ids of particles
  std::vector<std::int64_t>
      b;  ///< or −1 − the number of a wall; both empty if the file does not say
  std::vector<FrameField> fields;  ///< force, size, overlap
};

/// Triangles in space, segments in the plane.
struct FrameWalls {
  std::vector<std::array<float, 3>> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::array<std::uint32_t, 2>> segments;
  std::vector<std::int32_t> wall_id;  ///< of each piece
};

/// Polygons by their outlines, polyhedra by their faces as triangles.
struct FrameBlocks {
  std::vector<std::array<float, 3>> vertices;
  std::vector<std::uint32_t> outline_offsets;  ///< in `corners`, of each polygon, and the end
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< of polyhedra
  std::vector<std::int64_t> id;                         ///< of each polygon, or of each triangle
};

/// All there is to see at one time.
struct FrameData {
  double time = 0;
  int dimension = 3;
  FrameParticles particles;
  FrameContacts contacts;
  FrameWalls walls;
  FrameBlocks blocks;
};

/// A run of `abut run`, or particles, contacts and polygons of `abut detect`: what can be looked
/// at.
class Dataset {
 public:
  /// A folder of a run (run.pvd), a folder or file of `abut detect` (CSV of particles or polygons,
  /// JSON, OBJ, STL, elements.txt, with contacts beside them if there are), or one .vtp. Throws
  /// `Error` with one line that names what is missing or damaged, and the remedy.
  explicit Dataset(std::string path);
  ~Dataset();
  Dataset(Dataset&&) noexcept;
  Dataset& operator=(Dataset&&) noexcept;

  /// Looks again: a run in progress has new frames. Whether there are more than before.
  bool refresh();

  [[nodiscard]] const std::string& title() const;
  [[nodiscard]] const std::vector<double>& times() const;

  /// Reads it. Throws `Error` for a file that is damaged or gone.
  [[nodiscard]] FrameData frame(std::size_t number) const;

  /// The text of probes.csv, as far as whole lines go; empty if there is none.
  [[nodiscard]] std::string probes() const;

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

}  // namespace abut
