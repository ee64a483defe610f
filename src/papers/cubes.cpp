// Section 3 of Lazarević, Dvornik and Fresl: the time to sort spheres into cubes, the number of
// examinations per sphere, and the number of cubes a sphere overlaps.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "broad/fixed_cubes.hpp"
#include "core/statistics.hpp"
#include "papers/paper.hpp"
#include "papers/timing.hpp"
#include "report/verdicts.hpp"

namespace abut {
namespace {

constexpr double paper_rho = 0.44;  // r/a: 0.22 m in cubes of 0.5 m
constexpr std::array rhos{0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.44, 0.5};

// ----- Figure 5 ---------------------------------------------------------------------------------

std::vector<std::size_t> counts(bool quick) {
  if (quick) return {30, 100, 300, 1'000, 3'000, 10'000};
  return {30, 100, 300, 1'000, 3'000, 10'000, 30'000, 100'000};
}

// The contents of a silo, and a packing with at most one sphere per cube: at a spacing of 2 d there
// is a free cube between neighbors.
constexpr const char* dense = "silo";
constexpr const char* sparse = "packing-d";

TimingCase timing_case(const std::string& scene, std::size_t count) {
  std::vector<Method> methods{Method::fixed_cubes};
  if (scene == dense) methods.push_back(Method::brute_force);
  return {.scene = scene,
          .options = {.count = count, .spacing = 2},
          .methods = methods,
          .detections = 1,
          .warm_up = 1,
          .rounds = count < 2'000   ? 20
                    : count < 5'000 ? 5
                                    : 2};
}

double sample_count(bool quick) { return quick ? 200'000 : 4'000'000; }

double work(bool quick) {
  double total = 30 * sample_count(quick) * static_cast<double>(rhos.size());
  for (const std::size_t count : counts(quick))
    total += work_of(timing_case(dense, count)) + work_of(timing_case(sparse, count));
  return total;
}

// Points (number of spheres, seconds).
struct Times {
  Points sorting;
  Points brute_force;
};

Times run(bool quick, const std::string& scene, ProgressMeter& meter) {
  std::vector<TimingCase> cases;
  for (const std::size_t count : counts(quick)) cases.push_back(timing_case(scene, count));
  Times times;
  for (const std::vector<Timing>& timings : measure(cases, meter)) {
    const auto count = static_cast<double>(timings[0].count);
    times.sorting.push_back({count, timings[0].build});
    if (timings.size() > 1) times.brute_force.push_back({count, timings[1].seconds()});
  }
  return times;
}

Finding sorting_finding(const char* name, const Points& sorting) {
  const double exponent = exponent_of(sorting);
  return {fmt::format("Sorting a {} packing takes time nearly proportional to n", name),
          fmt::format("T ∝ n^{:.2f}", exponent), linear(exponent)};
}

Finding brute_force_finding(const Times& times) {
  const Points largest(times.brute_force.end() - 3, times.brute_force.end());
  const double exponent = exponent_of(largest);
  return {"Brute force takes time proportional to n²",
          fmt::format(
              "T ∝ n^{:.2f} over the three largest n; {} times the sorting time for the largest",
              exponent,
              formatted_number(std::round(times.brute_force.back()[1] / times.sorting.back()[1]))),
          at_most(std::abs(exponent - 2), 0.1, 0.3)};
}

Figure figure_5(bool quick, ProgressMeter& meter) {
  const Times dense_times = run(quick, dense, meter);
  const Times sparse_times = run(quick, sparse, meter);
  ResultTable numbers({{"n", "n"},
                       {"sorting_dense_s", "sorting, dense (s)"},
                       {"sorting_sparse_s", "sorting, sparse (s)"},
                       {"brute_force_s", "brute force, dense (s)"}});
  for (std::size_t i = 0; i < dense_times.sorting.size(); ++i)
    numbers.add({dense_times.sorting[i][0], dense_times.sorting[i][1], sparse_times.sorting[i][1],
                 dense_times.brute_force[i][1]});
  return {.file = "figure-5",
          .title = "Figure 5: sorting and brute force",
          .text =
              "The contents of a silo (solid fraction 0.6), and a sparse packing with at most one "
              "sphere per cube. Time to sort the spheres into cubes, without the search, as in the "
              "paper; and time of brute force.",
          .numbers = numbers,
          .plot = {.title = "Sorting into cubes and brute force",
                   .x = {.title = "number of spheres n", .logarithmic = true},
                   .y = {.title = "time (s)", .logarithmic = true},
                   .lines = {{"sorting, dense", dense_times.sorting},
                             {"sorting, sparse", sparse_times.sorting},
                             {"brute force, dense", dense_times.brute_force}}},
          .findings = {sorting_finding("dense", dense_times.sorting),
                       sorting_finding("sparse", sparse_times.sorting),
                       brute_force_finding(dense_times)}};
}

// ----- Cubes of a sphere ------------------------------------------------------------------------

// Fractions of spheres at random positions, by number of examinations (0 … 10) and of overlapped
// cubes (0 … 8).
struct Fractions {
  std::array<double, 11> examinations{};
  std::array<double, 9> cubes{};
};

template <std::size_t Size>
double mean_of(const std::array<double, Size>& fractions) {
  double mean = 0;
  for (std::size_t i = 0; i < Size; ++i) mean += static_cast<double>(i) * fractions[i];
  return mean;
}

// Samples `count` random positions; ρ = r/a.
Fractions sample_fractions(double rho, double count) {
  Random random(1);
  Fractions fractions;
  for (double i = 0; i < count; ++i) {
    std::array<double, 3> distances{};  // δ, to the nearest face along each axis, in cube edges
    for (double& distance : distances) distance = random.uniform(0, 0.5);
    const auto overlaps = FixedCubes<3>::find_overlaps(distances, rho);
    fractions.examinations[overlaps.examinations] += 1 / count;
    fractions.cubes[static_cast<std::size_t>(std::popcount(overlaps.cubes))] += 1 / count;
  }
  return fractions;
}

// The analytical fractions. A sphere intersects the nearest face along an axis with probability
// p = 2ρ. Of the spheres that intersect three faces, s1, s2 and s3 are the fractions that intersect
// a given edge, two given edges and all three edges, summed over all choices of edges: a quarter
// disk, and the intersections of two and of three cylinders.
Fractions expected(double rho) {
  const double p = 2 * rho;
  const double q = 1 - p;
  const double s1 = 3 * std::numbers::pi / 4;
  const double s2 = 2;
  const double s3 = 2 - std::numbers::sqrt2;
  const double vertex = std::numbers::pi / 6;
  const double three = p * p * p;
  Fractions fractions;
  fractions.examinations[6] = q * q * (1 + 2 * p);
  fractions.examinations[7] = 3 * p * p * q;
  fractions.examinations[9] = three * (1 - s3);
  fractions.examinations[10] = three * s3;
  fractions.cubes[1] = q * q * q;
  fractions.cubes[2] = 3 * q * q * p;
  fractions.cubes[3] = 3 * q * p * p * (1 - std::numbers::pi / 4);
  fractions.cubes[4] = 3 * q * p * p * std::numbers::pi / 4 + three * (1 - s1 + s2 - s3);
  fractions.cubes[5] = three * (s1 - 2 * s2 + 3 * s3);
  fractions.cubes[6] = three * (s2 - 3 * s3);
  fractions.cubes[7] = three * (s3 - vertex);
  fractions.cubes[8] = three * vertex;
  return fractions;
}

template <std::size_t Size>
double max_difference(const std::array<double, Size>& a, const std::array<double, Size>& b) {
  double difference = 0;
  for (std::size_t i = 0; i < Size; ++i) difference = std::max(difference, std::abs(a[i] - b[i]));
  return difference;
}

template <std::size_t Size>
Points percentages(const std::array<double, Size>& fractions, std::size_t first) {
  Points points;
  for (std::size_t i = first; i < Size; ++i)
    points.push_back({static_cast<double>(i), 100 * fractions[i]});
  return points;
}

template <std::size_t Size>
ResultTable fraction_table(ResultTable::Column counted, const std::array<double, Size>& measured,
                           const std::array<double, Size>& theory, std::size_t first) {
  ResultTable table({std::move(counted),
                     {"measured_percent", "measured (%)"},
                     {"expected_percent", "analytical (%)"}});
  for (std::size_t i = first; i < Size; ++i)
    table.add({static_cast<double>(i), 100 * measured[i], 100 * theory[i]});
  return table;
}

// Statistical error of a fraction sampled `count` times: four standard deviations at fraction 1/2.
double sampling_error(double count) { return 4 * 0.5 / std::sqrt(count); }

Figure examinations_figure(const Fractions& measured, double count) {
  const Fractions theory = expected(paper_rho);
  const auto& e = measured.examinations;
  const bool in_range = e[6] > 0 && e[10] > 0 &&
                        std::all_of(e.begin(), e.begin() + 6, [](double s) { return s == 0; });
  return {.file = "examinations",
          .title = "Examinations per sphere",
          .text = fmt::format(
              "{} spheres at random positions, ρ = r/a = {}. Analytical fractions with p = 2ρ: "
              "(1−p)²(1+2p) for 6, 3p²(1−p) for 7, (√2−1)p³ for 9, (2−√2)p³ for 10.",
              formatted_number(count), paper_rho),
          .numbers = fraction_table({"examinations", "examinations"}, e, theory.examinations, 6),
          .plot = {.title = "Examinations per sphere, ρ = 0.44",
                   .x = {.title = "examinations"},
                   .y = {.title = "spheres (%)"},
                   .lines = {{"measured", percentages(e, 6), Plot::Style::bars},
                             {"analytical", percentages(theory.examinations, 6),
                              Plot::Style::expected_bars}}},
          .findings = {{"A sphere needs 6 to 10 examinations",
                        fmt::format("6 to 10, {}; {:.2f} on average",
                                    e[8] == 0 ? "never 8" : "8 too", mean_of(e)),
                        in_range ? Verdict::holds : Verdict::does_not_hold},
                       {"6 examinations are rare, 10 more frequent",
                        fmt::format("6 in {:.1f} %, 7 in {:.1f} %, 9 in {:.1f} %, 10 in {:.1f} %",
                                    100 * e[6], 100 * e[7], 100 * e[9], 100 * e[10]),
                        e[6] < 0.1 && e[10] > e[6] ? Verdict::holds : Verdict::does_not_hold},
                       {"The fractions of 6 to 10 examinations follow from geometry",
                        fmt::format("all within {:.2f} percentage points",
                                    100 * max_difference(e, theory.examinations)),
                        at_most(max_difference(e, theory.examinations), sampling_error(count),
                                2 * sampling_error(count))}}};
}

Figure overlapped_cubes_figure(const Fractions& measured, double count) {
  const Fractions theory = expected(paper_rho);
  const double difference = max_difference(measured.cubes, theory.cubes);
  const bool in_range = measured.cubes[0] == 0 && measured.cubes[1] > 0 && measured.cubes[8] > 0;
  return {
      .file = "overlapped-cubes",
      .title = "Cubes per sphere",
      .text = "The same spheres; aᵢ is the number of cubes that a sphere overlaps.",
      .numbers = fraction_table({"cubes", "cubes aᵢ"}, measured.cubes, theory.cubes, 1),
      .plot = {.title = "Cubes overlapped by a sphere, ρ = 0.44",
               .x = {.title = "overlapped cubes a_i"},
               .y = {.title = "spheres (%)"},
               .lines = {{"measured", percentages(measured.cubes, 1), Plot::Style::bars},
                         {"analytical", percentages(theory.cubes, 1), Plot::Style::expected_bars}}},
      .findings = {{"A sphere overlaps its central cube and up to 7 others",
                    fmt::format("1 to 8 cubes; {:.2f} on average", mean_of(measured.cubes)),
                    in_range ? Verdict::holds : Verdict::does_not_hold},
                   {"The fractions of 1 to 8 cubes follow from geometry",
                    fmt::format("all within {:.2f} percentage points", 100 * difference),
                    at_most(difference, sampling_error(count), 2 * sampling_error(count))}}};
}

// Analytical mean of the number of overlapped cubes.
double expected_mean(double rho) {
  return 1 + 6 * rho + 3 * std::numbers::pi * rho * rho +
         4 * std::numbers::pi / 3 * rho * rho * rho;
}

// ----- Occupancy of cubes -----------------------------------------------------------------------

// Spheres on a face-centered cubic lattice, the densest packing without overlap.
Scene<3> fcc_packing(int side) {
  Scene<3> scene;
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = (y + z) % 2; x < side; x += 2) {
        constexpr double spacing = std::numbers::sqrt2;
        scene.push_back({x / spacing, y / spacing, z / spacing}, 0.5);
      }
  return scene;
}

// A wall of overlapping spheres, as in the silo of the paper. `spacing` is in diameters.
Scene<3> wall(int side, double spacing) {
  Scene<3> scene;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) scene.push_back({spacing * x, spacing * y, 0}, 0.5);
  return scene;
}

Index max_cube_occupancy(const Scene<3>& scene) {
  const Spheres<3> particles = scene.view();
  Counter<false> no_counter;
  FixedCubes<3> cubes;
  ThreadPool single_thread(1);
  cubes.prepare(make_search_input(particles, summarize_input<3>(particles, {}), {}), single_thread,
                no_counter);
  return cubes.max_occupancy();
}

Finding max_occupancy_finding() {
  const Index in_packing = max_cube_occupancy(fcc_packing(24));
  const Index in_wall = max_cube_occupancy(wall(24, 1.0 / 2));
  const Index in_dense_wall = max_cube_occupancy(wall(36, 1.0 / 3));
  return {"No cube contains more than 20 spheres",
          fmt::format("{} in the densest packing without overlap; {} in a wall of spheres at a "
                      "spacing of half a diameter, {} at a third",
                      in_packing, in_wall, in_dense_wall),
          std::max({in_packing, in_wall, in_dense_wall}) <= 20 ? Verdict::holds
                                                               : Verdict::does_not_hold,
          "20 is the maximum the authors observed, not a bound; the lists of abut grow."};
}

Figure mean_cubes(double count, ProgressMeter& meter) {
  Points measured;
  Points theory;
  double max_deviation = 0;
  ResultTable numbers({{"rho", "ρ = r/a"},
                       {"mean_cubes", "mean aᵢ, measured"},
                       {"expected_cubes", "mean aᵢ, analytical"}});
  for (const double rho : rhos) {
    const double mean = mean_of(sample_fractions(rho, count).cubes);
    measured.push_back({rho, mean});
    numbers.add({rho, mean, expected_mean(rho)});
    max_deviation = std::max(max_deviation, std::abs(mean / expected_mean(rho) - 1));
    meter.add(30 * count);
  }
  for (double rho = 0; rho <= 0.5; rho += 0.01) theory.push_back({rho, expected_mean(rho)});
  return {.file = "mean-cubes",
          .title = "Mean number of cubes versus ρ",
          .text =
              "A sphere overlaps a cube if its center lies in the cube or within r of it. The "
              "volume of that region, in cubes, is the mean: 1 + 6ρ + 3πρ² + (4/3)πρ³.",
          .numbers = numbers,
          .plot = {.title = "Mean number of cubes overlapped by a sphere",
                   .x = {.title = "radius / cube edge, ρ = r/a"},
                   .y = {.title = "mean number of overlapped cubes a_i"},
                   .lines = {{"measured", measured}, {"analytical", theory, Plot::Style::curve}}},
          .findings = {{"The mean of aᵢ is 1 + 6ρ + 3πρ² + (4/3)πρ³",
                        fmt::format("maximum deviation {:.2f} % over {} values of ρ",
                                    100 * max_deviation, rhos.size()),
                        at_most(max_deviation, 0.01, 0.03)},
                       max_occupancy_finding()}};
}

std::vector<Figure> reproduce(bool quick, const ProgressCallback& progress) {
  ProgressMeter meter(progress, work(quick));
  const double count = sample_count(quick);
  const Fractions fractions = sample_fractions(paper_rho, count);
  return {figure_5(quick, meter), examinations_figure(fractions, count),
          overlapped_cubes_figure(fractions, count), mean_cubes(count, meter)};
}

constexpr std::array<std::string_view, 4> files{"figure-5", "examinations", "overlapped-cubes",
                                                "mean-cubes"};

}  // namespace

constinit const Paper cubes_paper{
    .name = "cubes",
    .title = "Fixed cubes",
    .citation =
        "D. Lazarević, J. Dvornik, K. Fresl, Contact detection algorithm for discrete element "
        "analysis, KoG 6 (2002) 29–40",
    .introduction =
        "Each sphere is sorted into every cube it overlaps; a small decision tree of examinations "
        "finds these cubes. Only spheres that share a cube are compared.",
    .files = files,
    .reproduce = reproduce};

}  // namespace abut
