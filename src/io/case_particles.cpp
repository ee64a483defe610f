// The particle file of an [[insertion]]: its particles, and the materials and velocities that it
// gives them.
#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/message.hpp"
#include "core/periodic_domain.hpp"
#include "io/case_tables.hpp"
#include "io/particle_file.hpp"

namespace abut {
namespace {

// The domain as bounds of particle centers. Periodic axes are unbounded if `is_open`.
template <std::size_t D>
std::optional<Bounds> domain_bounds(const Model<D>& model, const std::string& file, bool is_open) {
  if (!model.domain) return std::nullopt;
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  Bounds bounds{"[domain] of " + file, D, {}, {}};
  for (std::size_t k = 0; k < D; ++k) {
    bounds.min[k] = is_open && model.periodic[k] ? -unbounded : model.domain->min[k];
    bounds.max[k] = is_open && model.periodic[k] ? unbounded : model.domain->max[k];
  }
  return bounds;
}

// The position of a particle of the file (with its row) or of an existing particle (without a row).
// At equal positions, existing particles sort first.
template <std::size_t D>
struct OccupiedPosition {
  Point<D> position;
  std::optional<std::size_t> row;
  friend bool operator<(const OccupiedPosition& a, const OccupiedPosition& b) {
    return a.position != b.position ? a.position < b.position : a.row < b.row;
  }
};

template <std::size_t D>
void add_positions(std::vector<OccupiedPosition<D>>& all, const Spheres<D>& spheres,
                   const PeriodicDomain<D>& domain, bool has_rows) {
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    OccupiedPosition<D> occupied{{}, has_rows ? std::optional(i) : std::nullopt};
    for (std::size_t k = 0; k < D; ++k) occupied.position[k] = spheres.coordinates(k)[i];
    (void)domain.wrap(occupied.position);
    all.push_back(occupied);
  }
}

// Fixed particles, and particles of other files that are inserted at the same time.
template <std::size_t D>
std::vector<Spheres<D>> existing_spheres(const Case<D>& partial_case, double time) {
  std::vector<Spheres<D>> existing;
  for (const FixedParticles<D>& fixed : partial_case.fixed_particles)
    existing.push_back(fixed.view());
  for (const Insertion<D>& other : partial_case.insertions)
    if (other.particles && other.start_time == time) existing.push_back(other.particles->view());
  return existing;
}

// Fails for the earliest row that coincides with another position.
template <std::size_t D>
void check_coincidence(const ParticleText& text, const ParticleFile& file, const Model<D>& model,
                       const std::vector<Spheres<D>>& existing) {
  const PeriodicDomain<D> domain(model.domain, model.periodic);
  std::vector<OccupiedPosition<D>> sorted;
  for (const Spheres<D>& spheres : existing) add_positions(sorted, spheres, domain, false);
  add_positions(sorted, file.template particles<D>(), domain, true);
  std::sort(sorted.begin(), sorted.end());
  const OccupiedPosition<D>* first = nullptr;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].row && sorted[i].position == sorted[i - 1].position &&
        (first == nullptr || sorted[i].row < first->row))
      first = &sorted[i];
  if (first == nullptr) return;
  std::string other = "a particle of another file or of a [[silo]]";
  if (const auto row = (first - 1)->row) {
    const auto line = particle_line(text, file, *row);
    other = line ? message("the particle in line ", *line) : particle_name(file, *row);
  }
  throw Error(ErrorCode::invalid_input,
              {.file = text.name(),
               .line = particle_line(text, file, *first->row),
               .key = particle_name(file, *first->row)},
              message("coincides with ", other, "; move one of them"));
}

template <class Value>
void keep_where(std::vector<Value>& values, const std::vector<std::uint8_t>& is_removed) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (is_removed[i] == 0) values[kept++] = values[i];
  values.resize(kept);
}

// Fixed particles of a frame belong to a wall of the case that wrote it.
void remove_fixed_particles(ParticleFile& file) {
  const std::vector<std::uint8_t> fixed = std::exchange(file.fixed, {});
  const auto count = std::count(fixed.begin(), fixed.end(), 1);
  if (count == 0) return;
  for (auto& coordinates : file.spheres.coordinates) keep_where(coordinates, fixed);
  keep_where(file.spheres.radii, fixed);
  keep_where(file.ids, fixed);
  keep_where(file.velocity, fixed);
  keep_where(file.angular_velocity, fixed);
  keep_where(file.material, fixed);
  file.warnings.push_back(message("ignored ", count, " fixed particles; an [[insertion]] moves"));
}

// What gives the velocities in a file, for messages.
std::string velocity_source(const ParticleFile& file, bool is_angular) {
  switch (file.format) {
    case ParticleFormat::lammps_data:
      return "the section Velocities";
    case ParticleFormat::lammps_dump:
      return is_angular ? "the columns omegax, omegay and omegaz" : "the columns vx, vy and vz";
    case ParticleFormat::frame:
      return is_angular ? "the field angular_velocity" : "the field velocity";
    case ParticleFormat::csv:
    case ParticleFormat::elements:
    case ParticleFormat::table:
      break;
  }
  if (file.dimension == 2) return is_angular ? "the column wz" : "the columns vx and vy";
  return is_angular ? "the columns wx, wy and wz" : "the columns vx, vy and vz";
}

[[noreturn]] void fail_given_twice(const TomlTable& table, std::string_view key,
                                   const std::string& source, const std::string& path) {
  table.fail(key, message("given twice, also by ", source, " of ", path, "; delete one of them"));
}

template <std::size_t D>
void take_velocities(const TomlTable& table, const std::string& path, ParticleFile& file,
                     Insertion<D>& insertion) {
  if (!file.velocity.empty() && table.has("velocity"))
    fail_given_twice(table, "velocity", velocity_source(file, false), path);
  if (!file.angular_velocity.empty() && table.has("angular_velocity"))
    fail_given_twice(table, "angular_velocity", velocity_source(file, true), path);
  insertion.velocities.resize(file.velocity.size());
  for (std::size_t i = 0; i < file.velocity.size(); ++i)
    std::copy_n(file.velocity[i].begin(), D, insertion.velocities[i].begin());
  insertion.angular_velocities = std::move(file.angular_velocity);
}

std::string quoted_names(const std::vector<Material>& materials) {
  std::string names;
  for (const Material& material : materials)
    names += message(names.empty() ? "" : ", ", "\"", material.name, "\"");
  return names;
}

std::optional<MaterialId> find_material(const std::string& name,
                                        const std::vector<Material>& materials) {
  const auto found = std::find_if(materials.begin(), materials.end(),
                                  [&](const auto& m) { return m.name == name; });
  if (found == materials.end()) return std::nullopt;
  return MaterialId{static_cast<std::size_t>(found - materials.begin())};
}

// The materials of types, from a table such as { 1 = "grain" }.
std::vector<std::pair<std::string, MaterialId>> read_types(TomlTable table,
                                                           const std::vector<Material>& materials) {
  std::vector<std::pair<std::string, MaterialId>> types;
  for (const std::string& key : table.keys()) {
    if (key.find_first_not_of("0123456789") != std::string::npos)
      table.fail(key, "must be a number of a type, as in types = { 1 = \"grain\" }");
    types.emplace_back(key, require_material(table, key, table.text(key), materials));
  }
  return types;
}

// The material of each name in the file; none for a name that is unknown.
std::vector<std::optional<MaterialId>> materials_of_names(TomlTable& table,
                                                          const ParticleFile& file,
                                                          const std::vector<Material>& materials) {
  std::vector<std::optional<MaterialId>> found;
  if (!file.has_numbered_materials()) {
    for (const std::string& name : file.material_names)
      found.push_back(find_material(name, materials));
    return found;
  }
  const auto types = read_types(table.table("types"), materials);
  for (const std::string& name : file.material_names) {
    const auto one = std::find_if(types.begin(), types.end(),
                                  [&](const auto& type) { return type.first == name; });
    found.push_back(one == types.end() ? std::nullopt : std::optional(one->second));
  }
  return found;
}

[[noreturn]] void fail_unknown_material(const ParticleText& text, const ParticleFile& file,
                                        std::size_t particle,
                                        const std::vector<Material>& materials) {
  const std::string& name = file.material_names[file.material[particle]];
  fail_at_particle(
      text, file, particle, file.material_column(), Scanner::printable(name),
      file.has_numbered_materials()
          ? message("has no material; add it to the key types, with one of ",
                    quoted_names(materials))
          : message("no [[material]] has this name; known names: ", quoted_names(materials)));
}

void check_types_present(const TomlTable& table, const std::string& path,
                         const ParticleFile& file) {
  if (table.has("types")) return;
  constexpr std::size_t max_names = 8;
  std::string list;
  for (std::size_t i = 0; i < std::min(file.material_names.size(), max_names); ++i)
    list += message(list.empty() ? "" : ", ", file.material_names[i], " = \"NAME\"");
  table.fail("types",
             message("missing; ", path, " has a number for each material: write types = { ", list,
                     " } with the names of materials"));
}

// Errors of a particle file are located at the key that names it.
template <class Function>
auto at_particles_key(const TomlTable& table, const Function& function) {
  try {
    return function();
  } catch (const Error& error) {
    table.fail("particles", error);
  }
}

// Sets the material of the insertion or of each particle.
template <std::size_t D>
void read_materials(TomlTable& table, const std::string& path, const ParticleText& text,
                    const ParticleFile& file, const std::vector<Material>& materials,
                    Insertion<D>& insertion) {
  if (file.material.empty()) {
    if (table.has("types")) table.fail("types", message(path, " has no types; use material"));
    insertion.material = read_material_reference(table, materials);
    return;
  }
  if (table.has("material"))
    fail_given_twice(table, "material",
                     message(file.format == ParticleFormat::frame ? "the field " : "the column ",
                             file.material_column()),
                     path);
  if (!file.has_numbered_materials() && table.has("types"))
    table.fail("types", message(path, " has names of materials; delete types"));
  if (file.has_numbered_materials()) check_types_present(table, path, file);
  const auto of_name = materials_of_names(table, file, materials);
  at_particles_key(table, [&] {
    for (std::size_t i = 0; i < file.size(); ++i) {
      const auto& material = of_name[file.material[i]];
      if (!material) fail_unknown_material(text, file, i, materials);
      insertion.materials.push_back(*material);
    }
  });
}

// The density of a particle follows from its material. The tolerance allows for the six digits that
// LAMMPS writes.
template <std::size_t D>
void check_densities(const ParticleText& text, const ParticleFile& file,
                     const std::vector<Material>& materials, const Insertion<D>& insertion) {
  constexpr double tolerance = 1e-5;
  for (std::size_t i = 0; i < file.density.size(); ++i) {
    const Material& material =
        materials[(insertion.materials.empty() ? insertion.material : insertion.materials[i])
                      .value()];
    if (std::abs(file.density[i] - material.density) > tolerance * material.density)
      fail_at_particle(text, file, i, "density", message(file.density[i]),
                       message("must be ", material.density, ", the density of the material \"",
                               material.name, "\"; change one of them"));
  }
}

}  // namespace

MaterialId require_material(const TomlTable& table, std::string_view key, const std::string& name,
                            const std::vector<Material>& materials) {
  if (const auto found = find_material(name, materials)) return *found;
  std::vector<std::string> names(materials.size());
  std::ranges::transform(materials, names.begin(), &Material::name);
  const auto nearest = nearest_name(name, names);
  table.fail(key, message("no [[material]] is named \"", name, "\"",
                          nearest ? message("; did you mean \"", *nearest, "\"?") : ""));
}

MaterialId read_material_reference(TomlTable& table, const std::vector<Material>& materials) {
  if (!table.has("material") && materials.size() == 1) return MaterialId{};
  return require_material(table, "material", table.text("material"), materials);
}

template <std::size_t D>
void read_listed_insertion(TomlTable& table, Insertion<D>& insertion,
                           const std::filesystem::path& folder, const Case<D>& partial_case,
                           std::vector<std::string>& warnings) {
  const std::filesystem::path given = table.file_name("particles");
  const std::string path = given.is_absolute() ? given.string() : (folder / given).string();
  const Model<D>& model = partial_case.model;
  const ParticleText text = at_particles_key(table, [&] { return ParticleText(path); });
  ParticleFile file = at_particles_key(table, [&] {
    ParticleFile particles = read_particles(text, domain_bounds(model, table.file(), true), D,
                                            ParticleContents::all, {});
    std::array<bool, 3> periodic{};
    std::copy_n(model.periodic.begin(), D, periodic.begin());
    check_box(text, particles, domain_bounds(model, table.file(), false), periodic);
    remove_fixed_particles(particles);
    if (particles.size() == 0)
      throw Error(
          ErrorCode::invalid_input, {.file = text.name()},
          particles.format == ParticleFormat::csv ? "no particles, only a header" : "no particles");
    check_coincidence(text, particles, model, existing_spheres(partial_case, insertion.start_time));
    return particles;
  });
  take_velocities(table, path, file, insertion);
  read_materials(table, path, text, file, model.materials, insertion);
  at_particles_key(table, [&] { check_densities(text, file, model.materials, insertion); });
  for (const std::string& warning : file.warnings)
    warnings.push_back(message(path, ": warning: ", warning));
  insertion.particles.emplace();
  insertion.particles->append(file.template particles<D>());
  insertion.count = file.size();
  table.add_input_file(path);
}

template void read_listed_insertion(TomlTable&, Insertion<2>&, const std::filesystem::path&,
                                    const Case<2>&, std::vector<std::string>&);
template void read_listed_insertion(TomlTable&, Insertion<3>&, const std::filesystem::path&,
                                    const Case<3>&, std::vector<std::string>&);

}  // namespace abut
