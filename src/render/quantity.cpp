#include "render/quantity.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "core/message.hpp"

namespace abut {
namespace {

bool has_blocks(const ShownFrame& frame) { return !frame.blocks.id.empty(); }

/// Scalars, or the lengths of vectors.
std::vector<float> sizes_of(const ShownField& field) {
  if (field.components == 1) return field.values;
  std::vector<float> sizes;
  for (std::size_t i = 0; i + 2 < field.values.size(); i += 3)
    sizes.push_back(std::hypot(field.values[i], field.values[i + 1], field.values[i + 2]));
  return sizes;
}

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(message("--color ", name, ": ", why));
}

// What is missing for it is a fault of the file, not of the name.
const std::vector<float>& chain_forces(const ShownFrame& frame) {
  const ShownField* const size = field_named(frame.contacts.fields, "size");
  if (size == nullptr || size->components != 1 || frame.contacts.a.empty())
    refuse("force",
           "the frames hold no contacts that say whom they push; let the case say contacts "
           "= true, and run it with this version");
  return size->values;
}

/// The sum over the contacts of each particle.
std::vector<float> gathered(const ShownFrame& frame, const std::vector<std::int64_t>& ids,
                            const std::vector<float>& of_contact) {
  std::unordered_map<std::int64_t, float> sums;
  for (std::size_t i = 0; i < frame.contacts.a.size(); ++i) {
    sums[frame.contacts.a[i]] += of_contact[i];
    sums[frame.contacts.b[i]] += of_contact[i];
  }
  std::vector<float> values;
  for (const std::int64_t id : ids) {
    const auto sum = sums.find(id);
    values.push_back(sum == sums.end() ? 0 : sum->second);
  }
  return values;
}

std::vector<float> as_floats(const std::vector<std::int64_t>& ids) {
  return {ids.begin(), ids.end()};
}

Quantity of_blocks(const ShownFrame& frame, const std::string& name) {
  if (name == "id") return {"id", as_floats(frame.blocks.id), false, true};
  if (name == "coordination" || (name.empty() && !frame.contacts.a.empty()))
    return {"contacts",
            gathered(frame, frame.blocks.id, std::vector<float>(frame.contacts.a.size(), 1)), true,
            true};
  if (name.empty()) return {"id", as_floats(frame.blocks.id), false, true};
  refuse(name, "polygons and polyhedra have coordination and id");
}

std::string names_in(const ShownFrame& frame) {
  std::string names = "radius, id";
  for (const ShownField& field : frame.particles.fields)
    names += field.name == "contacts" ? ", coordination" : message(", ", field.name);
  if (!frame.contacts.a.empty() && field_named(frame.contacts.fields, "size") != nullptr)
    names += ", force";
  return names;
}

std::string best_name(const ShownFrame& frame) {
  for (const char* name : {"speed", "contacts"})
    if (field_named(frame.particles.fields, name) != nullptr)
      return std::string(name) == "speed" ? "velocity" : "coordination";
  return "radius";
}

Quantity of_particles(const ShownFrame& frame, const std::string& name) {
  const ShownParticles& particles = frame.particles;
  if (name == "radius") return {"radius", particles.radius, false, false};
  if (name == "id") return {"id", as_floats(particles.id), false, true};
  if (name == "force")
    return {"force of contacts [N]", gathered(frame, particles.id, chain_forces(frame))};
  const std::string field = name == "velocity"       ? "speed"
                            : name == "coordination" ? "contacts"
                                                     : name;
  const ShownField* const found = field_named(particles.fields, field);
  if (found != nullptr) {
    const bool whole = field == "contacts" || field == "material" || field == "fixed";
    const std::string label = field == "speed" ? "speed [m/s]" : field;
    return {label, sizes_of(*found), true, whole};
  }
  refuse(name, message("there is no such field here; there are ", names_in(frame)));
}

}  // namespace

const ShownField* field_named(const std::vector<ShownField>& fields, const std::string& name) {
  const auto found = std::ranges::find(fields, name, &ShownField::name);
  return found == fields.end() ? nullptr : &*found;
}

Quantity quantity_of(const ShownFrame& frame, const std::string& name) {
  if (has_blocks(frame)) return of_blocks(frame, name);
  return of_particles(frame, name.empty() ? best_name(frame) : name);
}

Quantity chain_quantity(const ShownFrame& frame) {
  const ShownField* const size = field_named(frame.contacts.fields, "size");
  if (size != nullptr) return {"force [N]", size->values};
  const ShownField* const overlap = field_named(frame.contacts.fields, "overlap");
  if (overlap != nullptr) return {"overlap", overlap->values};
  throw Error(
      "--chains: there are no contacts here; let the case say contacts = true, or put the pairs of "
      "abut detect beside the particles");
}

std::vector<bool> fixed_particles(const ShownFrame& frame) {
  const ShownField* const fixed = field_named(frame.particles.fields, "fixed");
  if (fixed == nullptr || fixed->components != 1) return {};
  std::vector<bool> all;
  for (const float value : fixed->values) all.push_back(value != 0);
  return std::ranges::find(all, true) == all.end() ? std::vector<bool>{} : all;
}

}  // namespace abut
