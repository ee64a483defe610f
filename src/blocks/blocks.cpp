#include <abut/blocks.hpp>
#include <abut/error.hpp>
#include <atomic>

#include "core/message.hpp"

namespace abut {

template <std::size_t D>
std::uint64_t Blocks<D>::InstanceId::next() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

template <std::size_t D>
std::size_t Blocks<D>::add_shape(std::vector<Convex<D>> parts) {
  if (parts.empty()) throw Error("a shape has no parts; it needs one at least");
  shapes_.push_back(std::move(parts));
  return shapes_.size() - 1;
}

template <std::size_t D>
Index Blocks<D>::add(std::size_t shape, const RigidTransform<D>& where) {
  if (shape >= shapes_.size())
    throw Error(message("shape ", shape, ": there are ", shapes_.size(), ", numbered from 0"));
  constexpr std::size_t most = 1U << 31U;
  if (particle_of_.size() + shapes_[shape].size() >= most)
    throw Error("too many parts: at most 2147483647 have a number");
  const Index particle = particle_count();
  shape_of_.push_back(shape);
  first_part_.push_back(part_count());
  for (const Convex<D>& part : shapes_[shape]) {
    particle_of_.push_back(particle);
    vertex_offsets_.push_back(vertex_offsets_.back() + part.vertices().size());
    bounding_radius_.push_back(part.bounding_radius());
  }
  vertices_.resize(vertex_offsets_.back());
  for (auto& axis : center_) axis.resize(part_count());
  set_transform(particle, where);
  return particle;
}

template <std::size_t D>
void Blocks<D>::set_transform(Index particle, const RigidTransform<D>& where) {
  if (particle >= particle_count())
    throw Error(
        message("particle ", particle, ": there are ", particle_count(), ", numbered from 0"));
  Index number = first_part_[particle];
  for (const Convex<D>& part : shapes_[shape_of_[particle]]) {
    const ConvexView<D> view =
        part.transformed(where, std::span(vertices_).subspan(vertex_offsets_[number]));
    for (std::size_t k = 0; k < D; ++k) center_[k][number] = view.centroid[k];
    ++number;
  }
}

template <std::size_t D>
ConvexView<D> Blocks<D>::part(Index part) const {
  ConvexView<D> view;
  view.vertices = std::span(vertices_).subspan(vertex_offsets_[part],
                                               vertex_offsets_[part + 1] - vertex_offsets_[part]);
  for (std::size_t k = 0; k < D; ++k) view.centroid[k] = center_[k][part];
  if constexpr (D == 3) {
    const Index particle = particle_of_[part];
    view.topology = &shapes_[shape_of_[particle]][part - first_part_[particle]].topology();
  }
  return view;
}

template <std::size_t D>
Spheres<D> Blocks<D>::bounding_spheres() const {
  if constexpr (D == 2)
    return {center_[0], center_[1], bounding_radius_};
  else
    return {center_[0], center_[1], center_[2], bounding_radius_};
}

template class Blocks<2>;
template class Blocks<3>;

}  // namespace abut
