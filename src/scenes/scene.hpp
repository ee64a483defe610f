#pragma once

#include <abut/box.hpp>
#include <abut/spheres.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace abut {

/// Generated particles and the box they fill.
template <std::size_t D>
struct Scene : SphereArrays<D> {
  Box<D> bounds{};
};

/// Parameters of the generators; each uses those that apply to it. `spacing` is in diameters of the
/// largest particle, all other lengths in the unit of `diameter`.
struct SceneOptions {
  std::size_t count = 1000;
  std::uint64_t seed = 1;
  double diameter = 1;          ///< of the largest particle
  double solid_fraction = 0.5;  ///< volume fraction (2D: area fraction) of random scenes
  double spacing = 1;           ///< the variable spacing s of packings B to D
  double size_ratio = 32;       ///< largest over smallest diameter of polydisperse scenes
  bool spatial_order = false;   ///< index particles row by row instead of at random
};

/// A generator for `make_scene`.
struct SceneInfo {
  std::string_view name;
  std::string_view description;
};

/// All generators, shared by the program, the tests and the benchmarks.
std::span<const SceneInfo> scenes();

/// Generates the scene with that name. Throws `Error` for an unknown name or options out of range.
/// The same name and options give bitwise identical particles on every machine.
template <std::size_t D>
Scene<D> make_scene(std::string_view name, const SceneOptions& options);

/// Moves every center along each axis by a uniform random distance in [−distance, distance].
template <std::size_t D>
void perturb(Scene<D>& scene, double distance, std::uint64_t seed);

extern template Scene<2> make_scene(std::string_view, const SceneOptions&);
extern template Scene<3> make_scene(std::string_view, const SceneOptions&);

}  // namespace abut
