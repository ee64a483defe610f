// W. A. Beverloo, H. A. Leniger and J. van de Velde, The flow of granular solids through orifices,
// Chemical Engineering Science 15 (1961) 260.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "core/thread_pool.hpp"
#include "report/verdicts.hpp"
#include "validation/discharge.hpp"
#include "validation/experiment.hpp"

namespace abut {
namespace {

constexpr double published_k = 1.4;

DischargeSetup beverloo_setup(bool quick) {
  if (quick)
    return {.diameter = 12,
            .count = 1600,
            .outlets = {5, 6, 7},
            .discharged_fraction = 0.45,
            .fills = 3};
  // Two and a half times as wide as the widest outlet, so that the cylinder is out of the way.
  return {.diameter = 24,
          .count = 10500,
          .outlets = {5, 6, 7, 8.3, 9.6},
          .discharged_fraction = 0.4,
          .fills = 2};
}

// The same silo filled higher.
DischargeSetup taller_setup(bool quick) {
  DischargeSetup plan = beverloo_setup(quick);
  plan.count = plan.count * 3 / 2;
  plan.outlets = {quick ? 7 : 8.3};
  plan.discharged_fraction *= 0.67;
  return plan;
}

// A silo and what flowed through its outlets.
struct Discharges {
  double height;
  double bulk_density;
  std::vector<Discharge> all;
};

struct Beverloo {
  double c;
  double k;
  double r_squared;
  double exponent;  // of D − 1.4 d

  [[nodiscard]] double rate(double outlet, double bulk_density) const {
    return c * bulk_density * std::pow(outlet - k, 2.5);
  }
};

Beverloo fit_beverloo(const Discharges& flows) {
  Points roots;
  Points rates;
  for (const Discharge& one : flows.all) {
    roots.push_back({one.outlet, std::pow(one.rate / flows.bulk_density, 0.4)});
    rates.push_back({one.outlet - published_k, one.rate});
  }
  const FittedLine line = fitted_line(roots);
  return {std::pow(line.slope, 2.5), -line.offset / line.slope, line.r_squared, exponent_of(rates)};
}

Figure rate_figure(const DischargeSetup& plan, const Discharges& flows, bool quick) {
  const Beverloo law = fit_beverloo(flows);
  ResultTable numbers({{"outlet", "outlet, d"},
                       {"rate", "W"},
                       {"root", "W^(2/5)"},
                       {"beverloo", "Beverloo, W"},
                       {"first_half", "W, first half"},
                       {"second_half", "W, second half"}});
  Points measured;
  Points curve;
  for (const Discharge& one : flows.all) {
    const double expected = law.rate(one.outlet, flows.bulk_density);
    numbers.add(
        {one.outlet, one.rate, std::pow(one.rate, 0.4), expected, one.first_half, one.second_half});
    measured.push_back({one.outlet, std::pow(one.rate, 0.4)});
  }
  for (const double outlet : {law.k, flows.all.back().outlet})
    curve.push_back({outlet, std::pow(law.rate(outlet, flows.bulk_density), 0.4)});
  return {
      .file = "beverloo",
      .title = "Beverloo: discharge through an outlet",
      .text = fmt::format(
          "A flat-bottomed cylinder of {} d, filled {:.0f} d high, µ = {}. Beverloo: "
          "W = C ρ_b √g (D − k d)^(5/2) for an outlet of D; C is about 0.58 and k about 1.4 "
          "for spheres. The friction is that of glass beads: C falls with it, to 0.545 where µ = "
          "0.3. ρ_b = {:.3f} ρ is the density of the bulk that was poured, at rest. Rates "
          "between 20 and 80 % of what flowed out, in ρ d³ √(g/d){}.",
          plan.diameter, flows.height, DischargeSetup::friction, flows.bulk_density,
          plan.fills > 1 ? fmt::format("; means of {} fills", plan.fills) : ""),
      .numbers = numbers,
      .plot = {.title = "Discharge against the diameter of the outlet",
               .x = {.title = "outlet D, d"},
               .y = {.title = "W^(2/5), W in ρ d³ √(g/d)"},
               .lines = {{"measured", measured},
                         {fmt::format("Beverloo, C = {:.2f}, k = {:.2f}", law.c, law.k), curve,
                          Plot::Style::curve}}},
      .findings = {{"W^(2/5) is a straight line over D",
                    fmt::format("it explains {:.5f} of the variance", law.r_squared),
                    within(law.r_squared, quick ? 0.97 : 0.998, 1)},
                   between("The power of D − 1.4 d that W grows with, 5/2,", law.exponent,
                           quick ? 2.1 : 2.3, quick ? 2.9 : 2.7),
                   between("C", law.c, quick ? 0.4 : 0.55, quick ? 0.8 : 0.65),
                   between("k", law.k, quick ? 0.5 : 1.2, 3)}};
}

Figure height_figure(const Discharges& low, const Discharges& high, bool quick) {
  ResultTable numbers({{"height", "filled, d"}, {"rate", "W"}, {"rate_over_density", "W/ρ_b"}});
  const auto same = std::find_if(low.all.begin(), low.all.end(), [&](const Discharge& one) {
    return one.outlet == high.all[0].outlet;
  });
  numbers.add({low.height, same->rate, same->rate / low.bulk_density});
  numbers.add({high.height, high.all[0].rate, high.all[0].rate / high.bulk_density});
  const double ratio = high.all[0].rate / same->rate;
  return {.file = "fill-height",
          .title = "Discharge does not depend on the fill",
          .text = fmt::format("The same silo and an outlet of {} d, filled half as high again: "
                              "the grains hang on the wall, and do not press like water.",
                              same->outlet),
          .numbers = numbers,
          .plot = {.title = "Discharge against the height of the fill",
                   .x = {.title = "height of the fill, d"},
                   .y = {.title = "W, ρ d³ √(g/d)"},
                   .lines = {{"measured",
                              {{low.height, same->rate}, {high.height, high.all[0].rate}}}}},
          .findings = {
              {"The rate does not depend on the height of the fill",
               fmt::format("{:.3f} times the rate where {:.2f} times as high; water would "
                           "flow {:.2f} times as fast",
                           ratio, high.height / low.height, std::sqrt(high.height / low.height)),
               within(ratio, quick ? 0.9 : 0.95, quick ? 1.1 : 1.05)}}};
}

// Mean of what several fills gave.
Discharges mean_of(const std::vector<Discharges>& fills) {
  Discharges mean = fills[0];
  const double share = 1 / static_cast<double>(fills.size());
  const auto average = [&](auto&& of) {
    double sum = 0;
    for (const Discharges& one : fills) sum += share * of(one);
    return sum;
  };
  mean.bulk_density = average([](const Discharges& one) { return one.bulk_density; });
  for (std::size_t i = 0; i < mean.all.size(); ++i) {
    mean.all[i].rate = average([&](const Discharges& one) { return one.all[i].rate; });
    mean.all[i].first_half = average([&](const Discharges& one) { return one.all[i].first_half; });
    mean.all[i].second_half =
        average([&](const Discharges& one) { return one.all[i].second_half; });
  }
  return mean;
}

// Fills all silos, then opens each outlet under the same grains: as many at a time as there are
// cores.
std::array<Discharges, 2> measure_discharges(const std::array<DischargeSetup, 2>& plans,
                                             const ProgressCallback& done) {
  SharedProgress work(done, plans[0].work() + plans[1].work());
  ThreadPool pool(0);
  struct Silo {
    const DischargeSetup* plan;
    std::size_t fill;
    FilledSilo filled;
  };
  std::vector<Silo> silos;
  for (const DischargeSetup& plan : plans)
    for (std::size_t fill = 0; fill < plan.fills; ++fill) silos.push_back({&plan, fill, {}});
  pool.run(silos.size(), [&](std::size_t k, unsigned) {
    silos[k].filled = fill_silo(*silos[k].plan, silos[k].fill, work);
  });
  std::array<std::vector<Discharges>, 2> found;
  std::vector<std::function<void()>> tasks;
  for (std::size_t k = 0; k < 2; ++k) found[k].resize(plans[k].fills);
  for (const Silo& silo : silos) {
    Discharges& flows = found[silo.plan == plans.data() ? 0 : 1][silo.fill];
    flows = {silo.filled.height, silo.filled.bulk_density, {}};
    flows.all.resize(silo.plan->outlets.size());
    for (std::size_t i = 0; i < flows.all.size(); ++i)
      tasks.emplace_back([&silo, &flows, &work, i] {
        flows.all[i] = open_outlet(*silo.plan, silo.plan->outlets[i], silo.filled, work);
      });
  }
  pool.run(tasks.size(), [&](std::size_t task, unsigned) { tasks[task](); });
  return {mean_of(found[0]), mean_of(found[1])};
}

std::vector<Figure> run_beverloo(bool quick, const ProgressCallback& done) {
  const std::array plans{beverloo_setup(quick), taller_setup(quick)};
  const std::array<Discharges, 2> found = measure_discharges(plans, done);
  return {rate_figure(plans[0], found[0], quick), height_figure(found[0], found[1], quick)};
}

constexpr std::array<std::string_view, 2> beverloo_files{"beverloo", "fill-height"};

}  // namespace

const Experiment beverloo_experiment{.name = "beverloo",
                                     .title = "Beverloo's law of discharge",
                                     .files = beverloo_files,
                                     .seconds = 300,
                                     .quick_seconds = 25,
                                     .run = run_beverloo};

}  // namespace abut
