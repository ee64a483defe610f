#pragma once

#include <abut/box.hpp>
#include <abut/export.hpp>
#include <abut/mesh.hpp>
#include <abut/spheres.hpp>
#include <abut/walls.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace abut {

// Lengths and radii are in the unit of the particles, coordinates in their frame.

/// A sphere, in 2D a disk.
template <std::size_t D>
struct SphereRegion {
  Point<D> center;
  double radius;
};

/// A solid cylinder with flat ends.
struct CylinderRegion {
  Point<3> from;  ///< center of one end
  Point<3> to;    ///< center of the other end
  double radius;
};

/// The interior of a closed mesh.
template <std::size_t D>
struct MeshRegion {
  Mesh<D> mesh;
  double weld_tolerance = default_weld_tolerance;  ///< see `inspect_mesh`
};

/// The region to be filled. Inserted particles are entirely inside it.
template <std::size_t D>
using Region =
    std::conditional_t<D == 2, std::variant<Box<2>, SphereRegion<2>, MeshRegion<2>>,
                       std::variant<Box<3>, SphereRegion<3>, CylinderRegion, MeshRegion<3>>>;

/// The smallest box that contains the region. Throws `Error` for a region without interior.
template <std::size_t D>
ABUT_API Box<D> bounding_box(const Region<D>& region);

/// Quantile function of the radii: a fraction u of the particles, 0 ≤ u < 1, is smaller than the
/// returned radius.
using SizeDistribution = std::function<double(double u)>;

/// All particles have the same radius. Like the following, throws `Error` unless radii are
/// positive, finite and in ascending order.
ABUT_API SizeDistribution monodisperse(double radius);

/// Radii are uniformly distributed by number.
ABUT_API SizeDistribution uniform_by_number(double min_radius, double max_radius);

/// Radii are uniformly distributed by mass: each interval of radii contains the same total volume
/// (in 2D area).
template <std::size_t D>
ABUT_API SizeDistribution uniform_by_mass(double min_radius, double max_radius);

/// What `insert_particles` inserts, and where.
template <std::size_t D>
struct InsertionOptions {
  std::size_t count = 0;  ///< particles to insert
  Region<D> region{};
  SizeDistribution sizes = {};

  /// Maximum overlap, as a fraction of the smaller radius; with a wall, of the particle's radius.
  double max_overlap = 0;
  std::size_t max_attempts = 10000;  ///< random positions tried per particle
  std::uint64_t seed = 1;

  Spheres<D> existing = {};           ///< particles to avoid; not owned
  const Walls<D>* walls = nullptr;    ///< walls to avoid; not owned
  std::optional<Box<D>> domain = {};  ///< required if an axis is periodic
  bool within_domain = false;         ///< along non-periodic axes, stay inside the domain
  std::array<bool, D> periodic{};     ///< axes along which the domain is periodic
  /// Called regularly with the completed fraction, also while a particle does not fit.
  std::function<void(double)> progress = {};
};

/// Statistics of an insertion. Every requested particle that was not inserted is counted as
/// `too_large`, `no_space` or `not_attempted`.
struct ABUT_API InsertionReport {
  std::size_t requested = 0;
  std::size_t inserted = 0;
  std::size_t too_large = 0;      ///< larger than the region or the period
  std::size_t no_space = 0;       ///< all attempts failed
  std::size_t not_attempted = 0;  ///< because the 100 particles before did not fit
  std::size_t attempts = 0;
  std::size_t rejected_by_particles = 0;  ///< attempts that overlapped another particle
  std::size_t rejected_by_images = 0;     ///< attempts that overlapped a periodic image
  std::size_t rejected_by_walls = 0;      ///< attempts that overlapped a wall
  std::size_t rejected_by_region = 0;     ///< attempts partly outside the region or the domain
  double solid_fraction = 0;              ///< volume of inserted particles over that of the region

  [[nodiscard]] bool is_complete() const { return inserted == requested; }

  /// A one-line text for users.
  [[nodiscard]] std::string summary() const;
};

/// The inserted particles, and statistics.
template <std::size_t D>
struct InsertionResult : SphereArrays<D> {
  InsertionReport report;
};

/// Inserts non-overlapping particles of random size at random positions of a region (random
/// sequential addition), the largest first. They are listed in the order in which their sizes were
/// drawn. The result depends on the options only and is the same on every machine. Throws `Error`
/// for an invalid option.
template <std::size_t D>
ABUT_API InsertionResult<D> insert_particles(const InsertionOptions<D>& options);

}  // namespace abut
