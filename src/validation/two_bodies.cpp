#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/vec.hpp"
#include "report/figure.hpp"
#include "report/verdicts.hpp"
#include "validation/analytic.hpp"
#include "validation/experiment.hpp"

namespace abut {

double AnalyticCheck::deviation() const { return std::abs(measured / expected - 1); }

void add_sphere(Simulation3& simulation, const Point<3>& center, double radius,
                const Point<3>& velocity, const Point<3>& angular_velocity) {
  const std::array<double, 4> sphere{center[0], center[1], center[2], radius};
  const std::span all(sphere);
  simulation.add(
      {.spheres = {all.subspan(0, 1), all.subspan(1, 1), all.subspan(2, 1), all.subspan(3, 1)},
       .velocity = {velocity},
       .angular_velocity = {angular_velocity}});
}

double density_of(double mass, double radius) { return mass / sphere_volume<3>(radius); }

ImpactResult simulate_impact(Simulation3& simulation, std::size_t sample_steps) {
  constexpr int max_samples = 1'000'000;
  const double start = simulation.time();
  ImpactResult impact;
  for (int sample = 0; sample < max_samples; ++sample) {
    simulation.advance(sample_steps);
    const auto contacts = simulation.contacts();
    if (contacts.empty()) break;
    impact.time = simulation.time() - start;
    impact.overlap = std::max(impact.overlap, contacts[0].overlap);
    impact.force = std::max(impact.force, length(contacts[0].force));
  }
  return impact;
}

namespace {

struct CheckGroup {
  std::string claim;
  std::vector<AnalyticCheck> checks;
};

Finding group_finding(const CheckGroup& group) {
  const auto worst = std::ranges::max_element(group.checks, {}, [](const AnalyticCheck& check) {
    return check.deviation() / check.tolerance;
  });
  return {group.claim,
          fmt::format("{} quantities; closest to its tolerance: {}, deviation {:.4f} %",
                      group.checks.size(), worst->name, 100 * worst->deviation()),
          within(worst->deviation(), 0, worst->tolerance)};
}

Figure checks_figure(const std::vector<CheckGroup>& groups) {
  ResultTable numbers({{"quantity", "quantity"},
                       {"expected", "analytical"},
                       {"measured", "measured"},
                       {"deviation_percent", "deviation (%)"},
                       {"tolerance_percent", "tolerance (%)"}});
  Points deviations;
  Points tolerances;
  for (const CheckGroup& group : groups)
    for (const AnalyticCheck& check : group.checks) {
      numbers.add(check.name,
                  {check.expected, check.measured, 100 * check.deviation(), 100 * check.tolerance});
      const auto row = static_cast<double>(deviations.size() + 1);
      deviations.push_back({row, 100 * check.deviation()});
      tolerances.push_back({row, 100 * check.tolerance});
    }
  return {.file = "two-bodies",
          .title = "Analytical two-body tests",
          .text =
              "Linear spring-dashpot contacts with full and with limited damping (Schwager and "
              "Pöschel 2007), benchmarks of Chung and Ooi (2011), and a sphere on a floor.",
          .numbers = numbers,
          .plot = {.title = "Deviation from the analytical solution",
                   .x = {.title = "table row"},
                   .y = {.title = "deviation (%)"},
                   .lines = {{"measured", deviations, Plot::Style::bars},
                             {"tolerance", tolerances, Plot::Style::expected_bars}}},
          .findings = map_to_vector(groups, group_finding)};
}

Figure oblique_figure(const std::vector<ObliqueImpact>& impacts) {
  ResultTable numbers({{"degrees", "angle (°)"},
                       {"tangential", "tangential velocity"},
                       {"expected_tangential", "tangential velocity, analytical"},
                       {"surface", "surface velocity"},
                       {"expected_surface", "surface velocity, analytical"}});
  std::array<Points, 4> lines;
  double max_deviation = 0;
  for (const ObliqueImpact& impact : impacts) {
    numbers.add({impact.degrees, impact.tangential, impact.expected_tangential, impact.surface,
                 impact.expected_surface});
    lines[0].push_back({impact.degrees, impact.tangential});
    lines[2].push_back({impact.degrees, impact.surface});
    if (!impact.slides) continue;
    lines[1].push_back({impact.degrees, impact.expected_tangential});
    lines[3].push_back({impact.degrees, impact.expected_surface});
    max_deviation =
        std::max({max_deviation, std::abs(impact.tangential - impact.expected_tangential),
                  std::abs(impact.surface - impact.expected_surface)});
  }
  return {.file = "oblique",
          .title = "Oblique impact on a plane",
          .text =
              "Benchmark 4 of Chung and Ooi (2011): e = 0.98, µ = 0.092. Velocities after the "
              "impact divided by the speed before it: the tangential velocity of the center, and "
              "the surface velocity (radius × angular velocity). The analytical solution assumes "
              "that the contact slides throughout.",
          .numbers = numbers,
          .plot = {.title = "Oblique impact of a sphere on a plane",
                   .x = {.title = "angle from the normal (°)"},
                   .y = {.title = "velocity after / speed before"},
                   .lines = {{"tangential velocity", lines[0]},
                             {"analytical (sliding)", lines[1], Plot::Style::curve},
                             {"surface velocity", lines[2]},
                             {"analytical, surface (sliding)", lines[3], Plot::Style::curve}}},
          .findings = {{"In sliding impacts, velocity and angular velocity follow from µ and e",
                        fmt::format("maximum deviation {:.4f} of the impact speed, at {} angles",
                                    max_deviation, lines[1].size()),
                        within(max_deviation, 0, 0.003)}}};
}

std::vector<Figure> run_two_bodies(bool /*quick*/, const ProgressCallback& progress) {
  const auto report = [&](double fraction, auto value) {
    if (progress) progress(fraction);
    return value;
  };
  std::vector<CheckGroup> groups;
  groups.push_back(report(
      0.1, CheckGroup{"Spring-dashpot contacts match the analytical solution", spring_checks()}));
  groups.push_back(report(
      0.5, CheckGroup{"Impacts match Hertz theory: benchmarks 1, 2, 3 and 7 of Chung and Ooi",
                      hertz_checks()}));
  groups.push_back(report(
      0.6, CheckGroup{"Bouncing, sliding and rolling on a floor match the analytical solution",
                      floor_checks()}));
  return {checks_figure(groups), oblique_figure(oblique_impacts())};
}

constexpr std::array<std::string_view, 2> two_bodies_files{"two-bodies", "oblique"};

}  // namespace

const Experiment two_bodies_experiment{.name = "two-bodies",
                                       .title = "Analytical two-body tests",
                                       .files = two_bodies_files,
                                       .seconds = 1,
                                       .quick_seconds = 1,
                                       .run = run_two_bodies};

}  // namespace abut
