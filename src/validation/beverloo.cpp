// W. A. Beverloo, H. A. Leniger and J. van de Velde, The flow of granular solids through orifices,
// Chemical Engineering Science 15 (1961) 260.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "core/machine.hpp"
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
  // 2.5 times as wide as the widest outlet, so that the wall does not affect the discharge.
  return {.diameter = 24,
          .count = 10500,
          .outlets = {5, 6, 7, 8.3, 9.6},
          .discharged_fraction = 0.4,
          .fills = 2};
}

// The same silo filled 1.5 times as high.
DischargeSetup taller_setup(bool quick) {
  DischargeSetup setup = beverloo_setup(quick);
  setup.count = setup.count * 3 / 2;
  setup.outlets = {quick ? 7 : 8.3};
  setup.discharged_fraction *= 0.67;
  return setup;
}

// A silo and the discharges through its outlets.
struct Discharges {
  double height;
  double bulk_density;
  std::vector<Discharge> all;
};

// Fit of W = C ρ_b √g (D − k d)^(5/2).
struct BeverlooFit {
  double c;
  double k;
  double r_squared;
  double exponent;  // of D − 1.4 d, fitted separately

  [[nodiscard]] double rate(double outlet, double bulk_density) const {
    return c * bulk_density * std::pow(outlet - k, 2.5);
  }
};

BeverlooFit fit_beverloo(const Discharges& discharges) {
  Points roots;
  Points rates;
  for (const Discharge& discharge : discharges.all) {
    roots.push_back({discharge.outlet, std::pow(discharge.rate / discharges.bulk_density, 0.4)});
    rates.push_back({discharge.outlet - published_k, discharge.rate});
  }
  const FittedLine line = fitted_line(roots);
  return {std::pow(line.slope, 2.5), -line.offset / line.slope, line.r_squared, exponent_of(rates)};
}

Figure rate_figure(const DischargeSetup& setup, const Discharges& discharges, bool quick) {
  const BeverlooFit fit = fit_beverloo(discharges);
  ResultTable numbers({{"outlet", "outlet D (d)"},
                       {"rate", "W"},
                       {"root", "W^(2/5)"},
                       {"beverloo", "W, Beverloo"},
                       {"first_half", "W, first half"},
                       {"second_half", "W, second half"}});
  Points measured;
  Points curve;
  for (const Discharge& discharge : discharges.all) {
    const double expected = fit.rate(discharge.outlet, discharges.bulk_density);
    numbers.add({discharge.outlet, discharge.rate, std::pow(discharge.rate, 0.4), expected,
                 discharge.first_half, discharge.second_half});
    measured.push_back({discharge.outlet, std::pow(discharge.rate, 0.4)});
  }
  for (const double outlet : {fit.k, discharges.all.back().outlet})
    curve.push_back({outlet, std::pow(fit.rate(outlet, discharges.bulk_density), 0.4)});
  return {.file = "beverloo",
          .title = "Beverloo: discharge through an outlet",
          .text = fmt::format(
              "A flat-bottomed cylinder of diameter {} d, filled to a height of {:.0f} d, µ = {}. "
              "Beverloo: W = C ρ_b √g (D − k d)^(5/2) for an outlet of diameter D, with C ≈ 0.58 "
              "and k ≈ 1.4 for spheres. This µ is typical of glass beads; C decreases with "
              "friction, to "
              "0.545 for µ = 0.3. ρ_b = {:.3f} ρ is the bulk density of the fill at rest. Rates "
              "are evaluated between 20 and 80 % of the discharged mass, in ρd³√(g/d){}.",
              setup.diameter, discharges.height, DischargeSetup::friction, discharges.bulk_density,
              setup.fills > 1 ? fmt::format("; means of {} fills", setup.fills) : ""),
          .numbers = numbers,
          .plot = {.title = "Discharge rate versus outlet diameter",
                   .x = {.title = "outlet diameter D (d)"},
                   .y = {.title = "W^(2/5), W in ρd³√(g/d)"},
                   .lines = {{"measured", measured},
                             {fmt::format("Beverloo, C = {:.2f}, k = {:.2f}", fit.c, fit.k), curve,
                              Plot::Style::curve}}},
          .findings = {{"W^(2/5) is linear in D", fmt::format("R² = {:.5f}", fit.r_squared),
                        within(fit.r_squared, quick ? 0.97 : 0.998, 1)},
                       between("The exponent of D − 1.4 d (theory: 5/2)", fit.exponent,
                               quick ? 2.1 : 2.3, quick ? 2.9 : 2.7),
                       between("C", fit.c, quick ? 0.4 : 0.55, quick ? 0.8 : 0.65),
                       between("k", fit.k, quick ? 0.5 : 1.2, 3)}};
}

Figure height_figure(const Discharges& low, const Discharges& high, bool quick) {
  ResultTable numbers(
      {{"height", "fill height (d)"}, {"rate", "W"}, {"rate_over_density", "W/ρ_b"}});
  const auto same = std::find_if(low.all.begin(), low.all.end(), [&](const Discharge& discharge) {
    return discharge.outlet == high.all[0].outlet;
  });
  numbers.add({low.height, same->rate, same->rate / low.bulk_density});
  numbers.add({high.height, high.all[0].rate, high.all[0].rate / high.bulk_density});
  const double ratio = high.all[0].rate / same->rate;
  return {.file = "fill-height",
          .title = "Discharge rate is independent of the fill height",
          .text = fmt::format("The same silo with an outlet of {} d, filled 1.5 times as high: the "
                              "wall carries the additional weight, so the pressure at the outlet "
                              "does not grow with the height as it does in a liquid.",
                              same->outlet),
          .numbers = numbers,
          .plot = {.title = "Discharge rate versus fill height",
                   .x = {.title = "fill height (d)"},
                   .y = {.title = "W (ρd³√(g/d))"},
                   .lines = {{"measured",
                              {{low.height, same->rate}, {high.height, high.all[0].rate}}}}},
          .findings = {
              {"The discharge rate does not depend on the fill height",
               fmt::format("{:.3f} times the rate for {:.2f} times the height; water would flow "
                           "{:.2f} times as fast",
                           ratio, high.height / low.height, std::sqrt(high.height / low.height)),
               within(ratio, quick ? 0.9 : 0.95, quick ? 1.1 : 1.05)}}};
}

// Mean over all fills.
Discharges mean_of(const std::vector<Discharges>& fills) {
  Discharges mean = fills[0];
  const double weight = 1 / static_cast<double>(fills.size());
  const auto average = [&](auto&& value_of) {
    double sum = 0;
    for (const Discharges& fill : fills) sum += weight * value_of(fill);
    return sum;
  };
  mean.bulk_density = average([](const Discharges& fill) { return fill.bulk_density; });
  for (std::size_t i = 0; i < mean.all.size(); ++i) {
    mean.all[i].rate = average([&](const Discharges& fill) { return fill.all[i].rate; });
    mean.all[i].first_half =
        average([&](const Discharges& fill) { return fill.all[i].first_half; });
    mean.all[i].second_half =
        average([&](const Discharges& fill) { return fill.all[i].second_half; });
  }
  return mean;
}

// Fills all silos, then opens each outlet from the same filled state. Simulations run in parallel,
// one per core.
std::array<Discharges, 2> measure_discharges(const std::array<DischargeSetup, 2>& setups,
                                             const ProgressCallback& callback) {
  SharedProgress progress(callback, setups[0].work() + setups[1].work());
  ThreadPool pool(0);
  struct Silo {
    const DischargeSetup* setup;
    std::size_t fill;
    FilledSilo filled;
  };
  std::vector<Silo> silos;
  for (const DischargeSetup& setup : setups)
    for (std::size_t fill = 0; fill < setup.fills; ++fill) silos.push_back({&setup, fill, {}});
  pool.run(silos.size(), [&](std::size_t k, unsigned) {
    silos[k].filled = fill_silo(*silos[k].setup, silos[k].fill, progress);
  });
  std::array<std::vector<Discharges>, 2> results;
  std::vector<std::function<void()>> tasks;
  for (std::size_t k = 0; k < 2; ++k) results[k].resize(setups[k].fills);
  for (const Silo& silo : silos) {
    Discharges& discharges = results[silo.setup == setups.data() ? 0 : 1][silo.fill];
    discharges = {silo.filled.height, silo.filled.bulk_density, {}};
    discharges.all.resize(silo.setup->outlets.size());
    for (std::size_t i = 0; i < discharges.all.size(); ++i)
      tasks.emplace_back([&silo, &discharges, &progress, i] {
        discharges.all[i] = open_outlet(*silo.setup, silo.setup->outlets[i], silo.filled, progress);
      });
  }
  pool.run(tasks.size(), [&](std::size_t task, unsigned) { tasks[task](); });
  return {mean_of(results[0]), mean_of(results[1])};
}

std::vector<Figure> run_beverloo(bool quick, const ProgressCallback& progress) {
  const std::array setups{beverloo_setup(quick), taller_setup(quick)};
  const std::array<Discharges, 2> discharges = measure_discharges(setups, progress);
  return {rate_figure(setups[0], discharges[0], quick),
          height_figure(discharges[0], discharges[1], quick)};
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
