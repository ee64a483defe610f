#include <abut/blocks.hpp>
#include <abut/error.hpp>
#include <atomic>

#include "core/message.hpp"

namespace abut {

template <std::size_t D>
std::uint64_t Blocks<D>::Identity::next() {
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
Index Blocks<D>::add(std::size_t shape, const Placement<D>& where) {
  if (shape >= shapes_.size())
    throw Error(message("shape ", shape, ": there are ", shapes_.size(), ", numbered from 0"));
  constexpr std::size_t most = 1U << 31U;
  if (owner_.size() + shapes_[shape].size() >= most)
    throw Error("too many parts: at most 2147483647 have a number");
  const Index particle = size();
  shape_of_.push_back(shape);
  first_part_.push_back(parts());
  for (const Convex<D>& part : shapes_[shape]) {
    owner_.push_back(particle);
    first_corner_.push_back(first_corner_.back() + part.corners().size());
    radius_.push_back(part.radius());
  }
  corners_.resize(first_corner_.back());
  for (auto& axis : centre_) axis.resize(parts());
  place(particle, where);
  return particle;
}

template <std::size_t D>
void Blocks<D>::place(Index particle, const Placement<D>& where) {
  if (particle >= size())
    throw Error(message("particle ", particle, ": there are ", size(), ", numbered from 0"));
  Index number = first_part_[particle];
  for (const Convex<D>& part : shapes_[shape_of_[particle]]) {
    const ConvexView<D> view =
        part.placed(where, std::span(corners_).subspan(first_corner_[number]));
    for (std::size_t k = 0; k < D; ++k) centre_[k][number] = view.centre[k];
    ++number;
  }
}

template <std::size_t D>
ConvexView<D> Blocks<D>::part(Index part) const {
  ConvexView<D> view;
  view.corners = std::span(corners_).subspan(first_corner_[part],
                                             first_corner_[part + 1] - first_corner_[part]);
  for (std::size_t k = 0; k < D; ++k) view.centre[k] = centre_[k][part];
  if constexpr (D == 3) {
    const Index particle = owner_[part];
    view.topology = &shapes_[shape_of_[particle]][part - first_part_[particle]].topology();
  }
  return view;
}

template <std::size_t D>
Spheres<D> Blocks<D>::spheres() const {
  if constexpr (D == 2)
    return {centre_[0], centre_[1], radius_};
  else
    return {centre_[0], centre_[1], centre_[2], radius_};
}

template class Blocks<2>;
template class Blocks<3>;

}  // namespace abut
