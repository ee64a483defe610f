// Inserted particles overlap at most as allowed, and every particle that does not fit is reported.
#include <gmock/gmock.h>

#include <abut/insertion.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "conformance.hpp"
#include "scenes/mesh_scene.hpp"

namespace abut::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr Box<3> box10{{0, 0, 0}, {10, 10, 10}};

template <std::size_t D>
double max_overlap(const Spheres<D>& particles, const DetectorOptions<D>& options = {}) {
  double max_ratio = -std::numeric_limits<double>::infinity();
  for (const PeriodicPair<D>& pair : find_periodic_contacts(particles, options)) {
    double squares = 0;
    for (std::size_t k = 0; k < D; ++k) {
      const double period =
          options.periodic[k] ? options.domain->max[k] - options.domain->min[k] : 0;
      const double distance = particles.coordinates(k)[pair.b] + pair.image[k] * period -
                              particles.coordinates(k)[pair.a];
      squares += distance * distance;
    }
    const double first = particles.radii()[pair.a];
    const double second = particles.radii()[pair.b];
    max_ratio =
        std::max(max_ratio, (first + second - std::sqrt(squares)) / std::min(first, second));
  }
  return max_ratio;
}

TEST(Insertion, LeavesNoOverlap) {
  const auto result =
      insert_particles<3>({.count = 400, .region = box10, .sizes = monodisperse(0.5)});
  EXPECT_EQ(result.report.inserted, 400);
  EXPECT_EQ(result.radii.size(), 400);
  EXPECT_LE(max_overlap(result.view()), 1e-12);
  for (const auto& axis : result.coordinates)
    for (const double x : axis) EXPECT_TRUE(x >= 0.5 && x <= 9.5);
  EXPECT_NEAR(result.report.solid_fraction, 400 * std::numbers::pi / 6 / 1000, 1e-12);
}

TEST(Insertion, LimitsOverlapToMaximum) {
  for (const double allowed : {0.0, 0.1, 0.5}) {
    const auto result = insert_particles<2>({.count = 300,
                                             .region = Box<2>{{0, 0}, {12, 12}},
                                             .sizes = uniform_by_number(0.1, 0.5),
                                             .max_overlap = allowed});
    EXPECT_EQ(result.report.inserted, 300);
    const double max_ratio = std::max(0.0, max_overlap(result.view()));
    EXPECT_LE(max_ratio, allowed + 1e-12);
    EXPECT_GE(max_ratio, allowed / 2);
  }
}

// Of the radius, not of the unit of length.
TEST(Insertion, LimitsOverlapWithWallsToMaximum) {
  Walls2 walls;
  walls.add(Plane<2>{{0, 6}, {0, 1}});
  for (const double allowed : {0.0, 0.1, 0.5}) {
    const auto result = insert_particles<2>({.count = 300,
                                             .region = Box<2>{{0, 0}, {12, 12}},
                                             .sizes = uniform_by_number(0.1, 0.4),
                                             .max_overlap = allowed,
                                             .walls = &walls});
    EXPECT_GT(result.report.rejected_by_walls, 0);
    double max_ratio = 0;
    for (std::size_t i = 0; i < result.size(); ++i)
      max_ratio = std::max(max_ratio, 1 - std::abs(result.coordinates[1][i] - 6) / result.radii[i]);
    EXPECT_LE(max_ratio, allowed + 1e-12);
    EXPECT_GE(max_ratio, allowed / 2);
  }
}

TEST(Insertion, IsReproducibleForSameSeed) {
  InsertionOptions<3> options{.count = 200, .region = box10, .sizes = uniform_by_mass<3>(0.1, 0.8)};
  const auto first = insert_particles(options);
  const auto repeated = insert_particles(options);
  EXPECT_EQ(first.coordinates, repeated.coordinates);
  EXPECT_EQ(first.radii, repeated.radii);
  options.seed = 2;
  EXPECT_NE(insert_particles(options).coordinates, first.coordinates);
  // The same on every machine: the standard specifies the generator, and nothing else is random.
  EXPECT_EQ(first.radii[0], 0.10732139593910757);
}

TEST(Insertion, FillsSpheresAndCylinders) {
  const auto in_sphere = insert_particles<3>(
      {.count = 100, .region = SphereRegion<3>{{1, 2, 3}, 4}, .sizes = monodisperse(0.5)});
  EXPECT_EQ(in_sphere.report.inserted, 100);
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_LE(std::hypot(in_sphere.coordinates[0][i] - 1, in_sphere.coordinates[1][i] - 2,
                         in_sphere.coordinates[2][i] - 3),
              3.5 + 1e-12);
  EXPECT_NEAR(in_sphere.report.solid_fraction, 100 * 0.125 / 64, 1e-12);
  EXPECT_GT(in_sphere.report.rejected_by_region, 0);

  const auto in_cylinder = insert_particles<3>({.count = 100,
                                                .region = CylinderRegion{{0, 0, -1}, {0, 0, 9}, 2},
                                                .sizes = monodisperse(0.3)});
  EXPECT_EQ(in_cylinder.report.inserted, 100);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_LE(std::hypot(in_cylinder.coordinates[0][i], in_cylinder.coordinates[1][i]),
              1.7 + 1e-12);
    EXPECT_TRUE(in_cylinder.coordinates[2][i] >= -0.7 && in_cylinder.coordinates[2][i] <= 8.7);
  }
  EXPECT_NEAR(in_cylinder.report.solid_fraction, 100 * 0.027 * 4 / 3 / 40, 1e-12);

  const auto inclined = insert_particles<3>(
      {.count = 50, .region = CylinderRegion{{0, 0, 0}, {6, 8, 0}, 2}, .sizes = monodisperse(0.3)});
  EXPECT_EQ(inclined.report.inserted, 50);
  for (std::size_t i = 0; i < 50; ++i) {
    const double axial = 0.6 * inclined.coordinates[0][i] + 0.8 * inclined.coordinates[1][i];
    const double radial = 0.8 * inclined.coordinates[0][i] - 0.6 * inclined.coordinates[1][i];
    EXPECT_TRUE(axial >= 0.3 - 1e-12 && axial <= 9.7 + 1e-12);
    EXPECT_LE(std::hypot(radial, inclined.coordinates[2][i]), 1.7 + 1e-12);
  }

  const auto flat =
      insert_particles<3>(  // as wide as high, so that many positions are near the caps
          {.count = 60,
           .region = CylinderRegion{{0, 0, 0}, {1.2, 1.6, 0}, 4},
           .sizes = monodisperse(0.3)});
  EXPECT_EQ(flat.report.inserted, 60);
  for (std::size_t i = 0; i < 60; ++i) {
    const double axial = 0.6 * flat.coordinates[0][i] + 0.8 * flat.coordinates[1][i];
    EXPECT_TRUE(axial >= 0.3 - 1e-12 && axial <= 1.7 + 1e-12) << axial;
  }

  const auto in_disk = insert_particles<2>(
      {.count = 30, .region = SphereRegion<2>{{0, 0}, 5}, .sizes = monodisperse(0.4)});
  EXPECT_EQ(in_disk.report.inserted, 30);
  EXPECT_NEAR(in_disk.report.solid_fraction, 30 * 0.16 / 25, 1e-12);
}

TEST(Insertion, FillsMeshInterior) {
  const auto result = insert_particles<3>({.count = 60,
                                           .region = MeshRegion<3>{sphere_mesh(2000, {0, 0, 0}, 3)},
                                           .sizes = monodisperse(0.4)});
  EXPECT_EQ(result.report.inserted, 60);
  EXPECT_LE(max_overlap(result.view()), 1e-12);
  for (std::size_t i = 0; i < 60; ++i)
    EXPECT_LE(
        std::hypot(result.coordinates[0][i], result.coordinates[1][i], result.coordinates[2][i]),
        2.6);
  EXPECT_NEAR(result.report.solid_fraction, 60 * 0.064 / 27, 0.002);
}

TEST(Insertion, AvoidsParticlesWallsAndPeriodicImages) {
  const Scene<3> existing = scene_of<3>({{5, 5, 5, 3}, {0, 0, 0, 1}});
  Walls3 walls;
  walls.add(Plane<3>{{0, 0, 3}, {0, 0, 1}});
  const auto result = insert_particles<3>({.count = 150,
                                           .region = box10,
                                           .sizes = monodisperse(0.5),
                                           .existing = existing.view(),
                                           .walls = &walls,
                                           .domain = box10,
                                           .periodic = {true, true, false}});
  EXPECT_EQ(result.report.inserted, 150);
  EXPECT_GT(result.report.rejected_by_particles, 0);
  EXPECT_GT(result.report.rejected_by_walls, 0);
  EXPECT_GT(result.report.rejected_by_images, 0);
  for (std::size_t i = 0; i < 150; ++i) EXPECT_GE(std::abs(result.coordinates[2][i] - 3), 0.5);
  // All particles, including periodic images.
  Scene<3> all = existing;
  for (std::size_t k = 0; k < 3; ++k)
    all.coordinates[k].insert(all.coordinates[k].end(), result.coordinates[k].begin(),
                              result.coordinates[k].end());
  all.radii.insert(all.radii.end(), result.radii.begin(), result.radii.end());
  const DetectorOptions<3> periodic{.domain = box10, .periodic = {true, true, false}};
  EXPECT_LE(max_overlap(all.view(), periodic), 1e-12);
  // Along periodic axes particles may intersect the boundary.
  EXPECT_LT(*std::ranges::min_element(result.coordinates[0]), 0.5);
  EXPECT_GE(*std::ranges::min_element(result.coordinates[2]), 0.5);
}

TEST(Insertion, StaysWithinDomainIfRequested) {
  const Box<3> unit{{0, 0, 0}, {1, 1, 1}};
  InsertionOptions<3> options{.count = 20,
                              .region = SphereRegion<3>{{0, 0, 0}, 3},
                              .sizes = monodisperse(0.1),
                              .domain = unit,
                              .within_domain = true,
                              .periodic = {false, false, true}};
  const auto result = insert_particles(options);
  EXPECT_EQ(result.report.inserted, 20);
  for (std::size_t k = 0; k < 2; ++k)
    for (const double x : result.coordinates[k]) EXPECT_TRUE(x >= 0.1 && x <= 0.9) << x;
  EXPECT_GT(std::ranges::max(result.coordinates[2]), 1);  // beyond a periodic boundary

  options.sizes = monodisperse(0.6);
  EXPECT_EQ(insert_particles(options).report.too_large, 20);
  options.region = SphereRegion<3>{{9, 0, 0}, 3};
  try {
    (void)insert_particles(options);
    ADD_FAILURE() << "the region is outside the domain";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "region: x from 6 to 12: must overlap the domain, 0 to 1");
  }
}

// Only a region that covers a whole period continues beyond the boundary.
TEST(Insertion, StaysInRegionsThatCoverPartOfThePeriod) {
  for (const auto& [low, high] : {std::pair{0.0, 6.0}, {4.0, 10.0}}) {
    const auto result = insert_particles<2>({.count = 40,
                                             .region = Box<2>{{low, 0}, {high, 10}},
                                             .sizes = monodisperse(0.4),
                                             .domain = Box<2>{{0, 0}, {10, 10}},
                                             .periodic = {true, false}});
    EXPECT_EQ(result.report.inserted, 40);
    for (const double x : result.coordinates[0])
      EXPECT_TRUE(x >= low + 0.4 && x <= high - 0.4) << x;
  }
}

// Walls are periodic too, including those far outside the domain.
TEST(Insertion, AvoidsPeriodicImagesOfWalls) {
  const Box<3> box4{{0, 0, 0}, {4, 4, 4}};
  const std::array<bool, 3> along_z{false, false, true};
  for (const double height : {6.0, -21.5, 4.1}) {
    Walls3 walls;
    walls.add(Mesh<3>{{{-10, -10, height}, {10, -10, height}, {10, 10, height}, {-10, 10, height}},
                      {{0, 1, 2}, {0, 2, 3}}});
    const auto result = insert_particles<3>({.count = 60,
                                             .region = box4,
                                             .sizes = monodisperse(0.25),
                                             .walls = &walls,
                                             .domain = box4,
                                             .periodic = along_z});
    EXPECT_EQ(result.report.inserted, 60);
    EXPECT_GT(result.report.rejected_by_walls, 0);
    EXPECT_TRUE(walls.contacts(result.view(), {.domain = box4, .periodic = along_z}).empty());
  }
  // A wall that leaves the domain on one side enters it on the other.
  Walls2 inclined;
  inclined.add(Mesh<2>{{{3, 0}, {7, 4}}, {{0, 1}}});
  const Box<2> square{{0, 0}, {4, 4}};
  const auto disks = insert_particles<2>({.count = 40,
                                          .region = square,
                                          .sizes = monodisperse(0.2),
                                          .walls = &inclined,
                                          .domain = square,
                                          .periodic = {true, false}});
  EXPECT_EQ(disks.report.inserted, 40);
  EXPECT_TRUE(
      inclined.contacts(disks.view(), {.domain = square, .periodic = {true, false}}).empty());
}

TEST(Insertion, ReportsParticlesThatDidNotFit) {
  const auto full = insert_particles<2>({.count = 500,
                                         .region = Box<2>{{0, 0}, {10, 10}},
                                         .sizes = monodisperse(0.5),
                                         .max_attempts = 50});
  EXPECT_LT(full.report.inserted, 110);
  EXPECT_EQ(full.report.inserted + full.report.no_space + full.report.not_attempted, 500);
  EXPECT_GE(full.report.no_space, 100);
  EXPECT_GT(full.report.not_attempted, 0);
  EXPECT_FALSE(full.report.is_complete());
  EXPECT_THAT(full.report.summary(), AllOf(StartsWith("inserted "), HasSubstr(" of 500 particles"),
                                           HasSubstr(" did not fit"),
                                           HasSubstr("not attempted because the region is full")));
  EXPECT_EQ(full.report.attempts, full.report.inserted + full.report.rejected_by_particles);

  const auto large = insert_particles<2>(
      {.count = 10, .region = Box<2>{{0, 0}, {4, 1}}, .sizes = uniform_by_number(0.3, 0.7)});
  EXPECT_GT(large.report.too_large, 0);
  EXPECT_THAT(large.report.summary(), HasSubstr("too large for the region"));

  const auto own_image = insert_particles<2>({.count = 3,
                                              .region = Box<2>{{0, 0}, {1, 9}},
                                              .sizes = monodisperse(0.6),
                                              .domain = Box<2>{{0, 0}, {1, 9}},
                                              .periodic = {true, false}});
  EXPECT_EQ(own_image.report.too_large, 3);

  const auto allowed =
      insert_particles<2>({.count = 1,  // overlaps its image by a third of its radius
                           .region = Box<2>{{0, 0}, {1, 9}},
                           .sizes = monodisperse(0.6),
                           .max_overlap = 0.5,
                           .domain = Box<2>{{0, 0}, {1, 9}},
                           .periodic = {true, false}});
  EXPECT_EQ(allowed.report.inserted, 1);

  const auto nothing =
      insert_particles<2>({.region = Box<2>{{0, 0}, {1, 1}}, .sizes = monodisperse(1)});
  EXPECT_TRUE(nothing.report.is_complete());
}

TEST(SizeDistribution, HasRequestedMoments) {
  const auto mean = [](const SizeDistribution& sizes, double power) {
    double sum = 0;
    for (int i = 0; i < 100000; ++i) sum += std::pow(sizes((i + 0.5) / 100000), power);
    return sum / 100000;
  };
  EXPECT_NEAR(mean(uniform_by_number(1, 3), 1), 2, 1e-6);
  // By mass: half of the volume is in the lower half of the range of radii.
  const SizeDistribution by_mass = uniform_by_mass<3>(1, 4);
  EXPECT_NEAR(by_mass(0), 1, 1e-12);
  EXPECT_NEAR(by_mass(1), 4, 1e-9);
  double below_middle = 0;
  double all = 0;
  for (int i = 0; i < 100000; ++i) {
    const double radius = by_mass((i + 0.5) / 100000);
    all += radius * radius * radius;
    if (radius < 2.5) below_middle += radius * radius * radius;
  }
  EXPECT_NEAR(below_middle / all, 0.5, 1e-3);
}

TEST(Insertion, RejectsInvalidOptions) {
  const auto error_of = [](const InsertionOptions<3>& options) {
    try {
      (void)insert_particles(options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const SizeDistribution first = monodisperse(0.1);
  EXPECT_THAT(error_of({.count = 1, .region = box10}), HasSubstr("sizes must be given"));
  EXPECT_THAT(error_of({.count = 1, .region = Box<3>{{0, 0, 0}, {1, 1, 0}}, .sizes = first}),
              HasSubstr("z from 0 to 0"));
  EXPECT_THAT(error_of({.count = 1, .region = SphereRegion<3>{{0, 0, 0}, -1}, .sizes = first}),
              HasSubstr("sphere: radius = -1"));
  EXPECT_THAT(
      error_of({.count = 1, .region = CylinderRegion{{0, 0, 0}, {0, 0, 0}, 1}, .sizes = first}),
      HasSubstr("must be different points"));
  EXPECT_THAT(error_of({.count = 1, .region = box10, .sizes = first, .max_overlap = 2}),
              HasSubstr("max_overlap = 2"));
  EXPECT_THAT(error_of({.count = 1, .region = box10, .sizes = first, .max_attempts = 0}),
              HasSubstr("max_attempts = 0"));
  EXPECT_THAT(error_of({.count = 1, .region = box10, .sizes = [](double) { return -1.0; }}),
              HasSubstr("radius = -1"));
  EXPECT_THAT(error_of({.count = 1, .region = box10, .sizes = first, .periodic = {true}}),
              HasSubstr("needs a domain"));
  const Scene<3> bad = scene_of<3>({{0, NAN, 0, 1}});
  EXPECT_THAT(error_of({.count = 1, .region = box10, .sizes = first, .existing = bad.view()}),
              HasSubstr("y[0] = nan"));
  Mesh<3> open = box_mesh(Point<3>{0, 0, 0}, Point<3>{1, 1, 1});
  open.facets.pop_back();
  EXPECT_THAT(error_of({.count = 1, .region = MeshRegion<3>{open}, .sizes = first}),
              HasSubstr("closed"));
  EXPECT_THROW(uniform_by_number(2, 1), Error);
  EXPECT_THROW(monodisperse(0), Error);
}

}  // namespace
}  // namespace abut::testing
