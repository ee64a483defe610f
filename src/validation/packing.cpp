// L. E. Silbert, Jamming of frictional spheres and random loose packing, Soft Matter 6 (2010) 2918;
// C. S. O'Hern and others, Physical Review E 68 (2003) 011306.
#include <fmt/core.h>

#include <abut/insertion.hpp>
#include <array>
#include <cmath>

#include "core/thread_pool.hpp"
#include "core/vec.hpp"
#include "report/verdicts.hpp"
#include "validation/experiment.hpp"
#include "validation/granular_model.hpp"

namespace abut {
namespace {

// Grains that settle in a box that is periodic sideways.
struct PackingSetup {
  std::string name;
  std::size_t dimension;
  std::size_t count;
  double width;
  double friction;
  double smallest, largest;  // radius
  double fraction;           // as published; 0 is not asked for
  double fraction_allowed;
  double coordination_number;
  double coordination_allowed;
};

struct PackingResult {
  double fraction;
  ContactStatistics contacts;
  double kinetic;  // energy over weight × d
};

// So stiff that overlaps hardly add contacts; how many grows with the root of the overlap.
double packing_stiffness(bool quick) { return quick ? 4e4 : 1e5; }
constexpr double excluded_ends = 4;  // below, where the floor orders them, and above

double packing_time(bool quick) { return quick ? 30 : 60; }

template <std::size_t D>
double packing_base(const PackingSetup& plan) {
  return D == 2 ? plan.width : plan.width * plan.width;
}

// About how high they will stand.
template <std::size_t D>
double packed_height(const PackingSetup& plan) {
  const double density = D == 2 ? 0.84 : 0.64 - 0.15 * plan.friction;
  return static_cast<double>(plan.count) * sphere_volume<D>((plan.smallest + plan.largest) / 2) /
         (density * packing_base<D>(plan));
}

template <std::size_t D>
Simulation<D> loose_start(const PackingSetup& plan, bool quick) {
  Model<D> model = granular_model<D>({.stiffness = packing_stiffness(quick),
                                      .restitution = 0.3,
                                      .friction = plan.friction,
                                      .wall_friction = plan.friction},
                                     plan.smallest);
  const double top = 2.2 * packed_height<D>(plan) + 2;
  Box<D> domain{};
  domain.max.fill(plan.width);
  Box<D> region = domain;
  region.max[D - 1] = top;
  domain.min[D - 1] = -5;
  domain.max[D - 1] = 2 * top;
  model.domain = domain;
  model.periodic.fill(true);
  model.periodic[D - 1] = false;
  Simulation<D> run{model};
  Plane<D> floor{};
  floor.normal[D - 1] = 1;
  run.add(Wall<D>{"floor", floor, wall_material});
  const auto grains = insert_particles<D>({.count = plan.count,
                                           .region = region,
                                           .sizes = uniform_by_number(plan.smallest, plan.largest),
                                           .domain = domain,
                                           .periodic = model.periodic});
  run.add({.spheres = grains.particles()});
  return run;
}

template <std::size_t D>
PackingResult pack(const PackingSetup& plan, bool quick, SharedProgress& work) {
  Simulation<D> run = loose_start<D>(plan, quick);
  advance(run, packing_time(quick), work);
  const double high = packed_height<D>(plan) - excluded_ends;
  const Energy energy = run.energy();
  const double weight = static_cast<double>(plan.count) * sphere_volume<D>(0.5);
  return {solid_fraction(run, excluded_ends, high, packing_base<D>(plan)),
          contact_statistics(run, excluded_ends, high),
          (energy.kinetic + energy.rotational) / weight};
}

std::vector<PackingSetup> packing_setups(bool quick) {
  const double wide = quick ? 2 : 1;
  const std::size_t count = quick ? 700 : 3500;
  const double width = quick ? 6.5 : 11;
  return {{"spheres, µ = 0", 3, count, width, 0, 0.475, 0.525, 0.639, 0.01 * wide, 6, 0.25 * wide},
          {"spheres, µ = 0.3", 3, count, width, 0.3, 0.475, 0.525, 0.593, 0.015 * wide, 4.5,
           0.4 * wide},
          {"discs, µ = 0", 2, quick ? 500U : 2500U, quick ? 20.0 : 45.0, 0, 0.4, 0.6, 0, 0, 4,
           0.2 * wide}};
}

void packing_finding(const PackingSetup& plan, const PackingResult& packed,
                     std::vector<Finding>& findings) {
  if (plan.fraction > 0)
    findings.push_back(
        {fmt::format("{}: they fill {} ± {} of space", plan.name, plan.fraction,
                     plan.fraction_allowed),
         fmt::format("{:.4f}; a mean overlap of {:.5f} d", packed.fraction,
                     packed.contacts.overlap),
         within(std::abs(packed.fraction - plan.fraction), 0, plan.fraction_allowed)});
  findings.push_back(
      {fmt::format("{}: {} ± {} others touch each that carries", plan.name,
                   plan.coordination_number, plan.coordination_allowed),
       fmt::format("{:.3f}; {:.1f} % are rattlers", packed.contacts.coordination_number,
                   100 * packed.contacts.rattlers),
       within(std::abs(packed.contacts.coordination_number - plan.coordination_number), 0,
              plan.coordination_allowed)});
}

Figure packing_figure(const std::vector<PackingSetup>& plans,
                      const std::vector<PackingResult>& packings) {
  ResultTable numbers({{"packing", "packing"},
                       {"solid_fraction", "solid fraction"},
                       {"published_solid_fraction", "published"},
                       {"coordination", "coordination"},
                       {"published_coordination", "published"},
                       {"rattlers_per_cent", "rattlers, %"},
                       {"overlap", "mean overlap, d"},
                       {"kinetic", "kinetic energy over weight × d"}});
  std::vector<Finding> findings;
  Points measured;
  Points published;
  for (std::size_t k = 0; k < plans.size(); ++k) {
    const auto& [fraction, contacts, kinetic] = packings[k];
    numbers.add(plans[k].name, {fraction, plans[k].fraction > 0 ? plans[k].fraction : std::nan(""),
                                contacts.coordination_number, plans[k].coordination_number,
                                100 * contacts.rattlers, contacts.overlap, kinetic});
    packing_finding(plans[k], packings[k], findings);
    measured.push_back({static_cast<double>(k + 1), contacts.coordination_number});
    published.push_back({static_cast<double>(k + 1), plans[k].coordination_number});
  }
  return {.file = "packing",
          .title = "Random packings",
          .text =
              "Grains of nearly one size settle under their weight in a box that is periodic "
              "sideways. Measured away from floor and surface; rattlers, which nothing presses "
              "down, are left out of the coordination.",
          .numbers = numbers,
          .plot = {.title = "Contacts of a grain, in the order of the table",
                   .x = {.title = "packing"},
                   .y = {.title = "coordination"},
                   .lines = {{"measured", measured, Plot::Style::bars},
                             {"published", published, Plot::Style::expected_bars}}},
          .findings = findings};
}

std::vector<Figure> run_packing(bool quick, const ProgressCallback& done) {
  const std::vector<PackingSetup> plans = packing_setups(quick);
  double total = 0;
  for (const PackingSetup& plan : plans)
    total += static_cast<double>(plan.count) * packing_time(quick);
  SharedProgress work(done, total);
  std::vector<PackingResult> packings(plans.size());
  ThreadPool(0).run(plans.size(), [&](std::size_t k, unsigned) {
    packings[k] =
        plans[k].dimension == 2 ? pack<2>(plans[k], quick, work) : pack<3>(plans[k], quick, work);
  });
  return {packing_figure(plans, packings)};
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
