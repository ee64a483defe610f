#include "show/block_outlines.hpp"

#include <abut/error.hpp>
#include <abut/placement.hpp>
#include <abut/polygon.hpp>
#include <abut/polyhedron.hpp>
#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "io/block_file.hpp"
#include "io/mesh_file.hpp"

namespace abut {
namespace {

template <std::size_t D>
Placement<D> placement_of(const BlockPlace& place) {
  Placement<D> where;
  if constexpr (D == 2)
    where = turned(Point<2>{}, place.angle);
  else if (place.angle != 0)
    where = turned(Point<3>{}, place.axis, place.angle);
  std::copy_n(place.position.begin(), D, where.shift.begin());
  return where;
}

template <std::size_t D>
std::array<float, 3> moved(const Point<D>& point, const Placement<D>& where) {
  std::array<float, 3> to{};
  for (std::size_t k = 0; k < D; ++k) {
    double sum = where.shift[k];
    for (std::size_t j = 0; j < D; ++j) sum += where.rotation[k][j] * point[j];
    to[k] = static_cast<float>(sum);
  }
  return to;
}

Mesh<3> hull_of(const std::vector<Point<3>>& points) {
  const Polyhedron solid{std::span<const Point<3>>(points)};
  Mesh<3> mesh{{solid.corners().begin(), solid.corners().end()}, {}};
  for (Index face = 0; face < solid.faces(); ++face) {
    const std::vector<Index> round = solid.face(face);
    for (std::size_t i = 2; i < round.size(); ++i)
      mesh.pieces.push_back({round[0], round[i - 1], round[i]});
  }
  return mesh;
}

std::vector<Mesh<3>> meshes_of(const BlockShape<3>& shape) {
  if (!shape.convex) return {shape.mesh};
  std::vector<Mesh<3>> meshes;
  for (const std::vector<Point<3>>& points : shape.parts) meshes.push_back(hull_of(points));
  return meshes;
}

// What cannot be searched cannot be shown either: sides that cross, no area.
void check(const BlockShape<2>& shape) {
  for (const std::vector<Point<2>>& part : shape.parts) (void)convex_parts(part);
}

/// Shapes, ready to be placed.
template <std::size_t D, class Made, class Make>
std::vector<Made> made(const std::vector<BlockShape<D>>& shapes, const Make& make) {
  std::vector<Made> all;
  for (const BlockShape<D>& shape : shapes) {
    try {
      all.push_back(make(shape));
    } catch (const Error& error) {
      throw Error(message(shape.where, ": ", error.what()));
    }
  }
  return all;
}

// Middle and extent of the corners that were added last.
void measure(BlockOutlines& outlines, std::size_t first, std::int64_t id) {
  const auto& corners = outlines.blocks.corners;
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
  outlines.centres.push_back(centre);
  outlines.reach.push_back(reach);
}

void place_polygons(const BlockFile& file, BlockOutlines& outlines) {
  using Parts = std::vector<std::vector<Point<2>>>;
  const std::vector<Parts> shapes = made<2, Parts>(file.flat, [](const BlockShape<2>& shape) {
    check(shape);
    return shape.parts;
  });
  ShownBlocks& blocks = outlines.blocks;
  for (const BlockPlace& place : file.particles) {
    const std::size_t first = blocks.corners.size();
    const Placement<2> where = placement_of<2>(place);
    for (const std::vector<Point<2>>& part : shapes[place.shape]) {
      blocks.outline_begins.push_back(static_cast<std::uint32_t>(blocks.corners.size()));
      blocks.id.push_back(place.id);
      for (const Point<2>& corner : part) blocks.corners.push_back(moved<2>(corner, where));
    }
    measure(outlines, first, place.id);
  }
  blocks.outline_begins.push_back(static_cast<std::uint32_t>(blocks.corners.size()));
}

void place_polyhedra(const BlockFile& file, BlockOutlines& outlines) {
  using Meshes = std::vector<Mesh<3>>;
  const std::vector<Meshes> shapes = made<3, Meshes>(file.solid, meshes_of);
  ShownBlocks& blocks = outlines.blocks;
  for (const BlockPlace& place : file.particles) {
    const std::size_t first = blocks.corners.size();
    const Placement<3> where = placement_of<3>(place);
    for (const Mesh<3>& mesh : shapes[place.shape]) {
      const auto base = static_cast<std::uint32_t>(blocks.corners.size());
      for (const Point<3>& corner : mesh.corners) blocks.corners.push_back(moved<3>(corner, where));
      for (const auto& [a, b, c] : mesh.pieces) {
        blocks.triangles.push_back({base + a, base + b, base + c});
        blocks.id.push_back(place.id);
      }
    }
    measure(outlines, first, place.id);
  }
}

bool is_mesh(const std::string& path) {
  const std::string ending = path.size() < 4 ? path : path.substr(path.size() - 4);
  return ending == ".stl" || ending == ".STL" || ending == ".obj" || ending == ".OBJ";
}

// A mesh alone is a particle, too.
BlockFile read_file(const std::string& path) {
  if (!is_mesh(path) || holds_blocks(path)) return read_blocks(path, {});
  BlockFile blocks{.format = "mesh", .dimension = 3};
  blocks.solid.push_back({.where = path, .mesh = read_mesh(path, 3).triangles});
  blocks.particles.push_back({0, 0});
  return blocks;
}

}  // namespace

BlockOutlines block_outlines(const std::string& path) {
  const BlockFile file = read_file(path);
  BlockOutlines outlines;
  outlines.dimension = file.dimension;
  if (file.dimension == 2)
    place_polygons(file, outlines);
  else
    place_polyhedra(file, outlines);
  for (const auto& corner : outlines.blocks.corners)
    for (const float x : corner)
      if (!(std::abs(x) < 1e18F))
        throw Error(message(path,
                            ": a corner is too far away to be shown; lengths up to 1e18 "
                            "can be"));
  return outlines;
}

bool BlockOutlines::fit(const ContactTable& table,
                        const std::function<std::size_t(std::int64_t)>& number_of) const {
  for (std::size_t i = 0; i < table.gap.size(); ++i) {
    const bool crosses = !table.image.empty() && table.image[i] != std::array<double, 3>{};
    for (const std::int64_t id : {table.a[i], table.b[i]}) {
      const std::size_t number = number_of(id);
      if (number >= ids.size()) return false;
      double square = 0;
      for (std::size_t k = 0; k < 3; ++k)
        square += std::pow(table.point[i][k] - double{centres[number][k]}, 2);
      const double most = reach[number] * (1 + 1e-5) + std::abs(table.gap[i]);
      if (!crosses && std::sqrt(square) > most) return false;
    }
  }
  return !table.gap.empty();
}

}  // namespace abut
