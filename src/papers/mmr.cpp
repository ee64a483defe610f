// Section 7 of Munjiza, Rougier and John: MMR on particles of many sizes.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "papers/paper.hpp"
#include "papers/timing.hpp"
#include "report/verdicts.hpp"

namespace abut {
namespace {

constexpr double ratio = 32;  // of the largest to the smallest
constexpr double alpha = 2;   // Options::group_ratio unless it is set
constexpr double fraction = 0.5;

std::vector<std::size_t> sides(bool quick) {
  if (quick) return {10, 20, 32};
  return {20, 30, 50, 80, 115, 171};
}

TimingCase trial(const std::string& scene, std::size_t side, Method method, bool quick) {
  const std::size_t count = side * side * side;
  return {.scene = scene,
          .options = {.count = count,
                      .solid_fraction = fraction,
                      .size_ratio = ratio,
                      .spatial_order = true},
          .methods = {method},
          .rounds = count > 200'000 ? 1
                    : quick         ? 2
                                    : 3};
}

// Sizes spread evenly by number and by mass; equal balls at random and on packing A.
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

std::vector<TimingCase> trials(bool quick) {
  std::vector<TimingCase> all;
  for (const std::size_t side : sides(quick))
    for (const Setting& setting : settings)
      all.push_back(trial(setting.scene, side, setting.method, quick));
  return all;
}

double work(bool quick) { return work_of(trials(quick)); }

using Runs = std::array<std::vector<Timing>, settings.size()>;

Finding linear_finding(const Runs& runs) {
  const double number = exponent_of(times(runs[by_number]));
  const double mass = exponent_of(times(runs[by_mass]));
  return {"The time is proportional to N",
          fmt::format("T ∝ N^{:.2f} with sizes spread by number, N^{:.2f} by mass", number, mass),
          worse_of(linear(number), linear(mass))};
}

// d_max/d_min = α^n.
double steps() { return std::round(std::log(ratio) / std::log(alpha)); }

Finding bound_finding(const Runs& runs) {
  std::vector<double> all = time_ratios(runs[by_number], runs[equal]);
  const std::vector<double> mass = time_ratios(runs[by_mass], runs[equal]);
  all.insert(all.end(), mass.begin(), mass.end());
  const double worst = std::ranges::max(all);
  const double n = steps();
  return {fmt::format("T ≤ (n+1)·T_MR, T_MR being that of equal particles; n = {}", n),
          fmt::format("T is {} times T_MR; {} of {} cases are within n + 1 = {}, {} within n = {}",
                      range_text(all),
                      std::ranges::count_if(all, [&](double r) { return r <= n + 1; }), all.size(),
                      n + 1, std::ranges::count_if(all, [&](double r) { return r <= n; }), n),
          at_most(worst, n + 1, 1.5 * (n + 1)),
          "The paper prints n, but groups 0 to n are n + 1 passes."};
}

Finding slower_finding(const Runs& runs) {
  const std::vector<double> ratios = time_ratios(runs[by_number], runs[lattice]);
  return {"Many sizes take much longer than one (figure 20)",
          fmt::format("{} times as long as packing A", range_text(ratios)), above_one(ratios)};
}

double bytes_per_particle(const Timing& run) {
  return static_cast<double>(run.bytes) / static_cast<double>(run.count);
}

std::vector<Finding> memory_findings(const Runs& runs) {
  const double number = bytes_per_particle(runs[by_number].back());
  const double mass = bytes_per_particle(runs[by_mass].back());
  const double mr = bytes_per_particle(runs[equal].back());
  const std::array both_of_them{number, mass};
  return {{"Memory does not depend on the distribution of sizes",
           fmt::format("{:.1f} bytes a particle spread by number, {:.1f} by mass", number, mass),
           at_most(spread_of(both_of_them), 1.05, 1.3)},
          {"Memory is that of MR",
           fmt::format("{:.2f} and {:.2f} times that of MR, {:.1f} bytes a particle", number / mr,
                       mass / mr, mr),
           at_most(std::max(number, mass) / mr, 1.05, 2),
           "Two integers a particle more keep the groups; the lists of a step's contactors and "
           "targets hold N particles together, but each keeps the memory of its longest."}};
}

Figure figure_32(bool quick, ProgressMeter& meter) {
  Runs runs;
  const std::vector<std::vector<Timing>> measured = measure(trials(quick), meter);
  for (std::size_t i = 0; i < measured.size(); ++i)
    runs[i % settings.size()].push_back(measured[i].front());
  ResultTable numbers({{"n", "N"},
                       {"mmr_by_number_s", "MMR, sizes by number, s"},
                       {"mmr_by_mass_s", "MMR, sizes by mass, s"},
                       {"mr_equal_s", "MR, equal, s"},
                       {"mr_packing_a_s", "MR, packing A, s"},
                       {"pairs_by_number", "pairs by number"},
                       {"pairs_by_mass", "pairs by mass"},
                       {"pairs_equal", "pairs, equal"},
                       {"pairs_packing_a", "pairs, packing A"},
                       {"mmr_bytes_per_particle", "MMR, bytes a particle"}});
  for (std::size_t i = 0; i < runs[0].size(); ++i) {
    std::vector<double> row{static_cast<double>(runs[0][i].count)};
    for (const auto& setting : runs) row.push_back(setting[i].seconds());
    for (const auto& setting : runs) row.push_back(static_cast<double>(setting[i].pairs));
    row.push_back(bytes_per_particle(runs[by_number][i]));
    numbers.add(row);
  }
  std::vector<Finding> findings{linear_finding(runs), bound_finding(runs), slower_finding(runs)};
  for (Finding& finding : memory_findings(runs)) findings.push_back(std::move(finding));
  Points bound = times(runs[equal]);
  for (auto& point : bound) point[1] *= steps() + 1;
  return {.file = "figure-32",
          .title = "Figure 32: time against the number of particles",
          .text =
              "Diameters from 1/32 to 1, their logarithm spread evenly by number or by mass, "
              "centres at random at a solid fraction of 0.5, numbered along a raster as the "
              "paper's are. Here balls may overlap. Ten detections by one detector, summed.",
          .numbers = numbers,
          .plot = {.title = "MMR on sizes 1/32 … 1",
                   .x = {.title = "number of particles N"},
                   .y = {.title = "time of ten detections, s"},
                   .lines = {{"MMR, by number", times(runs[by_number])},
                             {"MMR, by mass", times(runs[by_mass])},
                             {"MR, equal balls", times(runs[equal])},
                             {"MR, packing A", times(runs[lattice])},
                             {"(n+1)·T_MR", bound, Plot::Style::curve}}},
          .findings = std::move(findings)};
}

std::vector<Figure> reproduce(bool quick, const ProgressCallback& done) {
  ProgressMeter meter(done, work(quick));
  return {figure_32(quick, meter)};
}

constexpr std::array<std::string_view, 1> files{"figure-32"};

}  // namespace

constinit const Paper mmr_paper{
    .name = "mmr",
    .title = "MMR: particles of many sizes",
    .citation =
        "A. Munjiza, E. Rougier, N. W. M. John, MR linear contact "
        "detection algorithm, Int. J. Numer. Meth. Engng 66 (2006) "
        "46–71, section 7",
    .introduction =
        "MR group by group: the largest particles against all, then they are "
        "taken out and the next group follows, with smaller cells.",
    .files = files,
    .reproduce = reproduce};

}  // namespace abut
