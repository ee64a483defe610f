#pragma once

#include <abut/box.hpp>
#include <abut/spheres.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace abut {

/// Particles that own their arrays, and the box that was filled with them.
template <std::size_t D>
struct Scene {
  std::array<std::vector<double>, D> coordinates;
  std::vector<double> radii;
  Box<D> bounds{};

  [[nodiscard]] std::size_t size() const { return radii.size(); }
  [[nodiscard]] Spheres<D> view() const {
    std::array<std::span<const double>, D> views;
    for (std::size_t k = 0; k < D; ++k) views[k] = coordinates[k];
    return {views, radii};
  }
};

/// What a generator can be asked for; each uses what concerns it. Lengths are in diameters of
/// the largest particle.
struct SceneOptions {
  std::size_t count = 1000;
  std::uint64_t seed = 1;
  double diameter = 1;          ///< of the largest particle
  double solid_fraction = 0.5;  ///< solid fraction of random scenes
  double spacing = 1;           ///< the variable distance s of packings B to D
  double size_ratio = 32;       ///< largest to smallest diameter of polydisperse scenes
  bool spatial_order = false;   ///< number random particles along a raster, not by chance
};

struct SceneInfo {
  std::string_view name;
  std::string_view description;
};

/// The generators, shared by the program, the tests and the benchmarks.
std::span<const SceneInfo> scenes();

/// Makes the scene of that name; throws `Error` for an unknown name or options out of range. The
/// same name and options give the same bits everywhere.
template <std::size_t D>
Scene<D> make_scene(std::string_view name, const SceneOptions& options);

/// Moves every centre by up to `distance` along each axis, each time differently.
template <std::size_t D>
void perturb(Scene<D>& scene, double distance, std::uint64_t seed);

extern template Scene<2> make_scene(std::string_view, const SceneOptions&);
extern template Scene<3> make_scene(std::string_view, const SceneOptions&);

}  // namespace abut
