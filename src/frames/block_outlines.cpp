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
RigidTransform<D> transform_of(const BlockInstance& instance) {
  RigidTransform<D> transform;
  if constexpr (D == 2)
    transform = rotation_about(Point<2>{}, instance.angle);
  else if (instance.angle != 0)
    transform = rotation_about(Point<3>{}, instance.axis, instance.angle);
  std::copy_n(instance.position.begin(), D, transform.translation.begin());
  return transform;
}

template <std::size_t D>
std::array<float, 3> to_world(const Point<D>& point, const RigidTransform<D>& transform) {
  std::array<float, 3> world{};
  for (std::size_t k = 0; k < D; ++k) {
    double sum = transform.translation[k];
    for (std::size_t j = 0; j < D; ++j) sum += transform.rotation[k][j] * point[j];
    world[k] = static_cast<float>(sum);
  }
  return world;
}

/// The triangulated convex hull of points.
Mesh<3> hull_mesh(const std::vector<Point<3>>& points) {
  const Polyhedron hull{std::span<const Point<3>>(points)};
  Mesh<3> mesh{{hull.vertices().begin(), hull.vertices().end()}, {}};
  for (Index face = 0; face < hull.face_count(); ++face) {
    const std::vector<Index> vertices = hull.face_vertices(face);
    for (std::size_t i = 2; i < vertices.size(); ++i)
      mesh.facets.push_back({vertices[0], vertices[i - 1], vertices[i]});
  }
  return mesh;
}

std::vector<Mesh<3>> part_meshes(const BlockShape<3>& shape) {
  if (!shape.is_convex) return {shape.mesh};
  std::vector<Mesh<3>> meshes;
  for (const std::vector<Point<3>>& points : shape.parts) meshes.push_back(hull_mesh(points));
  return meshes;
}

// Rejects polygons that `abut detect` rejects: self-intersecting or without area.
void check_polygons(const BlockShape<2>& shape) {
  for (const std::vector<Point<2>>& part : shape.parts) (void)convex_decomposition(part);
}

/// Applies `convert` to each shape; errors are reported with the location of the shape.
template <std::size_t D, class Result, class Convert>
std::vector<Result> convert_shapes(const std::vector<BlockShape<D>>& shapes,
                                   const Convert& convert) {
  std::vector<Result> results;
  for (const BlockShape<D>& shape : shapes) {
    try {
      results.push_back(convert(shape));
    } catch (const Error& error) {
      throw Error(message(shape.location, ": ", error.what()));
    }
  }
  return results;
}

/// Adds a particle whose vertices start at index `first`.
void add_center_and_radius(BlockOutlines& outlines, std::size_t first, std::int64_t id) {
  const auto& vertices = outlines.blocks.vertices;
  std::array<double, 3> sum{};
  for (std::size_t i = first; i < vertices.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) sum[k] += double{vertices[i][k]};
  const auto count = static_cast<double>(std::max<std::size_t>(1, vertices.size() - first));
  std::array<float, 3> center{};
  for (std::size_t k = 0; k < 3; ++k) center[k] = static_cast<float>(sum[k] / count);
  double radius = 0;
  for (std::size_t i = first; i < vertices.size(); ++i)
    radius = std::max(
        radius, std::hypot(double{vertices[i][0] - center[0]}, double{vertices[i][1] - center[1]},
                           double{vertices[i][2] - center[2]}));
  outlines.ids.push_back(id);
  outlines.centers.push_back(center);
  outlines.bounding_radii.push_back(radius);
}

void add_polygons(const BlockFile& file, BlockOutlines& outlines) {
  using Parts = std::vector<std::vector<Point<2>>>;
  const std::vector<Parts> shapes =
      convert_shapes<2, Parts>(file.shapes_2d, [](const BlockShape<2>& shape) {
        check_polygons(shape);
        return shape.parts;
      });
  FrameBlocks& blocks = outlines.blocks;
  for (const BlockInstance& instance : file.particles) {
    const std::size_t first = blocks.vertices.size();
    const RigidTransform<2> transform = transform_of<2>(instance);
    for (const std::vector<Point<2>>& part : shapes[instance.shape]) {
      blocks.outline_offsets.push_back(static_cast<std::uint32_t>(blocks.vertices.size()));
      blocks.id.push_back(instance.id);
      for (const Point<2>& vertex : part) blocks.vertices.push_back(to_world<2>(vertex, transform));
    }
    add_center_and_radius(outlines, first, instance.id);
  }
  blocks.outline_offsets.push_back(static_cast<std::uint32_t>(blocks.vertices.size()));
}

void add_polyhedra(const BlockFile& file, BlockOutlines& outlines) {
  using Meshes = std::vector<Mesh<3>>;
  const std::vector<Meshes> shapes = convert_shapes<3, Meshes>(file.shapes_3d, part_meshes);
  FrameBlocks& blocks = outlines.blocks;
  for (const BlockInstance& instance : file.particles) {
    const std::size_t first = blocks.vertices.size();
    const RigidTransform<3> transform = transform_of<3>(instance);
    for (const Mesh<3>& mesh : shapes[instance.shape]) {
      const auto base = static_cast<std::uint32_t>(blocks.vertices.size());
      for (const Point<3>& vertex : mesh.vertices)
        blocks.vertices.push_back(to_world<3>(vertex, transform));
      for (const auto& [a, b, c] : mesh.facets) {
        blocks.triangles.push_back({base + a, base + b, base + c});
        blocks.id.push_back(instance.id);
      }
    }
    add_center_and_radius(outlines, first, instance.id);
  }
}

bool is_mesh_file(const std::string& path) {
  const std::string extension = path.size() < 4 ? path : path.substr(path.size() - 4);
  return extension == ".stl" || extension == ".STL" || extension == ".obj" || extension == ".OBJ";
}

// A mesh file alone is one particle.
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
  for (const auto& vertex : outlines.blocks.vertices)
    for (const float x : vertex)
      if (!(std::abs(x) < 1e18F))
        throw Error(message(path, ": vertex coordinate = ", x,
                            ": magnitude must be less than 1e18 for display"));
  return outlines;
}

bool BlockOutlines::matches(const ContactTable& table,
                            const std::function<std::size_t(std::int64_t)>& index_of) const {
  for (std::size_t i = 0; i < table.gap.size(); ++i) {
    const bool is_periodic = !table.image.empty() && table.image[i] != std::array<double, 3>{};
    for (const std::int64_t id : {table.a[i], table.b[i]}) {
      const std::size_t index = index_of(id);
      if (index >= ids.size()) return false;
      double square = 0;
      for (std::size_t k = 0; k < 3; ++k)
        square += std::pow(table.point[i][k] - double{centers[index][k]}, 2);
      const double max_distance = bounding_radii[index] * (1 + 1e-5) + std::abs(table.gap[i]);
      if (!is_periodic && std::sqrt(square) > max_distance) return false;
    }
  }
  return !table.gap.empty();
}

}  // namespace abut
