// H. A. Janssen, Versuche über Getreidedruck in Silozellen, Zeitschrift des Vereines deutscher
// Ingenieure 39 (1895) 1045.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/vec.hpp"
#include "report/verdicts.hpp"
#include "validation/experiment.hpp"
#include "validation/janssen_columns.hpp"

namespace abut {
namespace {

// A wall that is smoother than the grains, as Janssen has it: along a rough one (0.3) stresses
// turn, K falls with depth, and the form is off by a twentieth.
JanssenSetup janssen_setup(bool quick) {
  JanssenSetup plan{.diameter = 12,
                    .law = {.friction = 0.8, .wall_friction = 0.2, .rolling_friction = 0.3},
                    .fills = {0.5, 1, 2, 3, 4.5},
                    .speed = 0.004,
                    .settling_time = 25,
                    .measured_time = 20,
                    .resting_time = 15};
  if (!quick) return plan;
  plan.diameter = 8;
  plan.fills = {0.75, 1.5, 3};
  plan.settling_time = 15;
  plan.measured_time = 10;
  plan.resting_time = 10;
  return plan;
}

// ----- At rest ----------------------------------------------------------------------------------

// What is left of motion keeps floor and wall from carrying exactly the weight: a column that
// swings as one does so with the frequency of its slowest wave, π/2 √(k/m) d/H.
double allowed_missing(const SiloColumn& column, const JanssenSetup& plan) {
  const double height = column.weight / (column.solid_fraction * plan.base());
  const double frequency =
      std::numbers::pi / 2 * std::sqrt(plan.law.stiffness / sphere_volume<3>(0.5)) / height;
  return 1e-4 + frequency * std::sqrt(2 * column.kinetic_at_rest / column.weight);
}

Figure at_rest_figure(const std::vector<SiloColumn>& columns, const JanssenSetup& plan) {
  ResultTable numbers({{"weight", "weight"},
                       {"floor", "on the floor"},
                       {"cylinder", "on the cylinder"},
                       {"missing", "part missing"},
                       {"kinetic", "kinetic energy over weight × d"}});
  std::array<Points, 3> lines;
  double worst = 0;
  double worst_of_allowed = 0;
  double liveliest = 0;
  for (const SiloColumn& one : columns) {
    const double missing = 1 - (one.floor_at_rest + one.cylinder_at_rest) / one.weight;
    const double lively = one.kinetic_at_rest / one.weight;
    numbers.add({one.weight, one.floor_at_rest, one.cylinder_at_rest, missing, lively});
    lines[0].push_back({one.weight, one.floor_at_rest});
    lines[1].push_back({one.weight, one.cylinder_at_rest});
    lines[2].push_back({one.weight, one.floor_at_rest + one.cylinder_at_rest});
    worst = std::max(worst, std::abs(missing));
    worst_of_allowed = std::max(worst_of_allowed, std::abs(missing) / allowed_missing(one, plan));
    liveliest = std::max(liveliest, lively);
  }
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
                        worse_of(within(worst, 0, 0.001), within(worst_of_allowed, 0, 1))}}};
}

// ----- Janssen ----------------------------------------------------------------------------------

double saturating(double most, double weight) { return most * (1 - std::exp(-weight / most)); }

// The largest load that floors of all fills are nearest to.
double fitted_saturation(const Points& loads) {
  const double heaviest = loads.back()[0];
  return minimize(heaviest / 50, heaviest * 20, [&](double most) {
    double sum = 0;
    for (const auto& [weight, load] : loads) sum += std::pow(load - saturating(most, weight), 2);
    return sum;
  });
}

// K of the largest load ρ_b g π D³ / (16 µ K), ρ_b g being weight over volume.
double ratio_of(double most, double bulk_density, const JanssenSetup& plan) {
  return bulk_density * plan.base() * plan.diameter / (4 * plan.law.wall_friction * most);
}

struct SiloStress {
  Points vertical;  // over the depth
  Points radial;
  double ratio;      // of radial to vertical, away from both ends
  double mobilized;  // friction over the largest there can be
};

SiloStress stress_in(const SiloColumn& column, const JanssenSetup& plan) {
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
  stress.mobilized = support / (plan.law.wall_friction * radial);
  return stress;
}

double max_deviation(const Points& loads, double most) {
  double off = 0;
  double largest = 0;
  for (const auto& [weight, load] : loads) {
    off = std::max(off, std::abs(load - saturating(most, weight)));
    largest = std::max(largest, load);
  }
  return off / largest;
}

Figure load_figure(const std::vector<SiloColumn>& columns, const JanssenSetup& plan, bool quick) {
  ResultTable numbers({{"weight", "weight"},
                       {"floor", "on the floor"},
                       {"janssen", "Janssen"},
                       {"solid_fraction", "solid fraction"}});
  Points loads;
  for (const SiloColumn& one : columns) loads.push_back({one.weight, one.floor});
  const double most = fitted_saturation(loads);
  const double ratio = ratio_of(most, columns.back().solid_fraction, plan);
  Points curve;
  for (int k = 0; k <= 40; ++k) {
    const double weight = columns.back().weight * k / 40;
    curve.push_back({weight, saturating(most, weight)});
  }
  for (const SiloColumn& one : columns)
    numbers.add({one.weight, one.floor, saturating(most, one.weight), one.solid_fraction});
  const double off = max_deviation(loads, most);
  const double carried = loads.back()[1] / loads.back()[0];
  return {
      .file = "janssen",
      .title = "Janssen: what the floor of a silo carries",
      .text = fmt::format(
          "Grains with µ = {} and a rolling friction of {}, as of seeds, in a cylinder of {} d "
          "with µ = {}, which is drawn up slowly; were the wall as rough as the grains, K would "
          "fall with depth. Janssen: the load of the floor is "
          "M(1 − e^(−W/M)), W being the weight and M = ρ_b g π D³/(16 µ K).",
          plan.law.friction, plan.law.rolling_friction, plan.diameter, plan.law.wall_friction),
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
          between("K of the best fit", ratio, quick ? 0.25 : 0.3, quick ? 0.7 : 0.6)}};
}

Figure stress_figure(const std::vector<SiloColumn>& columns, const JanssenSetup& plan, bool quick) {
  const SiloColumn& tallest = columns.back();
  const SiloStress stress = stress_in(tallest, plan);
  const double bulk = tallest.solid_fraction;
  const auto janssen = [&](double ratio, double depth) {
    const double reach = plan.diameter / (4 * plan.law.wall_friction * ratio);
    return bulk * reach * (1 - std::exp(-depth / reach));
  };
  const double fitted = minimize(0.05, 3, [&](double ratio) {
    double sum = 0;
    for (const auto& [depth, value] : stress.vertical)
      sum += std::pow(value - janssen(ratio, depth), 2);
    return sum;
  });
  const double in_use = stress.ratio * stress.mobilized;
  ResultTable numbers({{"depth", "depth, d"},
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
          {"What presses the wall, and the part of friction in use, give the K of the "
           "profile",
           fmt::format("{:.3f} of the vertical stress at the wall × {:.3f} of µ in "
                       "use = {:.3f}; {:.3f} fits the profile",
                       stress.ratio, stress.mobilized, in_use, fitted),
           within(in_use / fitted, quick ? 0.75 : 0.85, quick ? 1.35 : 1.15)},
          {"Friction at the wall never exceeds what µ allows",
           fmt::format("{:.3f} of it in use", stress.mobilized), within(stress.mobilized, 0, 1)}}};
}

std::vector<Figure> run_janssen(bool quick, const ProgressCallback& done) {
  const JanssenSetup plan = janssen_setup(quick);
  const std::vector<SiloColumn> columns = janssen_columns(plan, done);
  return {at_rest_figure(columns, plan), load_figure(columns, plan, quick),
          stress_figure(columns, plan, quick)};
}

constexpr std::array<std::string_view, 3> janssen_files{"at-rest", "janssen", "janssen-stress"};

}  // namespace

const Experiment janssen_experiment{.name = "janssen",
                                    .title = "A silo at rest, and Janssen's law",
                                    .files = janssen_files,
                                    .seconds = 60,
                                    .quick_seconds = 4,
                                    .run = run_janssen};

}  // namespace abut
