// Section 3 of Lazarević, Dvornik and Fresl: what sorting balls into cubes takes, how many
// examinations a ball needs and how many cubes it meets.
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

// The contents of a silo, and one ball to a cube at most: at 2 d a cube stays free between two.
constexpr const char* dense = "silo";
constexpr const char* sparse = "packing-d";

TimingCase trial(const std::string& scene, std::size_t count) {
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

double samples(bool quick) { return quick ? 200'000 : 4'000'000; }

double work(bool quick) {
  double all = 30 * samples(quick) * static_cast<double>(rhos.size());
  for (const std::size_t count : counts(quick))
    all += work_of(trial(dense, count)) + work_of(trial(sparse, count));
  return all;
}

struct Times {
  Points sorting;
  Points all_pairs;
};

Times run(bool quick, const std::string& scene, ProgressMeter& meter) {
  std::vector<TimingCase> trials;
  for (const std::size_t count : counts(quick)) trials.push_back(trial(scene, count));
  Times times;
  for (const std::vector<Timing>& runs : measure(trials, meter)) {
    const auto count = static_cast<double>(runs[0].count);
    times.sorting.push_back({count, runs[0].build});
    if (runs.size() > 1) times.all_pairs.push_back({count, runs[1].seconds()});
  }
  return times;
}

Finding sorting_finding(const char* name, const Points& sorting) {
  const double exponent = exponent_of(sorting);
  return {fmt::format("Sorting a {} packing takes time almost in proportion to n", name),
          fmt::format("T ∝ n^{:.2f}", exponent), linear(exponent)};
}

Finding square_finding(const Times& times) {
  const Points large(times.all_pairs.end() - 3, times.all_pairs.end());
  const double exponent = exponent_of(large);
  return {
      "Testing every ball against every other takes time in proportion to n²",
      fmt::format(
          "T ∝ n^{:.2f} over the three largest; {} times the sorting for the most balls", exponent,
          formatted_number(std::round(times.all_pairs.back()[1] / times.sorting.back()[1]))),
      at_most(std::abs(exponent - 2), 0.1, 0.3)};
}

Figure figure_5(bool quick, ProgressMeter& meter) {
  const Times of_dense = run(quick, dense, meter);
  const Times of_sparse = run(quick, sparse, meter);
  ResultTable numbers({{"n", "n"},
                       {"sorting_dense_s", "sorting, dense, s"},
                       {"sorting_sparse_s", "sorting, sparse, s"},
                       {"all_pairs_s", "n², dense, s"}});
  for (std::size_t i = 0; i < of_dense.sorting.size(); ++i)
    numbers.add({of_dense.sorting[i][0], of_dense.sorting[i][1], of_sparse.sorting[i][1],
                 of_dense.all_pairs[i][1]});
  return {.file = "figure-5",
          .title = "Figure 5: time of sorting against n²",
          .text =
              "The contents of a silo (solid fraction 0.6), and a sparse packing with a ball to a "
              "cube at most. Sorting balls into cubes alone, as in the paper, beside testing every "
              "ball against every other.",
          .numbers = numbers,
          .plot = {.title = "Sorting into cubes, and n²",
                   .x = {.title = "number of balls n", .logarithmic = true},
                   .y = {.title = "time, s", .logarithmic = true},
                   .lines = {{"sorting, dense", of_dense.sorting},
                             {"sorting, sparse", of_sparse.sorting},
                             {"every ball against every other", of_dense.all_pairs}}},
          .findings = {sorting_finding("dense", of_dense.sorting),
                       sorting_finding("sparse", of_sparse.sorting), square_finding(of_dense)}};
}

// ----- One ball ---------------------------------------------------------------------------------

// Shares of balls at random places, by examinations (0 … 10) and by cubes met (0 … 8).
struct Shares {
  std::array<double, 11> examinations{};
  std::array<double, 9> cubes{};
};

template <std::size_t Size>
double mean_of(const std::array<double, Size>& shares) {
  double mean = 0;
  for (std::size_t i = 0; i < Size; ++i) mean += static_cast<double>(i) * shares[i];
  return mean;
}

Shares insert_random_spheres(double rho, double count) {
  Random random(1);
  Shares shares;
  for (double i = 0; i < count; ++i) {
    std::array<double, 3> gap{};
    for (double& distance : gap) distance = random.uniform(0, 0.5);  // δ, in cubes
    const auto met = FixedCubes<3>::find_overlaps(gap, rho);
    shares.examinations[met.examinations] += 1 / count;
    shares.cubes[static_cast<std::size_t>(std::popcount(met.cubes))] += 1 / count;
  }
  return shares;
}

// The same by geometry. A face is met with probability p = 2ρ. Of the balls that meet three faces,
// s1, s2, s3 are the sums over one, two and all three edges of the part that meets these: a quarter
// disc, the common part of two and of three cylinders.
Shares expected(double rho) {
  const double p = 2 * rho;
  const double q = 1 - p;
  const double s1 = 3 * std::numbers::pi / 4;
  const double s2 = 2;
  const double s3 = 2 - std::numbers::sqrt2;
  const double corner = std::numbers::pi / 6;
  const double three = p * p * p;
  Shares shares;
  shares.examinations[6] = q * q * (1 + 2 * p);
  shares.examinations[7] = 3 * p * p * q;
  shares.examinations[9] = three * (1 - s3);
  shares.examinations[10] = three * s3;
  shares.cubes[1] = q * q * q;
  shares.cubes[2] = 3 * q * q * p;
  shares.cubes[3] = 3 * q * p * p * (1 - std::numbers::pi / 4);
  shares.cubes[4] = 3 * q * p * p * std::numbers::pi / 4 + three * (1 - s1 + s2 - s3);
  shares.cubes[5] = three * (s1 - 2 * s2 + 3 * s3);
  shares.cubes[6] = three * (s2 - 3 * s3);
  shares.cubes[7] = three * (s3 - corner);
  shares.cubes[8] = three * corner;
  return shares;
}

template <std::size_t Size>
double largest_difference(const std::array<double, Size>& one,
                          const std::array<double, Size>& other) {
  double largest = 0;
  for (std::size_t i = 0; i < Size; ++i) largest = std::max(largest, std::abs(one[i] - other[i]));
  return largest;
}

template <std::size_t Size>
Points per_cent(const std::array<double, Size>& shares, std::size_t first) {
  Points points;
  for (std::size_t i = first; i < Size; ++i)
    points.push_back({static_cast<double>(i), 100 * shares[i]});
  return points;
}

template <std::size_t Size>
ResultTable share_table(ResultTable::Column counted, const std::array<double, Size>& ours,
                        const std::array<double, Size>& theory, std::size_t first) {
  ResultTable sheet({std::move(counted),
                     {"measured_per_cent", "measured, %"},
                     {"expected_per_cent", "closed form, %"}});
  for (std::size_t i = first; i < Size; ++i)
    sheet.add({static_cast<double>(i), 100 * ours[i], 100 * theory[i]});
  return sheet;
}

// Shares of so many samples may be off by chance: four times the deviation of a half.
double probability(double count) { return 4 * 0.5 / std::sqrt(count); }

Figure examinations(const Shares& ours, double count) {
  const Shares theory = expected(paper_rho);
  const auto& e = ours.examinations;
  const bool in_range = e[6] > 0 && e[10] > 0 &&
                        std::all_of(e.begin(), e.begin() + 6, [](double s) { return s == 0; });
  return {.file = "examinations",
          .title = "Examinations a ball needs",
          .text = fmt::format("{} balls at random places of cubes with ρ = r/a = {}. The closed "
                              "form with p = 2ρ: (1−p)²(1+2p) for 6, 3p²(1−p) for 7, (√2−1)p³ for "
                              "9, (2−√2)p³ for 10.",
                              formatted_number(count), paper_rho),
          .numbers = share_table({"examinations", "examinations"}, e, theory.examinations, 6),
          .plot = {.title = "Examinations of a ball, ρ = 0.44",
                   .x = {.title = "examinations"},
                   .y = {.title = "share of balls, %"},
                   .lines = {{"measured", per_cent(e, 6), Plot::Style::bars},
                             {"closed form", per_cent(theory.examinations, 6),
                              Plot::Style::expected_bars}}},
          .findings = {{"A ball needs 6 to 10 examinations",
                        fmt::format("6 to 10, {}; {:.2f} on average",
                                    e[8] == 0 ? "never 8" : "8 too", mean_of(e)),
                        in_range ? Verdict::holds : Verdict::does_not_hold},
                       {"6 are rare and 10 more frequent",
                        fmt::format("6 in {:.1f} %, 7 in {:.1f} %, 9 in {:.1f} %, 10 in {:.1f} %",
                                    100 * e[6], 100 * e[7], 100 * e[9], 100 * e[10]),
                        e[6] < 0.1 && e[10] > e[6] ? Verdict::holds : Verdict::does_not_hold},
                       {"The shares of 6 to 10 follow from geometry",
                        fmt::format("none differs by more than {:.2f} %",
                                    100 * largest_difference(e, theory.examinations)),
                        at_most(largest_difference(e, theory.examinations), probability(count),
                                2 * probability(count))}}};
}

Figure cubes_met(const Shares& ours, double count) {
  const Shares theory = expected(paper_rho);
  const double difference = largest_difference(ours.cubes, theory.cubes);
  const bool in_range = ours.cubes[0] == 0 && ours.cubes[1] > 0 && ours.cubes[8] > 0;
  return {
      .file = "cubes-met",
      .title = "Cubes a ball meets",
      .text = "The same balls by aᵢ, the number of cubes that hold a part of the ball.",
      .numbers = share_table({"cubes", "cubes aᵢ"}, ours.cubes, theory.cubes, 1),
      .plot = {.title = "Cubes met by a ball, ρ = 0.44",
               .x = {.title = "cubes met, a_i"},
               .y = {.title = "share of balls, %"},
               .lines = {{"measured", per_cent(ours.cubes, 1), Plot::Style::bars},
                         {"closed form", per_cent(theory.cubes, 1), Plot::Style::expected_bars}}},
      .findings = {{"A ball meets its central cube and up to 7 others",
                    fmt::format("1 to 8 cubes; {:.2f} on average", mean_of(ours.cubes)),
                    in_range ? Verdict::holds : Verdict::does_not_hold},
                   {"The shares of 1 to 8 cubes follow from geometry",
                    fmt::format("none differs by more than {:.2f} %", 100 * difference),
                    at_most(difference, probability(count), 2 * probability(count))}}};
}

double expected_mean(double rho) {
  return 1 + 6 * rho + 3 * std::numbers::pi * rho * rho +
         4 * std::numbers::pi / 3 * rho * rho * rho;
}

// ----- The fullest cube -------------------------------------------------------------------------

// Balls on a face-centred lattice: the densest there is without overlap.
Scene<3> max_density(int side) {
  Scene<3> scene;
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = (y + z) % 2; x < side; x += 2) {
        const std::array place{x, y, z};
        for (std::size_t k = 0; k < 3; ++k)
          scene.coordinates[k].push_back(place[k] / std::numbers::sqrt2);
        scene.radii.push_back(0.5);
      }
  return scene;
}

// A wall of overlapping balls, as the paper's silo has, at this part of a diameter.
Scene<3> wall(int side, double spacing) {
  Scene<3> scene;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const std::array place{x, y, 0};
      for (std::size_t k = 0; k < 3; ++k) scene.coordinates[k].push_back(spacing * place[k]);
      scene.radii.push_back(0.5);
    }
  return scene;
}

Index max_cube_occupancy(const Scene<3>& scene) {
  const Spheres<3> particles = scene.view();
  Counter<false> none;
  FixedCubes<3> cubes;
  ThreadPool alone(1);
  cubes.prepare(make_search_input(particles, summarize_input<3>(particles, {}), {}), alone, none);
  return cubes.max_occupancy();
}

Finding max_occupancy_finding() {
  const Index packed = max_cube_occupancy(max_density(24));
  const Index in_wall = max_cube_occupancy(wall(24, 1.0 / 2));
  const Index in_thick_wall = max_cube_occupancy(wall(36, 1.0 / 3));
  return {
      "No cube holds more than 20 balls",
      fmt::format("{} in the densest packing without overlap; {} in a wall of balls at half a "
                  "diameter, {} at a third",
                  packed, in_wall, in_thick_wall),
      std::max({packed, in_wall, in_thick_wall}) <= 20 ? Verdict::holds : Verdict::does_not_hold,
      "20 is what the authors met, not a bound; the tables here grow."};
}

Figure mean_cubes(double count, ProgressMeter& meter) {
  Points ours;
  Points theory;
  double largest = 0;
  ResultTable numbers(
      {{"rho", "ρ = r/a"}, {"mean_cubes", "mean aᵢ, measured"}, {"expected_cubes", "closed form"}});
  for (const double rho : rhos) {
    const double mean = mean_of(insert_random_spheres(rho, count).cubes);
    ours.push_back({rho, mean});
    numbers.add({rho, mean, expected_mean(rho)});
    largest = std::max(largest, std::abs(mean / expected_mean(rho) - 1));
    meter.add(30 * count);
  }
  for (double rho = 0; rho <= 0.5; rho += 0.01) theory.push_back({rho, expected_mean(rho)});
  return {.file = "mean-cubes",
          .title = "Mean number of cubes against ρ",
          .text =
              "A ball meets a cube when its centre lies in the cube or within r of it: the "
              "volume of that region, in cubes, is the mean, 1 + 6ρ + 3πρ² + (4/3)πρ³.",
          .numbers = numbers,
          .plot = {.title = "Mean number of cubes met by a ball",
                   .x = {.title = "ball to cube, ρ = r/a"},
                   .y = {.title = "cubes met, mean of a_i"},
                   .lines = {{"measured", ours}, {"closed form", theory, Plot::Style::curve}}},
          .findings = {{"The mean of aᵢ is 1 + 6ρ + 3πρ² + (4/3)πρ³",
                        fmt::format("off by {:.2f} % at most over {} values of ρ", 100 * largest,
                                    rhos.size()),
                        at_most(largest, 0.01, 0.03)},
                       max_occupancy_finding()}};
}

std::vector<Figure> reproduce(bool quick, const ProgressCallback& done) {
  ProgressMeter meter(done, work(quick));
  const double count = samples(quick);
  const Shares shares = insert_random_spheres(paper_rho, count);
  return {figure_5(quick, meter), examinations(shares, count), cubes_met(shares, count),
          mean_cubes(count, meter)};
}

constexpr std::array<std::string_view, 4> files{"figure-5", "examinations", "cubes-met",
                                                "mean-cubes"};

}  // namespace

constinit const Paper cubes_paper{
    .name = "cubes",
    .title = "Fixed cubes",
    .citation =
        "D. Lazarević, J. Dvornik, K. Fresl, Contact detection "
        "algorithm for discrete element analysis, KoG 6 (2002) 29–40",
    .introduction =
        "Each ball is sorted into every cube it meets, found by a small tree "
        "of examinations; only balls that share a cube are compared.",
    .files = files,
    .reproduce = reproduce};

}  // namespace abut
