// H. A. Janssen, Versuche über Getreidedruck in Silozellen, Zeitschrift des Vereines deutscher
// Ingenieure 39 (1895) 1045.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "papers/judge.hpp"
#include "validation/experiment.hpp"
#include "validation/janssen_columns.hpp"

namespace abut {
namespace {

JanssenPlan janssen_plan(bool quick) {
  if (quick)
    return {.diameter = 8, .wall_friction = 0.3, .fills = {0.75, 1.5, 4}, .drawing_time = 20};
  return {
      .diameter = 12, .wall_friction = 0.3, .fills = {0.5, 1, 1.5, 2, 3, 4.5}, .drawing_time = 40};
}

// ----- At rest ----------------------------------------------------------------------------------

Figure at_rest_figure(const std::vector<SiloColumn>& columns) {
  Sheet numbers({{"weight", "weight"},
                 {"floor", "on the floor"},
                 {"cylinder", "on the cylinder"},
                 {"missing", "part missing"},
                 {"kinetic", "kinetic energy over weight × d"}});
  std::array<Points, 3> lines;
  double worst = 0;
  double liveliest = 0;
  for (const SiloColumn& one : columns) {
    const double missing = 1 - (one.floor_at_rest + one.cylinder_at_rest) / one.weight;
    const double lively = one.kinetic_at_rest / one.weight;
    numbers.add({one.weight, one.floor_at_rest, one.cylinder_at_rest, missing, lively});
    lines[0].push_back({one.weight, one.floor_at_rest});
    lines[1].push_back({one.weight, one.cylinder_at_rest});
    lines[2].push_back({one.weight, one.floor_at_rest + one.cylinder_at_rest});
    worst = std::max(worst, std::abs(missing));
    liveliest = std::max(liveliest, lively);
  }
  // A grain of speed v that still bounces within an overlap δ is out of balance by v²/(2gδ) of its
  // weight; overlaps are some 10⁻³ d.
  const double allowed = 1e-3 + 1e3 * liveliest;
  return {.file = "at-rest",
          .title = "A silo at rest",
          .text = "Grains were poured into a cylinder and came to rest. Forces in ρ g d³.",
          .numbers = numbers,
          .plot = {.title = "What carries the grains",
                   .x = {.title = "weight of the grains, ρ g d³"},
                   .y = {.title = "force, ρ g d³"},
                   .lines = {{"on the floor", lines[0]},
                             {"on the cylinder", lines[1]},
                             {"both", lines[2]}}},
          .findings = {{"Floor and cylinder together carry the weight",
                        fmt::format("{:.5f} of it missing at most, with a kinetic energy of {:.1e} "
                                    "of weight × d",
                                    worst, liveliest),
                        within(worst, 0, std::min(allowed, 0.01))}}};
}

// ----- Janssen ----------------------------------------------------------------------------------

double saturating(double most, double weight) { return most * (1 - std::exp(-weight / most)); }

// The largest load that floors of all fills are nearest to.
double fitted_most(const Points& loads) {
  const double heaviest = loads.back()[0];
  return least(heaviest / 50, heaviest * 20, [&](double most) {
    double sum = 0;
    for (const auto& [weight, load] : loads) sum += std::pow(load - saturating(most, weight), 2);
    return sum;
  });
}

// K of the largest load ρ_b g π D³ / (16 µ K), ρ_b g being weight over volume.
double ratio_of(double most, double bulk_density, const JanssenPlan& plan) {
  return bulk_density * plan.base() * plan.diameter / (4 * plan.wall_friction * most);
}

struct SiloStress {
  Points vertical;  // over the depth
  Points radial;
  double ratio;      // of radial to vertical, away from both ends
  double mobilised;  // friction over the largest there can be
};

SiloStress stress_in(const SiloColumn& column, const JanssenPlan& plan) {
  SiloStress stress{};
  const double thickness = column.slices[1].height - column.slices[0].height;
  double filled = 0;  // up to where there are grains
  for (const SiloSlice& slice : column.slices)
    if (slice.weight > 0.3 * column.solid_fraction * plan.base() * thickness)
      filled = slice.height + thickness / 2;
  double above = 0;
  double radial = 0;
  double vertical = 0;
  double support = 0;
  for (std::size_t k = column.slices.size(); k-- > 0;) {
    const SiloSlice& slice = column.slices[k];
    const double middle = above + (slice.weight - slice.support) / 2;
    above += slice.weight - slice.support;
    const double depth = filled - slice.height;
    if (depth < 0) continue;
    const double sideways = slice.normal / (4 * plan.base() / plan.diameter * thickness);
    stress.vertical.push_back({depth, middle / plan.base()});
    stress.radial.push_back({depth, sideways});
    if (depth < plan.diameter / 2 || slice.height < plan.diameter / 2) continue;
    radial += sideways;
    vertical += middle / plan.base();
    support += slice.support / (4 * plan.base() / plan.diameter * thickness);
  }
  stress.ratio = radial / vertical;
  stress.mobilised = support / (plan.wall_friction * radial);
  return stress;
}

double furthest_off(const Points& loads, double most) {
  double off = 0;
  for (const auto& [weight, load] : loads)
    off = std::max(off, std::abs(load - saturating(most, weight)) / most);
  return off;
}

Figure load_figure(const std::vector<SiloColumn>& columns, const JanssenPlan& plan, bool quick) {
  Sheet numbers({{"weight", "weight"},
                 {"floor", "on the floor"},
                 {"janssen", "Janssen"},
                 {"solid_fraction", "solid fraction"}});
  Points loads;
  for (const SiloColumn& one : columns) loads.push_back({one.weight, one.floor});
  const double most = fitted_most(loads);
  const double ratio = ratio_of(most, columns.back().solid_fraction, plan);
  Points curve;
  for (int k = 0; k <= 40; ++k) {
    const double weight = columns.back().weight * k / 40;
    curve.push_back({weight, saturating(most, weight)});
  }
  for (const SiloColumn& one : columns)
    numbers.add({one.weight, one.floor, saturating(most, one.weight), one.solid_fraction});
  const double off = furthest_off(loads, most);
  const double carried = loads.back()[1] / loads.back()[0];
  return {
      .file = "janssen",
      .title = "Janssen: what the floor of a silo carries",
      .text = fmt::format("A cylinder of {} d, µ = {} at the wall and 0.5 between grains, is "
                          "drawn up slowly. Janssen: the load of the floor is M(1 − e^(−W/M)), "
                          "W being the weight and M = ρ_b g π D³/(16 µ K).",
                          plan.diameter, plan.wall_friction),
      .numbers = numbers,
      .plot = {.title = "Load of the floor against the weight of the fill",
               .x = {.title = "weight of the grains, ρ g d³"},
               .y = {.title = "on the floor, ρ g d³"},
               .lines = {{"measured", loads},
                         {fmt::format("Janssen, K = {:.2f}", ratio), curve, Plot::Style::curve}}},
      .findings = {
          {"The load of the floor saturates as Janssen's exponential does",
           fmt::format("at most {:.3f} of the largest load off, for {} fills", off, loads.size()),
           within(off, 0, quick ? 0.1 : 0.05)},
          {"Most of a tall fill hangs on the wall",
           fmt::format("the floor carries {:.2f} of the tallest", carried),
           within(carried, 0, 0.6)},
          {"The ratio K of radial to vertical stress is between 0.3 and 0.6",
           fmt::format("K = {:.3f} fits best", ratio),
           within(ratio, quick ? 0.25 : 0.3, quick ? 0.7 : 0.6)}}};
}

Figure stress_figure(const std::vector<SiloColumn>& columns, const JanssenPlan& plan, bool quick) {
  const SiloColumn& tallest = columns.back();
  const SiloStress stress = stress_in(tallest, plan);
  const double bulk = tallest.solid_fraction;
  const auto janssen = [&](double ratio, double depth) {
    const double reach = plan.diameter / (4 * plan.wall_friction * ratio);
    return bulk * reach * (1 - std::exp(-depth / reach));
  };
  const double fitted = least(0.05, 3, [&](double ratio) {
    double sum = 0;
    for (const auto& [depth, value] : stress.vertical)
      sum += std::pow(value - janssen(ratio, depth), 2);
    return sum;
  });
  Sheet numbers({{"depth", "depth, d"},
                 {"vertical", "vertical"},
                 {"radial", "radial"},
                 {"janssen", "Janssen, vertical"}});
  Points curve;
  for (std::size_t k = 0; k < stress.vertical.size(); ++k) {
    const double depth = stress.vertical[k][0];
    curve.push_back({depth, janssen(fitted, depth)});
    numbers.add({depth, stress.vertical[k][1], stress.radial[k][1], curve.back()[1]});
  }
  return {
      .file = "janssen-stress",
      .title = "Janssen: stress in the tallest fill",
      .text =
          "The vertical stress follows from weight and friction above, the radial one from "
          "what presses the wall. Stresses in ρ g d.",
      .numbers = numbers,
      .plot = {.title = "Stress against depth",
               .x = {.title = "depth, d"},
               .y = {.title = "stress, ρ g d"},
               .lines = {{"vertical", stress.vertical},
                         {"radial", stress.radial},
                         {fmt::format("Janssen, K = {:.2f}", fitted), curve, Plot::Style::curve}}},
      .findings = {
          {"Friction at the wall is mobilised, as Janssen assumes",
           fmt::format("{:.3f} of µ times the normal force", stress.mobilised),
           within(stress.mobilised, quick ? 0.85 : 0.9, 1.001)},
          {"K from what presses the wall is that of the profile",
           fmt::format("{:.3f} at the wall, {:.3f} from the profile", stress.ratio, fitted),
           within(stress.ratio / fitted, quick ? 0.75 : 0.85, quick ? 1.35 : 1.15)}}};
}

std::vector<Figure> run_janssen(bool quick, const WorkDone& done) {
  const JanssenPlan plan = janssen_plan(quick);
  const std::vector<SiloColumn> columns = janssen_columns(plan, done);
  return {at_rest_figure(columns), load_figure(columns, plan, quick),
          stress_figure(columns, plan, quick)};
}

constexpr std::array<std::string_view, 3> janssen_files{"at-rest", "janssen", "janssen-stress"};

}  // namespace

const Experiment janssen_experiment{.name = "janssen",
                                    .title = "A silo at rest, and Janssen's law",
                                    .files = janssen_files,
                                    .seconds = 120,
                                    .quick_seconds = 8,
                                    .run = run_janssen};

}  // namespace abut
