#include "cli/blocks_input.hpp"

#include <abut/error.hpp>

namespace abut {
namespace {

std::vector<Polygon> parts_of(const BlockShape<2>& shape) {
  if (!shape.convex) return convex_parts(shape.parts[0]);
  return {shape.parts.begin(), shape.parts.end()};
}

std::vector<Polyhedron> parts_of(const BlockShape<3>& shape) {
  if (!shape.convex) return convex_parts(shape.mesh);
  std::vector<Polyhedron> parts;
  for (const std::vector<Point<3>>& points : shape.parts)
    parts.emplace_back(std::span<const Point<3>>(points));
  return parts;
}

Placement<2> placement_of(const BlockPlace& place, const Point<2>& position) {
  Placement<2> where = turned(Point<2>{}, place.angle);
  where.shift = position;
  return where;
}

Placement<3> placement_of(const BlockPlace& place, const Point<3>& position) {
  Placement<3> where;
  if (place.angle != 0) where = turned(Point<3>{}, place.axis, place.angle);
  where.shift = position;
  return where;
}

}  // namespace

template <std::size_t D>
ReadBlocks<D> make_blocks(const BlockFile& file) {
  ReadBlocks<D> read;
  for (const BlockShape<D>& shape : file.shapes<D>()) {
    try {
      read.blocks.add_shape(parts_of(shape));
    } catch (const Error& error) {
      throw Error(shape.where + ": " + error.what());
    }
  }
  for (const BlockPlace& place : file.particles) {
    Point<D> position;
    std::copy_n(place.position.begin(), D, position.begin());
    read.blocks.add(place.shape, placement_of(place, position));
    read.ids.push_back(place.id);
  }
  return read;
}

template ReadBlocks<2> make_blocks(const BlockFile&);
template ReadBlocks<3> make_blocks(const BlockFile&);

}  // namespace abut
