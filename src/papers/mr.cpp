// Section 6 of Munjiza, Rougier and John: packings A to D; times of ten detections, as in the
// paper.
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

constexpr std::size_t spaced_count = 125'000;  // particles of packings B to D
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
  std::vector<TimingCase> cases;
  for (const std::size_t side : sides(quick)) {
    const std::size_t count = side * side * side;
    cases.push_back({.scene = "packing-a",
                     .options = {.count = count},
                     .methods = {variants.begin(), variants.end()},
                     .rounds = quick || count > 1'500'000 ? 1
                               : count > 200'000          ? 2
                                                          : 5});
  }
  return cases;
}

std::vector<TimingCase> spaced_cases(bool quick, const std::string& scene) {
  return map_to_vector(spacings(quick), [&](double spacing) {
    return TimingCase{.scene = scene,
                      .options = {.count = spaced_count, .spacing = spacing},
                      .methods = {Method::mr},
                      .rounds = quick ? 1 : 9};
  });
}

// One detection each: only the memory is evaluated.
std::vector<TimingCase> memory_cases() {
  std::vector<TimingCase> cases;
  for (const int dimension : {2, 3})
    cases.push_back({.scene = "packing-a",
                     .options = {.count = 250'000},
                     .dimension = dimension,
                     .methods = {Method::mr, Method::mr_recomputed},
                     .detections = 1});
  return cases;
}

double work(bool quick) {
  double total = work_of(packing_a(quick)) + work_of(memory_cases());
  for (const char* scene : {"packing-b", "packing-c", "packing-d"})
    total += work_of(spaced_cases(quick, scene));
  return total;
}

ResultTable result_table(const std::vector<Timing>& timings,
                         const std::vector<double>& spacing = {}) {
  std::vector<ResultTable::Column> columns{
      {"n", "N"},
      {"sort_s", "sort (s)"},
      {"search_s", "search (s)"},
      {"total_s", "total (s)"},
      {"ns_per_particle", "time per particle and detection (ns)"},
      {"pairs", "pairs"}};
  if (!spacing.empty()) columns.insert(columns.begin(), {"spacing_diameters", "spacing (d)"});
  ResultTable table(columns);
  for (std::size_t i = 0; i < timings.size(); ++i) {
    const Timing& timing = timings[i];
    std::vector<double> row{static_cast<double>(timing.count),
                            timing.build,
                            timing.search,
                            timing.seconds(),
                            timing.nanoseconds_per_particle() / 10,
                            static_cast<double>(timing.pairs)};
    if (!spacing.empty()) row.insert(row.begin(), spacing[i]);
    table.add(row);
  }
  return table;
}

// The line of constant time per particle, equal to that of the smallest N.
Plot::Line proportional(const std::vector<Timing>& timings) {
  const auto max_count = static_cast<double>(timings.back().count);
  const double slope = timings.front().seconds() / static_cast<double>(timings.front().count);
  return {.name = "proportional to N",
          .points = {{0, 0}, {max_count, slope * max_count}},
          .style = Plot::Style::curve};
}

Finding pairs_of_a(const std::vector<Timing>& timings) {
  std::size_t wrong = 0;
  for (const Timing& timing : timings) {
    const auto side = static_cast<std::size_t>(std::llround(std::cbrt(timing.count)));
    if (timing.pairs != 3 * side * side * (side - 1)) ++wrong;
  }
  return {"All contacting pairs are found: 3n²(n−1) in a cube of n³ particles",
          fmt::format("{} pairs of {} particles; {} of {} cubes differ",
                      formatted_number(static_cast<double>(timings.back().pairs)),
                      formatted_number(static_cast<double>(timings.back().count)), wrong,
                      timings.size()),
          wrong == 0 ? Verdict::holds : Verdict::does_not_hold};
}

Finding memory_finding(ProgressMeter& meter) {
  std::array<std::array<double, 2>, 2> integers{};
  const std::vector<std::vector<Timing>> timings = measure(memory_cases(), meter);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t kind = 0; kind < 2; ++kind)
      integers[i][kind] = static_cast<double>(timings[i][kind].bytes) /
                          (sizeof(std::int32_t) * static_cast<double>(timings[i][kind].count));
  const double excess =
      std::max({integers[0][0] / 4, integers[1][0] / 5, integers[0][1] / 2, integers[1][1] / 2});
  return {
      "Memory is 4 N integers in 2D, 5 N in 3D; 2 N if cell coordinates are recomputed",
      fmt::format("{:.2f} N, {:.2f} N; {:.2f} N in 2D and {:.2f} N in 3D", integers[0][0],
                  integers[1][0], integers[0][1], integers[1][1]),
      at_most(excess, 1.02, 1.25),
      "For recomputed coordinates in 3D the paper prints 3 N, but two pointers per particle are "
      "2 N."};
}

Figure figure_20(const std::vector<Timing>& mr, ProgressMeter& meter) {
  const double exponent = exponent_of(times(mr));
  return {.file = "figure-20",
          .title = "Figure 20: MR sort and MR search",
          .text =
              "Packing A: touching spheres on a cubic lattice. Total time of ten detections of all "
              "pairs by one detector. The particles do not move between them, as in the paper.",
          .numbers = result_table(mr),
          .plot = {.title = "Packing A, MR sort + MR search",
                   .x = {.title = "number of particles N"},
                   .y = {.title = "time of ten detections (s)"},
                   .lines = {{"MR sort + MR search", times(mr)}, proportional(mr)}},
          .findings = {
              {"With MR sort and MR search the time is proportional to N",
               fmt::format("T ∝ N^{:.2f}; {} ns per particle and detection for the smallest N, {} "
                           "for the largest",
                           exponent, formatted_number(mr.front().nanoseconds_per_particle() / 10),
                           formatted_number(mr.back().nanoseconds_per_particle() / 10)),
               linear(exponent)},
              pairs_of_a(mr),
              memory_finding(meter)}};
}

Finding slower(const std::string& claim, const std::vector<double>& ratios) {
  return {claim,
          fmt::format("{:.2f} times as long for the smallest N, {:.2f} for the largest",
                      ratios.front(), ratios.back()),
          above_one(ratios)};
}

// MR is linear, so a ratio to its time that grows with N shows superlinear time.
Finding not_linear(const std::string& variant, const std::vector<Timing>& timings,
                   const std::vector<double>& ratios) {
  const double growth = ratios.back() / ratios.front();
  return {fmt::format("With {} the time is no longer linear in N", variant),
          fmt::format("T ∝ N^{:.2f}; the ratio to MR grows by a factor of {:.2f} from the smallest "
                      "to the largest N",
                      exponent_of(times(timings)), growth),
          growth >= 1.1 ? Verdict::holds
          : growth > 1  ? Verdict::partly_holds
                        : Verdict::does_not_hold,
          "The measurement does not separate log N from cache misses as the cause of the growth."};
}

Figure variant(const std::string& file, const std::string& title,
               const std::vector<Timing>& timings, std::vector<Finding> findings) {
  return {.file = file,
          .title = title,
          .text = "The same particles and detections as in figure 20.",
          .numbers = result_table(timings),
          .plot = {.title = fmt::format("Packing A, {}", title.substr(title.find(": ") + 2)),
                   .x = {.title = "number of particles N"},
                   .y = {.title = "time of ten detections (s)"},
                   .lines = {{"measured", times(timings)}, proportional(timings)}},
          .findings = std::move(findings)};
}

std::vector<Figure> figures_of_a(bool quick, ProgressMeter& meter) {
  std::array<std::vector<Timing>, variants.size()> timings;
  for (const std::vector<Timing>& of_case : measure(packing_a(quick), meter))
    for (std::size_t i = 0; i < timings.size(); ++i) timings[i].push_back(of_case[i]);
  const auto& [mr, quicksort, binary] = timings;
  const std::vector<double> over_mr = time_ratios(quicksort, mr);
  return {
      figure_20(mr, meter),
      variant("figure-21", "Figure 21: quicksort and MR search", quicksort,
              {not_linear("quicksort", quicksort, over_mr),
               slower("Quicksort is slower than MR sort", over_mr)}),
      variant("figure-22", "Figure 22: quicksort and binary search", binary,
              {not_linear("quicksort and binary search", binary, time_ratios(binary, mr)),
               slower("Binary search is slower than MR search", time_ratios(binary, quicksort))})};
}

// Compares the times of all spacings without contacts. At s = d, reporting the contacts takes
// additional time.
Finding independent_of_spacing(const std::string& claim, const std::vector<Timing>& timings,
                               double (*seconds)(const Timing&)) {
  std::vector<double> separated;
  for (std::size_t i = 1; i < timings.size(); ++i) separated.push_back(seconds(timings[i]));
  const double spread = spread_of(separated);
  return {claim,
          fmt::format("within a factor of {:.2f} from s = 2 d to 200 d; {:.2f} times their median "
                      "at s = d, where contacts are reported",
                      spread, seconds(timings.front()) / median_of(separated)),
          at_most(spread, 1.3, 2)};
}

double total_seconds(const Timing& timing) { return timing.seconds(); }
double sort_seconds(const Timing& timing) { return timing.build; }
double search_seconds(const Timing& timing) { return timing.search; }

struct Packing {
  std::string name;
  std::string axes;
  std::string density;
  std::size_t touching_pairs;
};

Finding pairs_of(const Packing& packing, const std::vector<Timing>& timings) {
  const bool none = std::all_of(timings.begin() + 1, timings.end(),
                                [](const Timing& timing) { return timing.pairs == 0; });
  return {fmt::format("Packing {}: {} pairs at s = d, none beyond", packing.name,
                      formatted_number(static_cast<double>(packing.touching_pairs))),
          fmt::format("{} pairs, {} beyond",
                      formatted_number(static_cast<double>(timings.front().pairs)),
                      none ? "none" : "some"),
          none && timings.front().pairs == packing.touching_pairs ? Verdict::holds
                                                                  : Verdict::does_not_hold};
}

Finding same_memory(const Packing& packing, const std::vector<Timing>& timings) {
  const std::vector<double> bytes = map_to_vector(
      timings, [](const Timing& timing) { return static_cast<double>(timing.bytes); });
  return {fmt::format("Packing {}: memory does not depend on the density", packing.name),
          fmt::format("{:.1f} bytes per particle, within a factor of {:.2f}",
                      bytes.front() / static_cast<double>(timings.front().count), spread_of(bytes)),
          at_most(spread_of(bytes), 1.02, 1.3)};
}

Figure over_spacing(const std::string& file, const std::string& number, const Packing& packing,
                    const std::vector<double>& spacing, const std::vector<Timing>& timings,
                    const std::string& phase, double (*seconds)(const Timing&)) {
  Points points;
  for (std::size_t i = 0; i < timings.size(); ++i)
    points.push_back({spacing[i], seconds(timings[i])});
  return {.file = file,
          .title = fmt::format("Figure {}: packing {}, {}", number, packing.name, phase),
          .text = fmt::format("{} spheres with increasing spacing s in {}; the density is "
                              "proportional to {}. Total time of ten detections.",
                              formatted_number(spaced_count), packing.axes, packing.density),
          .numbers = result_table(timings, spacing),
          .plot = {.title = fmt::format("Packing {}, {}", packing.name, phase),
                   .x = {.title = "spacing s (d)", .logarithmic = true},
                   .y = {.title = "time of ten detections (s)"},
                   .lines = {{phase, points}}},
          .findings = {independent_of_spacing(
              fmt::format("Packing {}: the time of {} does not depend on the density", packing.name,
                          phase),
              timings, seconds)}};
}

std::vector<Timing> run_spaced_cases(bool quick, const std::string& scene, ProgressMeter& meter) {
  std::vector<Timing> timings;
  for (const std::vector<Timing>& of_case : measure(spaced_cases(quick, scene), meter))
    timings.push_back(of_case.front());
  return timings;
}

std::vector<Figure> figures_of_b(bool quick, ProgressMeter& meter) {
  const Packing packing{"B", "x, 2 d in y and z", "1/s", 122'500};
  const std::vector<Timing> timings = run_spaced_cases(quick, "packing-b", meter);
  std::vector<Figure> figures{over_spacing("figure-24", "24", packing, spacings(quick), timings,
                                           "sort and search", total_seconds),
                              over_spacing("figure-25", "25", packing, spacings(quick), timings,
                                           "sort alone", sort_seconds),
                              over_spacing("figure-26", "26", packing, spacings(quick), timings,
                                           "search alone", search_seconds)};
  figures.front().findings.push_back(pairs_of(packing, timings));
  figures.front().findings.push_back(same_memory(packing, timings));
  return figures;
}

Figure figure_of(const std::string& scene, const std::string& number, const Packing& packing,
                 bool quick, ProgressMeter& meter) {
  const std::vector<Timing> timings = run_spaced_cases(quick, scene, meter);
  Figure figure = over_spacing("figure-" + number, number, packing, spacings(quick), timings,
                               "sort and search", total_seconds);
  figure.findings.push_back(pairs_of(packing, timings));
  figure.findings.push_back(same_memory(packing, timings));
  return figure;
}

std::vector<Figure> reproduce(bool quick, const ProgressCallback& progress) {
  ProgressMeter meter(progress, work(quick));
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
        "A. Munjiza, E. Rougier, N. W. M. John, MR linear contact detection algorithm, Int. J. "
        "Numer. Meth. Engng 66 (2006) 46–71, section 6",
    .introduction =
        "One list of all particles, kept in cell order from step to step and searched with a few "
        "pointers that only move forward.",
    .files = files,
    .reproduce = reproduce};

}  // namespace abut
