#pragma once

#include <abut/simulation.hpp>
#include <abut/spheres.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/lammps_data.hpp"

namespace abut {

/// The scenes of `bench-dem`. Units: diameter of the smallest sphere and gravity are 1.
///
/// - settled: diameters 1 to 1.05, at rest in a box
/// - chute: flow over a rough base inclined by 26 degrees, periodic in x and y
/// - silo: discharge from a cylinder with a conical hopper
/// - drum: a rotating cylinder with end caps, less than half full
/// - polydisperse: diameters 1 to 4, at rest in a box
enum class DemSceneKind : std::uint8_t { settled, chute, silo, drum, polydisperse };

/// Throws `Error` naming the option --scene for an unknown name.
[[nodiscard]] DemSceneKind parse_dem_scene(std::string_view name);
[[nodiscard]] std::string_view name_of(DemSceneKind kind);

/// Selects a scene.
struct DemSceneOptions {
  DemSceneKind kind = DemSceneKind::settled;
  std::size_t count = 0;     ///< moving spheres
  bool has_friction = true;  ///< only `settled` can be without
  std::uint64_t seed = 1;
};

/// Spheres in the order of their ids; fixed ones come first.
struct SceneParticles {
  std::size_t fixed_count = 0;
  SphereArrays<3> spheres;
  std::vector<Vec<3>> velocity;
  std::vector<Vec<3>> angular_velocity;

  [[nodiscard]] std::size_t size() const { return spheres.size(); }
  [[nodiscard]] double highest() const;  ///< largest z of a center
  void add(const Point<3>& center, double sphere_radius, const Vec<3>& sphere_velocity = {},
           const Vec<3>& sphere_angular_velocity = {});
};

/// Steps that bring the particles closer to the initial state of the benchmark.
struct PreparationPhase {
  std::size_t steps = 0;
  Model<3> model;                              ///< softer or more damped, for longer time steps
  bool from_rest = false;                      ///< all velocities are set to zero first
  std::vector<Wall<3>> additional_walls = {};  ///< during this phase only
};

/// What a benchmark simulates: one material with one contact law.
struct DemScene {
  DemSceneKind kind = DemSceneKind::settled;
  Model<3> model;  ///< `threads` is not used
  std::vector<Wall<3>> walls = {};
  SceneParticles particles = {};
  Box<3> box{};  ///< walls or periodic boundaries along x and y; its minimum along z is the floor
  std::vector<PreparationPhase> preparation = {};  ///< yet to be run

  [[nodiscard]] const ContactParameters& contact() const {
    return model.contact_parameters.front().parameters;
  }
  [[nodiscard]] bool has_friction() const { return contact().friction > 0; }
};

/// The scene with loosely placed spheres, which `prepare` brings to rest or to flow.
[[nodiscard]] DemScene dem_scene(const DemSceneOptions& options);

/// The scene with the spheres of a file: its law, gravity and time step, with walls or periodic
/// boundaries at the box of the file. Atoms of type `frozen_type` are fixed. Throws `Error` for a
/// silo or drum, whose walls are not in the file, and for atoms of different densities.
[[nodiscard]] DemScene dem_scene(const LammpsData& data, DemSceneKind kind, bool has_friction,
                                 std::optional<std::uint32_t> frozen_type);

/// Runs the preparation of the scene. `progress` is called with the completed fraction.
void prepare(DemScene& scene, const std::function<void(double)>& progress);

/// A simulation of the scene; friction springs start at zero.
[[nodiscard]] Simulation3 simulation_of(const DemScene& scene, unsigned threads);

/// Stores the particles of a prepared scene.
void write_scene_state(const std::string& path, const DemScene& scene);

/// Replaces the particles of the scene by stored ones; no preparation remains to be run. Throws
/// `Error` if the file is damaged or holds another scene.
void read_scene_state(const std::string& path, DemScene& scene);

}  // namespace abut
