#include <abut/error.hpp>
#include <algorithm>
#include <utility>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "io/case_tables.hpp"

namespace abut {
namespace {

template <std::size_t D>
void read_random_insertion(TomlTable& table, Insertion<D>& insertion,
                           const std::filesystem::path& folder) {
  insertion.count = table.count("count");
  if (insertion.count == 0) table.fail("count", "must be at least 1");
  const auto [min_size, max_size] = read_radii(table);
  const bool by_mass =
      table.has("sizes") && table.choice<bool>("sizes", {{"by-number", false}, {"by-mass", true}});
  insertion.sizes =
      by_mass ? uniform_by_mass<D>(min_size, max_size) : uniform_by_number(min_size, max_size);
  insertion.region = read_region<D>(table.table("region"), folder);
  insertion.interval = table.number("interval", 0);
  if (!(insertion.interval >= 0)) table.fail("interval", "must not be negative");
  insertion.batch_size = table.count("batch_size", 0);
  if (table.has("batch_size") && insertion.interval == 0)
    table.fail("batch_size", "needs interval, the time between batches");
  insertion.max_overlap = table.number("max_overlap", 0);
  if (!(insertion.max_overlap >= 0 && insertion.max_overlap < 1))
    table.fail("max_overlap", "must be at least 0 and less than 1");
}

template <std::size_t D>
void check_largest_fits(const TomlTable& table, const Insertion<D>& insertion,
                        const Model<D>& model) {
  const double max_radius = insertion.sizes(1);
  InsertionOptions<D> trial{
      .count = 1, .region = insertion.region, .sizes = monodisperse(max_radius)};
  trial.domain = model.domain;
  trial.periodic = model.periodic;
  if (insert_particles(trial).report.inserted == 0)
    table.fail("region", message("too small for a particle of radius ", max_radius));
}

template <std::size_t D>
void check_within_domain(const TomlTable& table, const Insertion<D>& insertion,
                         const Model<D>& model) {
  const Box<D>& domain = *model.domain;
  const Box<D> box = bounding_box<D>(insertion.region);
  const double min_size = insertion.sizes(0);
  for (std::size_t k = 0; k < D; ++k) {
    const double low = box.min[k] + min_size;
    const double high = box.max[k] - min_size;
    if (model.periodic[k] || (low >= domain.min[k] && high <= domain.max[k])) continue;
    table.fail("region", message("particles could be inserted at ", axis_names[k], " = ",
                                 low < domain.min[k] ? low : high, ", outside the domain from ",
                                 domain.min[k], " to ", domain.max[k],
                                 "; reduce the region or enlarge the domain"));
  }
}

}  // namespace

std::pair<double, double> read_radii(TomlTable& table) {
  const std::vector<double> radii = table.numbers("radius", 1, 2);
  for (const double radius : radii)
    if (!(radius > 0)) table.fail("radius", "must be positive");
  if (radii.front() > radii.back()) table.fail("radius", "must give the smaller radius first");
  return {radii.front(), radii.back()};
}

template <std::size_t D>
Insertion<D> read_insertion_table(TomlTable& table, Insertion<D> insertion,
                                  const std::filesystem::path& folder, const Case<D>& partial_case,
                                  std::vector<std::string>& warnings) {
  if (table.has("velocity")) insertion.velocity = table.vector<D>("velocity");
  if constexpr (D == 3) {
    if (table.has("angular_velocity"))
      insertion.angular_velocity = table.vector<3>("angular_velocity");
  } else {
    insertion.angular_velocity[2] = table.number("angular_velocity", 0);  // about z in 2D
  }
  insertion.start_time = table.number("start_time", 0);
  if (table.has("particles")) {
    read_listed_insertion(table, insertion, folder, partial_case, warnings);
  } else {
    insertion.material = read_material_reference(table, partial_case.model.materials);
    read_random_insertion(table, insertion, folder);
  }
  table.check_unused();
  return insertion;
}

template <std::size_t D>
std::vector<double> min_radii(const Insertion<D>& insertion, std::size_t material_count) {
  std::vector<double> smallest(material_count);
  const auto include = [&](MaterialId material, double radius) {
    double& one = smallest[material.value()];
    one = one == 0 ? radius : std::min(one, radius);
  };
  if (!insertion.particles) include(insertion.material, insertion.sizes(0));
  for (std::size_t i = 0; insertion.particles && i < insertion.particles->size(); ++i)
    include(insertion.materials.empty() ? insertion.material : insertion.materials[i],
            insertion.particles->radii[i]);
  return smallest;
}

template <std::size_t D>
void check_insertion(const TomlTable& table, const Insertion<D>& insertion,
                     const Case<D>& whole_case) {
  if (!insertion.particles) {
    check_largest_fits(table, insertion, whole_case.model);
    if (whole_case.model.domain) check_within_domain(table, insertion, whole_case.model);
  }
  if (insertion.start_time > whole_case.end_time)
    table.fail("start_time",
               message("must not be after the end of the run at ", whole_case.end_time));
}

template Insertion<2> read_insertion_table(TomlTable&, Insertion<2>, const std::filesystem::path&,
                                           const Case<2>&, std::vector<std::string>&);
template Insertion<3> read_insertion_table(TomlTable&, Insertion<3>, const std::filesystem::path&,
                                           const Case<3>&, std::vector<std::string>&);
template void check_insertion(const TomlTable&, const Insertion<2>&, const Case<2>&);
template void check_insertion(const TomlTable&, const Insertion<3>&, const Case<3>&);
template std::vector<double> min_radii(const Insertion<2>&, std::size_t);
template std::vector<double> min_radii(const Insertion<3>&, std::size_t);

}  // namespace abut
