// Section 7 of Munjiza, Rougier and John: MMR on polydisperse particles.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "papers/paper.hpp"
#include "papers/timing.hpp"
#include "report/verdicts.hpp"

namespace abut {
namespace {

constexpr double size_ratio = 32;  // largest / smallest diameter
constexpr double alpha = 2;        // the default of DetectorOptions::group_ratio
constexpr double solid_fraction = 0.5;

std::vector<std::size_t> sides(bool quick) {
  if (quick) return {10, 20, 32};
  return {20, 30, 50, 80, 115, 171};
}

TimingCase timing_case(const std::string& scene, std::size_t side, Method method, bool quick) {
  const std::size_t count = side * side * side;
  return {.scene = scene,
          .options = {.count = count,
                      .solid_fraction = solid_fraction,
                      .size_ratio = size_ratio,
                      .spatial_order = true},
          .methods = {method},
          .rounds = count > 200'000 ? 1
                    : quick         ? 2
                                    : 3};
}

// Log-uniform sizes by number and by mass; equal spheres at random positions and in packing A.
struct Setting {
  const char* scene;
  Method method;
};
constexpr std::array settings{Setting{"polydisperse", Method::mmr},
                              Setting{"polydisperse-mass", Method::mmr},
                              Setting{"random", Method::mr}, Setting{"packing-a", Method::mr}};
constexpr std::size_t by_number = 0;
constexpr std::size_t by_mass = 1;
constexpr std::size_t equal = 2;
constexpr std::size_t lattice = 3;

std::vector<TimingCase> timing_cases(bool quick) {
  std::vector<TimingCase> cases;
  for (const std::size_t side : sides(quick))
    for (const Setting& setting : settings)
      cases.push_back(timing_case(setting.scene, side, setting.method, quick));
  return cases;
}

double work(bool quick) { return work_of(timing_cases(quick)); }

// Timings by setting and number of particles.
using Timings = std::array<std::vector<Timing>, settings.size()>;

Finding linear_finding(const Timings& timings) {
  const double number = exponent_of(times(timings[by_number]));
  const double mass = exponent_of(times(timings[by_mass]));
  return {"The time is proportional to N",
          fmt::format("T ∝ N^{:.2f} for sizes by number, N^{:.2f} by mass", number, mass),
          worse_of(linear(number), linear(mass))};
}

// n, where d_max/d_min = α^n.
double group_exponent() { return std::round(std::log(size_ratio) / std::log(alpha)); }

Finding bound_finding(const Timings& timings) {
  std::vector<double> ratios = time_ratios(timings[by_number], timings[equal]);
  const std::vector<double> mass = time_ratios(timings[by_mass], timings[equal]);
  ratios.insert(ratios.end(), mass.begin(), mass.end());
  const double worst = std::ranges::max(ratios);
  const double n = group_exponent();
  return {fmt::format("T ≤ (n+1)·T_MR, with T_MR for equal particles and n = {}", n),
          fmt::format("T is {} times T_MR; {} of {} cases are within n + 1 = {}, {} within n = {}",
                      range_text(ratios),
                      std::ranges::count_if(ratios, [&](double r) { return r <= n + 1; }),
                      ratios.size(), n + 1,
                      std::ranges::count_if(ratios, [&](double r) { return r <= n; }), n),
          at_most(worst, n + 1, 1.5 * (n + 1)),
          "The paper prints n, but groups 0 to n require n + 1 passes."};
}

Finding slower_finding(const Timings& timings) {
  const std::vector<double> ratios = time_ratios(timings[by_number], timings[lattice]);
  return {"Polydisperse particles take much longer than equal ones (figure 20)",
          fmt::format("{} times as long as packing A", range_text(ratios)), above_one(ratios)};
}

double bytes_per_particle(const Timing& timing) {
  return static_cast<double>(timing.bytes) / static_cast<double>(timing.count);
}

std::vector<Finding> memory_findings(const Timings& timings) {
  const double number = bytes_per_particle(timings[by_number].back());
  const double mass = bytes_per_particle(timings[by_mass].back());
  const double mr = bytes_per_particle(timings[equal].back());
  const std::array both{number, mass};
  return {
      {"Memory does not depend on the size distribution",
       fmt::format("{:.1f} bytes per particle for sizes by number, {:.1f} by mass", number, mass),
       at_most(spread_of(both), 1.05, 1.3)},
      {"Memory equals that of MR",
       fmt::format("{:.2f} and {:.2f} times that of MR, {:.1f} bytes per particle", number / mr,
                   mass / mr, mr),
       at_most(std::max(number, mass) / mr, 1.05, 2),
       "The groups take two more integers per particle; the contactor and target lists of a pass "
       "hold N particles together, but each keeps the capacity of its maximum length."}};
}

Figure figure_32(bool quick, ProgressMeter& meter) {
  Timings timings;
  const std::vector<std::vector<Timing>> measured = measure(timing_cases(quick), meter);
  for (std::size_t i = 0; i < measured.size(); ++i)
    timings[i % settings.size()].push_back(measured[i].front());
  ResultTable numbers({{"n", "N"},
                       {"mmr_by_number_s", "MMR, sizes by number (s)"},
                       {"mmr_by_mass_s", "MMR, sizes by mass (s)"},
                       {"mr_equal_s", "MR, equal (s)"},
                       {"mr_packing_a_s", "MR, packing A (s)"},
                       {"pairs_by_number", "pairs, by number"},
                       {"pairs_by_mass", "pairs, by mass"},
                       {"pairs_equal", "pairs, equal"},
                       {"pairs_packing_a", "pairs, packing A"},
                       {"mmr_bytes_per_particle", "MMR (bytes/particle)"}});
  for (std::size_t i = 0; i < timings[0].size(); ++i) {
    std::vector<double> row{static_cast<double>(timings[0][i].count)};
    for (const auto& setting : timings) row.push_back(setting[i].seconds());
    for (const auto& setting : timings) row.push_back(static_cast<double>(setting[i].pairs));
    row.push_back(bytes_per_particle(timings[by_number][i]));
    numbers.add(row);
  }
  std::vector<Finding> findings{linear_finding(timings), bound_finding(timings),
                                slower_finding(timings)};
  for (Finding& finding : memory_findings(timings)) findings.push_back(std::move(finding));
  Points bound = times(timings[equal]);
  for (auto& point : bound) point[1] *= group_exponent() + 1;
  return {.file = "figure-32",
          .title = "Figure 32: time versus number of particles",
          .text =
              "Diameters from 1/32 to 1, log-uniform by number or by mass; random positions at a "
              "solid fraction of 0.5, numbered in spatial order as in the paper. Spheres may "
              "overlap here. Total time of ten detections by one detector.",
          .numbers = numbers,
          .plot = {.title = "MMR, diameters 1/32 … 1",
                   .x = {.title = "number of particles N"},
                   .y = {.title = "time of ten detections (s)"},
                   .lines = {{"MMR, by number", times(timings[by_number])},
                             {"MMR, by mass", times(timings[by_mass])},
                             {"MR, equal spheres", times(timings[equal])},
                             {"MR, packing A", times(timings[lattice])},
                             {"(n+1)·T_MR", bound, Plot::Style::curve}}},
          .findings = std::move(findings)};
}

std::vector<Figure> reproduce(bool quick, const ProgressCallback& progress) {
  ProgressMeter meter(progress, work(quick));
  return {figure_32(quick, meter)};
}

constexpr std::array<std::string_view, 1> files{"figure-32"};

}  // namespace

constinit const Paper mmr_paper{
    .name = "mmr",
    .title = "MMR: polydisperse particles",
    .citation =
        "A. Munjiza, E. Rougier, N. W. M. John, MR linear contact detection algorithm, Int. J. "
        "Numer. Meth. Engng 66 (2006) 46–71, section 7",
    .introduction =
        "MR applied to size groups: the largest particles are checked against all, then removed, "
        "and the next group follows with smaller cells.",
    .files = files,
    .reproduce = reproduce};

}  // namespace abut
