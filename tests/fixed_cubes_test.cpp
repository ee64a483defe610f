// Statements of Lazarević, Dvornik and Fresl (2002) about fixed cubes, and what is lost as
// published.
#include "broad/fixed_cubes.hpp"

#include <gmock/gmock.h>

#include <abut/research/search_counts.hpp>
#include <cmath>
#include <map>
#include <numbers>

#include "conformance.hpp"
#include "core/statistics.hpp"
#include "published_methods.hpp"

namespace abut {

// Reads the private tables.
struct FixedCubesTestAccess {
  template <class Cubes>
  static std::size_t cubes_of(const Cubes& cubes, Index ball) {
    return cubes.movable_.cubes_of(ball).size();
  }
};

namespace testing {
namespace {

// Frequencies of the numbers of examinations for random positions of a ball in its octant: δ from 0
// to half a cube.
std::map<unsigned, double> examination_frequencies(double radius) {
  Random random(1);
  std::map<unsigned, double> frequencies;
  constexpr int samples = 200000;
  for (int i = 0; i < samples; ++i) {
    const std::array<double, 3> face_distance{random.uniform(0, 0.5), random.uniform(0, 0.5),
                                              random.uniform(0, 0.5)};
    frequencies[FixedCubes<3>::find_overlaps(face_distance, radius).examinations] += 1.0 / samples;
  }
  return frequencies;
}

TEST(FixedCubesPaper, NeedsSixSevenNineOrTenExaminationsButNeverEight) {
  const auto frequencies = examination_frequencies(0.44);
  ASSERT_EQ(frequencies.size(), 4);
  EXPECT_NEAR(frequencies.at(6), 0.04, 0.005);
  EXPECT_NEAR(frequencies.at(7), 0.28, 0.005);
  EXPECT_NEAR(frequencies.at(9), 0.28, 0.005);
  EXPECT_NEAR(frequencies.at(10), 0.40, 0.005);
  double mean = 0;
  for (const auto& [examinations, frequency] : frequencies) mean += examinations * frequency;
  EXPECT_NEAR(mean, 8.7, 0.05);
}

TEST(FixedCubesPaper, ExaminesFacesThenEdgesThenCorner) {
  const auto overlap = [](double x, double y, double z) {
    return FixedCubes<3>::find_overlaps({x, y, z}, 0.4);
  };
  // In the middle: 3 for the octant and 3 for the faces. At a corner: all 7 tests.
  EXPECT_EQ(overlap(0.5, 0.5, 0.5).examinations, 6);
  EXPECT_EQ(overlap(0.5, 0.5, 0.5).cubes, 0b1);
  EXPECT_EQ(overlap(0, 0, 0).examinations, 10);
  EXPECT_EQ(overlap(0, 0, 0).cubes, 0b11111111);
  // k2 only; k2, k3 and not k4; k2, k3, k4, k5, k6, k7 and not the corner k8.
  EXPECT_EQ(overlap(0.1, 0.5, 0.5).cubes, 0b11);
  EXPECT_EQ(overlap(0.35, 0.35, 0.5).cubes, 0b111);
  EXPECT_EQ(overlap(0.27, 0.27, 0.27).cubes, 0b1111111);
  EXPECT_EQ(overlap(0.27, 0.27, 0.27).examinations, 10);
  // Equality counts as overlap.
  EXPECT_EQ(FixedCubes<3>::find_overlaps({0.5, 0.5, 0.25}, 0.25).cubes, 0b10001);
}

TEST(FixedCubesPaper, NeedsFourOrFiveExaminationsIn2D) {
  EXPECT_EQ(FixedCubes<2>::find_overlaps({0.5, 0.5}, 0.4).examinations, 4);
  EXPECT_EQ(FixedCubes<2>::find_overlaps({0.5, 0.1}, 0.4).cubes, 0b101);
  EXPECT_EQ(FixedCubes<2>::find_overlaps({0.1, 0.1}, 0.4).examinations, 5);
  EXPECT_EQ(FixedCubes<2>::find_overlaps({0.1, 0.1}, 0.4).cubes, 0b1111);
}

// The analytical mean of a_i, the number of cubes a ball overlaps, for ρ = r/a.
double mean_cubes_overlapped(double rho) {
  using std::numbers::pi;
  return 1 + 6 * rho + 3 * pi * rho * rho + 4 * pi / 3 * rho * rho * rho;
}

TEST(FixedCubesPaper, OverlapsMeanNumberOfCubesOfAnalyticalSolution) {
  EXPECT_NEAR(mean_cubes_overlapped(0.44), 5.82, 0.005);
  for (const double rho : {0.1, 0.25, 0.44, 0.5}) {
    Random random(3);
    double mean = 0;
    constexpr int samples = 200000;
    for (int i = 0; i < samples; ++i) {
      const std::array<double, 3> face_distance{random.uniform(0, 0.5), random.uniform(0, 0.5),
                                                random.uniform(0, 0.5)};
      mean +=
          std::popcount(FixedCubes<3>::find_overlaps(face_distance, rho).cubes) / double{samples};
    }
    EXPECT_NEAR(mean, mean_cubes_overlapped(rho), 0.02) << rho;
  }
}

// The same from the table A: the search radius is half a cube, so that ρ = 1/2.
TEST(FixedCubesPaper, StoresOverlappedCubesInTables) {
  const Scene<3> scene = make_scene<3>("random", {.count = 40000, .solid_fraction = 0.05});
  FixedCubes<3> cubes;
  Counter<false> counter;
  ThreadPool pool(1);
  cubes.prepare(search_input_of(scene, {.margin = 0.5}), pool, counter);
  double mean = 0;
  for (Index i = 0; i < scene.size(); ++i) {
    const std::size_t overlapped = FixedCubesTestAccess::cubes_of(cubes, i);
    EXPECT_TRUE(overlapped >= 1 && overlapped <= 8);
    mean += static_cast<double>(overlapped) / 40000;
  }
  EXPECT_NEAR(mean, mean_cubes_overlapped(0.5), 0.03);
}

// ---- where the paper is wrong

// (23): a pair is tested in the cube that contains the midpoint of the centers.
template <std::size_t D>
struct MidpointRule : CorrectedRules<D> {
  static bool owns_pair(const SearchInput<D>& input, const Grid<D>& grid, Index i, Index m,
                        const Membership& of_i, unsigned /*lower_of_m*/) {
    std::size_t cube = 0;
    for (std::size_t k = D; k-- > 0;) {
      const double middle =
          (input.particles.coordinates(k)[i] + input.particles.coordinates(k)[m]) / 2;
      cube = cube * (static_cast<std::size_t>(grid.cell_count(k)) + 2) +
             static_cast<std::size_t>(grid.cell_coordinate(k, middle) + 1);
    }
    return cube == of_i.cube;
  }
};

// The fraction of contacts it loses between a ball of diameter 1 and one of diameter 1/ratio, with
// overlaps as small as in a simulation; each pair is far from all others.
double fraction_lost_by_midpoint(double ratio) {
  Random random(5);
  std::vector<std::array<double, 4>> balls;
  constexpr int pairs = 40000;
  for (int i = 0; i < pairs; ++i) {
    const double height = random.uniform(-1, 1);  // any direction
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    const double horizontal = std::sqrt(1 - height * height);
    const double distance = (0.5 + 0.5 / ratio) * random.uniform(0.99, 1);
    const int row = i / 40;
    const int layer = i / 1600;
    const std::array<double, 3> center{6.0 * (i % 40) + random.uniform(0, 2),
                                       6.0 * (row % 40) + random.uniform(0, 2),
                                       6.0 * layer + random.uniform(0, 2)};
    balls.push_back({center[0], center[1], center[2], 0.5});
    balls.push_back({center[0] + distance * horizontal * std::cos(angle),
                     center[1] + distance * horizontal * std::sin(angle),
                     center[2] + distance * height, 0.5 / ratio});
  }
  const Scene<3> scene = scene_of<3>(balls);
  const std::size_t all = count_pairs<FixedCubes<3>>(scene, {});
  const std::size_t kept = count_pairs<FixedCubes<3, MidpointRule>>(scene, {});
  EXPECT_EQ(all, pairs);
  return 1 - static_cast<double>(kept) / pairs;
}

TEST(FixedCubesAsPublished, MidpointRuleLosesContactsOfUnequalBalls) {
  EXPECT_EQ(fraction_lost_by_midpoint(1), 0);
  EXPECT_NEAR(fraction_lost_by_midpoint(1.05), 0.0004, 0.0003);
  EXPECT_NEAR(fraction_lost_by_midpoint(2), 0.065, 0.01);
  EXPECT_NEAR(fraction_lost_by_midpoint(4), 0.16, 0.02);
}

// (12)–(14) with the bare radius, although the cubes are enlarged by the margin.
template <std::size_t D>
struct BareRadius : CorrectedRules<D> {
  static double radius(const InflatedRadii<D>& /*inflated*/, double bare) { return bare; }
};

TEST(FixedCubesAsPublished, BareRadiusLosesPairsWithinMargin) {
  const Scene<3> scene = make_scene<3>("random", {.count = 5000, .solid_fraction = 0.3});
  const DetectorOptions<3> options{.margin = 0.3};
  const std::size_t all = find_contacts(scene.view(), options).size();
  EXPECT_EQ(count_pairs<FixedCubes<3>>(scene, options), all);
  const auto bare = count_pairs<FixedCubes<3, BareRadius>>(scene, options);
  EXPECT_LT(bare, all);
}

// (7) and (8): rounding up puts x = 0 into cube 0, which by (8) is a cube of the row before.
TEST(FixedCubesAsPublished, RoundingUpPutsZeroOutsideAndWrapsIntoNextRow) {
  constexpr int nc = 10;
  const auto number = [](double x, double y, double z) {  // a = 1
    const auto kx = static_cast<int>(std::ceil(x));
    const auto ky = static_cast<int>(std::ceil(y));
    const auto kz = static_cast<int>(std::ceil(z));
    return nc * nc * (kz - 1) + nc * (ky - 1) + kx;
  };
  EXPECT_EQ(number(0, 0.5, 0.5), 0);                      // cubes are numbered from 1
  EXPECT_EQ(number(0, 1.5, 0.5), number(9.5, 0.5, 0.5));  // x = 0, the other end of the row below
  EXPECT_EQ(number(9.5, 0.5, 0.5) + 1, number(0.5, 1.5, 0.5));  // k₁ + 1 across the border
  EXPECT_LT(number(1.0, 0.5, 0.5),
            number(1.5, 0.5, 0.5));  // on a face: the lower cube, not the higher
  // Here, balls on faces and at the border find exactly their pairs.
  const Scene<3> scene = scene_of<3>({{0, 0.5, 0.5, 0.5},
                                      {1, 0.5, 0.5, 0.5},
                                      {0, 1.5, 0.5, 0.5},
                                      {9.5, 0.5, 0.5, 0.5},
                                      {8.5, 0.5, 0.5, 0.5},
                                      {9.5, 1.5, 0.5, 0.5}});
  EXPECT_THAT(find_contacts(scene.view(), {.method = Method::fixed_cubes}),
              ::testing::ElementsAre(Pair{0, 1}, Pair{0, 2}, Pair{3, 4}, Pair{3, 5}));
}

TEST(FixedCubesAsPublished, LimitOfTwentyBallsPerCubeIsTooSmall) {
  Scene<3> scene;
  Random random(8);
  for (int i = 0; i < 500; ++i) {  // overlapping balls as in a wall
    for (auto& axis : scene.coordinates) axis.push_back(random.uniform(0, 2));
    scene.radii.push_back(0.5);
  }
  const SearchInput<3> input = search_input_of(scene, {});
  FixedCubes<3> cubes;
  Counter<false> counter;
  ThreadPool pool(1);
  cubes.prepare(input, pool, counter);
  EXPECT_GT(cubes.max_occupancy(), 20);
  EXPECT_EQ(count_pairs<FixedCubes<3>>(scene, {}), find_contacts(scene.view()).size());
}

// ---- fixed balls are sorted once

TEST(FixedCubesWalls, AreSortedOnlyOnce) {
  Scene<3> scene = make_scene<3>("random", {.count = 2000, .solid_fraction = 0.3});
  Detector<3> detector(
      {.method = Method::fixed_cubes, .fixed_count = 1500, .collect_counts = true});
  const auto examinations = [&] {
    detector.update(scene.view());
    detector.for_each_pair([](Pair) {});
    return search_counts(detector).examinations;
  };
  const auto first = examinations();
  EXPECT_GE(first, 2000 * 6);
  scene.coordinates[0][1900] += 0.01;
  const auto second = examinations();
  EXPECT_GE(second, 500 * 6);
  EXPECT_LE(second, 500 * 10);
  scene.coordinates[0][3] += 0.01;  // a fixed ball moves
  EXPECT_GE(examinations(), 2000 * 6);
}

// A ball that leaves enlarges the bounding box and thereby the rounding slack.
TEST(FixedCubesWalls, AreNotSortedAgainWhenBoundingBoxGrows) {
  Scene<3> scene = make_scene<3>("random", {.count = 1001, .solid_fraction = 0.3});
  for (auto& axis : scene.coordinates) axis[1000] = 9;
  Detector<3> detector(
      {.method = Method::fixed_cubes, .fixed_count = 1000, .collect_counts = true});
  for (int step = 0; step < 40; ++step) {
    scene.coordinates[0][1000] += 0.02;
    detector.update(scene.view());
    detector.for_each_pair([](Pair) {});
    if (step == 0) continue;
    EXPECT_LE(search_counts(detector).examinations, 10) << step;
  }
}

}  // namespace
}  // namespace testing
}  // namespace abut
