#include "io/case_release.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <utility>

#include "core/message.hpp"
#include "core/survey.hpp"
#include "io/case_shapes.hpp"
#include "io/listed_particles.hpp"

namespace abut {
namespace {

template <std::size_t D>
void read_region(TomlTable& one, Inflow<D>& inflow, const std::filesystem::path& folder) {
  inflow.count = one.count("count");
  if (inflow.count == 0) one.fail("count", " = 0, must be at least 1");
  const auto [smallest, largest] = radii_from(one);
  const bool by_mass = one.has("sizes") && one.word("sizes", {"by-number", "by-mass"}) == 1;
  inflow.sizes =
      by_mass ? uniform_by_mass<D>(smallest, largest) : uniform_by_number(smallest, largest);
  inflow.region = region_from<D>(one.table("region"), folder);
  inflow.every = one.number("every", 0);
  if (!(inflow.every >= 0)) one.fail("every", message(" = ", inflow.every, ", must be above 0"));
  inflow.batch = one.count("batch", 0);
  if (one.has("batch") && inflow.every == 0)
    one.fail("batch",
             message(" = ", inflow.batch, " needs \"every\", the time from one to the next"));
  inflow.max_overlap = one.number("max_overlap", 0);
  if (!(inflow.max_overlap >= 0 && inflow.max_overlap < 1))
    one.fail("max_overlap", message(" = ", inflow.max_overlap, ", must be from 0 to below 1"));
}

/// Where nothing else can be put: fixed balls, and what other files put there at the same time.
template <std::size_t D>
std::vector<Spheres<D>> taken_places(const Case<D>& so_far, double time) {
  std::vector<Spheres<D>> taken;
  for (const FixedBalls<D>& balls : so_far.fixed) {
    std::array<std::span<const double>, D> axes;
    for (std::size_t k = 0; k < D; ++k) axes[k] = balls.axes[k];
    taken.emplace_back(axes, balls.radius);
  }
  for (const Inflow<D>& other : so_far.inflows)
    if (other.listed && other.from == time) taken.push_back(other.listed->particles());
  return taken;
}

template <std::size_t D>
void read_file(TomlTable& one, Inflow<D>& inflow, const std::filesystem::path& folder,
               const Case<D>& so_far) {
  const std::filesystem::path given = one.text("particles");
  const std::string path = given.is_absolute() ? given.string() : (folder / given).string();
  try {
    inflow.listed = read_listed<D>(path, so_far.model.domain, so_far.model.periodic, one.file(),
                                   taken_places(so_far, inflow.from));
  } catch (const Error& error) {
    one.fail("particles", message(": ", error.what()));
  }
  one.remember(path);
  inflow.count = inflow.listed->radius.size();
}

template <std::size_t D>
void check_largest_fits(const TomlTable& one, const Inflow<D>& inflow, const Model<D>& model) {
  const double largest = inflow.sizes(1);
  ReleaseOptions<D> trial{.count = 1, .region = inflow.region, .sizes = one_size(largest)};
  trial.domain = model.domain;
  trial.periodic = model.periodic;
  if (release(trial).report.placed == 0)
    one.fail("region", message(" has no room for a particle of radius ", largest));
}

template <std::size_t D>
void check_within_domain(const TomlTable& one, const Inflow<D>& inflow, const Model<D>& model) {
  const Box<D>& domain = *model.domain;
  const Box<D> box = box_around<D>(inflow.region);
  const double smallest = inflow.sizes(0);
  for (std::size_t k = 0; k < D; ++k) {
    const double low = box.min[k] + smallest;
    const double high = box.max[k] - smallest;
    if (model.periodic[k] || (low >= domain.min[k] && high <= domain.max[k])) continue;
    one.fail("region", message(": particles could be at ", axis_names[k], " = ",
                               low < domain.min[k] ? low : high,
                               ", outside the domain, which is from ", domain.min[k], " to ",
                               domain.max[k], "; make the region smaller, or the domain larger"));
  }
}

}  // namespace

std::pair<double, double> radii_from(TomlTable& one) {
  const std::vector<double> radius = one.numbers("radius", 1, 2);
  for (const double r : radius)
    if (!(r > 0)) one.fail("radius", message(" = ", r, ", must be above 0"));
  if (radius.front() > radius.back()) one.fail("radius", ": the smaller one first");
  return {radius.front(), radius.back()};
}

template <std::size_t D>
Inflow<D> inflow_from(TomlTable& one, Inflow<D> inflow, const std::filesystem::path& folder,
                      const Case<D>& so_far) {
  if (one.has("velocity")) inflow.velocity = one.vector<D>("velocity");
  if constexpr (D == 3) {
    if (one.has("spin")) inflow.spin = one.vector<3>("spin");
  } else {
    inflow.spin[2] = one.number("spin", 0);  // discs turn in their plane alone
  }
  inflow.from = one.number("from", 0);
  if (one.has("particles"))
    read_file(one, inflow, folder, so_far);
  else
    read_region(one, inflow, folder);
  one.finish();
  return inflow;
}

template <std::size_t D>
double smallest_radius(const Inflow<D>& inflow) {
  if (!inflow.listed) return inflow.sizes(0);
  return *std::min_element(inflow.listed->radius.begin(), inflow.listed->radius.end());
}

template <std::size_t D>
void check_inflow(const TomlTable& one, const Inflow<D>& inflow, const Case<D>& whole) {
  if (!inflow.listed) {
    check_largest_fits(one, inflow, whole.model);
    if (whole.model.domain) check_within_domain(one, inflow, whole.model);
  }
  if (inflow.from > whole.end)
    one.fail("from", message(" = ", inflow.from, ", after the end of the run at ", whole.end));
}

template Inflow<2> inflow_from(TomlTable&, Inflow<2>, const std::filesystem::path&, const Case<2>&);
template Inflow<3> inflow_from(TomlTable&, Inflow<3>, const std::filesystem::path&, const Case<3>&);
template void check_inflow(const TomlTable&, const Inflow<2>&, const Case<2>&);
template void check_inflow(const TomlTable&, const Inflow<3>&, const Case<3>&);
template double smallest_radius(const Inflow<2>&);
template double smallest_radius(const Inflow<3>&);

}  // namespace abut
