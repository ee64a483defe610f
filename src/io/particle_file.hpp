#pragma once

#include <abut/box.hpp>
#include <abut/spheres.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

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
  bool csv = false;  ///< the format it was read from
  int dimension = 3;
  std::array<std::vector<double>, 3> axes{};
  std::vector<double> radius{};
  std::vector<std::int64_t> ids{};  ///< empty where the file gives none

  [[nodiscard]] std::size_t size() const { return radius.size(); }

  template <std::size_t D>
  [[nodiscard]] Spheres<D> particles() const {
    std::array<std::span<const double>, D> views;
    for (std::size_t k = 0; k < D; ++k) views[k] = axes[k];
    return {views, radius};
  }
};

/// Whether the path is a comma-separated file by its ending.
bool is_csv(const std::string& path);

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

}  // namespace abut
