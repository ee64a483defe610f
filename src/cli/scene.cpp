#include "scenes/scene.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/input.hpp"
#include "cli/outputs.hpp"
#include "cli/progress_bar.hpp"
#include "cli/scene_options.hpp"
#include "io/block_csv.hpp"
#include "io/csv.hpp"
#include "io/demcda.hpp"
#include "scenes/block_scene.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view polygons = "polygons";

struct MakeScene {
  SceneArguments arguments;
  std::string name;
  std::string count = "1000";
  int dimension = 3;
  std::string out;
  std::string bounds;

  int run() {
    if (name == polygons) return make_blocks();
    check_name();
    with_dimension(dimension, [&]<std::size_t D>() { make<D>(); });
    return done;
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
  int make_blocks() {
    if (!is_csv(out) && out != "-")
      throw Error("--out " + out + ": polygons are CSV (particle,x,y); name a file .csv");
    if (!bounds.empty()) throw Error("--bounds: polygons fill no box");
    const SceneOptions options = arguments.options(count);
    const auto corners = abut::make_polygons(options.count, options.seed);
    Outputs outputs;
    OutputFile& file = *outputs.open("--out", out);
    write_polygons_csv(file, corners);
    outputs.commit();
    fmt::print(outputs.take_standard_output() ? stderr : stdout, "{} polygons to {}\n",
               corners.size(), out);
    return done;
  }

  // A folder gets the two files that `abut detect DIR` reads.
  void choose_files() {
    if (out == "-" || !(out.ends_with('/') || fs::is_directory(out))) return;
    fs::create_directories(out);
    if (bounds.empty()) bounds = (fs::path(out) / "bounds.txt").string();
    out = (fs::path(out) / "elements.txt").string();
  }

  template <std::size_t D>
  void make() {
    std::optional<ProgressBar> bar("making " + name);
    const Scene<D> scene = make_scene<D>(name, arguments.options(count));
    choose_files();
    Outputs outputs;
    OutputFile& file = *outputs.open("--out", out);
    OutputFile* bounds_file = outputs.open("--bounds", bounds);
    bar.emplace("writing " + out);
    if (is_csv(out))
      write_particles_csv(file, scene.particles(), bar->callback());
    else
      write_elements(file, scene.particles(), bar->callback());
    if (bounds_file != nullptr) write_bounds(*bounds_file, scene.bounds);
    outputs.commit();
    bar.reset();
    fmt::print(outputs.take_standard_output() ? stderr : stdout,
               "{} particles in {}D, scene {}, to {}{}\n", scene.size(), D, name, out,
               bounds.empty() ? "" : " and " + bounds);
  }
};

}  // namespace

Command scene_command(CLI::App& program) {
  Arguments app(program, "scene", "Make particles to try things on");
  std::string text = "Scenes:\n";
  for (const SceneInfo& scene : scenes())
    text += fmt::format("  {:<19}{}\n", scene.name, scene.text);
  text +=
      fmt::format("  {:<19}{}\n", polygons, "convex polygons side by side, as CSV of corners (2D)");
  app.footer(text +
             "\nCSV or Demcda text by the ending of --out; a folder gets elements.txt and "
             "bounds.txt.\nExample: abut scene random --n 1e5 --seed 7 --dim 2 --out discs.csv");
  auto scene = std::make_shared<MakeScene>();
  app.add_option("name", scene->name, "which scene").required();
  app.add_option("--n", scene->count, "number of particles, as 1000 or 1e6 [1000]");
  app.add_option("--dim", scene->dimension, "2 or 3 [3]").one_of({2, 3});
  app.add_option("--out", scene->out, "file or folder; - is standard output").required();
  app.add_option("--bounds", scene->bounds, "also write the box that was filled to this file");
  scene->arguments.add_to(app);
  return {app, [scene] { return scene->run(); }};
}

}  // namespace abut
