#pragma once

#include <abut/walls.hpp>
#include <optional>
#include <string>
#include <vector>

#include "abut/detector_options.hpp"
#include "cli/command.hpp"
#include "io/mesh_file.hpp"
#include "io/particle_file.hpp"

namespace abut {

/// Particles, and the bounds that belong to them.
struct LoadedParticles {
  ParticleFile file;
  std::optional<Bounds> bounds;
};

/// The options that say which particles and how near: shared by detect and compare.
struct ParticleInput {
  std::string bounds;
  std::vector<double> box;
  std::string periodic;
  int dimension = 0;
  double margin = 0;
  double tolerance = 1e-12;
  double expansion = 0;
  int max_cells_per_axis = 0;
  unsigned threads = 0;
  std::string fixed_count_text = "0";
  double group_ratio = 2;
  std::string memory_limit_text;

  void add_to(Arguments& command);

  /// Only what says where particles may be.
  void add_domain_to(Arguments& command);

  /// What --box or --bounds say, if any.
  [[nodiscard]] std::optional<Bounds> domain_from_options() const;

  /// The files that path stands for: the particles, and the bounds if there are any.
  struct InputPaths {
    std::string particles;
    std::string bounds;
  };
  [[nodiscard]] InputPaths paths_of(const std::string& path) const;

  /// Reads a file, or elements.txt and bounds.txt of a folder. bounds.txt beside a file named
  /// elements.txt belongs to it, unless other bounds were given.
  [[nodiscard]] LoadedParticles read(const std::string& path) const;

  template <std::size_t D>
  [[nodiscard]] DetectorOptions<D> options(Method method,
                                           const std::optional<Bounds>& domain) const {
    DetectorOptions<D> options{.method = method,
                               .margin = margin,
                               .tolerance = tolerance,
                               .expansion = expansion,
                               .fixed_count = fixed_count(),
                               .group_ratio = group_ratio,
                               .max_cells_per_axis = max_cells_per_axis,
                               .threads = threads,
                               .memory_limit = memory_limit()};
    if (domain) options.domain = domain->box<D>();
    for (std::size_t k = 0; k < D; ++k) options.periodic[k] = is_periodic_along(k);
    return options;
  }

  /// Complains of --periodic if that is not possible in a domain of this dimension, 0 for none.
  void check_periodic(int dimension_of_domain) const;

  [[nodiscard]] bool is_periodic() const { return !periodic.empty(); }
  [[nodiscard]] bool is_periodic_along(std::size_t axis) const {
    return periodic.find("xyz"[axis]) != std::string::npos;
  }

 private:
  [[nodiscard]] std::optional<Bounds> domain(const std::string& bounds_file) const;
  [[nodiscard]] std::size_t memory_limit() const;
  [[nodiscard]] std::size_t fixed_count() const;
};

/// The methods of these names; "all" leaves brute force out above its limit.
std::vector<Method> parse_methods(const std::vector<std::string>& names, std::size_t particles);

/// Above this number of particles brute force is left out unless it is asked for by name.
inline constexpr std::size_t brute_force_limit = 20000;

/// The method of that name or number; throws `Error` listing all of them if there is none.
Method parse_method(const std::string& name_or_number);

/// Calls use.operator()<D>() with the dimension of the file.
template <class Use>
auto with_dimension(int dimension, const Use& use) {
  return dimension == 2 ? use.template operator()<2>() : use.template operator()<3>();
}

/// Walls from files: their pieces are numbered through, in the order the files were named.
struct WallFiles {
  std::vector<MeshFile> files;

  [[nodiscard]] bool empty() const { return files.empty(); }

  template <std::size_t D>
  [[nodiscard]] Walls<D> make_walls() const {
    Walls<D> all;
    for (const MeshFile& file : files) all.add(file.mesh<D>());
    return all;
  }
};

/// Reads the files, for particles of this dimension, and tells on stderr what was wrong with each
/// and what was done about it. Throws `Error` where nothing can be.
WallFiles read_walls(const std::vector<std::string>& paths, int dimension);

/// The same for a single mesh that must be closed.
MeshFile read_closed_mesh(const std::string& path, int dimension);

}  // namespace abut
