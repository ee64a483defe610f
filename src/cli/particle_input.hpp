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

/// Particles read from a file, and the domain bounds that belong to them.
struct LoadedParticles {
  ParticleFile file;
  std::optional<Bounds> bounds;
};

/// Options of the commands that read particles (detect, compare, insert): the domain, and the
/// definition of a pair. Lengths are in the units of the file.
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

  /// Adds only the options of the domain: --bounds, --box, --periodic and --dim.
  void add_domain_to(Arguments& command);

  /// The domain given by --box or --bounds, if any.
  [[nodiscard]] std::optional<Bounds> domain_from_options() const;

  /// The files to read for `path`: the particle file, and the bounds file or "".
  struct InputPaths {
    std::string particles;
    std::string bounds;
  };
  [[nodiscard]] InputPaths paths_of(const std::string& path) const;

  /// Reads a particle file, or elements.txt and bounds.txt of a folder. A bounds.txt next to
  /// elements.txt is used unless --bounds or --box is given; the box of a LAMMPS file if it is
  /// needed for --periodic. Prints warnings to stderr. Throws `Error` for bad input.
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

  /// Throws `Error` if --periodic is invalid in a domain of this dimension; 0: there is no domain.
  void check_periodic(int domain_dimension) const;

  [[nodiscard]] bool is_periodic() const { return !periodic.empty(); }
  [[nodiscard]] bool is_periodic_along(std::size_t axis) const {
    return periodic.find("xyz"[axis]) != std::string::npos;
  }

 private:
  [[nodiscard]] std::optional<Bounds> domain(const std::string& bounds_file) const;
  [[nodiscard]] std::size_t memory_limit() const;
  [[nodiscard]] std::size_t fixed_count() const;
};

/// The methods with these names or numbers; "all" excludes brute force above its limit.
std::vector<Method> parse_methods(const std::vector<std::string>& names,
                                  std::size_t particle_count);

/// Maximum number of particles up to which "all" includes brute force.
inline constexpr std::size_t brute_force_limit = 20000;

/// The method with this name or number. Throws `Error` with the list of names if there is none.
Method parse_method(const std::string& name_or_number);

/// Calls function.operator()<D>() with the dimension as a template argument.
template <class Function>
auto with_dimension(int dimension, const Function& function) {
  return dimension == 2 ? function.template operator()<2>() : function.template operator()<3>();
}

/// Wall meshes read from files. Elements are numbered consecutively over all files, in the order in
/// which the files were given.
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

/// Adds --weld-tolerance.
void add_weld_tolerance(Arguments& command, double& weld_tolerance);

/// Reads wall meshes of this dimension. Prints warnings about degenerate, duplicate and
/// inconsistently oriented elements to stderr. Throws `Error` if a mesh has no usable element.
WallFiles read_walls(const std::vector<std::string>& paths, int dimension, double weld_tolerance);

/// Reads one mesh like `read_walls`. Throws `Error` if it is not closed.
MeshFile read_closed_mesh(const std::string& path, int dimension, double weld_tolerance);

}  // namespace abut
