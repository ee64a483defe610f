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
struct SphereRegion {
  Point<D> center;
  double radius;
};

struct CylinderRegion {
  Point<3> from;
  Point<3> to;
  double radius;
};

/// The inside of a closed mesh.
template <std::size_t D>
struct MeshRegion {
  Mesh<D> mesh;
};

/// What is to be filled: particles are wholly within it.
template <std::size_t D>
using Region =
    std::conditional_t<D == 2, std::variant<Box<2>, SphereRegion<2>, MeshRegion<2>>,
                       std::variant<Box<3>, SphereRegion<3>, CylinderRegion, MeshRegion<3>>>;

/// The smallest box around a region. Throws `Error` for one without inside.
template <std::size_t D>
Box<D> bounding_box(const Region<D>& region);

/// The radius that a part u of all particles, 0 … 1, stays below: how sizes are distributed.
using SizeDistribution = std::function<double(double u)>;

SizeDistribution monodisperse(double radius);

/// As many of each radius in between.
SizeDistribution uniform_by_number(double smallest, double largest);

/// As much volume of each radius in between, so many more small ones than large ones.
template <std::size_t D>
SizeDistribution uniform_by_mass(double smallest, double largest);

template <std::size_t D>
struct InsertionOptions {
  std::size_t count = 0;
  Region<D> region{};
  SizeDistribution sizes = {};

  /// How deep two may overlap, as a part of the smaller radius; a particle and a wall, of its own.
  double max_overlap = 0;
  std::size_t max_attempts = 10000;  ///< places that are tried for a particle
  std::uint64_t seed = 1;

  Spheres<D> existing = {};                   ///< particles that are there already
  const Walls<D>* walls = nullptr;            ///< and walls
  std::optional<Box<D>> domain = {};          ///< needed where an axis is periodic
  bool within_domain = false;                 ///< where no axis repeats, none reaches out of it
  std::array<bool, D> periodic{};             ///< images keep their distance too
  std::function<void(double)> progress = {};  ///< called now and then with the part that is done
};

/// How a release went. Particles that found no place are counted, never dropped in silence.
struct InsertionReport {
  std::size_t requested = 0;
  std::size_t inserted = 0;
  std::size_t too_large = 0;  ///< of those not placed: larger than the region, or than the period
  std::size_t no_space = 0;   ///< of those not placed: every attempt met something
  std::size_t not_attempted = 0;  ///< of those not placed: a hundred in a row had found no room
  std::size_t attempts = 0;
  std::size_t rejected_by_particles = 0;  ///< attempts that ended at another particle,
  std::size_t rejected_by_images = 0;     ///< at one beyond a periodic face,
  std::size_t rejected_by_walls = 0;      ///< at a wall,
  std::size_t rejected_by_region = 0;     ///< or at the border of the region, or of the domain
  double solid_fraction = 0;              ///< volume of what was placed over that of the region

  [[nodiscard]] bool is_complete() const { return inserted == requested; }

  /// All of it in a line or two, for people.
  [[nodiscard]] std::string summary() const;
};

template <std::size_t D>
struct InsertionResult {
  std::array<std::vector<double>, D> coordinates;
  std::vector<double> radius;
  InsertionReport report;

  [[nodiscard]] Spheres<D> particles() const {
    std::array<std::span<const double>, D> views;
    for (std::size_t k = 0; k < D; ++k) views[k] = coordinates[k];
    return {views, radius};
  }
};

/// Puts particles of random size into a region, at random, one after the other, the largest first;
/// they are listed in the order their sizes were drawn. The same options give the same particles on
/// every machine. Throws `Error` naming an option that makes no sense.
template <std::size_t D>
InsertionResult<D> insert_particles(const InsertionOptions<D>& options);

}  // namespace abut
