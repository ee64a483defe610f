// Section 6 of Munjiza, Rougier and John: packings A to D, ten detections summed as there.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/statistics.hpp"
#include "papers/paper.hpp"
#include "papers/timing.hpp"
#include "report/figure.hpp"
#include "report/verdicts.hpp"

namespace abut {
namespace {

constexpr std::size_t dense_count = 125'000;  // of packings B to D
constexpr std::array variants{Method::mr, Method::mr_quicksort, Method::mr_binary};

std::vector<std::size_t> sides(bool quick) {
  if (quick) return {20, 30, 50};
  return {20, 30, 40, 50, 70, 100, 120, 140, 157, 171};
}

std::vector<double> spacings(bool quick) {
  if (quick) return {1, 2, 200};
  return {1, 2, 3, 5, 10, 20, 50, 100, 200};
}

std::vector<TimingCase> packing_a(bool quick) {
  std::vector<TimingCase> trials;
  for (const std::size_t side : sides(quick)) {
    const std::size_t count = side * side * side;
    trials.push_back({.scene = "packing-a",
                      .options = {.count = count},
                      .methods = {variants.begin(), variants.end()},
                      .rounds = quick || count > 1'500'000 ? 1
                                : count > 200'000          ? 2
                                                           : 5});
  }
  return trials;
}

std::vector<TimingCase> spaced(bool quick, const std::string& scene) {
  return map_to_vector(spacings(quick), [&](double spacing) {
    return TimingCase{.scene = scene,
                      .options = {.count = dense_count, .spacing = spacing},
                      .methods = {Method::mr},
                      .rounds = quick ? 1 : 9};
  });
}

// One detection each, for the memory it takes.
std::vector<TimingCase> memory_cases() {
  std::vector<TimingCase> trials;
  for (const int dimension : {2, 3})
    trials.push_back({.scene = "packing-a",
                      .options = {.count = 250'000},
                      .dimension = dimension,
                      .methods = {Method::mr, Method::mr_recomputed},
                      .detections = 1});
  return trials;
}

double work(bool quick) {
  double all = work_of(packing_a(quick)) + work_of(memory_cases());
  for (const char* scene : {"packing-b", "packing-c", "packing-d"})
    all += work_of(spaced(quick, scene));
  return all;
}

ResultTable result_table(const std::vector<Timing>& runs, const std::vector<double>& spacing = {}) {
  std::vector<ResultTable::Column> columns{{"n", "N"},
                                           {"sorting_s", "sort, s"},
                                           {"searching_s", "search, s"},
                                           {"total_s", "total, s"},
                                           {"ns_per_particle", "ns a particle and detection"},
                                           {"pairs", "pairs"}};
  if (!spacing.empty()) columns.insert(columns.begin(), {"spacing_diameters", "spacing, d"});
  ResultTable sheet(columns);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Timing& run = runs[i];
    std::vector<double> row{static_cast<double>(run.count),
                            run.build,
                            run.search,
                            run.seconds(),
                            run.nanoseconds_per_particle() / 10,
                            static_cast<double>(run.pairs)};
    if (!spacing.empty()) row.insert(row.begin(), spacing[i]);
    sheet.add(row);
  }
  return sheet;
}

// The line on which ten detections would lie if each particle took as long as with the fewest.
Plot::Line proportional(const std::vector<Timing>& runs) {
  const auto most = static_cast<double>(runs.back().count);
  const double slope = runs.front().seconds() / static_cast<double>(runs.front().count);
  return {.name = "in proportion to N",
          .points = {{0, 0}, {most, slope * most}},
          .style = Plot::Style::curve};
}

Finding pairs_of_a(const std::vector<Timing>& runs) {
  std::size_t wrong = 0;
  for (const Timing& run : runs) {
    const auto side = static_cast<std::size_t>(std::llround(std::cbrt(run.count)));
    if (run.pairs != 3 * side * side * (side - 1)) ++wrong;
  }
  return {"All contacting couples are found: 3n²(n−1) in a cube of n³",
          fmt::format("{} pairs of {} particles; {} of {} cubes differ",
                      formatted_number(static_cast<double>(runs.back().pairs)),
                      formatted_number(static_cast<double>(runs.back().count)), wrong, runs.size()),
          wrong == 0 ? Verdict::holds : Verdict::does_not_hold};
}

Finding memory_finding(ProgressMeter& meter) {
  std::array<std::array<double, 2>, 2> integers{};
  const std::vector<std::vector<Timing>> runs = measure(memory_cases(), meter);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t kind = 0; kind < 2; ++kind)
      integers[i][kind] = static_cast<double>(runs[i][kind].bytes) /
                          (sizeof(std::int32_t) * static_cast<double>(runs[i][kind].count));
  const double excess =
      std::max({integers[0][0] / 4, integers[1][0] / 5, integers[0][1] / 2, integers[1][1] / 2});
  return {"Memory is 4 N integers in 2D, 5 N in 3D; 2 N if coordinates are worked out anew",
          fmt::format("{:.2f} N, {:.2f} N; {:.2f} N in 2D and {:.2f} N in 3D", integers[0][0],
                      integers[1][0], integers[0][1], integers[1][1]),
          at_most(excess, 1.02, 1.25),
          "The paper prints 3 N for the last in 3D; two pointers a particle are 2 N."};
}

Figure figure_20(const std::vector<Timing>& mr, ProgressMeter& meter) {
  const double exponent = exponent_of(times(mr));
  return {.file = "figure-20",
          .title = "Figure 20: MR sort and MR search",
          .text =
              "Packing A: touching balls on a cubic lattice. Ten detections of all pairs by "
              "one detector, summed. Nothing moves between them, as in the paper.",
          .numbers = result_table(mr),
          .plot = {.title = "Packing A, MR sort + MR search",
                   .x = {.title = "number of particles N"},
                   .y = {.title = "time of ten detections, s"},
                   .lines = {{"MR sort + MR search", times(mr)}, proportional(mr)}},
          .findings = {
              {"With MR sort and MR search the time is proportional to N",
               fmt::format("T ∝ N^{:.2f}; {} ns a particle and detection for the fewest, "
                           "{} for the most",
                           exponent, formatted_number(mr.front().nanoseconds_per_particle() / 10),
                           formatted_number(mr.back().nanoseconds_per_particle() / 10)),
               linear(exponent)},
              pairs_of_a(mr),
              memory_finding(meter)}};
}

Finding slower(const std::string& claim, const std::vector<double>& ratios) {
  return {claim,
          fmt::format("{:.2f} times as long for the fewest, {:.2f} for the most", ratios.front(),
                      ratios.back()),
          above_one(ratios)};
}

// That it is more than linear shows as a growing ratio to what is linear, on the same particles.
Finding not_linear(const std::string& variant, const std::vector<Timing>& runs,
                   const std::vector<double>& ratios) {
  const double growth = ratios.back() / ratios.front();
  return {fmt::format("With {} the time is no longer linear in N", variant),
          fmt::format("T ∝ N^{:.2f}; the ratio to MR grows by {:.2f} from the fewest to the most",
                      exponent_of(times(runs)), growth),
          growth >= 1.1 ? Verdict::holds
          : growth > 1  ? Verdict::partly_holds
                        : Verdict::does_not_hold,
          "How much of the growth is log N and how much cache misses, this does not tell apart."};
}

Figure variant(const std::string& file, const std::string& title, const std::vector<Timing>& runs,
               std::vector<Finding> findings) {
  return {.file = file,
          .title = title,
          .text = "The same particles and detections as in figure 20.",
          .numbers = result_table(runs),
          .plot = {.title = fmt::format("Packing A, {}", title.substr(title.find(": ") + 2)),
                   .x = {.title = "number of particles N"},
                   .y = {.title = "time of ten detections, s"},
                   .lines = {{"measured", times(runs)}, proportional(runs)}},
          .findings = std::move(findings)};
}

std::vector<Figure> figures_of_a(bool quick, ProgressMeter& meter) {
  std::array<std::vector<Timing>, variants.size()> runs;
  for (const std::vector<Timing>& measured : measure(packing_a(quick), meter))
    for (std::size_t i = 0; i < runs.size(); ++i) runs[i].push_back(measured[i]);
  const auto& [mr, quicksort, binary] = runs;
  const std::vector<double> over_mr = time_ratios(quicksort, mr);
  return {figure_20(mr, meter),
          variant("figure-21", "Figure 21: quicksort and MR search", quicksort,
                  {not_linear("quicksort", quicksort, over_mr),
                   slower("Quicksort makes it slower than MR sort", over_mr)}),
          variant("figure-22", "Figure 22: quicksort and binary search", binary,
                  {not_linear("quicksort and binary search", binary, time_ratios(binary, mr)),
                   slower("Binary search makes it slower still", time_ratios(binary, quicksort))})};
}

// Flat over all spacings without contacts. At s = d there are pairs to report, which takes time.
Finding flat(const std::string& what, const std::vector<Timing>& runs,
             double (*seconds)(const Timing&)) {
  std::vector<double> apart;
  for (std::size_t i = 1; i < runs.size(); ++i) apart.push_back(seconds(runs[i]));
  const double spread = spread_of(apart);
  return {what,
          fmt::format("within a factor of {:.2f} from 2 d to 200 d; at d, where there are pairs to "
                      "report, {:.2f} times the median of these",
                      spread, seconds(runs.front()) / median_of(apart)),
          at_most(spread, 1.3, 2)};
}

double total_seconds(const Timing& run) { return run.seconds(); }
double sort_seconds(const Timing& run) { return run.build; }
double search_seconds(const Timing& run) { return run.search; }

struct Packing {
  std::string letter;
  std::string axes;
  std::string density;
  std::size_t pairs_touching;
};

Finding pairs_of(const Packing& packing, const std::vector<Timing>& runs) {
  const bool none =
      std::all_of(runs.begin() + 1, runs.end(), [](const Timing& run) { return run.pairs == 0; });
  return {
      fmt::format("Packing {}: {} pairs where they touch, none beyond", packing.letter,
                  formatted_number(static_cast<double>(packing.pairs_touching))),
      fmt::format("{} pairs, {} beyond", formatted_number(static_cast<double>(runs.front().pairs)),
                  none ? "none" : "some"),
      none && runs.front().pairs == packing.pairs_touching ? Verdict::holds
                                                           : Verdict::does_not_hold};
}

Finding same_memory(const Packing& packing, const std::vector<Timing>& runs) {
  const std::vector<double> bytes =
      map_to_vector(runs, [](const Timing& run) { return static_cast<double>(run.bytes); });
  return {fmt::format("Packing {}: memory does not depend on the density", packing.letter),
          fmt::format("{:.1f} bytes a particle, within a factor of {:.2f}",
                      bytes.front() / static_cast<double>(runs.front().count), spread_of(bytes)),
          at_most(spread_of(bytes), 1.02, 1.3)};
}

Figure over_spacing(const std::string& file, const std::string& number, const Packing& packing,
                    const std::vector<double>& spacing, const std::vector<Timing>& runs,
                    const std::string& part, double (*seconds)(const Timing&)) {
  Points points;
  for (std::size_t i = 0; i < runs.size(); ++i) points.push_back({spacing[i], seconds(runs[i])});
  return {.file = file,
          .title = fmt::format("Figure {}: packing {}, {}", number, packing.letter, part),
          .text = fmt::format("{} balls at a growing spacing s in {}, so that the density falls as "
                              "{}. Ten detections, summed.",
                              formatted_number(dense_count), packing.axes, packing.density),
          .numbers = result_table(runs, spacing),
          .plot = {.title = fmt::format("Packing {}, {}", packing.letter, part),
                   .x = {.title = "spacing s, diameters", .logarithmic = true},
                   .y = {.title = "time of ten detections, s"},
                   .lines = {{part, points}}},
          .findings = {flat(fmt::format("Packing {}: the time of {} does not depend on the density",
                                        packing.letter, part),
                            runs, seconds)}};
}

std::vector<Timing> run_spaced(bool quick, const std::string& scene, ProgressMeter& meter) {
  std::vector<Timing> runs;
  for (const std::vector<Timing>& measured : measure(spaced(quick, scene), meter))
    runs.push_back(measured.front());
  return runs;
}

std::vector<Figure> figures_of_b(bool quick, ProgressMeter& meter) {
  const Packing packing{"B", "x, 2 d in y and z", "1/s", 122'500};
  const std::vector<Timing> runs = run_spaced(quick, "packing-b", meter);
  std::vector<Figure> figures{
      over_spacing("figure-24", "24", packing, spacings(quick), runs, "sort and search",
                   total_seconds),
      over_spacing("figure-25", "25", packing, spacings(quick), runs, "sort alone", sort_seconds),
      over_spacing("figure-26", "26", packing, spacings(quick), runs, "search alone",
                   search_seconds)};
  figures.front().findings.push_back(pairs_of(packing, runs));
  figures.front().findings.push_back(same_memory(packing, runs));
  return figures;
}

Figure figure_of(const std::string& scene, const std::string& number, const Packing& packing,
                 bool quick, ProgressMeter& meter) {
  const std::vector<Timing> runs = run_spaced(quick, scene, meter);
  Figure figure = over_spacing("figure-" + number, number, packing, spacings(quick), runs,
                               "sort and search", total_seconds);
  figure.findings.push_back(pairs_of(packing, runs));
  figure.findings.push_back(same_memory(packing, runs));
  return figure;
}

std::vector<Figure> reproduce(bool quick, const ProgressCallback& done) {
  ProgressMeter meter(done, work(quick));
  std::vector<Figure> figures = figures_of_a(quick, meter);
  for (Figure& figure : figures_of_b(quick, meter)) figures.push_back(std::move(figure));
  figures.push_back(
      figure_of("packing-c", "28", {"C", "x and y, 2 d in z", "1/s²", 245'000}, quick, meter));
  figures.push_back(
      figure_of("packing-d", "30", {"D", "x, y and z", "1/s³", 367'500}, quick, meter));
  return figures;
}

constexpr std::array<std::string_view, 8> files{"figure-20", "figure-21", "figure-22", "figure-24",
                                                "figure-25", "figure-26", "figure-28", "figure-30"};

}  // namespace

constinit const Paper mr_paper{
    .name = "mr",
    .title = "MR linear contact detection",
    .citation =
        "A. Munjiza, E. Rougier, N. W. M. John, MR linear contact "
        "detection algorithm, Int. J. Numer. Meth. Engng 66 (2006) 46–71, "
        "section 6",
    .introduction =
        "One list of all particles, kept in the order of their cells from step to "
        "step and read with a few pointers that only move forwards.",
    .files = files,
    .reproduce = reproduce};

}  // namespace abut
