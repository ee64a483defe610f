#include <fmt/core.h>

#include <abut/error.hpp>
#include <abut/walls.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/particle_input.hpp"
#include "cli/scene_options.hpp"
#include "cli/terminal.hpp"
#include "io/contact_csv.hpp"
#include "io/mesh_file.hpp"
#include "io/particle_file.hpp"
#include "scenes/mesh_scene.hpp"
#include "scenes/polygon_scene.hpp"
#include "scenes/scene.hpp"
#include "walls/mesh_check.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view polygons = "polygons";

struct SceneCommand {
  SceneArguments arguments;
  std::string name;
  std::string count = "1000";
  int dimension = 0;  // 0: the default
  std::string out;
  std::string bounds;

  int run() {
    if (name == polygons) return write_polygons();
    check_name();
    with_dimension(dimension == 0 ? 3 : dimension, [&]<std::size_t D>() { write_scene<D>(); });
    return exit_success;
  }

 private:
  // Checked here because `make_scene` does not list "polygons".
  void check_name() const {
    std::string names;
    for (const SceneInfo& known : scenes()) {
      if (known.name == name) return;
      names += fmt::format("{}, ", known.name);
    }
    throw Error(fmt::format("no scene is called '{}'; there are {}{}", name, names, polygons));
  }

  // Writes vertices (particle,x,y), which `abut detect` reads as polygons.
  int write_polygons() {
    if (!has_csv_extension(out) && out != "-")
      throw Error("--out = " + out + ": polygons are CSV (particle,x,y); give a .csv file");
    if (dimension == 3) throw Error("--dim = 3: polygons are in 2D; omit it");
    if (!bounds.empty()) throw Error("--bounds: polygon scenes have no bounds; omit it");
    const SceneOptions options = arguments.options(count);
    const auto polygon_list = abut::make_polygons(options.count, options.seed);
    Outputs outputs;
    OutputFile& file = *outputs.open("--out", out);
    write_polygons_csv(file, polygon_list);
    outputs.commit();
    fmt::print(outputs.uses_standard_output() ? stderr : stdout, "wrote {} polygons to {}\n",
               polygon_list.size(), out);
    return exit_success;
  }

  // In a folder, writes elements.txt and bounds.txt, which `abut detect DIR` reads.
  void resolve_paths() {
    if (out == "-" || !(out.ends_with('/') || fs::is_directory(out))) return;
    fs::create_directories(out);
    if (bounds.empty()) bounds = (fs::path(out) / "bounds.txt").string();
    out = (fs::path(out) / "elements.txt").string();
  }

  template <std::size_t D>
  void write_scene() {
    std::optional<ProgressBar> bar("generating " + name);
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
               "wrote {} particles ({}D, {}) to {}{}\n", scene.size(), D, name, out,
               bounds.empty() ? "" : " and " + bounds);
  }
};

}  // namespace

Command scene_command(CLI::App& program) {
  Arguments app(program, "scene", "Generate test particles");
  std::string text = "Scenes:\n";
  for (const SceneInfo& scene : scenes())
    text += fmt::format("  {:<19}{}\n", scene.name, scene.description);
  text += fmt::format("  {:<19}{}\n", polygons,
                      "convex polygons side by side, as CSV of vertices (2D)");
  app.footer(
      text +
      "\nWrites CSV or Demcda text, chosen by the extension of --out; in a folder, elements.txt\n"
      "and bounds.txt.\n"
      "Example: abut scene random --n 1e5 --seed 7 --dim 2 --out disks.csv");
  auto scene = std::make_shared<SceneCommand>();
  app.add_option("name", scene->name, "Scene, see below").metavar("NAME").required();
  app.add_option("--n", scene->count, "Number of particles, such as 1000 or 1e6 (default: 1000)")
      .metavar("N");
  app.add_option("--dim", scene->dimension, "Dimension, 2 or 3 (default: 3; polygons: 2)")
      .metavar("D")
      .one_of({2, 3});
  app.add_option("--out", scene->out, "File or folder; '-': standard output")
      .metavar("PATH")
      .required();
  app.add_option("--bounds", scene->bounds, "Also write the bounding box of the scene")
      .metavar("FILE");
  scene->arguments.add_to(app);
  return {app, [scene] { return scene->run(); }};
}

namespace {

struct MeshCommand {
  std::string name;
  std::string count = "1000";
  double radius = 1;
  std::optional<double> height;
  std::optional<double> outlet;
  std::string out;

  int run() {
    check();
    const Mesh<3> mesh = make_mesh();
    check_facets(mesh);
    Outputs outputs;
    OutputFile& file = *outputs.open("--out", out);
    ProgressBar bar("writing " + out);
    write_stl(file, mesh, bar.callback());
    outputs.commit();
    fmt::print(outputs.uses_standard_output() ? stderr : stdout, "wrote {} triangles ({}) to {}\n",
               mesh.facets.size(), name, out);
    return exit_success;
  }

 private:
  [[nodiscard]] double actual_height() const { return height.value_or(3 * radius); }
  [[nodiscard]] double outlet_radius() const { return outlet.value_or(radius / 5); }

  void check() const {
    constexpr double min_radius = 1e-30;  // in STL, smaller coordinates would be inexact
    constexpr double max = 1e30;
    if (!(radius >= min_radius && radius <= max))
      throw Error(fmt::format("--radius = {}: must be from 1e-30 to 1e30", radius));
    const auto check_positive = [](const char* option, double value) {
      if (!(value > 0 && value <= max))
        throw Error(fmt::format("{} = {}: must be positive and at most 1e30", option, value));
    };
    check_positive("--height", actual_height());
    check_positive("--outlet", outlet_radius());
    if (outlet_radius() >= radius)
      throw Error(
          fmt::format("--outlet = {}: must be below the radius, {}", outlet_radius(), radius));
    if (name == "hopper" && actual_height() <= radius)
      throw Error(fmt::format("--height = {}: must be above the height of the cone, {}",
                              actual_height(), radius));
    for (const std::string_view other : {".obj", ".ply", ".off", ".vtp", ".vtk", ".csv"})
      if (out.ends_with(other))
        throw Error(fmt::format("--out = {}: meshes are binary STL; give a .stl file", out));
  }

  // Vertices of facets that are small compared to the mesh coincide when STL rounds them.
  static void check_facets(const Mesh<3>& mesh) {
    const auto is_degenerate_in_stl = [&](const std::array<Index, 3>& facet) {
      std::array<Point<3>, 3> vertices{};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k)
          vertices[i][k] = double{static_cast<float>(mesh.vertices[facet[i]][k])};
      return is_degenerate<3>(vertices);
    };
    const auto degenerate = std::ranges::count_if(mesh.facets, is_degenerate_in_stl);
    if (degenerate > 0)
      throw Error(
          fmt::format("{} of {} triangles would be degenerate in single precision, the "
                      "format of STL; choose lengths that differ less, or a smaller --n",
                      degenerate, mesh.facets.size()));
  }

  [[nodiscard]] Mesh<3> make_mesh() const {
    const std::size_t triangles = parse_count("--n", count);
    const double half = actual_height() / 2;
    if (name == "hopper")
      return hopper_mesh(triangles, outlet_radius(), radius, radius, actual_height());
    if (name == "sphere") return sphere_mesh(triangles, {0, 0, 0}, radius);
    if (name == "box")
      return box_mesh(Point<3>{-radius, -radius, -half}, Point<3>{radius, radius, half},
                      static_cast<std::size_t>(std::sqrt(static_cast<double>(triangles) / 12)) + 1);
    if (name == "torus") return torus_mesh(triangles, {0, 0, 0}, radius, outlet_radius());
    const std::string_view renamed = renamed_option("mesh", name);
    if (!renamed.empty()) throw Error(fmt::format("no mesh is called '{}'; use {}", name, renamed));
    throw Error(fmt::format("no mesh is called '{}'; there are hopper, box, sphere, torus", name));
  }
};

}  // namespace

Command mesh_command(CLI::App& program) {
  Arguments app(program, "mesh", "Generate a test mesh");
  app.footer(
      "Meshes:\n"
      "  hopper   cone with a cylinder above it, about the z axis; open\n"
      "  box      closed, centered at the origin\n"
      "  sphere   closed, centered at the origin\n"
      "  torus    closed, about the z axis\n\n"
      "Writes binary STL. Example: abut mesh hopper --n 1e5 --radius 0.5 --out hopper.stl");
  auto mesh = std::make_shared<MeshCommand>();
  app.add_option("name", mesh->name, "Mesh, see below").metavar("NAME").required();
  app.add_option("--n", mesh->count, "Approximate number of triangles (default: 1000)")
      .metavar("N");
  app.add_option("--radius", mesh->radius,
                 "Radius of the hopper, sphere or torus; half the width of the box (default: 1)")
      .metavar("LENGTH");
  app.add_option("--height", mesh->height, "Height of the hopper or box (default: 3 radii)")
      .metavar("LENGTH");
  app.add_option("--outlet", mesh->outlet,
                 "Radius of the hopper's outlet or of the torus tube (default: radius / 5)")
      .metavar("LENGTH");
  app.add_option("--out", mesh->out, "File; '-': standard output").metavar("FILE").required();
  return {app, [mesh] { return mesh->run(); }};
}

}  // namespace abut
