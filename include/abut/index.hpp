#pragma once

#include <compare>
#include <cstddef>
#include <functional>

namespace abut {

/// An integer that counts objects of one kind from 0. Different `Tag`s are different types: none
/// converts to another, and integers convert only explicitly in both directions, so that the index
/// of a wall cannot be passed where that of a material is expected. Costs nothing at run time.
template <class Tag>
class StrongIndex {
 public:
  /// Index 0.
  constexpr StrongIndex() = default;
  explicit constexpr StrongIndex(std::size_t value) : value_(value) {}

  [[nodiscard]] constexpr std::size_t value() const { return value_; }

  friend constexpr auto operator<=>(StrongIndex, StrongIndex) = default;

  /// The next index, for loops over all objects of a kind.
  constexpr StrongIndex& operator++() {
    ++value_;
    return *this;
  }

 private:
  std::size_t value_ = 0;
};

/// Position of a particle in memory, which a simulation changes when it sorts particles spatially.
using ParticleIndex = StrongIndex<struct ParticleIndexTag>;

/// Identifies a particle for as long as it exists; assigned in the order of addition.
using ParticleId = StrongIndex<struct ParticleIdTag>;

/// A wall, which is one rigid body: a mesh or a primitive shape.
using WallId = StrongIndex<struct WallIdTag>;

/// An element of the walls: a facet of a mesh or a primitive shape.
using WallElementId = StrongIndex<struct WallElementIdTag>;

/// A material: index in `Model::materials`.
using MaterialId = StrongIndex<struct MaterialIdTag>;

/// A sink of a simulation, in the order of addition.
using SinkId = StrongIndex<struct SinkIdTag>;

}  // namespace abut

template <class Tag>
struct std::hash<abut::StrongIndex<Tag>> {
  std::size_t operator()(abut::StrongIndex<Tag> index) const noexcept {
    return std::hash<std::size_t>{}(index.value());
  }
};
