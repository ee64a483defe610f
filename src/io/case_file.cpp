#include "io/case_file.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/message.hpp"
#include "io/case_tables.hpp"
#include "io/toml_table.hpp"
#include "scenes/silo_wall.hpp"

namespace abut {
namespace {

constexpr std::array<std::string_view, 11> contact_keys{"materials",
                                                        "stiffness",
                                                        "restitution",
                                                        "damping",
                                                        "damping_rate",
                                                        "limit_damping",
                                                        "tangential_stiffness_ratio",
                                                        "tangential_damping_ratio",
                                                        "rolling_friction",
                                                        "cohesion_force",
                                                        "friction"};

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
      case_.units = file_.choice("units", {"SI", "none"}) == 0 ? Units::si : Units::none;
    case_.seed = file_.count("seed", 1);
    read_time();
    read_model();
    for (TomlTable& one : tables("material")) read_material(one);
    if (case_.model.materials.empty()) file_.fail("needs at least one [[material]]");
    for (TomlTable& one : tables("contact")) read_contact(one);
    for (TomlTable& one : tables("wall")) read_wall(one);
    if constexpr (D == 3)
      for (TomlTable& one : tables("silo")) read_silo(one);
    if (file_.has("domain")) read_domain(file_.table("domain"));
    for (TomlTable& one : tables("insertion")) read_insertion(one);
    for (TomlTable& one : tables("sink")) read_sink(one);
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
    time.check_keys({"end", "step", "integrator"});
    case_.end_time = time.number("end");
    if (!(case_.end_time > 0))
      time.fail("end", message(" = ", case_.end_time, ", must be above 0"));
    if (const auto step = time.optional_number("step")) {
      if (!(*step > 0)) time.fail("step", message(" = ", *step, ", must be above 0"));
      case_.model.time_step = *step;
    }
    if (time.has("integrator"))
      case_.model.integrator = static_cast<Integrator>(time.choice(
          "integrator", {"central-difference", "velocity-verlet", "predictor-corrector"}));
    time.check_unused();
  }

  void read_model() {
    if (file_.has("gravity")) case_.model.gravity = file_.vector<D>("gravity");
    if (file_.has("law"))
      case_.model.law = static_cast<ContactLaw>(file_.choice("law", {"hooke", "hertz"}));
    if (file_.has("search_method")) {
      const std::string name = file_.text("search_method");
      const auto method = find_method(name);
      if (!method)
        file_.fail("search_method", message(" = \"", name, "\"; `abut methods` lists them"));
      case_.model.search_method = *method;
    }
    case_.model.track_energy = file_.flag("track_energy", false);
  }

  void read_material(TomlTable& one) {
    one.check_keys({"name", "density", "young", "poisson"});
    Material material{one.text("name"), one.number("density"), one.number("young", 0),
                      one.number("poisson", 0)};
    if (!(material.density > 0))
      one.fail("density", message(" = ", material.density, ", must be above 0"));
    if (find_material(material.name)) one.fail("name", " is there twice");
    case_.model.materials.push_back(std::move(material));
    one.check_unused();
  }

  [[nodiscard]] std::optional<MaterialId> find_material(const std::string& name) const {
    const auto& all = case_.model.materials;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& m) { return m.name == name; });
    if (found == all.end()) return std::nullopt;
    return MaterialId{static_cast<std::size_t>(found - all.begin())};
  }

  MaterialId require_material(TomlTable& table, std::string_view key, const std::string& name) {
    if (const auto found = find_material(name)) return *found;
    std::vector<std::string> names;
    for (const Material& m : case_.model.materials) names.push_back(m.name);
    const auto meant = nearest_name(name, names);
    table.fail(key, message(": no [[material]] has the name \"", name, "\"",
                            meant ? message("; did you mean \"", *meant, "\"?") : ""));
  }

  MaterialId read_material_reference(TomlTable& table) {
    if (!table.has("material") && case_.model.materials.size() == 1) return MaterialId{};
    return require_material(table, "material", table.text("material"));
  }

  void read_contact(TomlTable& one) {
    one.check_keys(contact_keys);
    MaterialPair between;
    if (one.has("materials")) {
      const auto names = one.texts("materials", 2);
      between.a = require_material(one, "materials", names[0]);
      between.b = require_material(one, "materials", names[1]);
    } else if (case_.model.materials.size() > 1) {
      one.fail("needs \"between\", two materials");
    }
    ContactParameters& law = between.parameters;
    law.stiffness = one.number("stiffness", 0);
    law.restitution = one.optional_number("restitution");
    law.damping = one.optional_number("damping");
    law.damping_rate = one.optional_number("damping_rate");
    law.limit_damping = one.flag("limit_damping", law.limit_damping);
    law.friction = one.number("friction", 0);
    law.tangential_stiffness_ratio = one.optional_number("tangential_stiffness_ratio");
    law.tangential_damping_ratio =
        one.number("tangential_damping_ratio", law.tangential_damping_ratio);
    law.rolling_friction = one.number("rolling_friction", 0);
    law.cohesion_force = one.number("cohesion_force", 0);
    one.check_unused();
    for (const MaterialPair& before : case_.model.contact_parameters)
      if (std::minmax(before.a, before.b) == std::minmax(between.a, between.b))
        one.fail("these two materials have a [[contact]] already");
    case_.model.contact_parameters.push_back(between);
    // One at a time, so that what is wrong with it has its place in the file.
    try {
      Simulation<D> trial{Model<D>{.materials = case_.model.materials,
                                   .contact_parameters = {between},
                                   .law = case_.model.law}};
    } catch (const Error& error) {
      const std::string what = error.what();
      for (const std::string_view key : contact_keys) {
        const std::size_t at = what.find(message(": ", key, " = "));
        if (one.has(key) && at != std::string::npos)
          one.fail(key, what.substr(at + 2 + key.size()));
      }
      one.fail(what);
    }
  }

  // Of all that has been read, so that what is refused has its place in the file.
  void check_time_step() {
    TomlTable time = file_.table("time");
    double step = 0;
    try {
      step = Simulation<D>{case_.model}.time_step();
    } catch (const Error& error) {
      time.fail("step", message(": ", error.what()));
    }
    constexpr double most_steps = 1e15;
    if (case_.end_time / step > most_steps)
      time.fail("end",
                message(" = ", case_.end_time, ": more than ", most_steps, " steps of ", step));
  }

  void check_insertions() {
    std::size_t number = 0;
    for (TomlTable& one : tables("insertion"))
      check_insertion(one, case_.insertions[number++], case_);
  }

  void check_contacts_complete() {
    std::vector<bool> moves(case_.model.materials.size());
    for (const Insertion<D>& inflow : case_.insertions) moves[inflow.material.value()] = true;
    std::vector<bool> there = moves;
    for (const Wall<D>& wall : case_.walls) there[wall.material.value()] = true;
    for (const FixedParticles<D>& balls : case_.fixed_particles)
      there[balls.material.value()] = true;
    for (std::size_t a = 0; a < there.size(); ++a)
      for (std::size_t b = 0; b < there.size(); ++b) {
        if (!moves[a] || !there[b]) continue;
        const auto& all = case_.model.contact_parameters;
        if (std::none_of(all.begin(), all.end(), [&](const MaterialPair& one) {
              return std::minmax(one.a, one.b) == std::minmax(MaterialId{a}, MaterialId{b});
            }))
          file_.fail(message("no [[contact]] between \"", case_.model.materials[a].name,
                             "\" and \"", case_.model.materials[b].name, "\""));
      }
  }

  void read_wall(TomlTable& one) {
    one.check_keys({"name", "material", "shape", "mesh", "point", "normal", "from", "to", "radius",
                    "from_radius", "to_radius", "center", "outer_radius", "inner_radius", "motion",
                    "open_time", "close_time"});
    Wall<D> wall;
    wall.name = one.text("name");
    check_wall_name(one, wall.name);
    wall.material = read_material_reference(one);
    wall.shape = read_wall_shape<D>(one, folder_);
    if (one.has("motion")) wall.motion = read_motion<D>(one.table("motion"));
    if (const auto opens = one.optional_number("open_time")) {
      WallOpening outlet{WallId{case_.walls.size()}, *opens};
      outlet.close_time = one.number("close_time", outlet.close_time);
      if (!(outlet.close_time > outlet.open_time))
        one.fail("close_time", " must be later than open_time");
      case_.openings.push_back(outlet);
    }
    one.check_unused();
    try {
      Walls<D> trial;
      std::visit([&](const auto& shape) { trial.add(shape); }, wall.shape);
    } catch (const Error& error) {
      one.fail(error.what());
    }
    case_.walls.push_back(std::move(wall));
  }

  // Walls and sinks head columns of tables.
  static void check_name(const TomlTable& one, const std::string& name) {
    const auto odd = [](char c) {
      return c == ',' || c == '"' || static_cast<unsigned char>(c) < ' ';
    };
    if (name.empty() || std::any_of(name.begin(), name.end(), odd))
      one.fail("name", message(" = \"", name, "\": letters and digits, and no commas or quotes"));
  }

  template <class Named>
  static void check_unique(const TomlTable& one, const std::string& name,
                           const std::vector<Named>& others) {
    if (std::any_of(others.begin(), others.end(), [&](const auto& x) { return x.name == name; }))
      one.fail("name", message(" \"", name, "\" is there twice"));
  }

  void check_wall_name(const TomlTable& one, const std::string& name) const {
    check_name(one, name);
    check_unique(one, name, case_.walls);
    check_unique(one, name, case_.fixed_particles);
  }

  void read_silo(TomlTable& one) requires(D == 3) {
    one.check_keys({"name", "material", "outlet_diameter", "hopper_height", "diameter", "height",
                    "radius", "spacing"});
    const SiloShape silo{one.number("outlet_diameter"), one.number("hopper_height"),
                         one.number("diameter"), one.number("height")};
    for (const auto& [key, value] :
         {std::pair{"outlet_diameter", silo.outlet_diameter}, std::pair{"diameter", silo.diameter},
          std::pair{"height", silo.height}, std::pair{"hopper_height", silo.hopper_height}})
      if (!(value > 0)) one.fail(key, message(" = ", value, ", must be above 0"));
    const auto [smallest, largest] = read_radii(one);
    const MaterialId material = read_material_reference(one);
    const double spacing = one.number("spacing");
    const std::string name = one.text("name", default_silo_name());
    check_wall_name(one, name);
    one.check_unused();
    try {
      case_.fixed_particles.push_back(silo_wall(silo, smallest, largest, spacing, case_.seed));
    } catch (const Error& error) {
      one.fail(error.what());
    }
    case_.fixed_particles.back().material = material;
    case_.fixed_particles.back().name = name;
  }

  std::string default_silo_name() {
    return tables("silo").size() == 1 ? "silo" : message("silo ", case_.fixed_particles.size() + 1);
  }

  void read_insertion(TomlTable& one) {
    one.check_keys({"name", "material", "particles", "count", "radius", "sizes", "region",
                    "velocity", "angular_velocity", "start_time", "interval", "batch_size",
                    "max_overlap"});
    Insertion<D> inflow;
    inflow.name = one.text("name", message("release ", case_.insertions.size() + 1));
    inflow.material = read_material_reference(one);
    inflow = read_insertion_table(one, std::move(inflow), folder_, case_);
    case_.model.min_radius.resize(case_.model.materials.size());
    double& least = case_.model.min_radius[inflow.material.value()];
    const double smallest = min_radius(inflow);
    least = least == 0 ? smallest : std::min(least, smallest);
    case_.insertions.push_back(std::move(inflow));
  }

  void read_sink(TomlTable& one) {
    one.check_keys({"name", "min", "max"});
    Sink<D> sink;
    sink.name = one.text("name", message("sink ", case_.sinks.size() + 1));
    check_name(one, sink.name);
    check_unique(one, sink.name, case_.sinks);
    sink.box = read_box<D>(one);
    one.check_unused();
    case_.sinks.push_back(std::move(sink));
  }

  void read_domain(TomlTable one) {
    one.check_keys({"min", "max", "periodic", "outflow"});
    case_.model.domain = read_box<D>(one);
    for (const char axis : one.text("periodic", "")) {
      const auto k = static_cast<std::size_t>(axis - 'x');
      if (axis < 'x' || k >= D)
        one.fail("periodic", D == 2 ? " must be of x and y" : " must be of x, y and z");
      case_.model.periodic[k] = true;
    }
    if (one.has("outflow"))
      case_.model.allow_outflow = one.choice("outflow", {"error", "allowed"}) == 1;
    one.check_unused();
  }

  void read_output(TomlTable one) {
    one.check_keys({"frame_interval", "probe_interval", "checkpoint_interval", "contacts",
                    "solid_fraction_box"});
    OutputOptions<D>& plan = case_.output;
    plan.frame_interval = one.number("frame_interval", 0);
    plan.probe_interval = one.number("probe_interval", 0);
    plan.checkpoint_interval = one.number("checkpoint_interval", 0);
    for (const auto& [key, value] : {std::pair{"frame_interval", plan.frame_interval},
                                     std::pair{"probe_interval", plan.probe_interval},
                                     std::pair{"checkpoint_interval", plan.checkpoint_interval}})
      if (!(value >= 0)) one.fail(key, message(" = ", value, ", must not be below 0"));
    plan.contacts = one.flag("contacts", true);
    if (one.has("solid_fraction_box")) {
      TomlTable box = one.table("solid_fraction_box");
      box.check_keys({"min", "max"});
      plan.solid_fraction_box = read_box<D>(box);
      box.check_unused();
    }
    one.check_unused();
  }

  TomlTable& file_;
  std::filesystem::path folder_;
  Case<D> case_;
};

}  // namespace

AnyCase read_case(const std::string& path, const std::string& folder) {
  TomlTable file(path);
  const std::filesystem::path from =
      folder.empty() ? std::filesystem::path(path).parent_path() : std::filesystem::path(folder);
  const std::uint64_t dimension = file.count("dimension", 3);
  if (dimension != 2 && dimension != 3) file.fail("dimension", " must be 2 or 3");
  if (dimension == 2) return CaseReader<2>(file, from).read();
  return CaseReader<3>(file, from).read();
}

}  // namespace abut
