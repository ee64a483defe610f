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
struct ShownField {
  std::string name;            ///< "velocity", "radius", …
  std::size_t components = 1;  ///< or 3
  std::vector<float> values;
};

struct ShownParticles {
  std::vector<std::array<float, 3>> place;
  std::vector<float> radius;
  std::vector<std::int64_t> id;
  std::vector<ShownField> fields;  ///< besides these: speed, material, contacts, fixed, …
};

/// Lines from centre to centre, or from centre to wall.
struct ShownContacts {
  std::vector<std::array<std::array<float, 3>, 2>> ends;
  std::vector<std::int64_t> a;  ///< ids of particles
  std::vector<std::int64_t>
      b;  ///< or −1 − the number of a wall; both empty if the file does not say
  std::vector<ShownField> fields;  ///< force, size, overlap
};

/// Triangles in space, segments in the plane.
struct ShownWalls {
  std::vector<std::array<float, 3>> corners;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::array<std::uint32_t, 2>> segments;
  std::vector<std::int32_t> body;  ///< of each piece
};

/// Polygons by their outlines, polyhedra by their faces as triangles.
struct ShownBlocks {
  std::vector<std::array<float, 3>> corners;
  std::vector<std::uint32_t> outline_begins;  ///< in `corners`, of each polygon, and the end
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< of polyhedra
  std::vector<std::int64_t> id;                         ///< of each polygon, or of each triangle
};

/// All there is to see at one time.
struct ShownFrame {
  double time = 0;
  int dimension = 3;
  ShownParticles particles;
  ShownContacts contacts;
  ShownWalls walls;
  ShownBlocks blocks;
};

/// A run of `abut run`, or particles, contacts and polygons of `abut detect`: what can be looked
/// at.
class Shown {
 public:
  /// A folder of a run (run.pvd), a folder or file of `abut detect` (CSV of particles or polygons,
  /// JSON, OBJ, STL, elements.txt, with contacts beside them if there are), or one .vtp. Throws
  /// `Error` with one line that names what is missing or damaged, and the remedy.
  explicit Shown(std::string path);
  ~Shown();
  Shown(Shown&&) noexcept;
  Shown& operator=(Shown&&) noexcept;

  /// Looks again: a run in progress has new frames. Whether there are more than before.
  bool refresh();

  [[nodiscard]] const std::string& title() const;
  [[nodiscard]] const std::vector<double>& times() const;

  /// Reads it. Throws `Error` for a file that is damaged or gone.
  [[nodiscard]] ShownFrame frame(std::size_t number) const;

  /// The text of probes.csv, as far as whole lines go; empty if there is none.
  [[nodiscard]] std::string probes() const;

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

}  // namespace abut
