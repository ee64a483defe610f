#include <abut/error.hpp>
#include <abut/polygon.hpp>
#include <abut/polyhedron.hpp>
#include <abut/rigid_transform.hpp>
#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "frames/frame_source.hpp"
#include "io/block_file.hpp"
#include "io/mesh_file.hpp"

namespace abut {
namespace {

template <std::size_t D>
RigidTransform<D> transform_of(const BlockInstance& place) {
  RigidTransform<D> where;
  if constexpr (D == 2)
    where = rotation_about(Point<2>{}, place.angle);
  else if (place.angle != 0)
    where = rotation_about(Point<3>{}, place.axis, place.angle);
  std::copy_n(place.position.begin(), D, where.translation.begin());
  return where;
}

template <std::size_t D>
std::array<float, 3> to_world(const Point<D>& point, const RigidTransform<D>& where) {
  std::array<float, 3> to{};
  for (std::size_t k = 0; k < D; ++k) {
    double sum = where.translation[k];
    for (std::size_t j = 0; j < D; ++j) sum += where.rotation[k][j] * point[j];
    to[k] = static_cast<float>(sum);
  }
  return to;
}

Mesh<3> hull_mesh(const std::vector<Point<3>>& points) {
  const Polyhedron solid{std::span<const Point<3>>(points)};
  Mesh<3> mesh{{solid.vertices().begin(), solid.vertices().end()}, {}};
  for (Index face = 0; face < solid.face_count(); ++face) {
    const std::vector<Index> round = solid.face_vertices(face);
    for (std::size_t i = 2; i < round.size(); ++i)
      mesh.facets.push_back({round[0], round[i - 1], round[i]});
  }
  return mesh;
}

std::vector<Mesh<3>> part_meshes(const BlockShape<3>& shape) {
  if (!shape.is_convex) return {shape.mesh};
  std::vector<Mesh<3>> meshes;
  for (const std::vector<Point<3>>& points : shape.parts) meshes.push_back(hull_mesh(points));
  return meshes;
}

// What cannot be searched cannot be shown either: sides that cross, no area.
void check_polygons(const BlockShape<2>& shape) {
  for (const std::vector<Point<2>>& part : shape.parts) (void)convex_decomposition(part);
}

/// Shapes, ready to be placed.
template <std::size_t D, class Made, class Make>
std::vector<Made> convert_shapes(const std::vector<BlockShape<D>>& shapes, const Make& make) {
  std::vector<Made> all;
  for (const BlockShape<D>& shape : shapes) {
    try {
      all.push_back(make(shape));
    } catch (const Error& error) {
      throw Error(message(shape.location, ": ", error.what()));
    }
  }
  return all;
}

// Middle and extent of the corners that were added last.
void add_center_and_radius(BlockOutlines& outlines, std::size_t first, std::int64_t id) {
  const auto& corners = outlines.blocks.vertices;
  std::array<double, 3> sum{};
  for (std::size_t i = first; i < corners.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) sum[k] += double{corners[i][k]};
  const auto count = static_cast<double>(std::max<std::size_t>(1, corners.size() - first));
  std::array<float, 3> centre{};
  for (std::size_t k = 0; k < 3; ++k) centre[k] = static_cast<float>(sum[k] / count);
  double reach = 0;
  for (std::size_t i = first; i < corners.size(); ++i)
    reach = std::max(
        reach, std::hypot(double{corners[i][0] - centre[0]}, double{corners[i][1] - centre[1]},
                          double{corners[i][2] - centre[2]}));
  outlines.ids.push_back(id);
  outlines.centers.push_back(centre);
  outlines.bounding_radii.push_back(reach);
}

void add_polygons(const BlockFile& file, BlockOutlines& outlines) {
  using Parts = std::vector<std::vector<Point<2>>>;
  const std::vector<Parts> shapes =
      convert_shapes<2, Parts>(file.shapes_2d, [](const BlockShape<2>& shape) {
        check_polygons(shape);
        return shape.parts;
      });
  FrameBlocks& blocks = outlines.blocks;
  for (const BlockInstance& place : file.particles) {
    const std::size_t first = blocks.vertices.size();
    const RigidTransform<2> where = transform_of<2>(place);
    for (const std::vector<Point<2>>& part : shapes[place.shape]) {
      blocks.outline_offsets.push_back(static_cast<std::uint32_t>(blocks.vertices.size()));
      blocks.id.push_back(place.id);
      for (const Point<2>& corner : part) blocks.vertices.push_back(to_world<2>(corner, where));
    }
    add_center_and_radius(outlines, first, place.id);
  }
  blocks.outline_offsets.push_back(static_cast<std::uint32_t>(blocks.vertices.size()));
}

void add_polyhedra(const BlockFile& file, BlockOutlines& outlines) {
  using Meshes = std::vector<Mesh<3>>;
  const std::vector<Meshes> shapes = convert_shapes<3, Meshes>(file.shapes_3d, part_meshes);
  FrameBlocks& blocks = outlines.blocks;
  for (const BlockInstance& place : file.particles) {
    const std::size_t first = blocks.vertices.size();
    const RigidTransform<3> where = transform_of<3>(place);
    for (const Mesh<3>& mesh : shapes[place.shape]) {
      const auto base = static_cast<std::uint32_t>(blocks.vertices.size());
      for (const Point<3>& corner : mesh.vertices)
        blocks.vertices.push_back(to_world<3>(corner, where));
      for (const auto& [a, b, c] : mesh.facets) {
        blocks.triangles.push_back({base + a, base + b, base + c});
        blocks.id.push_back(place.id);
      }
    }
    add_center_and_radius(outlines, first, place.id);
  }
}

bool is_mesh_file(const std::string& path) {
  const std::string ending = path.size() < 4 ? path : path.substr(path.size() - 4);
  return ending == ".stl" || ending == ".STL" || ending == ".obj" || ending == ".OBJ";
}

// A mesh alone is a particle, too.
BlockFile read_block_file(const std::string& path) {
  if (!is_mesh_file(path) || contains_blocks(path)) return read_blocks(path, {});
  BlockFile blocks{.format = "mesh", .dimension = 3};
  blocks.shapes_3d.push_back({.location = path, .mesh = read_mesh(path, 3).triangles});
  blocks.particles.push_back({0, 0});
  return blocks;
}

}  // namespace

BlockOutlines read_block_outlines(const std::string& path) {
  const BlockFile file = read_block_file(path);
  BlockOutlines outlines;
  outlines.dimension = file.dimension;
  if (file.dimension == 2)
    add_polygons(file, outlines);
  else
    add_polyhedra(file, outlines);
  for (const auto& corner : outlines.blocks.vertices)
    for (const float x : corner)
      if (!(std::abs(x) < 1e18F))
        throw Error(message(path,
                            ": a corner is too far away to be shown; lengths up to 1e18 "
                            "can be"));
  return outlines;
}

bool BlockOutlines::matches(const ContactTable& table,
                            const std::function<std::size_t(std::int64_t)>& number_of) const {
  for (std::size_t i = 0; i < table.gap.size(); ++i) {
    const bool crosses = !table.image.empty() && table.image[i] != std::array<double, 3>{};
    for (const std::int64_t id : {table.a[i], table.b[i]}) {
      const std::size_t number = number_of(id);
      if (number >= ids.size()) return false;
      double square = 0;
      for (std::size_t k = 0; k < 3; ++k)
        square += std::pow(table.point[i][k] - double{centers[number][k]}, 2);
      const double most = bounding_radii[number] * (1 + 1e-5) + std::abs(table.gap[i]);
      if (!crosses && std::sqrt(square) > most) return false;
    }
  }
  return !table.gap.empty();
}

}  // namespace abut
