#include <fmt/core.h>

#include <abut/error.hpp>
#include <abut/walls.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/number_format.hpp"
#include "cli/outputs.hpp"
#include "cli/particle_input.hpp"
#include "cli/progress_bar.hpp"
#include "cli/scene_options.hpp"
#include "io/contact_csv.hpp"
#include "io/mesh_file.hpp"
#include "io/particle_csv.hpp"
#include "io/particle_file.hpp"
#include "scenes/mesh_scene.hpp"
#include "scenes/polygon_scene.hpp"
#include "scenes/scene.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view polygons = "polygons";

struct SceneCommand {
  SceneArguments arguments;
  std::string name;
  std::string count = "1000";
  int dimension = 3;
  std::string out;
  std::string bounds;

  int run() {
    if (name == polygons) return write_polygons();
    check_name();
    with_dimension(dimension, [&]<std::size_t D>() { write_scene<D>(); });
    return exit_success;
  }

 private:
  // The generators do not know of polygons.
  void check_name() const {
    std::string names;
    for (const SceneInfo& known : scenes()) {
      if (known.name == name) return;
      names += fmt::format("{}, ", known.name);
    }
    throw Error(fmt::format("no scene is called '{}'; there are {}{}", name, names, polygons));
  }

  // Corners, not centres and radii: what `abut detect` reads as polygons.
  int write_polygons() {
    if (!has_csv_extension(out) && out != "-")
      throw Error("--out " + out + ": polygons are CSV (particle,x,y); name a file .csv");
    if (!bounds.empty()) throw Error("--bounds: polygons fill no box");
    const SceneOptions options = arguments.options(count);
    const auto corners = abut::make_polygons(options.count, options.seed);
    Outputs outputs;
    OutputFile& file = *outputs.open("--out", out);
    write_polygons_csv(file, corners);
    outputs.commit();
    fmt::print(outputs.uses_standard_output() ? stderr : stdout, "{} polygons to {}\n",
               corners.size(), out);
    return exit_success;
  }

  // A folder gets the two files that `abut detect DIR` reads.
  void resolve_paths() {
    if (out == "-" || !(out.ends_with('/') || fs::is_directory(out))) return;
    fs::create_directories(out);
    if (bounds.empty()) bounds = (fs::path(out) / "bounds.txt").string();
    out = (fs::path(out) / "elements.txt").string();
  }

  template <std::size_t D>
  void write_scene() {
    std::optional<ProgressBar> bar("making " + name);
    const Scene<D> scene = make_scene<D>(name, arguments.options(count));
    resolve_paths();
    Outputs outputs;
    OutputFile& file = *outputs.open("--out", out);
    OutputFile* bounds_file = outputs.open("--bounds", bounds);
    bar.emplace("writing " + out);
    if (has_csv_extension(out))
      write_particles_csv(file, scene.view(), bar->callback());
    else
      write_demcda_elements(file, scene.view(), bar->callback());
    if (bounds_file != nullptr) write_demcda_bounds(*bounds_file, scene.bounds);
    outputs.commit();
    bar.reset();
    fmt::print(outputs.uses_standard_output() ? stderr : stdout,
               "{} particles in {}D, scene {}, to {}{}\n", scene.size(), D, name, out,
               bounds.empty() ? "" : " and " + bounds);
  }
};

}  // namespace

Command scene_command(CLI::App& program) {
  Arguments app(program, "scene", "Make particles to try things on");
  std::string text = "Scenes:\n";
  for (const SceneInfo& scene : scenes())
    text += fmt::format("  {:<19}{}\n", scene.name, scene.description);
  text +=
      fmt::format("  {:<19}{}\n", polygons, "convex polygons side by side, as CSV of corners (2D)");
  app.footer(text +
             "\nCSV or Demcda text by the ending of --out; a folder gets elements.txt and "
             "bounds.txt.\nExample: abut scene random --n 1e5 --seed 7 --dim 2 --out discs.csv");
  auto scene = std::make_shared<SceneCommand>();
  app.add_option("name", scene->name, "which scene").required();
  app.add_option("--n", scene->count, "number of particles, as 1000 or 1e6 [1000]");
  app.add_option("--dim", scene->dimension, "2 or 3 [3]").one_of({2, 3});
  app.add_option("--out", scene->out, "file or folder; - is standard output").required();
  app.add_option("--bounds", scene->bounds, "also write the box that was filled to this file");
  scene->arguments.add_to(app);
  return {app, [scene] { return scene->run(); }};
}

namespace {

struct MeshCommand {
  std::string name;
  std::string count = "1000";
  double radius = 1;
  double height = 0;
  double outlet = 0;
  std::string out;

  int run() {
    check();
    const Mesh<3> mesh = make();
    Outputs outputs;
    OutputFile& file = *outputs.open("--out", out);
    ProgressBar bar("writing " + out);
    write_stl(file, mesh, bar.callback());
    outputs.commit();
    fmt::print(outputs.uses_standard_output() ? stderr : stdout, "{}: {} triangles, to {}\n", name,
               mesh.facets.size(), out);
    return exit_success;
  }

 private:
  [[nodiscard]] double actual_height() const { return height == 0 ? 3 * radius : height; }
  [[nodiscard]] double outlet_radius() const { return outlet == 0 ? radius / 5 : outlet; }

  void check() const {
    const auto above_zero = [](const char* option, double value) {
      if (!(value > 0 && value <= 1e30))
        throw Error(fmt::format("{} = {}: must be above 0 and at most 1e30", option, value));
    };
    above_zero("--radius", radius);
    above_zero("--height", actual_height());
    above_zero("--outlet", outlet_radius());
    if (outlet_radius() >= radius)
      throw Error(fmt::format("--outlet = {}: must be below the radius, {}", outlet, radius));
    if (name == "hopper" && actual_height() <= radius)
      throw Error(fmt::format("--height = {}: a hopper is higher than its cone, {}",
                              actual_height(), radius));
  }

  [[nodiscard]] Mesh<3> make() const {
    const std::size_t triangles = parse_count("--n", count);
    const double half = actual_height() / 2;
    if (name == "hopper")
      return hopper_mesh(triangles, outlet_radius(), radius, radius, actual_height());
    if (name == "sphere") return sphere_mesh(triangles, {0, 0, 0}, radius);
    if (name == "box")
      return box_mesh(Point<3>{-radius, -radius, -half}, Point<3>{radius, radius, half},
                      static_cast<std::size_t>(std::sqrt(static_cast<double>(triangles) / 12)) + 1);
    if (name == "ring") return torus_mesh(triangles, {0, 0, 0}, radius, outlet_radius());
    throw Error(fmt::format("no mesh is called '{}'; there are hopper, box, sphere, ring", name));
  }
};

}  // namespace

Command mesh_command(CLI::App& program) {
  Arguments app(program, "mesh", "Make a wall of triangles to try things on");
  app.footer(
      "Meshes:\n"
      "  hopper   a cone as high as wide, and a cylinder above it; open\n"
      "  box      closed, its middle at 0\n"
      "  sphere   closed, its middle at 0\n"
      "  ring     a closed ring of round section about the z axis\n\n"
      "Written as binary STL. Example: abut mesh hopper --n 1e5 --radius 0.5 --out hopper.stl");
  auto mesh = std::make_shared<MeshCommand>();
  app.add_option("name", mesh->name, "which mesh").required();
  app.add_option("--n", mesh->count, "about so many triangles [1000]");
  app.add_option("--radius", mesh->radius, "of the hopper, sphere or ring; half the side [1]");
  app.add_option("--height", mesh->height, "of the hopper or box [three radii]");
  app.add_option("--outlet", mesh->outlet,
                 "radius of the hopper's outlet, or of the ring's section [radius / 5]");
  app.add_option("--out", mesh->out, "file; - is standard output").required();
  return {app, [mesh] { return mesh->run(); }};
}

}  // namespace abut
