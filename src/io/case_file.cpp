#include "io/case_file.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/message.hpp"
#include "dem/silo.hpp"
#include "io/case_release.hpp"
#include "io/case_shapes.hpp"
#include "io/toml_table.hpp"

namespace abut {
namespace {

constexpr std::array<std::string_view, 11> contact_keys{"between",
                                                        "stiffness",
                                                        "restitution",
                                                        "damping",
                                                        "damping_rate",
                                                        "tension",
                                                        "tangential_stiffness",
                                                        "tangential_damping",
                                                        "rolling_friction",
                                                        "cohesion",
                                                        "friction"};

template <std::size_t D>
class CaseReader {
 public:
  CaseReader(TomlTable& file, std::filesystem::path folder)
      : file_(file), folder_(std::move(folder)) {}

  Case<D> read() {
    file_.knows({"title", "dimension", "gravity", "law", "detector", "seed", "ledger", "time",
                 "material", "contact", "wall", "silo", "release", "sink", "domain", "output"});
    result_.title = file_.text("title", "");
    result_.seed = file_.count("seed", 1);
    read_time();
    read_model();
    for (TomlTable& one : tables("material")) read_material(one);
    if (result_.model.materials.empty()) file_.fail("needs at least one [[material]]");
    for (TomlTable& one : tables("contact")) read_contact(one);
    for (TomlTable& one : tables("wall")) read_wall(one);
    if constexpr (D == 3)
      for (TomlTable& one : tables("silo")) read_silo(one);
    if (file_.has("domain")) read_domain(file_.table("domain"));
    for (TomlTable& one : tables("release")) read_release(one);
    for (TomlTable& one : tables("sink")) read_sink(one);
    if (file_.has("output")) read_output(file_.table("output"));
    file_.finish();
    check_materials_meet();
    check_steps();
    check_releases();
    result_.files = file_.others();
    return std::move(result_);
  }

 private:
  std::vector<TomlTable> tables(std::string_view key) { return file_.tables(key); }

  void read_time() {
    TomlTable time = file_.table("time");
    time.knows({"end", "step", "integrator"});
    result_.end = time.number("end");
    if (!(result_.end > 0)) time.fail("end", message(" = ", result_.end, ", must be above 0"));
    if (const auto step = time.optional_number("step")) {
      if (!(*step > 0)) time.fail("step", message(" = ", *step, ", must be above 0"));
      result_.model.time_step = *step;
    }
    if (time.has("integrator"))
      result_.model.integrator = static_cast<Integrator>(time.word(
          "integrator", {"central-difference", "velocity-verlet", "predictor-corrector"}));
    time.finish();
  }

  void read_model() {
    if (file_.has("gravity")) result_.model.gravity = file_.vector<D>("gravity");
    if (file_.has("law"))
      result_.model.law = static_cast<Law>(file_.word("law", {"hooke", "hertz"}));
    if (file_.has("detector")) {
      const std::string name = file_.text("detector");
      const auto method = method_named(name);
      if (!method) file_.fail("detector", message(" = \"", name, "\"; `abut methods` lists them"));
      result_.model.method = *method;
    }
    result_.model.ledger = file_.flag("ledger", false);
  }

  void read_material(TomlTable& one) {
    one.knows({"name", "density", "young", "poisson"});
    Material material{one.text("name"), one.number("density"), one.number("young", 0),
                      one.number("poisson", 0)};
    if (!(material.density > 0))
      one.fail("density", message(" = ", material.density, ", must be above 0"));
    if (find_material(material.name)) one.fail("name", " is there twice");
    result_.model.materials.push_back(std::move(material));
    one.finish();
  }

  [[nodiscard]] std::optional<std::size_t> find_material(const std::string& name) const {
    const auto& all = result_.model.materials;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& m) { return m.name == name; });
    if (found == all.end()) return std::nullopt;
    return static_cast<std::size_t>(found - all.begin());
  }

  std::size_t material_named(TomlTable& table, std::string_view key, const std::string& name) {
    if (const auto found = find_material(name)) return *found;
    std::vector<std::string> names;
    for (const Material& m : result_.model.materials) names.push_back(m.name);
    const auto meant = nearest_name(name, names);
    table.fail(key, message(": no [[material]] has the name \"", name, "\"",
                            meant ? message("; did you mean \"", *meant, "\"?") : ""));
  }

  std::size_t material_of(TomlTable& table) {
    if (!table.has("material") && result_.model.materials.size() == 1) return 0;
    return material_named(table, "material", table.text("material"));
  }

  void read_contact(TomlTable& one) {
    one.knows(contact_keys);
    Between between{0, 0, {}};
    if (one.has("between")) {
      const auto names = one.texts("between", 2);
      between.a = material_named(one, "between", names[0]);
      between.b = material_named(one, "between", names[1]);
    } else if (result_.model.materials.size() > 1) {
      one.fail("needs \"between\", two materials");
    }
    Interaction& law = between.interaction;
    law.stiffness = one.number("stiffness", 0);
    law.restitution = one.optional_number("restitution");
    law.damping = one.optional_number("damping");
    law.damping_rate = one.optional_number("damping_rate");
    law.tension = one.flag("tension", law.tension);
    law.friction = one.number("friction", 0);
    law.tangential_stiffness = one.optional_number("tangential_stiffness");
    law.tangential_damping = one.number("tangential_damping", law.tangential_damping);
    law.rolling_friction = one.number("rolling_friction", 0);
    law.cohesion = one.number("cohesion", 0);
    one.finish();
    for (const Between& before : result_.model.interactions)
      if (std::minmax(before.a, before.b) == std::minmax(between.a, between.b))
        one.fail("these two materials have a [[contact]] already");
    result_.model.interactions.push_back(between);
    // One at a time, so that what is wrong with it has its place in the file.
    try {
      Simulation<D> trial{Model<D>{.materials = result_.model.materials,
                                   .interactions = {between},
                                   .law = result_.model.law}};
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
  void check_steps() {
    TomlTable time = file_.table("time");
    double step = 0;
    try {
      step = Simulation<D>{result_.model}.time_step();
    } catch (const Error& error) {
      time.fail("step", message(": ", error.what()));
    }
    constexpr double most_steps = 1e15;
    if (result_.end / step > most_steps)
      time.fail("end", message(" = ", result_.end, ": more than ", most_steps, " steps of ", step));
  }

  void check_releases() {
    std::size_t number = 0;
    for (TomlTable& one : tables("release")) check_inflow(one, result_.inflows[number++], result_);
  }

  void check_materials_meet() {
    std::vector<bool> moves(result_.model.materials.size());
    for (const Inflow<D>& inflow : result_.inflows) moves[inflow.material] = true;
    std::vector<bool> there = moves;
    for (const Wall<D>& wall : result_.walls) there[wall.material] = true;
    for (const FixedBalls<D>& balls : result_.fixed) there[balls.material] = true;
    for (std::size_t a = 0; a < there.size(); ++a)
      for (std::size_t b = 0; b < there.size(); ++b) {
        if (!moves[a] || !there[b]) continue;
        const auto& all = result_.model.interactions;
        if (std::none_of(all.begin(), all.end(), [&](const Between& one) {
              return std::minmax(one.a, one.b) == std::minmax(a, b);
            }))
          file_.fail(message("no [[contact]] between \"", result_.model.materials[a].name,
                             "\" and \"", result_.model.materials[b].name, "\""));
      }
  }

  void read_wall(TomlTable& one) {
    one.knows({"name", "material", "shape", "mesh", "point", "normal", "from", "to", "radius",
               "from_radius", "to_radius", "centre", "outer", "inner", "motion", "opens",
               "closes"});
    Wall<D> wall;
    wall.name = one.text("name");
    check_wall_name(one, wall.name);
    wall.material = material_of(one);
    wall.shape = shape_from<D>(one, folder_);
    if (one.has("motion")) wall.motion = motion_from<D>(one.table("motion"));
    if (const auto opens = one.optional_number("opens")) {
      Outlet outlet{result_.walls.size(), *opens};
      outlet.closes = one.number("closes", outlet.closes);
      if (!(outlet.closes > outlet.opens)) one.fail("closes", " must be later than opens");
      result_.outlets.push_back(outlet);
    }
    one.finish();
    try {
      Walls<D> trial;
      std::visit([&](const auto& shape) { trial.add(shape); }, wall.shape);
    } catch (const Error& error) {
      one.fail(error.what());
    }
    result_.walls.push_back(std::move(wall));
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
  static void check_new(const TomlTable& one, const std::string& name,
                        const std::vector<Named>& others) {
    if (std::any_of(others.begin(), others.end(), [&](const auto& x) { return x.name == name; }))
      one.fail("name", message(" \"", name, "\" is there twice"));
  }

  void check_wall_name(const TomlTable& one, const std::string& name) const {
    check_name(one, name);
    check_new(one, name, result_.walls);
    check_new(one, name, result_.fixed);
  }

  void read_silo(TomlTable& one) requires(D == 3) {
    one.knows({"name", "material", "outlet_diameter", "hopper_height", "diameter", "height",
               "radius", "spacing"});
    const SiloShape silo{one.number("outlet_diameter"), one.number("hopper_height"),
                         one.number("diameter"), one.number("height")};
    for (const auto& [key, value] :
         {std::pair{"outlet_diameter", silo.outlet_diameter}, std::pair{"diameter", silo.diameter},
          std::pair{"height", silo.height}, std::pair{"hopper_height", silo.hopper_height}})
      if (!(value > 0)) one.fail(key, message(" = ", value, ", must be above 0"));
    const auto [smallest, largest] = radii_from(one);
    const std::size_t material = material_of(one);
    const double spacing = one.number("spacing");
    const std::string name = one.text("name", next_silo());
    check_wall_name(one, name);
    one.finish();
    try {
      result_.fixed.push_back(silo_wall(silo, smallest, largest, spacing, result_.seed));
    } catch (const Error& error) {
      one.fail(error.what());
    }
    result_.fixed.back().material = material;
    result_.fixed.back().name = name;
  }

  std::string next_silo() {
    return tables("silo").size() == 1 ? "silo" : message("silo ", result_.fixed.size() + 1);
  }

  void read_release(TomlTable& one) {
    one.knows({"name", "material", "particles", "count", "radius", "sizes", "region", "velocity",
               "spin", "from", "every", "batch", "max_overlap"});
    Inflow<D> inflow;
    inflow.name = one.text("name", message("release ", result_.inflows.size() + 1));
    inflow.material = material_of(one);
    inflow = inflow_from(one, std::move(inflow), folder_, result_);
    result_.model.smallest_radius.resize(result_.model.materials.size());
    double& least = result_.model.smallest_radius[inflow.material];
    const double smallest = smallest_radius(inflow);
    least = least == 0 ? smallest : std::min(least, smallest);
    result_.inflows.push_back(std::move(inflow));
  }

  void read_sink(TomlTable& one) {
    one.knows({"name", "min", "max"});
    Sink<D> sink;
    sink.name = one.text("name", message("sink ", result_.sinks.size() + 1));
    check_name(one, sink.name);
    check_new(one, sink.name, result_.sinks);
    sink.box = box_from<D>(one);
    one.finish();
    result_.sinks.push_back(std::move(sink));
  }

  void read_domain(TomlTable one) {
    one.knows({"min", "max", "periodic", "outflow"});
    result_.model.domain = box_from<D>(one);
    for (const char axis : one.text("periodic", "")) {
      const auto k = static_cast<std::size_t>(axis - 'x');
      if (axis < 'x' || k >= D)
        one.fail("periodic", D == 2 ? " must be of x and y" : " must be of x, y and z");
      result_.model.periodic[k] = true;
    }
    if (one.has("outflow")) result_.model.outflow = one.word("outflow", {"error", "allowed"}) == 1;
    one.finish();
  }

  void read_output(TomlTable one) {
    one.knows({"frames", "probes", "checkpoints", "contacts", "solid_fraction"});
    OutputPlan<D>& plan = result_.output;
    plan.frames = one.number("frames", 0);
    plan.probes = one.number("probes", 0);
    plan.checkpoints = one.number("checkpoints", 0);
    for (const auto& [key, value] :
         {std::pair{"frames", plan.frames}, std::pair{"probes", plan.probes},
          std::pair{"checkpoints", plan.checkpoints}})
      if (!(value >= 0)) one.fail(key, message(" = ", value, ", must not be below 0"));
    plan.contacts = one.flag("contacts", true);
    if (one.has("solid_fraction")) {
      TomlTable box = one.table("solid_fraction");
      box.knows({"min", "max"});
      plan.measured = box_from<D>(box);
      box.finish();
    }
    one.finish();
  }

  TomlTable& file_;
  std::filesystem::path folder_;
  Case<D> result_;
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
