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

void add_sphere(Simulation3& run, const Point<3>& centre, double radius, const Point<3>& velocity,
                const Point<3>& spin) {
  const std::array<double, 4> ball{centre[0], centre[1], centre[2], radius};
  const std::span all(ball);
  run.add({.spheres = {all.subspan(0, 1), all.subspan(1, 1), all.subspan(2, 1), all.subspan(3, 1)},
           .velocity = {velocity},
           .angular_velocity = {spin}});
}

double density_of(double mass, double radius) { return mass / sphere_volume<3>(radius); }

ImpactResult simulate_impact(Simulation3& run, std::size_t every) {
  const double began = run.time();
  ImpactResult seen;
  for (int looks = 0; looks < 1'000'000; ++looks) {
    run.advance(every);
    const auto contacts = run.contacts();
    if (contacts.empty()) break;
    seen.time = run.time() - began;
    seen.overlap = std::max(seen.overlap, contacts[0].overlap);
    seen.force = std::max(seen.force, length(contacts[0].force));
  }
  return seen;
}

namespace {

struct CheckGroup {
  std::string claim;
  std::vector<AnalyticCheck> checks;
};

Finding group_finding(const CheckGroup& group) {
  const auto worst = std::ranges::max_element(
      group.checks, {}, [](const AnalyticCheck& form) { return form.deviation() / form.allowed; });
  return {group.claim,
          fmt::format("{} numbers; nearest to what is allowed: {}, {:.4f} % off",
                      group.checks.size(), worst->name, 100 * worst->deviation()),
          within(worst->deviation(), 0, worst->allowed)};
}

Figure checks_figure(const std::vector<CheckGroup>& groups) {
  ResultTable numbers({{"number", "number"},
                       {"expected", "closed form"},
                       {"measured", "measured"},
                       {"deviation_per_cent", "deviation, %"},
                       {"allowed_per_cent", "allowed, %"}});
  Points off;
  Points allowed;
  for (const CheckGroup& group : groups)
    for (const AnalyticCheck& form : group.checks) {
      numbers.add(form.name,
                  {form.expected, form.measured, 100 * form.deviation(), 100 * form.allowed});
      off.push_back({static_cast<double>(off.size() + 1), 100 * form.deviation()});
      allowed.push_back({off.back()[0], 100 * form.allowed});
    }
  return {.file = "two-bodies",
          .title = "One or two bodies against closed forms",
          .text =
              "A spring and a dashpot that pulls or only pushes (Schwager and Pöschel 2007), "
              "benchmarks of Chung and Ooi (2011), and a ball on a floor.",
          .numbers = numbers,
          .plot = {.title = "Deviation of each number, in the order of the table",
                   .x = {.title = "row of the table"},
                   .y = {.title = "deviation, %"},
                   .lines = {{"measured", off, Plot::Style::bars},
                             {"allowed", allowed, Plot::Style::expected_bars}}},
          .findings = map_to_vector(groups, group_finding)};
}

Figure oblique_figure(const std::vector<ObliqueImpact>& impacts) {
  ResultTable numbers({{"degrees", "angle, °"},
                       {"sideways", "sideways"},
                       {"expected_sideways", "closed form"},
                       {"surface", "surface"},
                       {"expected_surface", "closed form"}});
  std::array<Points, 4> lines;
  double worst = 0;
  for (const ObliqueImpact& one : impacts) {
    numbers.add(
        {one.degrees, one.tangential, one.expected_tangential, one.surface, one.expected_surface});
    lines[0].push_back({one.degrees, one.tangential});
    lines[2].push_back({one.degrees, one.surface});
    if (!one.slides) continue;
    lines[1].push_back({one.degrees, one.expected_tangential});
    lines[3].push_back({one.degrees, one.expected_surface});
    worst = std::max({worst, std::abs(one.tangential - one.expected_tangential),
                      std::abs(one.surface - one.expected_surface)});
  }
  return {.file = "oblique",
          .title = "Oblique impact on a plane",
          .text =
              "Benchmark 4 of Chung and Ooi (2011): e = 0.98, µ = 0.092. After the impact, "
              "over the speed before: the velocity along the plane, and that of the surface, "
              "radius times spin. The closed forms hold where it slides throughout.",
          .numbers = numbers,
          .plot = {.title = "Oblique impact of a ball on a plane",
                   .x = {.title = "angle from the normal, °"},
                   .y = {.title = "velocity after over speed before"},
                   .lines = {{"along the plane", lines[0]},
                             {"closed form where it slides", lines[1], Plot::Style::curve},
                             {"surface", lines[2]},
                             {"the same of the surface", lines[3], Plot::Style::curve}}},
          .findings = {
              {"Where it slides, speed and spin after an oblique impact follow from µ and e",
               fmt::format("at most {:.4f} of the speed off, at {} angles", worst, lines[1].size()),
               within(worst, 0, 0.003)}}};
}

std::vector<Figure> run_two_bodies(bool /*quick*/, const ProgressCallback& done) {
  const auto reached = [&](double part, auto value) {
    if (done) done(part);
    return value;
  };
  std::vector<CheckGroup> groups;
  groups.push_back(reached(
      0.1, CheckGroup{"A spring and a dashpot act as their equation says", spring_checks()}));
  groups.push_back(reached(
      0.5,
      CheckGroup{"Elastic spheres act as Hertz says: benchmarks 1, 2, 3 and 7 of Chung and Ooi",
                 hertz_checks()}));
  groups.push_back(reached(
      0.6, CheckGroup{"A ball bounces, slips and rolls on a floor as it must", floor_checks()}));
  return {checks_figure(groups), oblique_figure(oblique_impacts())};
}

constexpr std::array<std::string_view, 2> two_bodies_files{"two-bodies", "oblique"};

}  // namespace

const Experiment two_bodies_experiment{.name = "two-bodies",
                                       .title = "One or two bodies against closed forms",
                                       .files = two_bodies_files,
                                       .seconds = 1,
                                       .quick_seconds = 1,
                                       .run = run_two_bodies};

}  // namespace abut
