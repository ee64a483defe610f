#include <fmt/core.h>

#include <abut/error.hpp>
#include <abut/walls.hpp>
#include <cmath>
#include <memory>

#include "cli/command.hpp"
#include "cli/outputs.hpp"
#include "cli/progress_bar.hpp"
#include "cli/units.hpp"
#include "io/stl.hpp"
#include "scenes/mesh_scene.hpp"

namespace abut {
namespace {

struct MakeMesh {
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
    fmt::print(outputs.take_standard_output() ? stderr : stdout, "{}: {} triangles, to {}\n", name,
               mesh.pieces.size(), out);
    return done;
  }

 private:
  [[nodiscard]] double whole_height() const { return height == 0 ? 3 * radius : height; }
  [[nodiscard]] double outlet_radius() const { return outlet == 0 ? radius / 5 : outlet; }

  void check() const {
    const auto above_zero = [](const char* option, double value) {
      if (!(value > 0 && value <= 1e30))
        throw Error(fmt::format("{} = {}: must be above 0 and at most 1e30", option, value));
    };
    above_zero("--radius", radius);
    above_zero("--height", whole_height());
    above_zero("--outlet", outlet_radius());
    if (outlet_radius() >= radius)
      throw Error(fmt::format("--outlet = {}: must be below the radius, {}", outlet, radius));
    if (name == "hopper" && whole_height() <= radius)
      throw Error(fmt::format("--height = {}: a hopper is higher than its cone, {}", whole_height(),
                              radius));
  }

  [[nodiscard]] Mesh<3> make() const {
    const std::size_t triangles = count_from("--n", count);
    const double half = whole_height() / 2;
    if (name == "hopper")
      return hopper_mesh(triangles, outlet_radius(), radius, radius, whole_height());
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
  auto mesh = std::make_shared<MakeMesh>();
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
