#include <abut/error.hpp>

#include "core/message.hpp"
#include "io/case_tables.hpp"
#include "io/mesh_file.hpp"
#include "walls/wall_motion.hpp"

namespace abut {
namespace {

template <std::size_t D>
Mesh<D> read_mesh_key(TomlTable& table, std::string_view key, const std::filesystem::path& folder) {
  const std::filesystem::path given = table.file_name(key);
  const std::string path = given.is_absolute() ? given.string() : (folder / given).string();
  table.add_input_file(path);
  try {
    return read_mesh(path, D).template mesh<D>();
  } catch (const Error& error) {
    table.fail(key, error);
  }
}

enum class Shape { plane, cylinder, cone, annulus, disk };

WallShape<3> read_shape_3d(TomlTable& table) {
  switch (table.choice<Shape>("shape", {{"plane", Shape::plane},
                                        {"cylinder", Shape::cylinder},
                                        {"cone", Shape::cone},
                                        {"annulus", Shape::annulus},
                                        {"disk", Shape::disk}})) {
    case Shape::plane:
      return Plane<3>{table.vector<3>("point"), table.vector<3>("normal")};
    case Shape::cylinder:
      return cylinder(table.vector<3>("from"), table.vector<3>("to"), table.number("radius"));
    case Shape::cone:
      return cone(table.vector<3>("from"), table.vector<3>("to"), table.number("from_radius"),
                  table.number("to_radius"));
    case Shape::annulus:
      return Annulus{table.vector<3>("center"), table.vector<3>("normal"),
                     table.number("outer_radius"), table.number("inner_radius")};
    default:
      return Annulus{table.vector<3>("center"), table.vector<3>("normal"), table.number("radius"),
                     0};
  }
}

}  // namespace

template <std::size_t D>
Box<D> read_box(TomlTable& table) {
  const Box<D> box{table.vector<D>("min"), table.vector<D>("max")};
  for (std::size_t k = 0; k < D; ++k)
    if (!(box.min[k] < box.max[k])) table.fail("max", "must exceed min along every axis");
  return box;
}

template <std::size_t D>
WallShape<D> read_wall_shape(TomlTable& table, const std::filesystem::path& folder) {
  if (table.has("mesh")) return read_mesh_key<D>(table, "mesh", folder);
  if constexpr (D == 3) {
    return read_shape_3d(table);
  } else {
    (void)table.choice<Shape>("shape", {{"plane", Shape::plane}});
    return Plane<2>{table.vector<2>("point"), table.vector<2>("normal")};
  }
}

template <std::size_t D>
WallMotion<D> read_motion(TomlTable table) {
  table.check_keys({"velocity", "angular_velocity", "center", "axis", "start_time", "end_time"});
  WallMotion<D> motion;
  if (table.has("velocity")) motion.velocity = table.vector<D>("velocity");
  if (table.has("angular_velocity")) {
    motion.angular_velocity = table.number("angular_velocity");
    motion.center = table.vector<D>("center");
    if constexpr (D == 3) motion.axis = table.vector<3>("axis");
  }
  motion.start_time = table.number("start_time", motion.start_time);
  motion.end_time = table.number("end_time", motion.end_time);
  if (!(motion.end_time > motion.start_time))
    table.fail("end_time", "must be later than start_time");
  table.check_unused();
  try {
    (void)transform_at(motion, motion.start_time);
  } catch (const Error& error) {
    table.fail(error);
  }
  return motion;
}

template <std::size_t D>
Region<D> read_region(TomlTable table, const std::filesystem::path& folder) {
  table.check_keys({"min", "max", "center", "from", "to", "radius", "mesh", "weld_tolerance"});
  Region<D> region;
  if (table.has("mesh")) {
    region = MeshRegion<D>{read_mesh_key<D>(table, "mesh", folder),
                           table.number("weld_tolerance", default_weld_tolerance)};
  } else if (table.has("center")) {
    region = SphereRegion<D>{table.vector<D>("center"), table.number("radius")};
  } else if (D == 3 && table.has("from")) {
    if constexpr (D == 3)
      region =
          CylinderRegion{table.vector<3>("from"), table.vector<3>("to"), table.number("radius")};
  } else {
    region = read_box<D>(table);
  }
  table.check_unused();
  try {
    (void)insert_particles<D>({.count = 0, .region = region, .sizes = monodisperse(1)});
  } catch (const Error& error) {
    table.fail(error);
  }
  return region;
}

template Box<2> read_box<2>(TomlTable&);
template Box<3> read_box<3>(TomlTable&);
template WallShape<2> read_wall_shape<2>(TomlTable&, const std::filesystem::path&);
template WallShape<3> read_wall_shape<3>(TomlTable&, const std::filesystem::path&);
template WallMotion<2> read_motion<2>(TomlTable);
template WallMotion<3> read_motion<3>(TomlTable);
template Region<2> read_region<2>(TomlTable, const std::filesystem::path&);
template Region<3> read_region<3>(TomlTable, const std::filesystem::path&);

}  // namespace abut
