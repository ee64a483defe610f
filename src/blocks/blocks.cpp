#include <abut/blocks.hpp>
#include <abut/error.hpp>
#include <atomic>

#include "core/message.hpp"

namespace abut {

template <std::size_t D>
std::uint64_t Blocks<D>::InstanceId::next() {
  static std::atomic<std::uint64_t> last = moved_from;
  return ++last;
}

template <std::size_t D>
void Blocks<D>::check_not_moved_from() const {
  if (instance_id_.value == InstanceId::moved_from)
    throw Error("the blocks have been moved from", ErrorCode::moved_from);
}

template <std::size_t D>
void Blocks<D>::throw_missing(const char* kind, std::size_t index, std::size_t count) const {
  check_not_moved_from();
  throw Error(message(kind, " ", index, " does not exist; there are ", count, ", numbered from 0"),
              ErrorCode::out_of_range);
}

template <std::size_t D>
ShapeId Blocks<D>::add_shape(std::vector<Convex<D>> parts) {
  check_not_moved_from();
  if (parts.empty()) throw Error("a shape has no parts; it needs at least one");
  shapes_.push_back(std::move(parts));
  return ShapeId(shapes_.size() - 1);
}

template <std::size_t D>
Index Blocks<D>::add(ShapeId shape, const RigidTransform<D>& transform) {
  check_exists("shape", shape.value(), shapes_.size());
  const std::vector<Convex<D>>& parts = shapes_[shape.value()];
  constexpr std::size_t max_parts = 1U << 31U;
  if (particle_of_.size() + parts.size() >= max_parts)
    throw Error("too many parts; at most 2147483647 are supported");
  const Index particle = particle_count();
  shape_of_.push_back(shape);
  first_part_.push_back(part_count());
  for (const Convex<D>& part : parts) {
    particle_of_.push_back(particle);
    vertex_offsets_.push_back(vertex_offsets_.back() + part.vertices().size());
    bounding_spheres_.push_back({}, part.bounding_radius());
  }
  vertices_.resize(vertex_offsets_.back());
  set_transform(particle, transform);
  return particle;
}

template <std::size_t D>
void Blocks<D>::set_transform(Index particle, const RigidTransform<D>& transform) {
  Index part = first_part(particle);
  for (const Convex<D>& shape_part : shapes_[shape_of_[particle].value()]) {
    const ConvexView<D> view =
        shape_part.transformed(transform, std::span(vertices_).subspan(vertex_offsets_[part]));
    for (std::size_t k = 0; k < D; ++k) bounding_spheres_.coordinates[k][part] = view.centroid[k];
    ++part;
  }
}

template <std::size_t D>
Index Blocks<D>::particle_count() const {
  check_not_moved_from();
  return static_cast<Index>(shape_of_.size());
}

template <std::size_t D>
Index Blocks<D>::part_count() const {
  check_not_moved_from();
  return static_cast<Index>(particle_of_.size());
}

template <std::size_t D>
std::span<const Convex<D>> Blocks<D>::shape_parts(ShapeId shape) const {
  check_exists("shape", shape.value(), shapes_.size());
  return shapes_[shape.value()];
}

template <std::size_t D>
ConvexView<D> Blocks<D>::part(Index part) const {
  const Index particle = particle_of(part);
  ConvexView<D> view;
  view.vertices = std::span(vertices_).subspan(vertex_offsets_[part],
                                               vertex_offsets_[part + 1] - vertex_offsets_[part]);
  view.centroid = bounding_spheres_.center(part);
  if constexpr (D == 3) {
    const std::vector<Polyhedron>& parts = shapes_[shape_of_[particle].value()];
    view.topology = parts[part - first_part_[particle]].view().topology;
  }
  return view;
}

template <std::size_t D>
Spheres<D> Blocks<D>::bounding_spheres() const {
  check_not_moved_from();
  return bounding_spheres_.view();
}

template <std::size_t D>
std::uint64_t Blocks<D>::instance_id() const {
  check_not_moved_from();
  return instance_id_.value;
}

template class Blocks<2>;
template class Blocks<3>;

}  // namespace abut
