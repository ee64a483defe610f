// Figure 12 of Gorokhov, Kibets and Nagornykh, and the statements on memory in their conclusions.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "papers/paper.hpp"
#include "papers/timing.hpp"
#include "report/figure.hpp"
#include "report/verdicts.hpp"

namespace abut {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

std::vector<std::size_t> counts(bool quick) {
  if (quick) return {20'000, 50'000, 100'000, 200'000};
  return {200'000, 500'000, 1'000'000, 2'000'000, 4'000'000, 6'000'000, 8'000'000, 10'000'000};
}

// One timed detection; the warm-up detection allocates the memory.
TimingCase timing_case(int dimension, std::string scene, std::size_t count, double spacing,
                       int rounds) {
  return {.scene = std::move(scene),
          .options = {.count = count, .spacing = spacing},
          .dimension = dimension,
          .methods = {Method::screening, Method::nbs},
          .detections = 1,
          .warm_up = 1,
          .rounds = rounds};
}

std::vector<TimingCase> time_cases(bool quick, int dimension) {
  return map_to_vector(counts(quick), [&](std::size_t count) {
    return timing_case(dimension, "lattice", count, 1, count < 3'000'000 ? 5 : 3);
  });
}

constexpr std::array spacings{1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0};

std::vector<TimingCase> memory_cases(bool quick, int dimension) {
  return map_to_vector(spacings, [&](double spacing) {
    return timing_case(dimension, "packing-d", quick ? 8'000 : 125'000, spacing, 1);
  });
}

double work(bool quick) {
  double total = 0;
  for (const int dimension : {2, 3})
    total += work_of(time_cases(quick, dimension)) + work_of(memory_cases(quick, dimension));
  return total;
}

// Timings of both methods for the same particles.
struct MethodComparison {
  Timing screening;
  Timing nbs;
};

std::vector<MethodComparison> run(const std::vector<TimingCase>& cases, ProgressMeter& meter) {
  std::vector<MethodComparison> comparisons;
  for (const std::vector<Timing>& timings : measure(cases, meter))
    comparisons.push_back({timings[0], timings[1]});
  return comparisons;
}

Points times(const std::vector<MethodComparison>& comparisons, Timing MethodComparison::*method) {
  Points points;
  for (const MethodComparison& comparison : comparisons)
    points.push_back(
        {static_cast<double>((comparison.*method).count), (comparison.*method).seconds()});
  return points;
}

Finding linear_finding(int dimension, const std::vector<MethodComparison>& comparisons) {
  const double screening = exponent_of(times(comparisons, &MethodComparison::screening));
  const double nbs = exponent_of(times(comparisons, &MethodComparison::nbs));
  const Verdict verdict = worse_of(linear(screening), linear(nbs));
  const bool as_in_paper = comparisons.back().nbs.count >= 10'000'000;
  return {fmt::format("In {}D the time is proportional to N", dimension),
          fmt::format("T ∝ N^{:.2f} with screening, N^{:.2f} with NBS", screening, nbs), verdict,
          as_in_paper && verdict == Verdict::holds
              ? "On the authors' machine, memory was exhausted near 10⁷ elements and the lines "
                "bent; if everything fits into memory, they stay straight."
              : ""};
}

std::vector<double> ratios(const std::vector<MethodComparison>& comparisons) {
  return map_to_vector(comparisons, [](const MethodComparison& comparison) {
    return comparison.nbs.seconds() / comparison.screening.seconds();
  });
}

Finding comparison_2d(const std::vector<MethodComparison>& comparisons) {
  const std::vector<double> slowdown = ratios(comparisons);
  return {"In 2D screening is faster than NBS",
          fmt::format("NBS takes {} times as long", range_text(slowdown)), above_one(slowdown)};
}

Finding comparison_3d(const std::vector<MethodComparison>& comparisons) {
  const std::vector<double> slowdown = ratios(comparisons);
  const Verdict verdict =
      above_one(map_to_vector(slowdown, [](double ratio) { return 1 / ratio; }));
  return {"In 3D NBS is faster than screening",
          fmt::format("NBS takes {} times as long", range_text(slowdown)), verdict,
          verdict == Verdict::holds ? ""
                                    : "NBS rebuilds a row of cells for each of the five rows that "
                                      "search it; the dense array of screening is built once, and "
                                      "in lattice order both methods read memory sequentially."};
}

Finding slower_in_3d(const std::vector<MethodComparison>& results_2d,
                     const std::vector<MethodComparison>& results_3d) {
  std::vector<double> ratios_3d;
  for (std::size_t i = 0; i < results_2d.size(); ++i) {
    ratios_3d.push_back(results_3d[i].screening.seconds() / results_2d[i].screening.seconds());
    ratios_3d.push_back(results_3d[i].nbs.seconds() / results_2d[i].nbs.seconds());
  }
  return {"3D takes longer than 2D for the same number of elements",
          fmt::format("{} times as long", range_text(ratios_3d)), above_one(ratios_3d),
          "14 cells are searched instead of 5."};
}

Figure figure_12(bool quick, ProgressMeter& meter) {
  const std::vector<MethodComparison> results_2d = run(time_cases(quick, 2), meter);
  const std::vector<MethodComparison> results_3d = run(time_cases(quick, 3), meter);
  ResultTable numbers({{"n", "N"},
                       {"screening_2d_s", "screening 2D (s)"},
                       {"nbs_2d_s", "NBS 2D (s)"},
                       {"screening_3d_s", "screening 3D (s)"},
                       {"nbs_3d_s", "NBS 3D (s)"},
                       {"pairs_2d", "pairs 2D"},
                       {"pairs_3d", "pairs 3D"}});
  for (std::size_t i = 0; i < results_2d.size(); ++i)
    numbers.add({static_cast<double>(results_2d[i].nbs.count), results_2d[i].screening.seconds(),
                 results_2d[i].nbs.seconds(), results_3d[i].screening.seconds(),
                 results_3d[i].nbs.seconds(), static_cast<double>(results_2d[i].nbs.pairs),
                 static_cast<double>(results_3d[i].nbs.pairs)});
  return {.file = "figure-12",
          .title = "Figure 12: time versus number of elements",
          .text =
              "Touching disks and spheres on a square and a cubic lattice. Time of one detection "
              "of all pairs; the methods run in turn, and the fastest of several rounds counts.",
          .numbers = numbers,
          .plot = {.title = "One detection on touching lattices",
                   .x = {.title = "number of elements N"},
                   .y = {.title = "time (s)"},
                   .lines = {{"screening 2D", times(results_2d, &MethodComparison::screening)},
                             {"NBS 2D", times(results_2d, &MethodComparison::nbs)},
                             {"screening 3D", times(results_3d, &MethodComparison::screening)},
                             {"NBS 3D", times(results_3d, &MethodComparison::nbs)}}},
          .findings = {linear_finding(2, results_2d), linear_finding(3, results_3d),
                       comparison_2d(results_2d), comparison_3d(results_3d),
                       slower_in_3d(results_2d, results_3d)}};
}

double solid_fraction(int dimension, double spacing) {
  return dimension == 2 ? std::numbers::pi / 4 / std::pow(spacing, 2)
                        : std::numbers::pi / 6 / std::pow(spacing, 3);
}

double bytes_per_particle(const Timing& timing) {
  return timing.exceeds_memory
             ? no_value
             : static_cast<double>(timing.bytes) / static_cast<double>(timing.count);
}

// Memory of screening / memory of NBS, densest packing first. Cases that exceed the memory are
// omitted.
std::vector<double> memory_ratios(const std::vector<MethodComparison>& comparisons) {
  std::vector<double> memory;
  for (const MethodComparison& comparison : comparisons)
    if (!comparison.screening.exceeds_memory)
      memory.push_back(static_cast<double>(comparison.screening.bytes) /
                       static_cast<double>(comparison.nbs.bytes));
  return memory;
}

Finding less_memory(const std::vector<double>& ratios_2d, const std::vector<double>& ratios_3d) {
  return {"At low density NBS needs less memory than screening",
          fmt::format("at a spacing of 10 diameters, screening needs {:.0f} times the memory in "
                      "2D, {:.0f} times in 3D",
                      ratios_2d.back(), ratios_3d.back()),
          above_one({ratios_2d.back(), ratios_3d.back()})};
}

Finding advantage_shrinks(const std::vector<double>& ratios_2d,
                          const std::vector<double>& ratios_3d) {
  const bool is_monotonic = std::ranges::is_sorted(ratios_2d) && std::ranges::is_sorted(ratios_3d);
  return {"The advantage shrinks with increasing density",
          fmt::format("for touching elements, screening needs {:.2f} times the memory in 2D, "
                      "{:.2f} times in 3D",
                      ratios_2d.front(), ratios_3d.front()),
          is_monotonic ? Verdict::holds : Verdict::does_not_hold,
          ratios_3d.front() < 1 ? "In 3D NBS needs more: a dense packing has as many cells as "
                                  "spheres, and NBS stores a link per axis."
                                : ""};
}

Figure memory(bool quick, ProgressMeter& meter) {
  const std::vector<MethodComparison> results_2d = run(memory_cases(quick, 2), meter);
  const std::vector<MethodComparison> results_3d = run(memory_cases(quick, 3), meter);
  ResultTable numbers({{"spacing_diameters", "spacing (d)"},
                       {"solid_fraction_2d", "solid fraction 2D"},
                       {"screening_2d_bytes", "screening 2D (bytes/particle)"},
                       {"nbs_2d_bytes", "NBS 2D (bytes/particle)"},
                       {"solid_fraction_3d", "solid fraction 3D"},
                       {"screening_3d_bytes", "screening 3D (bytes/particle)"},
                       {"nbs_3d_bytes", "NBS 3D (bytes/particle)"}});
  Plot plot{.title = "Memory of the search structure",
            .x = {.title = "solid fraction", .logarithmic = true},
            .y = {.title = "bytes per particle", .logarithmic = true},
            .lines = {{"screening 2D", {}}, {"NBS 2D", {}}, {"screening 3D", {}}, {"NBS 3D", {}}}};
  for (std::size_t i = 0; i < spacings.size(); ++i) {
    const double fraction_2d = solid_fraction(2, spacings[i]);
    const double fraction_3d = solid_fraction(3, spacings[i]);
    const std::array bytes{
        bytes_per_particle(results_2d[i].screening), bytes_per_particle(results_2d[i].nbs),
        bytes_per_particle(results_3d[i].screening), bytes_per_particle(results_3d[i].nbs)};
    numbers.add({spacings[i], fraction_2d, bytes[0], bytes[1], fraction_3d, bytes[2], bytes[3]});
    for (std::size_t line = 0; line < bytes.size(); ++line)
      plot.lines[line].points.push_back({line < 2 ? fraction_2d : fraction_3d, bytes[line]});
  }
  const std::vector<double> ratios_2d = memory_ratios(results_2d);
  const std::vector<double> ratios_3d = memory_ratios(results_3d);
  return {.file = "memory",
          .title = "Memory versus density",
          .text =
              "The same number of elements on lattices of increasing spacing, from touching to ten "
              "diameters. Memory of the search structure alone, without elements and pairs.",
          .numbers = numbers,
          .plot = plot,
          .findings = {less_memory(ratios_2d, ratios_3d), advantage_shrinks(ratios_2d, ratios_3d)}};
}

std::vector<Figure> reproduce(bool quick, const ProgressCallback& progress) {
  ProgressMeter meter(progress, work(quick));
  std::vector<Figure> figures;
  figures.push_back(figure_12(quick, meter));
  figures.push_back(memory(quick, meter));
  return figures;
}

constexpr std::array<std::string_view, 2> files{"figure-12", "memory"};

}  // namespace

constinit const Paper demcda_paper{.name = "demcda",
                                   .title = "Screening and NBS",
                                   .citation =
                                       "V. A. Gorokhov, A. I. Kibets, E. V. Nagornykh, Problems of "
                                       "Strength and Plasticity 87 (2025) 54–69",
                                   .introduction =
                                       "Two searches on a grid of cells: screening keeps a list "
                                       "for every cell, NBS one for every row.",
                                   .files = files,
                                   .reproduce = reproduce};

}  // namespace abut
