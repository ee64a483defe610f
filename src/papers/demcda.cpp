// Figure 12 of Gorokhov, Kibets and Nagornykh, and what their conclusions say of memory.
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

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

std::vector<std::size_t> counts(bool quick) {
  if (quick) return {20'000, 50'000, 100'000, 200'000};
  return {200'000, 500'000, 1'000'000, 2'000'000, 4'000'000, 6'000'000, 8'000'000, 10'000'000};
}

// One detection, by a detector that has its memory.
TimingCase trial(int dimension, std::string scene, std::size_t count, double spacing, int rounds) {
  return {.scene = std::move(scene),
          .options = {.count = count, .spacing = spacing},
          .dimension = dimension,
          .methods = {Method::screening, Method::nbs},
          .detections = 1,
          .warm_up = 1,
          .rounds = rounds};
}

std::vector<TimingCase> timed(bool quick, int dimension) {
  return map_to_vector(counts(quick), [&](std::size_t count) {
    return trial(dimension, "lattice", count, 1, count < 3'000'000 ? 5 : 3);
  });
}

constexpr std::array spacings{1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0};

std::vector<TimingCase> memory_cases(bool quick, int dimension) {
  return map_to_vector(spacings, [&](double spacing) {
    return trial(dimension, "packing-d", quick ? 8'000 : 125'000, spacing, 1);
  });
}

double work(bool quick) {
  double all = 0;
  for (const int dimension : {2, 3})
    all += work_of(timed(quick, dimension)) + work_of(memory_cases(quick, dimension));
  return all;
}

// Both methods on the same particles.
struct MethodComparison {
  Timing screening;
  Timing nbs;
};

std::vector<MethodComparison> run(const std::vector<TimingCase>& trials, ProgressMeter& meter) {
  std::vector<MethodComparison> contests;
  for (const std::vector<Timing>& measured : measure(trials, meter))
    contests.push_back({measured[0], measured[1]});
  return contests;
}

Points times(const std::vector<MethodComparison>& contests, Timing MethodComparison::*method) {
  Points points;
  for (const MethodComparison& contest : contests)
    points.push_back({static_cast<double>((contest.*method).count), (contest.*method).seconds()});
  return points;
}

Finding linear_finding(int dimension, const std::vector<MethodComparison>& contests) {
  const double screening = exponent_of(times(contests, &MethodComparison::screening));
  const double nbs = exponent_of(times(contests, &MethodComparison::nbs));
  const Verdict verdict = worse_of(linear(screening), linear(nbs));
  const bool as_many = contests.back().nbs.count >= 10'000'000;
  return {fmt::format("In {}D the time is proportional to N", dimension),
          fmt::format("T ∝ N^{:.2f} with screening, N^{:.2f} with NBS", screening, nbs), verdict,
          as_many && verdict == Verdict::holds
              ? "On the authors' machine memory ran short towards 10⁷ elements and bent the lines; "
                "where all of it fits, nothing bends them."
              : ""};
}

std::vector<double> ratios(const std::vector<MethodComparison>& contests) {
  return map_to_vector(contests, [](const MethodComparison& contest) {
    return contest.nbs.seconds() / contest.screening.seconds();
  });
}

Finding comparison_2d(const std::vector<MethodComparison>& contests) {
  const std::vector<double> slower = ratios(contests);
  return {"In 2D screening is faster than NBS",
          fmt::format("NBS takes {} times as long", range_text(slower)), above_one(slower)};
}

Finding comparison_3d(const std::vector<MethodComparison>& contests) {
  const std::vector<double> slower = ratios(contests);
  const Verdict verdict = above_one(map_to_vector(slower, [](double ratio) { return 1 / ratio; }));
  return {"In 3D NBS is faster than screening",
          fmt::format("NBS takes {} times as long", range_text(slower)), verdict,
          verdict == Verdict::holds
              ? ""
              : "NBS assembles a row of cells anew for each of the five rows that look at it; the "
                "dense array of screening stays as it is, and in lattice order both read memory as "
                "a stream."};
}

Finding slower_in_3d(const std::vector<MethodComparison>& flat,
                     const std::vector<MethodComparison>& solid) {
  std::vector<double> dearer;
  for (std::size_t i = 0; i < flat.size(); ++i) {
    dearer.push_back(solid[i].screening.seconds() / flat[i].screening.seconds());
    dearer.push_back(solid[i].nbs.seconds() / flat[i].nbs.seconds());
  }
  return {"3D takes longer than 2D for as many elements",
          fmt::format("{} times as long", range_text(dearer)), above_one(dearer),
          "14 cells are looked at instead of 5."};
}

Figure figure_12(bool quick, ProgressMeter& meter) {
  const std::vector<MethodComparison> flat = run(timed(quick, 2), meter);
  const std::vector<MethodComparison> solid = run(timed(quick, 3), meter);
  ResultTable numbers({{"n", "N"},
                       {"screening_2d_s", "screening 2D, s"},
                       {"nbs_2d_s", "NBS 2D, s"},
                       {"screening_3d_s", "screening 3D, s"},
                       {"nbs_3d_s", "NBS 3D, s"},
                       {"pairs_2d", "pairs 2D"},
                       {"pairs_3d", "pairs 3D"}});
  for (std::size_t i = 0; i < flat.size(); ++i)
    numbers.add({static_cast<double>(flat[i].nbs.count), flat[i].screening.seconds(),
                 flat[i].nbs.seconds(), solid[i].screening.seconds(), solid[i].nbs.seconds(),
                 static_cast<double>(flat[i].nbs.pairs), static_cast<double>(solid[i].nbs.pairs)});
  return {.file = "figure-12",
          .title = "Figure 12: time against the number of elements",
          .text =
              "Touching discs and balls on a square and cubic lattice. One detection of all "
              "pairs; the methods take turns and the fastest of several rounds counts.",
          .numbers = numbers,
          .plot = {.title = "One detection on touching lattices",
                   .x = {.title = "number of elements N"},
                   .y = {.title = "time, s"},
                   .lines = {{"screening 2D", times(flat, &MethodComparison::screening)},
                             {"NBS 2D", times(flat, &MethodComparison::nbs)},
                             {"screening 3D", times(solid, &MethodComparison::screening)},
                             {"NBS 3D", times(solid, &MethodComparison::nbs)}}},
          .findings = {linear_finding(2, flat), linear_finding(3, solid), comparison_2d(flat),
                       comparison_3d(solid), slower_in_3d(flat, solid)}};
}

double solid_fraction(int dimension, double spacing) {
  return dimension == 2 ? std::numbers::pi / 4 / std::pow(spacing, 2)
                        : std::numbers::pi / 6 / std::pow(spacing, 3);
}

double bytes_per_particle(const Timing& measured) {
  return measured.exceeds_memory
             ? nothing
             : static_cast<double>(measured.bytes) / static_cast<double>(measured.count);
}

// How many times the memory of NBS screening takes, densest packing first.
std::vector<double> memory_ratios(const std::vector<MethodComparison>& contests) {
  std::vector<double> all;
  for (const MethodComparison& contest : contests)
    if (!contest.screening.exceeds_memory)
      all.push_back(static_cast<double>(contest.screening.bytes) /
                    static_cast<double>(contest.nbs.bytes));
  return all;
}

Finding less_memory(const std::vector<double>& flat, const std::vector<double>& solid) {
  return {"At low density NBS takes less memory than screening",
          fmt::format("at a spacing of 10 diameters screening takes {:.0f} times the memory in 2D, "
                      "{:.0f} times in 3D",
                      flat.back(), solid.back()),
          above_one({flat.back(), solid.back()})};
}

Finding decreasing(const std::vector<double>& flat, const std::vector<double>& solid) {
  const bool rises = std::ranges::is_sorted(flat) && std::ranges::is_sorted(solid);
  return {"The advantage shrinks as the density rises",
          fmt::format("where all touch, screening takes {:.2f} times the memory in 2D, {:.2f} "
                      "times in 3D",
                      flat.front(), solid.front()),
          rises ? Verdict::holds : Verdict::does_not_hold,
          solid.front() < 1 ? "In 3D it turns: a dense packing has as many cells as balls, and NBS "
                              "needs a link for each axis."
                            : ""};
}

Figure memory(bool quick, ProgressMeter& meter) {
  const std::vector<MethodComparison> flat = run(memory_cases(quick, 2), meter);
  const std::vector<MethodComparison> solid = run(memory_cases(quick, 3), meter);
  ResultTable numbers({{"spacing_diameters", "spacing, d"},
                       {"solid_fraction_2d", "solid fraction 2D"},
                       {"screening_2d_bytes", "screening 2D, bytes a particle"},
                       {"nbs_2d_bytes", "NBS 2D"},
                       {"solid_fraction_3d", "solid fraction 3D"},
                       {"screening_3d_bytes", "screening 3D"},
                       {"nbs_3d_bytes", "NBS 3D"}});
  Plot plot{.title = "Memory of the search structure",
            .x = {.title = "solid fraction", .logarithmic = true},
            .y = {.title = "bytes for each particle", .logarithmic = true},
            .lines = {{"screening 2D", {}}, {"NBS 2D", {}}, {"screening 3D", {}}, {"NBS 3D", {}}}};
  for (std::size_t i = 0; i < spacings.size(); ++i) {
    const double fraction_2d = solid_fraction(2, spacings[i]);
    const double fraction_3d = solid_fraction(3, spacings[i]);
    const std::array bytes{bytes_per_particle(flat[i].screening), bytes_per_particle(flat[i].nbs),
                           bytes_per_particle(solid[i].screening),
                           bytes_per_particle(solid[i].nbs)};
    numbers.add({spacings[i], fraction_2d, bytes[0], bytes[1], fraction_3d, bytes[2], bytes[3]});
    for (std::size_t line = 0; line < bytes.size(); ++line)
      plot.lines[line].points.push_back({line < 2 ? fraction_2d : fraction_3d, bytes[line]});
  }
  const std::vector<double> flat_advantages = memory_ratios(flat);
  const std::vector<double> solid_advantages = memory_ratios(solid);
  return {.file = "memory",
          .title = "Memory at falling density",
          .text =
              "The same number of elements on lattices with a growing spacing, from touching "
              "to ten diameters. The search structure alone, without elements and pairs.",
          .numbers = numbers,
          .plot = plot,
          .findings = {less_memory(flat_advantages, solid_advantages),
                       decreasing(flat_advantages, solid_advantages)}};
}

std::vector<Figure> reproduce(bool quick, const ProgressCallback& done) {
  ProgressMeter meter(done, work(quick));
  std::vector<Figure> figures;
  figures.push_back(figure_12(quick, meter));
  figures.push_back(memory(quick, meter));
  return figures;
}

constexpr std::array<std::string_view, 2> files{"figure-12", "memory"};

}  // namespace

constinit const Paper demcda_paper{
    .name = "demcda",
    .title = "Screening against NBS",
    .citation =
        "V. A. Gorokhov, A. I. Kibets, E. V. Nagornykh, Problems of Strength and "
        "Plasticity 87 (2025) 54–69",
    .introduction =
        "Two searches that lay cells over the elements: screening keeps a list for "
        "every cell, NBS one for every row.",
    .files = files,
    .reproduce = reproduce};

}  // namespace abut
