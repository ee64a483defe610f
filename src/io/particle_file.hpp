#pragma once

#include <abut/box.hpp>
#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.hpp"

namespace abut {

/// Called now and then with the part of a file that has been read or written (0 … 1).
using Progress = std::function<void(double)>;

/// Where the centres may be, as read from `file`.
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

/// Particles as read from a file; only then is it known whether there are two axes or three.
struct ParticleFile {
  bool from_csv = false;  ///< the format it was read from
  int dimension = 3;
  std::array<std::vector<double>, 3> coordinates{};
  std::vector<double> radii{};
  std::vector<std::int64_t> ids{};  ///< empty where the file gives none

  [[nodiscard]] std::size_t size() const { return radii.size(); }

  template <std::size_t D>
  [[nodiscard]] Spheres<D> particles() const {
    std::array<std::span<const double>, D> views;
    for (std::size_t k = 0; k < D; ++k) views[k] = coordinates[k];
    return {views, radii};
  }
};

/// Whether the path is a comma-separated file by its ending.
bool has_csv_extension(const std::string& path);

/// Reads particles in either format: comma-separated by its ending or because it begins with a
/// header; otherwise Demcda elements. `dimension` (2 or 3) is
/// needed only where three columns could be x y z or x y r and there are no bounds; 0 leaves it
/// to the file.
ParticleFile read_particles(const std::string& path, const std::optional<Bounds>& bounds,
                            int dimension, const Progress& progress);

class Scanner;

/// Refuses what cannot be detected: the last particle read lies outside the bounds, or has a
/// radius not above zero.
void check_last_particle(const Scanner& at, const ParticleFile& file,
                         const std::optional<Bounds>& bounds, const char* owner,
                         std::size_t number);

// The text files of the Demcda program:
//   bounds.txt    the dimension, then `min max` for each axis
//   elements.txt  the number and the common radius, then `x y [z]` for each element; a further
//                 column is that element's own radius
//   contacts.txt  `i j` for each pair, numbered from 1, i > j, i descending, then j ascending

Bounds read_demcda_bounds(const std::string& path);

ParticleFile read_demcda_elements(std::string_view name, std::string_view text,
                                  const std::optional<Bounds>& bounds, int dimension,
                                  const Progress& progress);

template <std::size_t D>
void write_demcda_bounds(OutputFile& out, const Box<D>& box);

/// Own radii are written as a column only where they differ.
template <std::size_t D>
void write_demcda_elements(OutputFile& out, const Spheres<D>& particles, const Progress& progress);

void write_demcda_contacts(OutputFile& out, std::span<const Pair> sorted, std::size_t particles,
                           const Progress& progress);

}  // namespace abut
