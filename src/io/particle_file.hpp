#pragma once

#include <abut/box.hpp>
#include <abut/mesh.hpp>
#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.hpp"
#include "io/text_input.hpp"

namespace abut {

/// Bounds of the particle centers, inclusive, as read from `file`. In 2D the third axis is unused.
struct Bounds {
  std::string file;
  int dimension = 3;
  std::array<double, 3> min{};
  std::array<double, 3> max{};

  template <std::size_t D>
  [[nodiscard]] Box<D> box() const {
    Box<D> box;
    for (std::size_t k = 0; k < D; ++k) {
      box.min[k] = min[k];
      box.max[k] = max[k];
    }
    return box;
  }
};

/// Detected by the content of a file; only an unclear one counts as CSV if its name ends with .csv.
enum class ParticleFormat : std::uint8_t {
  csv,          ///< with a header
  elements,     ///< Demcda elements
  table,        ///< text x y z r without a header, as LIGGGHTS and YADE read and write
  lammps_data,  ///< atom_style sphere
  lammps_dump,  ///< custom
  frame,        ///< .vtp, written by `abut run`
};

/// What of a particle file is needed.
enum class ParticleContents : std::uint8_t {
  geometry,  ///< centers, radii and ids
  all,       ///< also velocities, angular velocities, materials, densities, and which are fixed
};

/// The simulation box of a LAMMPS file.
struct ParticleBox {
  Box<3> box{};
  std::array<bool, 3> periodic{};  ///< all false for data files, which do not state it
};

/// Particles as read from a file. The dimension (2 or 3) is a property of the file. Arrays without
/// a comment have one element per particle, or none if the file lacks them or they are not needed.
struct ParticleFile {
  ParticleFormat format = ParticleFormat::csv;
  int dimension = 3;
  SphereArrays<3> spheres{};  ///< in 2D, z is 0
  std::vector<std::int64_t> ids{};
  std::vector<Vec<3>> velocity{};
  std::vector<Vec<3>> angular_velocity{};
  std::vector<double> density{};
  std::vector<std::uint8_t> fixed{};          ///< 1: fixed
  std::vector<std::uint32_t> material{};      ///< index in `material_names`
  std::vector<std::string> material_names{};  ///< names, or numbers (`has_numbered_materials`)
  std::optional<ParticleBox> box{};
  std::vector<std::string> warnings{};  ///< one line each, without the name of the file
  std::size_t first_row = 0;            ///< offset of the first particle in the text, in bytes

  [[nodiscard]] std::size_t size() const { return spheres.size(); }

  /// Materials are numbers: types of LAMMPS, or indices in the case that wrote a frame.
  [[nodiscard]] bool has_numbered_materials() const {
    return format >= ParticleFormat::lammps_data;
  }

  /// The name of the column or field of the materials.
  [[nodiscard]] std::string_view material_column() const {
    return format == ParticleFormat::lammps_data || format == ParticleFormat::lammps_dump
               ? "type"
               : "material";
  }

  /// A view of the particles; D must be `dimension`.
  template <std::size_t D>
  [[nodiscard]] Spheres<D> particles() const {
    if constexpr (D == 3)
      return spheres.view();
    else
      return {spheres.coordinates[0], spheres.coordinates[1], spheres.radii};
  }
};

/// Whether the path ends with .csv or .CSV.
bool has_csv_extension(const std::string& path);

/// The text of a particle file in memory, decompressed if it is gzipped; "-" is standard input.
class ParticleText {
 public:
  /// If `max_pipe_bytes` is not 0, no more is read from a device or pipe, or decompressed.
  explicit ParticleText(const std::string& path, std::size_t max_pipe_bytes = 0);

  [[nodiscard]] const std::string& name() const { return file_.name(); }
  [[nodiscard]] std::string_view text() const {
    return is_gzipped_ ? without_byte_order_mark(decompressed_.bytes()) : file_.text();
  }
  [[nodiscard]] bool has_csv_name() const { return has_csv_extension(file_.name()); }

 private:
  InputFile file_;
  bool is_gzipped_;
  ByteBuffer decompressed_;
};

/// Reads particles of any format. Every particle is checked: centers must lie within `bounds`, if
/// given, radii must be positive, and ids unique. `dimension` (2 or 3; 0: from the bounds, or else
/// from the file) is needed only for Demcda elements of three columns without bounds, which could
/// be x y z or x y radius. Particles of a format with three coordinates must be in the plane z = 0
/// if the dimension is 2. Throws `Error` with file, line, key and value.
ParticleFile read_particles(const ParticleText& file, const std::optional<Bounds>& bounds,
                            int dimension, ParticleContents contents, const Progress& progress);

/// Reads centers, radii and ids.
ParticleFile read_particles(const std::string& path, const std::optional<Bounds>& bounds,
                            int dimension, const Progress& progress);

/// The line (counted from 1) of a particle (counted from 0); none in a frame. Scans the text from
/// its beginning, O(n).
std::optional<std::size_t> particle_line(const ParticleText& text, const ParticleFile& file,
                                         std::size_t particle);

/// A particle as it is named in messages: by the id of a LAMMPS data file or frame, or else by its
/// row, counted from 0.
std::string particle_name(const ParticleFile& file, std::size_t particle);

/// Throws `Error` about a value of a particle, with file and line.
[[noreturn]] void fail_at_particle(const ParticleText& text, const ParticleFile& file,
                                   std::size_t particle, std::string_view field, std::string value,
                                   std::string_view problem);

/// Compares the box of a LAMMPS file with a domain. Throws `Error` if its length along a periodic
/// axis of the domain differs by more than 1e-9 of it: contacts across the boundary would be those
/// of other particles. Adds a warning to `file` if the box is periodic along an axis along which
/// the domain is not. In 2D the third axis is unused; without a domain no axis is periodic.
void check_box(const ParticleText& text, ParticleFile& file, const std::optional<Bounds>& domain,
               const std::array<bool, 3>& periodic);

// CSV files with a header:
//   particles  x,y[,z],r            columns in any order; also id, vx,vy,vz (velocity), wx,wy,wz
//                                   (angular velocity) and material (a name); in 2D vx,vy and wz.
//                                   Other columns are ignored with a warning.
//   pairs      a,b,gap              a and b are ids if the particles have ids, else row numbers
//                                   counted from 0; gap = |x_a − x_b| − (r_a + r_b)
//              a,b,gap,ix,iy[,iz]   in a periodic domain; ix, iy, iz are the periods by which b is
//                                   shifted

/// Writes x,y[,z],r.
template <std::size_t D>
void write_particles_csv(OutputFile& out, const Spheres<D>& particles, const Progress& progress);

/// Writes the pairs in the given order. `ids` may be empty. `periods` are the lengths of the domain
/// along the periodic axes.
template <std::size_t D>
void write_pairs_csv(OutputFile& out, std::span<const Pair> pairs, const Spheres<D>& particles,
                     std::span<const std::int64_t> ids, const Progress& progress);
template <std::size_t D>
void write_pairs_csv(OutputFile& out, std::span<const PeriodicPair<D>> pairs,
                     const std::array<double, D>& periods, const Spheres<D>& particles,
                     std::span<const std::int64_t> ids, const Progress& progress);

// Text files of the Demcda program:
//   bounds.txt    the dimension, then `min max` for each axis
//   elements.txt  the number of elements and their common radius, then `x y [z]` for each element;
//                 a further column is the element's own radius
//   contacts.txt  `i j` for each pair, numbered from 1, with i > j, sorted by descending i, then
//                 ascending j

/// Throws `Error` with file, line, key and value.
Bounds read_demcda_bounds(const std::string& path);

/// Writes bounds.txt.
template <std::size_t D>
void write_demcda_bounds(OutputFile& out, const Box<D>& box);

/// Writes elements.txt. The common radius is the largest; a column of radii is written only if they
/// differ.
template <std::size_t D>
void write_demcda_elements(OutputFile& out, const Spheres<D>& particles, const Progress& progress);

/// Writes contacts.txt. `pairs` must be sorted by a, then b.
void write_demcda_contacts(OutputFile& out, std::span<const Pair> pairs, std::size_t particle_count,
                           const Progress& progress);

}  // namespace abut
