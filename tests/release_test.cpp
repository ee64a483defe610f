// Particles put into regions: none may overlap more than allowed, and none may go missing unsaid.
#include <gmock/gmock.h>

#include <abut/release.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "contract.hpp"
#include "scenes/mesh_scene.hpp"

namespace abut::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr Box<3> box10{{0, 0, 0}, {10, 10, 10}};

template <std::size_t D>
double deepest(const Spheres<D>& particles, const Options<D>& options = {}) {
  double worst = -std::numeric_limits<double>::infinity();
  for (const PeriodicPair<D>& pair : find_periodic_contacts(particles, options)) {
    double squares = 0;
    for (std::size_t k = 0; k < D; ++k) {
      const double period =
          options.periodic[k] ? options.domain->max[k] - options.domain->min[k] : 0;
      const double apart =
          particles.axis(k)[pair.b] + pair.image[k] * period - particles.axis(k)[pair.a];
      squares += apart * apart;
    }
    const double one = particles.radius()[pair.a];
    const double other = particles.radius()[pair.b];
    worst = std::max(worst, (one + other - std::sqrt(squares)) / std::min(one, other));
  }
  return worst;
}

TEST(Release, LeavesNoOverlap) {
  const auto released = release<3>({.count = 400, .region = box10, .sizes = one_size(0.5)});
  EXPECT_EQ(released.report.placed, 400);
  EXPECT_EQ(released.radius.size(), 400);
  EXPECT_LE(deepest(released.particles()), 1e-12);
  for (const auto& axis : released.axes)
    for (const double x : axis) EXPECT_TRUE(x >= 0.5 && x <= 9.5);
  EXPECT_NEAR(released.report.solid_fraction, 400 * std::numbers::pi / 6 / 1000, 1e-12);
}

TEST(Release, AllowsTheOverlapItIsGivenAndNoMore) {
  for (const double most : {0.0, 0.1, 0.5}) {
    const auto released = release<2>({.count = 300,
                                      .region = Box<2>{{0, 0}, {12, 12}},
                                      .sizes = uniform_by_number(0.1, 0.5),
                                      .max_overlap = most});
    EXPECT_EQ(released.report.placed, 300);
    const double worst = std::max(0.0, deepest(released.particles()));
    EXPECT_LE(worst, most + 1e-12);
    EXPECT_GE(worst, most / 2);
  }
}

TEST(Release, IsTheSameForTheSameSeedOnly) {
  ReleaseOptions<3> options{.count = 200, .region = box10, .sizes = uniform_by_mass<3>(0.1, 0.8)};
  const auto one = release(options);
  const auto again = release(options);
  EXPECT_EQ(one.axes, again.axes);
  EXPECT_EQ(one.radius, again.radius);
  options.seed = 2;
  EXPECT_NE(release(options).axes, one.axes);
  // For every machine: the standard fixes the generator, and nothing else is left to chance.
  EXPECT_EQ(one.radius[0], 0.10732139593910757);
}

TEST(Release, FillsBallsAndBarrels) {
  const auto in_ball =
      release<3>({.count = 100, .region = Ball<3>{{1, 2, 3}, 4}, .sizes = one_size(0.5)});
  EXPECT_EQ(in_ball.report.placed, 100);
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_LE(std::hypot(in_ball.axes[0][i] - 1, in_ball.axes[1][i] - 2, in_ball.axes[2][i] - 3),
              3.5 + 1e-12);
  EXPECT_NEAR(in_ball.report.solid_fraction, 100 * 0.125 / 64, 1e-12);
  EXPECT_GT(in_ball.report.met_region, 0);

  const auto in_barrel = release<3>(
      {.count = 100, .region = Barrel{{0, 0, -1}, {0, 0, 9}, 2}, .sizes = one_size(0.3)});
  EXPECT_EQ(in_barrel.report.placed, 100);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_LE(std::hypot(in_barrel.axes[0][i], in_barrel.axes[1][i]), 1.7 + 1e-12);
    EXPECT_TRUE(in_barrel.axes[2][i] >= -0.7 && in_barrel.axes[2][i] <= 8.7);
  }
  EXPECT_NEAR(in_barrel.report.solid_fraction, 100 * 0.027 * 4 / 3 / 40, 1e-12);

  const auto leaning =
      release<3>({.count = 50, .region = Barrel{{0, 0, 0}, {6, 8, 0}, 2}, .sizes = one_size(0.3)});
  EXPECT_EQ(leaning.report.placed, 50);
  for (std::size_t i = 0; i < 50; ++i) {
    const double along = 0.6 * leaning.axes[0][i] + 0.8 * leaning.axes[1][i];
    const double beside = 0.8 * leaning.axes[0][i] - 0.6 * leaning.axes[1][i];
    EXPECT_TRUE(along >= 0.3 - 1e-12 && along <= 9.7 + 1e-12);
    EXPECT_LE(std::hypot(beside, leaning.axes[2][i]), 1.7 + 1e-12);
  }

  const auto in_disc =
      release<2>({.count = 30, .region = Ball<2>{{0, 0}, 5}, .sizes = one_size(0.4)});
  EXPECT_EQ(in_disc.report.placed, 30);
  EXPECT_NEAR(in_disc.report.solid_fraction, 30 * 0.16 / 25, 1e-12);
}

TEST(Release, FillsTheInsideOfAMesh) {
  const auto released = release<3>(
      {.count = 60, .region = Inside<3>{sphere_mesh(2000, {0, 0, 0}, 3)}, .sizes = one_size(0.4)});
  EXPECT_EQ(released.report.placed, 60);
  EXPECT_LE(deepest(released.particles()), 1e-12);
  for (std::size_t i = 0; i < 60; ++i)
    EXPECT_LE(std::hypot(released.axes[0][i], released.axes[1][i], released.axes[2][i]), 2.6);
  EXPECT_NEAR(released.report.solid_fraction, 60 * 0.064 / 27, 0.002);
}

TEST(Release, KeepsClearOfParticlesWallsAndImages) {
  const Scene<3> there = scene_of<3>({{5, 5, 5, 3}, {0, 0, 0, 1}});
  Walls3 walls;
  walls.add(Plane<3>{{0, 0, 3}, {0, 0, 1}});
  const auto released = release<3>({.count = 150,
                                    .region = box10,
                                    .sizes = one_size(0.5),
                                    .among = there.particles(),
                                    .walls = &walls,
                                    .domain = box10,
                                    .periodic = {true, true, false}});
  EXPECT_EQ(released.report.placed, 150);
  EXPECT_GT(released.report.met_particles, 0);
  EXPECT_GT(released.report.met_walls, 0);
  EXPECT_GT(released.report.met_images, 0);
  for (std::size_t i = 0; i < 150; ++i) EXPECT_GE(std::abs(released.axes[2][i] - 3), 0.5);
  // All together, across the faces.
  Scene<3> all = there;
  for (std::size_t k = 0; k < 3; ++k)
    all.axes[k].insert(all.axes[k].end(), released.axes[k].begin(), released.axes[k].end());
  all.radius.insert(all.radius.end(), released.radius.begin(), released.radius.end());
  const Options<3> periodic{.domain = box10, .periodic = {true, true, false}};
  EXPECT_LE(deepest(all.particles(), periodic), 1e-12);
  // Along periodic axes particles stand in the faces too.
  EXPECT_LT(*std::ranges::min_element(released.axes[0]), 0.5);
  EXPECT_GE(*std::ranges::min_element(released.axes[2]), 0.5);
}

TEST(Release, StaysWithinTheDomainIfAsked) {
  const Box<3> unit{{0, 0, 0}, {1, 1, 1}};
  ReleaseOptions<3> options{.count = 20,
                            .region = Ball<3>{{0, 0, 0}, 3},
                            .sizes = one_size(0.1),
                            .domain = unit,
                            .within_domain = true,
                            .periodic = {false, false, true}};
  const auto released = release(options);
  EXPECT_EQ(released.report.placed, 20);
  for (std::size_t k = 0; k < 2; ++k)
    for (const double x : released.axes[k]) EXPECT_TRUE(x >= 0.1 && x <= 0.9) << x;
  EXPECT_GT(std::ranges::max(released.axes[2]), 1);  // beyond a periodic face

  options.sizes = one_size(0.6);
  EXPECT_EQ(release(options).report.too_large, 20);
  options.region = Ball<3>{{9, 0, 0}, 3};
  try {
    (void)release(options);
    ADD_FAILURE() << "the region is outside the domain";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "region: x from 6 to 12 is outside the domain, 0 to 1");
  }
}

// Walls repeat as particles do, also those that begin far out of the domain.
TEST(Release, KeepsClearOfImagesOfWalls) {
  const Box<3> box4{{0, 0, 0}, {4, 4, 4}};
  const std::array<bool, 3> along_z{false, false, true};
  for (const double height : {6.0, -21.5, 4.1}) {
    Walls3 walls;
    walls.add(Mesh<3>{{{-10, -10, height}, {10, -10, height}, {10, 10, height}, {-10, 10, height}},
                      {{0, 1, 2}, {0, 2, 3}}});
    const auto released = release<3>({.count = 60,
                                      .region = box4,
                                      .sizes = one_size(0.25),
                                      .walls = &walls,
                                      .domain = box4,
                                      .periodic = along_z});
    EXPECT_EQ(released.report.placed, 60);
    EXPECT_GT(released.report.met_walls, 0);
    EXPECT_TRUE(
        walls.contacts(released.particles(), {.domain = box4, .periodic = along_z}).empty());
  }
  // A wall that leans out of one side comes in at the other.
  Walls2 leaning;
  leaning.add(Mesh<2>{{{3, 0}, {7, 4}}, {{0, 1}}});
  const Box<2> square{{0, 0}, {4, 4}};
  const auto discs = release<2>({.count = 40,
                                 .region = square,
                                 .sizes = one_size(0.2),
                                 .walls = &leaning,
                                 .domain = square,
                                 .periodic = {true, false}});
  EXPECT_EQ(discs.report.placed, 40);
  EXPECT_TRUE(
      leaning.contacts(discs.particles(), {.domain = square, .periodic = {true, false}}).empty());
}

TEST(Release, TellsWhatFoundNoPlace) {
  const auto full = release<2>(
      {.count = 500, .region = Box<2>{{0, 0}, {10, 10}}, .sizes = one_size(0.5), .attempts = 50});
  EXPECT_LT(full.report.placed, 110);
  EXPECT_EQ(full.report.placed + full.report.no_room + full.report.not_tried, 500);
  EXPECT_GE(full.report.no_room, 100);
  EXPECT_GT(full.report.not_tried, 0);
  EXPECT_FALSE(full.report.is_complete());
  EXPECT_THAT(full.report.text(), AllOf(StartsWith("placed "), HasSubstr(" of 500 particles"),
                                        HasSubstr("found no room in all their attempts"),
                                        HasSubstr("were not tried, the region being full")));
  EXPECT_EQ(full.report.attempts, full.report.placed + full.report.met_particles);

  const auto large = release<2>(
      {.count = 10, .region = Box<2>{{0, 0}, {4, 1}}, .sizes = uniform_by_number(0.3, 0.7)});
  EXPECT_GT(large.report.too_large, 0);
  EXPECT_THAT(large.report.text(), HasSubstr("too large for the region"));

  const auto own_image = release<2>({.count = 3,
                                     .region = Box<2>{{0, 0}, {1, 9}},
                                     .sizes = one_size(0.6),
                                     .domain = Box<2>{{0, 0}, {1, 9}},
                                     .periodic = {true, false}});
  EXPECT_EQ(own_image.report.too_large, 3);

  const auto nothing = release<2>({.region = Box<2>{{0, 0}, {1, 1}}, .sizes = one_size(1)});
  EXPECT_TRUE(nothing.report.is_complete());
}

TEST(Release, DrawsSizesAsAsked) {
  const auto mean = [](const Sizes& sizes, double power) {
    double sum = 0;
    for (int i = 0; i < 100000; ++i) sum += std::pow(sizes((i + 0.5) / 100000), power);
    return sum / 100000;
  };
  EXPECT_NEAR(mean(uniform_by_number(1, 3), 1), 2, 1e-6);
  // By mass: below the middle of the radii there is half of the volume.
  const Sizes by_mass = uniform_by_mass<3>(1, 4);
  EXPECT_NEAR(by_mass(0), 1, 1e-12);
  EXPECT_NEAR(by_mass(1), 4, 1e-9);
  double below = 0;
  double all = 0;
  for (int i = 0; i < 100000; ++i) {
    const double radius = by_mass((i + 0.5) / 100000);
    all += radius * radius * radius;
    if (radius < 2.5) below += radius * radius * radius;
  }
  EXPECT_NEAR(below / all, 0.5, 1e-3);
}

TEST(Release, RefusesWhatMakesNoSense) {
  const auto complaint = [](const ReleaseOptions<3>& options) {
    try {
      (void)release(options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  const Sizes one = one_size(0.1);
  EXPECT_THAT(complaint({.count = 1, .region = box10}), HasSubstr("no sizes"));
  EXPECT_THAT(complaint({.count = 1, .region = Box<3>{{0, 0, 0}, {1, 1, 0}}, .sizes = one}),
              HasSubstr("z from 0 to 0"));
  EXPECT_THAT(complaint({.count = 1, .region = Ball<3>{{0, 0, 0}, -1}, .sizes = one}),
              HasSubstr("sphere of radius -1"));
  EXPECT_THAT(complaint({.count = 1, .region = Barrel{{0, 0, 0}, {0, 0, 0}, 1}, .sizes = one}),
              HasSubstr("two ends"));
  EXPECT_THAT(complaint({.count = 1, .region = box10, .sizes = one, .max_overlap = 2}),
              HasSubstr("max_overlap = 2"));
  EXPECT_THAT(complaint({.count = 1, .region = box10, .sizes = one, .attempts = 0}),
              HasSubstr("attempts = 0"));
  EXPECT_THAT(complaint({.count = 1, .region = box10, .sizes = [](double) { return -1.0; }}),
              HasSubstr("radius of -1"));
  EXPECT_THAT(complaint({.count = 1, .region = box10, .sizes = one, .periodic = {true}}),
              HasSubstr("needs a domain"));
  const Scene<3> bad = scene_of<3>({{0, NAN, 0, 1}});
  EXPECT_THAT(complaint({.count = 1, .region = box10, .sizes = one, .among = bad.particles()}),
              HasSubstr("y[0] = nan"));
  Mesh<3> open = box_mesh(Point<3>{0, 0, 0}, Point<3>{1, 1, 1});
  open.pieces.pop_back();
  EXPECT_THAT(complaint({.count = 1, .region = Inside<3>{open}, .sizes = one}),
              HasSubstr("closed"));
  EXPECT_THROW(uniform_by_number(2, 1), Error);
  EXPECT_THROW(one_size(0), Error);
}

}  // namespace
}  // namespace abut::testing
