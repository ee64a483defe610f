// L. E. Silbert, Jamming of frictional spheres and random loose packing, Soft Matter 6 (2010) 2918;
// C. S. O'Hern et al., Physical Review E 68 (2003) 011306.
#include <fmt/core.h>

#include <abut/insertion.hpp>
#include <array>
#include <cmath>

#include "core/machine.hpp"
#include "core/vec.hpp"
#include "report/verdicts.hpp"
#include "validation/experiment.hpp"
#include "validation/granular_model.hpp"

namespace abut {
namespace {

// Grains that settle in a box with periodic sides. Reduced units as in `GranularContact`.
struct PackingSetup {
  std::string name;
  std::size_t dimension;
  std::size_t count;
  double width;
  double friction;
  double min_radius, max_radius;
  double solid_fraction;  // as published; 0 if not checked
  double fraction_tolerance;
  double coordination_number;  // as published
  double coordination_tolerance;
};

struct PackingResult {
  double solid_fraction;
  ContactStatistics contacts;
  double kinetic;  // kinetic energy / (weight × d)
};

// So stiff that overlaps create few additional contacts: their number grows with the square root of
// the overlap.
double packing_stiffness(bool quick) { return quick ? 4e4 : 1e5; }
constexpr double excluded_height = 4;  // at the floor, which orders the grains, and at the surface

double packing_time(bool quick) { return quick ? 30 : 60; }

template <std::size_t D>
double packing_base(const PackingSetup& setup) {
  return D == 2 ? setup.width : setup.width * setup.width;
}

// Approximate height of the packing.
template <std::size_t D>
double packed_height(const PackingSetup& setup) {
  const double density = D == 2 ? 0.84 : 0.64 - 0.15 * setup.friction;
  return static_cast<double>(setup.count) *
         sphere_volume<D>((setup.min_radius + setup.max_radius) / 2) /
         (density * packing_base<D>(setup));
}

template <std::size_t D>
Simulation<D> loose_start(const PackingSetup& setup, bool quick) {
  Model<D> model = granular_model<D>({.stiffness = packing_stiffness(quick),
                                      .restitution = 0.3,
                                      .friction = setup.friction,
                                      .wall_friction = setup.friction},
                                     setup.min_radius);
  const double top = 2.2 * packed_height<D>(setup) + 2;
  Box<D> domain{};
  domain.max.fill(setup.width);
  Box<D> region = domain;
  region.max[D - 1] = top;
  domain.min[D - 1] = -5;
  domain.max[D - 1] = 2 * top;
  model.domain = domain;
  model.periodic.fill(true);
  model.periodic[D - 1] = false;
  Simulation<D> simulation{model};
  Plane<D> floor{};
  floor.normal[D - 1] = 1;
  simulation.add(Wall<D>{"floor", floor, wall_material});
  const auto grains =
      insert_particles<D>({.count = setup.count,
                           .region = region,
                           .sizes = uniform_by_number(setup.min_radius, setup.max_radius),
                           .domain = domain,
                           .periodic = model.periodic});
  simulation.add({.spheres = grains.view()});
  return simulation;
}

template <std::size_t D>
PackingResult pack(const PackingSetup& setup, bool quick, SharedProgress& progress) {
  Simulation<D> simulation = loose_start<D>(setup, quick);
  advance(simulation, packing_time(quick), progress);
  const double high = packed_height<D>(setup) - excluded_height;
  const Energy energy = simulation.energy();
  const double weight = static_cast<double>(setup.count) * sphere_volume<D>(0.5);
  return {solid_fraction(simulation, excluded_height, high, packing_base<D>(setup)),
          contact_statistics(simulation, excluded_height, high),
          (energy.kinetic + energy.rotational) / weight};
}

std::vector<PackingSetup> packing_setups(bool quick) {
  const double tolerance_factor = quick ? 2 : 1;
  const std::size_t count = quick ? 700 : 3500;
  const double width = quick ? 6.5 : 11;
  return {{"spheres, µ = 0", 3, count, width, 0, 0.475, 0.525, 0.639, 0.01 * tolerance_factor, 6,
           0.25 * tolerance_factor},
          {"spheres, µ = 0.3", 3, count, width, 0.3, 0.475, 0.525, 0.593, 0.015 * tolerance_factor,
           4.5, 0.4 * tolerance_factor},
          {"disks, µ = 0", 2, quick ? 500U : 2500U, quick ? 20.0 : 45.0, 0, 0.4, 0.6, 0, 0, 4,
           0.2 * tolerance_factor}};
}

void packing_finding(const PackingSetup& setup, const PackingResult& packed,
                     std::vector<Finding>& findings) {
  if (setup.solid_fraction > 0)
    findings.push_back({fmt::format("{}: solid fraction is {} ± {}", setup.name,
                                    setup.solid_fraction, setup.fraction_tolerance),
                        fmt::format("{:.4f}; mean overlap {:.5f} d", packed.solid_fraction,
                                    packed.contacts.overlap),
                        within(std::abs(packed.solid_fraction - setup.solid_fraction), 0,
                               setup.fraction_tolerance)});
  findings.push_back(
      {fmt::format("{}: coordination number is {} ± {}", setup.name, setup.coordination_number,
                   setup.coordination_tolerance),
       fmt::format("{:.3f}; {:.1f} % rattlers", packed.contacts.coordination_number,
                   100 * packed.contacts.rattler_fraction),
       within(std::abs(packed.contacts.coordination_number - setup.coordination_number), 0,
              setup.coordination_tolerance)});
}

Figure packing_figure(const std::vector<PackingSetup>& setups,
                      const std::vector<PackingResult>& packings) {
  ResultTable numbers({{"packing", "packing"},
                       {"solid_fraction", "solid fraction"},
                       {"published_solid_fraction", "solid fraction, published"},
                       {"coordination_number", "coordination number"},
                       {"published_coordination_number", "coordination number, published"},
                       {"rattlers_percent", "rattlers (%)"},
                       {"overlap", "mean overlap (d)"},
                       {"kinetic", "kinetic energy / (weight × d)"}});
  std::vector<Finding> findings;
  Points measured;
  Points published;
  for (std::size_t k = 0; k < setups.size(); ++k) {
    const auto& [solid_fraction, contacts, kinetic] = packings[k];
    numbers.add(
        setups[k].name,
        {solid_fraction, setups[k].solid_fraction > 0 ? setups[k].solid_fraction : std::nan(""),
         contacts.coordination_number, setups[k].coordination_number,
         100 * contacts.rattler_fraction, contacts.overlap, kinetic});
    packing_finding(setups[k], packings[k], findings);
    measured.push_back({static_cast<double>(k + 1), contacts.coordination_number});
    published.push_back({static_cast<double>(k + 1), setups[k].coordination_number});
  }
  return {
      .file = "packing",
      .title = "Random packings",
      .text =
          "Nearly monodisperse grains settle under gravity in a box with periodic sides. "
          "Measured away from floor and surface. Rattlers, that is, grains not loaded from above, "
          "are excluded from the coordination number.",
      .numbers = numbers,
      .plot = {.title = "Coordination number, in table order",
               .x = {.title = "packing"},
               .y = {.title = "coordination number"},
               .lines = {{"measured", measured, Plot::Style::bars},
                         {"published", published, Plot::Style::expected_bars}}},
      .findings = findings};
}

std::vector<Figure> run_packing(bool quick, const ProgressCallback& progress) {
  const std::vector<PackingSetup> setups = packing_setups(quick);
  double total = 0;
  for (const PackingSetup& setup : setups)
    total += static_cast<double>(setup.count) * packing_time(quick);
  SharedProgress shared_progress(progress, total);
  std::vector<PackingResult> packings(setups.size());
  ThreadPool(0).run(setups.size(), [&](std::size_t k, unsigned) {
    packings[k] = setups[k].dimension == 2 ? pack<2>(setups[k], quick, shared_progress)
                                           : pack<3>(setups[k], quick, shared_progress);
  });
  return {packing_figure(setups, packings)};
}

constexpr std::array<std::string_view, 1> packing_files{"packing"};

}  // namespace

const Experiment packing_experiment{.name = "packing",
                                    .title = "Random packings",
                                    .files = packing_files,
                                    .seconds = 70,
                                    .quick_seconds = 4,
                                    .run = run_packing};

}  // namespace abut
