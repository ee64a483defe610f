// L. E. Silbert, Jamming of frictional spheres and random loose packing, Soft Matter 6 (2010) 2918;
// C. S. O'Hern and others, Physical Review E 68 (2003) 011306.
#include <fmt/core.h>

#include <abut/release.hpp>
#include <array>
#include <cmath>

#include "core/ball_volume.hpp"
#include "core/thread_pool.hpp"
#include "papers/judge.hpp"
#include "validation/experiment.hpp"
#include "validation/grains.hpp"
#include "validation/workload.hpp"

namespace abut {
namespace {

// Grains that settle in a box that is periodic sideways.
struct PackingPlan {
  std::string name;
  std::size_t dimension;
  std::size_t count;
  double width;
  double friction;
  double smallest, largest;  // radius
  double fraction;           // as published; 0 is not asked for
  double fraction_allowed;
  double coordination;
  double coordination_allowed;
};

struct Packed {
  double fraction;
  Touching touching;
  double kinetic;  // energy over weight × d
};

// So stiff that overlaps hardly add contacts; how many grows with the root of the overlap.
double packing_stiffness(bool quick) { return quick ? 4e4 : 1e5; }
constexpr double ends_left_out = 4;  // below, where the floor orders them, and above

double packing_time(bool quick) { return quick ? 30 : 60; }

template <std::size_t D>
double packing_base(const PackingPlan& plan) {
  return D == 2 ? plan.width : plan.width * plan.width;
}

// About how high they will stand.
template <std::size_t D>
double packed_height(const PackingPlan& plan) {
  const double density = D == 2 ? 0.84 : 0.64 - 0.15 * plan.friction;
  return static_cast<double>(plan.count) * ball_volume<D>((plan.smallest + plan.largest) / 2) /
         (density * packing_base<D>(plan));
}

template <std::size_t D>
Simulation<D> loose(const PackingPlan& plan, bool quick) {
  Model<D> model = grain_model<D>({.stiffness = packing_stiffness(quick),
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
  const auto grains = release<D>({.count = plan.count,
                                  .region = region,
                                  .sizes = uniform_by_number(plan.smallest, plan.largest),
                                  .domain = domain,
                                  .periodic = model.periodic});
  run.add({.places = grains.particles()});
  return run;
}

template <std::size_t D>
Packed pack(const PackingPlan& plan, bool quick, Workload& work) {
  Simulation<D> run = loose<D>(plan, quick);
  advance(run, packing_time(quick), work);
  const double high = packed_height<D>(plan) - ends_left_out;
  const Energy energy = run.energy();
  const double weight = static_cast<double>(plan.count) * ball_volume<D>(0.5);
  return {solid_fraction(run, ends_left_out, high, packing_base<D>(plan)),
          touching(run, ends_left_out, high), (energy.moving + energy.turning) / weight};
}

std::vector<PackingPlan> packing_plans(bool quick) {
  const double wide = quick ? 2 : 1;
  const std::size_t count = quick ? 700 : 3500;
  const double width = quick ? 6.5 : 11;
  return {{"spheres, µ = 0", 3, count, width, 0, 0.475, 0.525, 0.639, 0.01 * wide, 6, 0.25 * wide},
          {"spheres, µ = 0.3", 3, count, width, 0.3, 0.475, 0.525, 0.593, 0.015 * wide, 4.5,
           0.4 * wide},
          {"discs, µ = 0", 2, quick ? 500U : 2500U, quick ? 20.0 : 45.0, 0, 0.4, 0.6, 0, 0, 4,
           0.2 * wide}};
}

void judge_packing(const PackingPlan& plan, const Packed& packed, std::vector<Finding>& findings) {
  if (plan.fraction > 0)
    findings.push_back(
        {fmt::format("{}: they fill {} ± {} of space", plan.name, plan.fraction,
                     plan.fraction_allowed),
         fmt::format("{:.4f}; a mean overlap of {:.5f} d", packed.fraction,
                     packed.touching.overlap),
         within(std::abs(packed.fraction - plan.fraction), 0, plan.fraction_allowed)});
  findings.push_back({fmt::format("{}: {} ± {} others touch each that carries", plan.name,
                                  plan.coordination, plan.coordination_allowed),
                      fmt::format("{:.3f}; {:.1f} % are rattlers", packed.touching.coordination,
                                  100 * packed.touching.rattlers),
                      within(std::abs(packed.touching.coordination - plan.coordination), 0,
                             plan.coordination_allowed)});
}

Figure packing_figure(const std::vector<PackingPlan>& plans, const std::vector<Packed>& packings) {
  Sheet numbers({{"packing", "packing"},
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
    const auto& [fraction, touching, kinetic] = packings[k];
    numbers.add(plans[k].name, {fraction, plans[k].fraction > 0 ? plans[k].fraction : std::nan(""),
                                touching.coordination, plans[k].coordination,
                                100 * touching.rattlers, touching.overlap, kinetic});
    judge_packing(plans[k], packings[k], findings);
    measured.push_back({static_cast<double>(k + 1), touching.coordination});
    published.push_back({static_cast<double>(k + 1), plans[k].coordination});
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

std::vector<Figure> run_packing(bool quick, const WorkDone& done) {
  const std::vector<PackingPlan> plans = packing_plans(quick);
  double total = 0;
  for (const PackingPlan& plan : plans)
    total += static_cast<double>(plan.count) * packing_time(quick);
  Workload work(done, total);
  std::vector<Packed> packings(plans.size());
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
