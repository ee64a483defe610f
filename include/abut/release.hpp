#pragma once

#include <abut/box.hpp>
#include <abut/mesh.hpp>
#include <abut/spheres.hpp>
#include <abut/walls.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace abut {

template <std::size_t D>
struct Ball {
  Point<D> centre;
  double radius;
};

struct Barrel {
  Point<3> from;
  Point<3> to;
  double radius;
};

/// The inside of a closed mesh.
template <std::size_t D>
struct Inside {
  Mesh<D> mesh;
};

/// What is to be filled: particles are wholly within it.
template <std::size_t D>
using Region = std::conditional_t<D == 2, std::variant<Box<2>, Ball<2>, Inside<2>>,
                                  std::variant<Box<3>, Ball<3>, Barrel, Inside<3>>>;

/// The smallest box around a region. Throws `Error` for one without inside.
template <std::size_t D>
Box<D> box_around(const Region<D>& region);

/// The radius that a part u of all particles, 0 … 1, stays below: how sizes are distributed.
using Sizes = std::function<double(double u)>;

Sizes one_size(double radius);

/// As many of each radius in between.
Sizes uniform_by_number(double smallest, double largest);

/// As much volume of each radius in between, so many more small ones than large ones.
template <std::size_t D>
Sizes uniform_by_mass(double smallest, double largest);

template <std::size_t D>
struct ReleaseOptions {
  std::size_t count = 0;
  Region<D> region{};
  Sizes sizes = {};

  /// How deep two may overlap, as a part of the smaller radius; a particle and a wall, of its own.
  double max_overlap = 0;
  std::size_t attempts = 10000;  ///< places that are tried for a particle
  std::uint64_t seed = 1;

  Spheres<D> among = {};                      ///< particles that are there already
  const Walls<D>* walls = nullptr;            ///< and walls
  std::optional<Box<D>> domain = {};          ///< needed where an axis is periodic
  bool within_domain = false;                 ///< where no axis repeats, none reaches out of it
  std::array<bool, D> periodic{};             ///< images keep their distance too
  std::function<void(double)> progress = {};  ///< called now and then with the part that is done
};

/// How a release went. Particles that found no place are counted, never dropped in silence.
struct ReleaseReport {
  std::size_t asked = 0;
  std::size_t placed = 0;
  std::size_t too_large = 0;  ///< of those not placed: larger than the region, or than the period
  std::size_t no_room = 0;    ///< of those not placed: every attempt met something
  std::size_t not_tried = 0;  ///< of those not placed: a hundred in a row had found no room
  std::size_t attempts = 0;
  std::size_t met_particles = 0;  ///< attempts that ended at another particle,
  std::size_t met_images = 0;     ///< at one beyond a periodic face,
  std::size_t met_walls = 0;      ///< at a wall,
  std::size_t met_region = 0;     ///< or at the border of the region, or of the domain
  double solid_fraction = 0;      ///< volume of what was placed over that of the region

  [[nodiscard]] bool is_complete() const { return placed == asked; }

  /// All of it in a line or two, for people.
  [[nodiscard]] std::string text() const;
};

template <std::size_t D>
struct Released {
  std::array<std::vector<double>, D> axes;
  std::vector<double> radius;
  ReleaseReport report;

  [[nodiscard]] Spheres<D> particles() const {
    std::array<std::span<const double>, D> views;
    for (std::size_t k = 0; k < D; ++k) views[k] = axes[k];
    return {views, radius};
  }
};

/// Puts particles of random size into a region, at random, one after the other, the largest first;
/// they are listed in the order their sizes were drawn. The same options give the same particles on
/// every machine. Throws `Error` naming an option that makes no sense.
template <std::size_t D>
Released<D> release(const ReleaseOptions<D>& options);

}  // namespace abut
