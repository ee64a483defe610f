#pragma once

#include <abut/box.hpp>
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

namespace abut {

class Scanner;

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

/// Particles as read from a file. The dimension (2 or 3) is a property of the file.
struct ParticleFile {
  bool from_csv = false;  ///< otherwise from Demcda text
  int dimension = 3;
  SphereArrays<3> spheres{};        ///< in 2D, z is 0
  std::vector<std::int64_t> ids{};  ///< empty if the file has no ids

  [[nodiscard]] std::size_t size() const { return spheres.size(); }

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

/// Reads particles from CSV (by the extension or because the text begins with a header) or else
/// from Demcda elements. Every particle is checked: centers must lie within `bounds`, if given, and
/// radii must be positive. `dimension` (2 or 3; 0: from the file) is needed only for Demcda
/// elements of three columns without bounds, which could be x y z or x y radius. Throws `Error`
/// with file, line, key and value. If `max_pipe_bytes` is not 0, no more is read from a device or
/// pipe.
ParticleFile read_particles(const std::string& path, const std::optional<Bounds>& bounds,
                            int dimension, const Progress& progress,
                            std::size_t max_pipe_bytes = 0);

/// Fails, at the current line of `scan`, if the last particle of `file` lies outside the bounds or
/// has a radius that is not positive. Messages name the particle as `item number`.
void check_last_particle(const Scanner& scan, const ParticleFile& file,
                         const std::optional<Bounds>& bounds, const char* item, std::size_t number);

// CSV files with a header:
//   particles  x,y[,z],r[,id]       columns in any order; other columns are ignored
//   pairs      a,b,gap              a and b are ids if the particles have ids, else row numbers
//                                   counted from 0; gap = |x_a − x_b| − (r_a + r_b)
//              a,b,gap,ix,iy[,iz]   in a periodic domain; ix, iy, iz are the periods by which b is
//                                   shifted

/// Reads and checks particles, see `read_particles`. `name` is the file in messages. Ids must be
/// unique. `dimension` is 2, 3 or 0 (from the header).
ParticleFile read_particles_csv(std::string_view name, std::string_view text,
                                const std::optional<Bounds>& bounds, int dimension,
                                const Progress& progress);

/// The line (counted from 1) of a particle (counted from 0). Scans the text from its beginning,
/// O(n).
std::size_t csv_line_number(std::string_view text, std::size_t particle);

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

/// Reads and checks particles, see `read_particles`. `name` is the file in messages.
ParticleFile read_demcda_elements(std::string_view name, std::string_view text,
                                  const std::optional<Bounds>& bounds, int dimension,
                                  const Progress& progress);

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
