#include "io/case_shapes.hpp"

#include <abut/error.hpp>

#include "core/message.hpp"
#include "dem/wall_motion.hpp"
#include "io/mesh_file.hpp"

namespace abut {
namespace {

template <std::size_t D>
Mesh<D> mesh_from(TomlTable& table, std::string_view key, const std::filesystem::path& folder) {
  const std::filesystem::path given = table.text(key);
  const std::string path = given.is_absolute() ? given.string() : (folder / given).string();
  table.remember(path);
  try {
    return read_mesh(path, D).template mesh<D>();
  } catch (const Error& error) {
    table.fail(key, message(": ", error.what()));
  }
}

WallShape<3> solid_from(TomlTable& table) {
  switch (table.word("shape", {"plane", "cylinder", "cone", "ring", "disc"})) {
    case 0:
      return Plane<3>{table.vector<3>("point"), table.vector<3>("normal")};
    case 1:
      return cylinder(table.vector<3>("from"), table.vector<3>("to"), table.number("radius"));
    case 2:
      return cone(table.vector<3>("from"), table.vector<3>("to"), table.number("from_radius"),
                  table.number("to_radius"));
    case 3:
      return Ring{table.vector<3>("centre"), table.vector<3>("normal"), table.number("outer"),
                  table.number("inner")};
    default:
      return Ring{table.vector<3>("centre"), table.vector<3>("normal"), table.number("radius"), 0};
  }
}

}  // namespace

template <std::size_t D>
Box<D> box_from(TomlTable& table) {
  const Box<D> box{table.vector<D>("min"), table.vector<D>("max")};
  for (std::size_t k = 0; k < D; ++k)
    if (!(box.min[k] < box.max[k])) table.fail("max", " must be above min along every axis");
  return box;
}

template <std::size_t D>
WallShape<D> shape_from(TomlTable& table, const std::filesystem::path& folder) {
  if (table.has("mesh")) return mesh_from<D>(table, "mesh", folder);
  if constexpr (D == 3) {
    return solid_from(table);
  } else {
    (void)table.word("shape", {"plane"});
    return Plane<2>{table.vector<2>("point"), table.vector<2>("normal")};
  }
}

template <std::size_t D>
Motion<D> motion_from(TomlTable table) {
  table.knows({"velocity", "turning", "centre", "axis", "from", "until"});
  Motion<D> motion;
  if (table.has("velocity")) motion.velocity = table.vector<D>("velocity");
  if (table.has("turning")) {
    motion.turning = table.number("turning");
    motion.centre = table.vector<D>("centre");
    if constexpr (D == 3) motion.axis = table.vector<3>("axis");
  }
  motion.from = table.number("from", motion.from);
  motion.until = table.number("until", motion.until);
  if (!(motion.until > motion.from)) table.fail("until", " must be later than from");
  table.finish();
  try {
    (void)placement(motion, motion.from);
  } catch (const Error& error) {
    table.fail(error.what());
  }
  return motion;
}

template <std::size_t D>
Region<D> region_from(TomlTable table, const std::filesystem::path& folder) {
  table.knows({"min", "max", "centre", "from", "to", "radius", "inside"});
  Region<D> region;
  if (table.has("inside")) {
    region = Inside<D>{mesh_from<D>(table, "inside", folder)};
  } else if (table.has("centre")) {
    region = Ball<D>{table.vector<D>("centre"), table.number("radius")};
  } else if (D == 3 && table.has("from")) {
    if constexpr (D == 3)
      region = Barrel{table.vector<3>("from"), table.vector<3>("to"), table.number("radius")};
  } else {
    region = box_from<D>(table);
  }
  table.finish();
  try {
    (void)release<D>({.count = 0, .region = region, .sizes = one_size(1)});
  } catch (const Error& error) {
    table.fail(error.what());
  }
  return region;
}

template Box<2> box_from<2>(TomlTable&);
template Box<3> box_from<3>(TomlTable&);
template WallShape<2> shape_from<2>(TomlTable&, const std::filesystem::path&);
template WallShape<3> shape_from<3>(TomlTable&, const std::filesystem::path&);
template Motion<2> motion_from<2>(TomlTable);
template Motion<3> motion_from<3>(TomlTable);
template Region<2> region_from<2>(TomlTable, const std::filesystem::path&);
template Region<3> region_from<3>(TomlTable, const std::filesystem::path&);

}  // namespace abut
