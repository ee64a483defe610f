#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "papers/collect.hpp"
#include "papers/judge.hpp"
#include "validation/closed_forms.hpp"
#include "validation/experiment.hpp"

namespace abut {
namespace {

struct FormGroup {
  std::string claim;
  std::vector<ClosedForm> forms;
};

Finding group_finding(const FormGroup& group) {
  const auto worst = std::ranges::max_element(
      group.forms, {}, [](const ClosedForm& form) { return form.deviation() / form.allowed; });
  return {group.claim,
          fmt::format("{} numbers; nearest to what is allowed: {}, {:.4f} % off",
                      group.forms.size(), worst->name, 100 * worst->deviation()),
          within(worst->deviation(), 0, worst->allowed)};
}

Figure forms_figure(const std::vector<FormGroup>& groups) {
  Sheet numbers({{"number", "number"},
                 {"expected", "closed form"},
                 {"measured", "measured"},
                 {"deviation_per_cent", "deviation, %"},
                 {"allowed_per_cent", "allowed, %"}});
  Points off;
  Points allowed;
  for (const FormGroup& group : groups)
    for (const ClosedForm& form : group.forms) {
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
          .findings = collect(groups, group_finding)};
}

Figure oblique_figure(const std::vector<ObliqueImpact>& impacts) {
  Sheet numbers({{"degrees", "angle, °"},
                 {"sideways", "sideways"},
                 {"expected_sideways", "closed form"},
                 {"surface", "surface"},
                 {"expected_surface", "closed form"}});
  std::array<Points, 4> lines;
  double worst = 0;
  for (const ObliqueImpact& one : impacts) {
    numbers.add(
        {one.degrees, one.sideways, one.expected_sideways, one.surface, one.expected_surface});
    lines[0].push_back({one.degrees, one.sideways});
    lines[2].push_back({one.degrees, one.surface});
    if (!one.slides) continue;
    lines[1].push_back({one.degrees, one.expected_sideways});
    lines[3].push_back({one.degrees, one.expected_surface});
    worst = std::max({worst, std::abs(one.sideways - one.expected_sideways),
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

std::vector<Figure> run_two_bodies(bool /*quick*/, const WorkDone& done) {
  const auto reached = [&](double part, auto value) {
    if (done) done(part);
    return value;
  };
  std::vector<FormGroup> groups;
  groups.push_back(
      reached(0.1, FormGroup{"A spring and a dashpot act as their equation says", spring_forms()}));
  groups.push_back(reached(
      0.5, FormGroup{"Elastic spheres act as Hertz says: benchmarks 1, 2, 3 and 7 of Chung and Ooi",
                     hertz_forms()}));
  groups.push_back(reached(
      0.6, FormGroup{"A ball bounces, slips and rolls on a floor as it must", floor_forms()}));
  return {forms_figure(groups), oblique_figure(oblique_impacts())};
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
