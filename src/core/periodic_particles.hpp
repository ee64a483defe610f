#pragma once

#include <abut/spheres.hpp>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/period.hpp"
#include "core/reach.hpp"
#include "core/thread_pool.hpp"

namespace abut {

/// Particles of a periodic domain as particles of plain space, for methods that know of no other:
/// all are brought back into the domain, and after them come images of those near a face, moved to
/// the other side of it. What a method finds among these numbers is then put in terms of the
/// caller's. Keeps its memory from one use to the next.
template <std::size_t D>
class PeriodicParticles {
 public:
  /// Copies the particles, brought back. Throws `Error` for one that is 10⁹ periods away.
  void bring_back(const Spheres<D>& particles, const Period<D>& period, ThreadPool& pool);

  /// Adds the image of every particle at every place where one of its size or smaller could touch
  /// it. Throws `MemoryRefused` if that would take more than `most_bytes`.
  void add_images(const Options<D>& options, std::size_t most_bytes, ThreadPool& pool);

  [[nodiscard]] Spheres<D> particles() const {
    std::array<std::span<const double>, D> views;
    for (std::size_t k = 0; k < D; ++k) views[k] = axes_[k];
    return {views, radius_};
  }

  [[nodiscard]] std::size_t bytes() const {
    return radius_.size() * (D + 1) * sizeof(double) + images_.size() * sizeof(Image) +
           moved_by_.size() * sizeof(Shift<D>);
  }

  [[nodiscard]] bool is_image(Index number) const { return number >= count_; }

  /// By how many periods a particle was moved when it was brought back.
  [[nodiscard]] Shift<D> moved_by(Index i) const {
    return moved_by_.empty() ? Shift<D>{} : moved_by_[i];
  }

  /// The pair of two particles that both are where they were brought back to.
  [[nodiscard]] PeriodicPair<D> inner(Pair pair) const {
    return pair_of<D>(pair.a, moved_by(pair.a), pair.b, moved_by(pair.b));
  }

  /// The pair of a particle and an image, if it is the one of the two or more ways to see it that
  /// counts. `fixed` particles do not pair with each other.
  [[nodiscard]] std::optional<PeriodicPair<D>> across(Pair pair, Index fixed) const;

 private:
  struct Image {
    Index of;
    Shift<D> at;
  };

  [[nodiscard]] Image image(Index number) const {
    return images_.empty() ? Image{static_cast<Index>(number % count_),
                                   NeighbourImages<D>::shift(number, count_)}
                           : images_[number - count_];
  }

  Period<D> period_;
  std::size_t count_ = 0;  // of particles; images come after them
  std::array<std::vector<double>, D> axes_;
  std::vector<double> radius_;
  std::vector<Shift<D>> moved_by_;         // empty where none had to be moved
  std::vector<Image> images_;              // empty where the method makes its own
  std::vector<std::vector<Image>> found_;  // by runs of particles, to be joined
  std::vector<double> wanted_;
};

extern template class PeriodicParticles<2>;
extern template class PeriodicParticles<3>;

}  // namespace abut
