#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/vtk_writer.hpp"
#include "program.hpp"

namespace abut::testing {

/// Writes a cube of 7³ spheres, large ones at the surface and small ones inside; returns the path.
inline std::string filled_cube(const Folder& folder) {
  std::string text = "x,y,z,r\n";
  for (int x = 0; x < 7; ++x)
    for (int y = 0; y < 7; ++y)
      for (int z = 0; z < 7; ++z) {
        const bool is_inside = std::min({x, y, z}) > 0 && std::max({x, y, z}) < 6;
        text += std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + "," +
                (is_inside ? "0.45" : "0.6") + "\n";
      }
  return folder.write("cube.csv", text);
}

/// Writes a run of four frames to the folder "run": a sphere of radius 1 moves along x.
inline void write_moving_sphere_run(const Folder& folder) {
  std::filesystem::create_directory(folder.path("run"));
  std::string list =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n  <Collection>\n";
  for (int i = 0; i < 4; ++i) {
    const std::vector<std::array<double, 3>> position{{2.0 * i, 0, 0}};
    const std::vector<double> radius{1};
    const std::vector<double> speed{1.0 * i};
    const std::vector<std::int32_t> id{0};
    const std::string name = "particles-" + std::to_string(i) + ".vtp";
    write_vtk(folder.path("run/" + name),
              {.time = 0.5 * i,
               .points = position,
               .has_vertices = true,
               .point_fields = {{"radius", radius}, {"id", id}, {"speed", speed}}});
    list += "    <DataSet timestep=\"" +
            std::string(i % 2 == 0 ? ""
                        : i == 1   ? "0.5"
                                   : "1.5") +
            (i % 2 == 0 ? std::to_string(i / 2) : "") + "\" part=\"0\" name=\"particles\" file=\"" +
            name + "\"/>\n";
  }
  folder.write("run/run.pvd", list + "  </Collection>\n</VTKFile>\n");
  folder.write("run/case.toml", "dimension = 3\n");
}

}  // namespace abut::testing
