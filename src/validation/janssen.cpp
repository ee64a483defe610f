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

// The wall is smoother than the grains, as Janssen assumes. At a rough wall (µ = 0.3) the principal
// stresses rotate, K decreases with depth, and the floor load deviates from Janssen's by 5 %.
JanssenSetup janssen_setup(bool quick) {
  JanssenSetup setup{.diameter = 12,
                     .law = {.friction = 0.8, .wall_friction = 0.2, .rolling_friction = 0.3},
                     .fills = {0.5, 1, 2, 3, 4.5},
                     .speed = 0.004,
                     .settling_time = 25,
                     .measured_time = 20,
                     .resting_time = 15};
  if (!quick) return setup;
  setup.diameter = 8;
  setup.fills = {0.75, 1.5, 3};
  setup.settling_time = 15;
  setup.measured_time = 10;
  setup.resting_time = 10;
  return setup;
}

// ----- At rest ----------------------------------------------------------------------------------

// Tolerance of the missing fraction, 1 − load/weight. Residual motion makes the loads differ from
// the weight: a column oscillates with its lowest natural frequency, ω = π/2 √(k/m) d/H.
double missing_tolerance(const SiloColumn& column, const JanssenSetup& setup) {
  const double height = column.weight / (column.solid_fraction * setup.base());
  const double frequency =
      std::numbers::pi / 2 * std::sqrt(setup.law.stiffness / sphere_volume<3>(0.5)) / height;
  return 1e-4 + frequency * std::sqrt(2 * column.kinetic_at_rest / column.weight);
}

Figure at_rest_figure(const std::vector<SiloColumn>& columns, const JanssenSetup& setup) {
  ResultTable numbers({{"weight", "weight"},
                       {"floor", "floor load"},
                       {"cylinder", "cylinder load"},
                       {"missing", "missing fraction"},
                       {"kinetic", "kinetic energy / (weight × d)"}});
  std::array<Points, 3> lines;
  double max_missing = 0;
  double max_tolerance_ratio = 0;  // missing fraction / tolerance
  double max_kinetic = 0;
  for (const SiloColumn& column : columns) {
    const double missing = 1 - (column.floor_at_rest + column.cylinder_at_rest) / column.weight;
    const double kinetic = column.kinetic_at_rest / column.weight;
    numbers.add({column.weight, column.floor_at_rest, column.cylinder_at_rest, missing, kinetic});
    lines[0].push_back({column.weight, column.floor_at_rest});
    lines[1].push_back({column.weight, column.cylinder_at_rest});
    lines[2].push_back({column.weight, column.floor_at_rest + column.cylinder_at_rest});
    max_missing = std::max(max_missing, std::abs(missing));
    max_tolerance_ratio =
        std::max(max_tolerance_ratio, std::abs(missing) / missing_tolerance(column, setup));
    max_kinetic = std::max(max_kinetic, kinetic);
  }
  return {
      .file = "at-rest",
      .title = "Silo at rest",
      .text = "Grains poured into a cylinder, at rest. Forces in ρgd³.",
      .numbers = numbers,
      .plot = {.title = "Loads on floor and cylinder",
               .x = {.title = "weight of the grains (ρgd³)"},
               .y = {.title = "force (ρgd³)"},
               .lines = {{"floor", lines[0]}, {"cylinder", lines[1]}, {"sum", lines[2]}}},
      .findings = {
          {"Floor and cylinder carry the weight",
           fmt::format("at most {:.5f} of the weight missing; kinetic energy {:.1e} of weight × d",
                       max_missing, max_kinetic),
           worse_of(within(max_missing, 0, 0.001), within(max_tolerance_ratio, 0, 1))}}};
}

// ----- Janssen ----------------------------------------------------------------------------------

// Floor load M(1 − e^(−W/M)), where M is the maximum load.
double janssen_load(double max_load, double weight) {
  return max_load * (1 - std::exp(-weight / max_load));
}

// The maximum load M that fits the floor loads of all fills best (least squares).
double fitted_max_load(const Points& loads) {
  const double heaviest = loads.back()[0];
  return minimize(heaviest / 50, heaviest * 20, [&](double max_load) {
    double sum = 0;
    for (const auto& [weight, load] : loads)
      sum += std::pow(load - janssen_load(max_load, weight), 2);
    return sum;
  });
}

// K from the maximum load M = ρ_b g π D³/(16 µ K).
double stress_ratio_of(double max_load, double bulk_density, const JanssenSetup& setup) {
  return bulk_density * setup.base() * setup.diameter / (4 * setup.law.wall_friction * max_load);
}

struct SiloStress {
  Points vertical;   // (depth, vertical stress)
  Points radial;     // (depth, radial stress)
  double ratio;      // radial / vertical stress, away from both ends
  double mobilized;  // wall friction / (µ × normal force)
};

SiloStress stress_in(const SiloColumn& column, const JanssenSetup& setup) {
  SiloStress stress{};
  const double thickness = column.slices[1].height - column.slices[0].height;
  double filled = 0;  // height of the fill
  for (const SiloSlice& slice : column.slices)
    if (slice.weight > 0.3 * column.solid_fraction * setup.base() * thickness)
      filled = slice.height + thickness / 2;
  double load = 0;  // vertical force below the slices visited so far, from the top
  double radial = 0;
  double vertical = 0;
  double support = 0;
  for (std::size_t k = column.slices.size(); k-- > 0;) {
    const SiloSlice& slice = column.slices[k];
    const double load_at_center = load + (slice.weight - slice.support) / 2;
    load += slice.weight - slice.support;
    const double depth = filled - slice.height;
    if (depth < 0) continue;
    const double radial_stress = slice.normal / (4 * setup.base() / setup.diameter * thickness);
    stress.vertical.push_back({depth, load_at_center / setup.base()});
    stress.radial.push_back({depth, radial_stress});
    if (depth < setup.diameter / 2 || slice.height < setup.diameter / 2) continue;
    radial += radial_stress;
    vertical += load_at_center / setup.base();
    support += slice.support / (4 * setup.base() / setup.diameter * thickness);
  }
  stress.ratio = radial / vertical;
  stress.mobilized = support / (setup.law.wall_friction * radial);
  return stress;
}

// Maximum deviation from Janssen's load, as a fraction of the largest load.
double max_deviation(const Points& loads, double max_load) {
  double deviation = 0;
  double largest = 0;
  for (const auto& [weight, load] : loads) {
    deviation = std::max(deviation, std::abs(load - janssen_load(max_load, weight)));
    largest = std::max(largest, load);
  }
  return deviation / largest;
}

Figure load_figure(const std::vector<SiloColumn>& columns, const JanssenSetup& setup, bool quick) {
  ResultTable numbers({{"weight", "weight"},
                       {"floor", "floor load"},
                       {"janssen", "Janssen"},
                       {"solid_fraction", "solid fraction"}});
  Points loads;
  for (const SiloColumn& column : columns) loads.push_back({column.weight, column.floor});
  const double max_load = fitted_max_load(loads);
  const double ratio = stress_ratio_of(max_load, columns.back().solid_fraction, setup);
  Points curve;
  for (int k = 0; k <= 40; ++k) {
    const double weight = columns.back().weight * k / 40;
    curve.push_back({weight, janssen_load(max_load, weight)});
  }
  for (const SiloColumn& column : columns)
    numbers.add({column.weight, column.floor, janssen_load(max_load, column.weight),
                 column.solid_fraction});
  const double deviation = max_deviation(loads, max_load);
  const double carried = loads.back()[1] / loads.back()[0];
  return {
      .file = "janssen",
      .title = "Janssen: load on the floor of a silo",
      .text = fmt::format(
          "Grains with µ = {} and rolling friction {}, like seeds, in a cylinder of diameter {} d "
          "with µ = {} that moves up slowly; with a wall as rough as the grains, K would decrease "
          "with depth. Janssen: the floor load is M(1 − e^(−W/M)), where W is the weight of the "
          "grains and M = ρ_b g π D³/(16 µ K).",
          setup.law.friction, setup.law.rolling_friction, setup.diameter, setup.law.wall_friction),
      .numbers = numbers,
      .plot = {.title = "Floor load versus weight of the grains",
               .x = {.title = "weight of the grains (ρgd³)"},
               .y = {.title = "floor load (ρgd³)"},
               .lines = {{"measured", loads},
                         {fmt::format("Janssen, K = {:.2f}", ratio), curve, Plot::Style::curve}}},
      .findings = {{"The floor load saturates as predicted by Janssen",
                    fmt::format("maximum deviation {:.3f} of the largest load, for {} fills",
                                deviation, loads.size()),
                    within(deviation, 0, quick ? 0.1 : 0.05)},
                   {"The wall carries at least 40 % of a tall fill",
                    fmt::format("the floor carries {:.2f} of the weight of the tallest", carried),
                    within(carried, 0, 0.6)},
                   between("K of the best fit", ratio, quick ? 0.25 : 0.3, quick ? 0.7 : 0.6)}};
}

Figure stress_figure(const std::vector<SiloColumn>& columns, const JanssenSetup& setup,
                     bool quick) {
  const SiloColumn& tallest = columns.back();
  const SiloStress stress = stress_in(tallest, setup);
  const double bulk_density = tallest.solid_fraction;
  // Vertical stress λ ρ_b g (1 − e^(−depth/λ)) with λ = D/(4 µ K).
  const auto janssen_stress = [&](double ratio, double depth) {
    const double decay_length = setup.diameter / (4 * setup.law.wall_friction * ratio);
    return bulk_density * decay_length * (1 - std::exp(-depth / decay_length));
  };
  const double fitted = minimize(0.05, 3, [&](double ratio) {
    double sum = 0;
    for (const auto& [depth, value] : stress.vertical)
      sum += std::pow(value - janssen_stress(ratio, depth), 2);
    return sum;
  });
  const double effective = stress.ratio * stress.mobilized;
  ResultTable numbers({{"depth", "depth (d)"},
                       {"vertical", "vertical stress"},
                       {"radial", "radial stress"},
                       {"janssen", "vertical stress, Janssen"}});
  Points curve;
  for (std::size_t k = 0; k < stress.vertical.size(); ++k) {
    const double depth = stress.vertical[k][0];
    curve.push_back({depth, janssen_stress(fitted, depth)});
    numbers.add({depth, stress.vertical[k][1], stress.radial[k][1], curve.back()[1]});
  }
  return {
      .file = "janssen-stress",
      .title = "Janssen: stress in the tallest fill",
      .text =
          "The vertical stress follows from the weight and the wall friction above, the radial "
          "stress from the normal force on the wall. Stresses in ρgd.",
      .numbers = numbers,
      .plot = {.title = "Stress versus depth",
               .x = {.title = "depth (d)"},
               .y = {.title = "stress (ρgd)"},
               .lines = {{"vertical", stress.vertical},
                         {"radial", stress.radial},
                         {fmt::format("Janssen, K = {:.2f}", fitted), curve, Plot::Style::curve}}},
      .findings = {{"Radial stress and mobilized wall friction give the K of the profile",
                    fmt::format("{:.3f} (radial / vertical stress) × {:.3f} (mobilized friction / "
                                "µ) = {:.3f}; fit of the profile: {:.3f}",
                                stress.ratio, stress.mobilized, effective, fitted),
                    within(effective / fitted, quick ? 0.75 : 0.85, quick ? 1.35 : 1.15)},
                   {"Wall friction does not exceed µ × normal force",
                    fmt::format("{:.3f} of µ × normal force is mobilized", stress.mobilized),
                    within(stress.mobilized, 0, 1)}}};
}

std::vector<Figure> run_janssen(bool quick, const ProgressCallback& progress) {
  const JanssenSetup setup = janssen_setup(quick);
  const std::vector<SiloColumn> columns = janssen_columns(setup, progress);
  return {at_rest_figure(columns, setup), load_figure(columns, setup, quick),
          stress_figure(columns, setup, quick)};
}

constexpr std::array<std::string_view, 3> janssen_files{"at-rest", "janssen", "janssen-stress"};

}  // namespace

const Experiment janssen_experiment{.name = "janssen",
                                    .title = "Silo at rest and Janssen's law",
                                    .files = janssen_files,
                                    .seconds = 60,
                                    .quick_seconds = 4,
                                    .run = run_janssen};

}  // namespace abut
