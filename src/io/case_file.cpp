#include "io/case_file.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/message.hpp"
#include "dem/contact_coefficients.hpp"
#include "io/case_tables.hpp"
#include "io/toml_table.hpp"
#include "scenes/silo_wall.hpp"

namespace abut {
namespace {

std::vector<std::string_view> contact_keys() {
  std::vector<std::string_view> keys{"materials"};
  for (const ContactParameter& parameter : contact_parameters()) keys.push_back(parameter.name);
  return keys;
}

/// Reads the keys that are present; the other parameters have their defaults.
ContactParameters read_contact_parameters(TomlTable& table) {
  ContactParameters parameters;
  for (const ContactParameter& parameter : contact_parameters()) {
    if (!table.has(parameter.name)) continue;
    if (const auto* flag = std::get_if<bool ContactParameters::*>(&parameter.field))
      parameters.** flag = table.flag(parameter.name, parameters.**flag);
    else if (const auto* field = std::get_if<double ContactParameters::*>(&parameter.field))
      parameters.** field = table.number(parameter.name);
    else
      parameters.*std::get<OptionalNumber ContactParameters::*>(parameter.field) =
          table.number(parameter.name);
  }
  return parameters;
}

std::vector<NamedValue<ContactLaw>> law_names() {
  std::vector<NamedValue<ContactLaw>> names;
  for (const NormalLawInfo& law : normal_laws()) names.push_back({law.name, law.law});
  return names;
}

template <std::size_t D>
class CaseReader {
 public:
  CaseReader(TomlTable& file, std::filesystem::path folder)
      : file_(file), folder_(std::move(folder)) {}

  Case<D> read() {
    file_.check_keys({"title", "units", "dimension", "gravity", "law", "search_method", "seed",
                      "track_energy", "time", "material", "contact", "wall", "silo", "insertion",
                      "sink", "domain", "output"});
    case_.title = file_.text("title", "");
    if (file_.has("units"))
      case_.units = file_.choice<Units>("units", {{"SI", Units::si}, {"none", Units::none}});
    case_.seed = file_.count("seed", 1);
    read_time();
    read_model();
    for (TomlTable& table : tables("material")) read_material(table);
    if (case_.model.materials.empty())
      file_.fail("material", "missing; a case needs at least one [[material]]");
    for (TomlTable& table : tables("contact")) read_contact(table);
    for (TomlTable& table : tables("wall")) read_wall(table);
    if constexpr (D == 3)
      for (TomlTable& table : tables("silo")) read_silo(table);
    if (file_.has("domain")) read_domain(file_.table("domain"));
    for (TomlTable& table : tables("insertion")) read_insertion(table);
    for (TomlTable& table : tables("sink")) read_sink(table);
    if (file_.has("output")) read_output(file_.table("output"));
    file_.check_unused();
    check_contacts_complete();
    check_time_step();
    check_insertions();
    case_.input_files = file_.input_files();
    return std::move(case_);
  }

 private:
  std::vector<TomlTable> tables(std::string_view key) { return file_.tables(key); }

  void read_time() {
    TomlTable time = file_.table("time");
    time.check_keys(
        {"end", "step", "integrator", "max_displacement_ratio", "max_energy_growth_ratio"});
    case_.end_time = time.number("end");
    if (!(case_.end_time > 0)) time.fail("end", "must be positive");
    if (const auto step = time.optional_number("step")) {
      if (!(*step > 0)) time.fail("step", "must be positive");
      case_.model.time_step = *step;
    }
    if (const auto ratio = time.optional_number("max_displacement_ratio")) {
      if (!(*ratio >= 0))
        time.fail("max_displacement_ratio", "must be positive, or 0 for no limit");
      case_.model.max_displacement_ratio = *ratio;
    }
    if (const auto ratio = time.optional_number("max_energy_growth_ratio")) {
      if (!(*ratio >= 0))
        time.fail("max_energy_growth_ratio", "must be positive, or 0 for no limit");
      case_.model.max_energy_growth_ratio = *ratio;
    }
    if (time.has("integrator"))
      case_.model.integrator = time.choice<Integrator>(
          "integrator", {{"central-difference", Integrator::central_difference},
                         {"velocity-verlet", Integrator::velocity_verlet},
                         {"predictor-corrector", Integrator::predictor_corrector}});
    time.check_unused();
  }

  void read_model() {
    if (file_.has("gravity")) case_.model.gravity = file_.vector<D>("gravity");
    if (file_.has("law")) case_.model.law = file_.choice<ContactLaw>("law", law_names());
    if (file_.has("search_method")) {
      const auto method = find_method(file_.text("search_method"));
      if (!method) file_.fail("search_method", "unknown; `abut methods` lists all");
      case_.model.search_method = *method;
    }
    case_.model.track_energy = file_.flag("track_energy", false);
  }

  void read_material(TomlTable& table) {
    table.check_keys({"name", "density", "young", "poisson"});
    Material material{table.text("name"), table.number("density"), table.number("young", 0),
                      table.number("poisson", 0)};
    if (material.name.empty() || std::ranges::any_of(material.name, is_control))
      table.fail("name", "must not be empty or contain control characters");
    if (!(material.density > 0)) table.fail("density", "must be positive");
    if (has_material(material.name)) table.fail("name", "must be unique");
    case_.model.materials.push_back(std::move(material));
    table.check_unused();
  }

  [[nodiscard]] bool has_material(const std::string& name) const {
    const auto& all = case_.model.materials;
    return std::any_of(all.begin(), all.end(), [&](const auto& m) { return m.name == name; });
  }

  MaterialId read_material_reference(TomlTable& table) {
    return abut::read_material_reference(table, case_.model.materials);
  }

  void read_contact(TomlTable& table) {
    table.check_keys(contact_keys());
    MaterialPair pair;
    if (table.has("materials")) {
      const auto names = table.texts("materials", 2);
      pair.a = require_material(table, "materials", names[0], case_.model.materials);
      pair.b = require_material(table, "materials", names[1], case_.model.materials);
    } else if (case_.model.materials.size() > 1) {
      table.fail("materials", "missing in [[contact]]; give the names of two materials");
    }
    pair.parameters = read_contact_parameters(table);
    table.check_unused();
    for (const MaterialPair& other : case_.model.contact_parameters)
      if (std::minmax(other.a, other.b) == std::minmax(pair.a, pair.b))
        table.fail("these two materials have a [[contact]] already");
    case_.model.contact_parameters.push_back(pair);
    // Checked one by one, so that errors are located at the table and key they are about.
    try {
      Simulation<D> trial{Model<D>{.materials = case_.model.materials,
                                   .contact_parameters = {pair},
                                   .law = case_.model.law}};
    } catch (const Error& error) {
      table.fail(error);
    }
  }

  // Checks the time step for the whole model, which determines the critical time step.
  void check_time_step() {
    TomlTable time = file_.table("time");
    double step = 0;
    try {
      step = Simulation<D>{case_.model}.time_step();
    } catch (const Error& error) {
      time.fail("step", error);
    }
    constexpr double max_steps = 1e15;
    if (case_.end_time / step > max_steps)
      time.fail("end", message("must be at most ", max_steps, " time steps of ", step));
  }

  void check_insertions() {
    std::size_t index = 0;
    for (TomlTable& table : tables("insertion"))
      check_insertion(table, case_.insertions[index++], case_);
  }

  // Every pair of materials that can touch needs a [[contact]].
  void check_contacts_complete() {
    std::vector<bool> moves(case_.model.materials.size());
    for (const Insertion<D>& insertion : case_.insertions) {
      const std::vector<double> radii = min_radii(insertion, moves.size());
      for (std::size_t m = 0; m < moves.size(); ++m) moves[m] = moves[m] || radii[m] > 0;
    }
    std::vector<bool> exists = moves;
    for (const Wall<D>& wall : case_.walls) exists[wall.material.value()] = true;
    for (const FixedParticles<D>& fixed : case_.fixed_particles)
      exists[fixed.material.value()] = true;
    for (std::size_t a = 0; a < exists.size(); ++a)
      for (std::size_t b = 0; b < exists.size(); ++b) {
        if (!moves[a] || !exists[b]) continue;
        const auto& all = case_.model.contact_parameters;
        if (std::none_of(all.begin(), all.end(), [&](const MaterialPair& pair) {
              return std::minmax(pair.a, pair.b) == std::minmax(MaterialId{a}, MaterialId{b});
            }))
          file_.fail("contact",
                     message("missing for the materials \"", case_.model.materials[a].name,
                             "\" and \"", case_.model.materials[b].name, "\""));
      }
  }

  void read_wall(TomlTable& table) {
    table.check_keys({"name", "material", "shape", "mesh", "point", "normal", "from", "to",
                      "radius", "from_radius", "to_radius", "center", "outer_radius",
                      "inner_radius", "motion", "open_time", "close_time"});
    Wall<D> wall;
    wall.name = table.text("name");
    check_wall_name(table, wall.name);
    wall.material = read_material_reference(table);
    wall.shape = read_wall_shape<D>(table, folder_);
    if (table.has("motion")) wall.motion = read_motion<D>(table.table("motion"));
    if (const auto open_time = table.optional_number("open_time")) {
      WallOpening opening{WallId{case_.walls.size()}, *open_time};
      opening.close_time = table.number("close_time", opening.close_time);
      if (!(opening.close_time > opening.open_time))
        table.fail("close_time", "must be later than open_time");
      case_.openings.push_back(opening);
    }
    table.check_unused();
    try {
      Walls<D> trial;
      std::visit([&](const auto& shape) { trial.add(shape); }, wall.shape);
    } catch (const Error& error) {
      table.fail(error);
    }
    case_.walls.push_back(std::move(wall));
  }

  static bool is_control(char c) { return static_cast<unsigned char>(c) < ' '; }

  // Names of walls and sinks are part of column titles of CSV files.
  static void check_name(const TomlTable& table, const std::string& name) {
    const auto is_invalid = [](char c) { return c == ',' || c == '"' || is_control(c); };
    if (name.empty() || std::any_of(name.begin(), name.end(), is_invalid))
      table.fail("name", "must not be empty or contain commas, quotes or control characters");
  }

  template <class Named>
  static void check_unique(const TomlTable& table, const std::string& name,
                           const std::vector<Named>& others) {
    if (std::any_of(others.begin(), others.end(), [&](const auto& x) { return x.name == name; }))
      table.fail("name", message("must be unique, but \"", name, "\" exists already"));
  }

  void check_wall_name(const TomlTable& table, const std::string& name) const {
    check_name(table, name);
    check_unique(table, name, case_.walls);
    check_unique(table, name, case_.fixed_particles);
  }

  void read_silo(TomlTable& table) requires(D == 3) {
    table.check_keys({"name", "material", "outlet_diameter", "hopper_height", "diameter", "height",
                      "radius", "spacing"});
    const SiloShape silo{table.number("outlet_diameter"), table.number("hopper_height"),
                         table.number("diameter"), table.number("height")};
    for (const auto& [key, value] :
         {std::pair{"outlet_diameter", silo.outlet_diameter}, std::pair{"diameter", silo.diameter},
          std::pair{"height", silo.height}, std::pair{"hopper_height", silo.hopper_height}})
      if (!(value > 0)) table.fail(key, "must be positive");
    const auto [min_size, max_size] = read_radii(table);
    const MaterialId material = read_material_reference(table);
    const double spacing = table.number("spacing");
    const std::string name = table.text("name", default_silo_name());
    check_wall_name(table, name);
    table.check_unused();
    try {
      case_.fixed_particles.push_back(silo_wall(silo, min_size, max_size, spacing, case_.seed));
    } catch (const Error& error) {
      table.fail(error);
    }
    case_.fixed_particles.back().material = material;
    case_.fixed_particles.back().name = name;
  }

  std::string default_silo_name() {
    return tables("silo").size() == 1 ? "silo" : message("silo ", case_.fixed_particles.size() + 1);
  }

  void read_insertion(TomlTable& table) {
    table.check_keys({"name", "material", "particles", "types", "count", "radius", "sizes",
                      "region", "velocity", "angular_velocity", "start_time", "interval",
                      "batch_size", "max_overlap"});
    Insertion<D> insertion;
    insertion.name = table.text("name", message("insertion ", case_.insertions.size() + 1));
    insertion = read_insertion_table(table, std::move(insertion), folder_, case_, case_.warnings);
    const std::vector<double> radii = min_radii(insertion, case_.model.materials.size());
    std::vector<double>& smallest = case_.model.min_radius;
    smallest.resize(radii.size());
    for (std::size_t m = 0; m < radii.size(); ++m)
      if (radii[m] > 0) smallest[m] = smallest[m] == 0 ? radii[m] : std::min(smallest[m], radii[m]);
    case_.insertions.push_back(std::move(insertion));
  }

  void read_sink(TomlTable& table) {
    table.check_keys({"name", "min", "max"});
    Sink<D> sink;
    sink.name = table.text("name", message("sink ", case_.sinks.size() + 1));
    check_name(table, sink.name);
    check_unique(table, sink.name, case_.sinks);
    sink.box = read_box<D>(table);
    table.check_unused();
    case_.sinks.push_back(std::move(sink));
  }

  void read_domain(TomlTable table) {
    table.check_keys({"min", "max", "periodic", "outflow"});
    case_.model.domain = read_box<D>(table);
    for (const char axis : table.text("periodic", "")) {
      const auto k = static_cast<std::size_t>(axis - 'x');
      if (axis < 'x' || k >= D)
        table.fail("periodic", D == 2 ? "must consist of x and y" : "must consist of x, y and z");
      case_.model.periodic[k] = true;
    }
    if (table.has("outflow"))
      case_.model.allow_outflow =
          table.choice<bool>("outflow", {{"error", false}, {"allowed", true}});
    table.check_unused();
  }

  void read_output(TomlTable table) {
    table.check_keys({"frame_interval", "probe_interval", "checkpoint_interval", "contacts",
                      "solid_fraction_box"});
    OutputOptions<D>& output = case_.output;
    output.frame_interval = table.number("frame_interval", 0);
    output.probe_interval = table.number("probe_interval", 0);
    output.checkpoint_interval = table.number("checkpoint_interval", 0);
    for (const auto& [key, value] : {std::pair{"frame_interval", output.frame_interval},
                                     std::pair{"probe_interval", output.probe_interval},
                                     std::pair{"checkpoint_interval", output.checkpoint_interval}})
      if (!(value >= 0)) table.fail(key, "must not be negative");
    output.contacts = table.flag("contacts", true);
    if (table.has("solid_fraction_box")) {
      TomlTable box = table.table("solid_fraction_box");
      box.check_keys({"min", "max"});
      output.solid_fraction_box = read_box<D>(box);
      box.check_unused();
    }
    table.check_unused();
  }

  TomlTable& file_;
  std::filesystem::path folder_;
  Case<D> case_;
};

}  // namespace

AnyCase read_case(const std::string& path, const std::string& folder) {
  TomlTable file(path);
  const std::filesystem::path base =
      folder.empty() ? std::filesystem::path(path).parent_path() : std::filesystem::path(folder);
  const std::uint64_t dimension = file.count("dimension", 3);
  if (dimension != 2 && dimension != 3) file.fail("dimension", "must be 2 or 3");
  if (dimension == 2) return CaseReader<2>(file, base).read();
  return CaseReader<3>(file, base).read();
}

}  // namespace abut
