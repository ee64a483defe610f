#include "render/color_field.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "core/message.hpp"

namespace abut {
namespace {

bool has_blocks(const FrameData& frame) { return !frame.blocks.id.empty(); }

/// Scalars, or the lengths of vectors.
std::vector<float> magnitudes(const FrameField& field) {
  if (field.components == 1) return field.values;
  std::vector<float> sizes;
  for (std::size_t i = 0; i + 2 < field.values.size(); i += 3)
    sizes.push_back(std::hypot(field.values[i], field.values[i + 1], field.values[i + 2]));
  return sizes;
}

[[noreturn]] void throw_color_error(const std::string& name, const std::string& why) {
  throw Error(message("--color ", name, ": ", why));
}

// What is missing for it is a fault of the file, not of the name.
const std::vector<float>& contact_forces(const FrameData& frame) {
  const FrameField* const size = find_field(frame.contacts.fields, "force_magnitude");
  if (size == nullptr || size->components != 1 || frame.contacts.a.empty())
    throw_color_error(
        "force",
        "the frames hold no contacts that say whom they push; let the case say contacts "
        "= true, and run it with this version");
  return size->values;
}

/// The sum over the contacts of each particle.
std::vector<float> sum_over_contacts(const FrameData& frame, const std::vector<std::int64_t>& ids,
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

std::vector<float> to_floats(const std::vector<std::int64_t>& ids) {
  return {ids.begin(), ids.end()};
}

ColorField block_color_field(const FrameData& frame, const std::string& name) {
  if (name == "id") return {"id", to_floats(frame.blocks.id), false, true};
  if (name == "coordination_number" || (name.empty() && !frame.contacts.a.empty()))
    return {
        "coordination_number",
        sum_over_contacts(frame, frame.blocks.id, std::vector<float>(frame.contacts.a.size(), 1)),
        true, true};
  if (name.empty()) return {"id", to_floats(frame.blocks.id), false, true};
  throw_color_error(name, "polygons and polyhedra have coordination and id");
}

std::string available_fields(const FrameData& frame) {
  std::string names = "radius, id";
  for (const FrameField& field : frame.particles.fields)
    names +=
        field.name == "coordination_number" ? ", coordination_number" : message(", ", field.name);
  if (!frame.contacts.a.empty() && find_field(frame.contacts.fields, "force_magnitude") != nullptr)
    names += ", force";
  return names;
}

std::string default_field(const FrameData& frame) {
  for (const char* name : {"speed", "coordination_number"})
    if (find_field(frame.particles.fields, name) != nullptr)
      return std::string(name) == "speed" ? "velocity" : "coordination_number";
  return "radius";
}

ColorField particle_color_field(const FrameData& frame, const std::string& name) {
  const FrameParticles& particles = frame.particles;
  if (name == "radius") return {"radius", particles.radius, false, false};
  if (name == "id") return {"id", to_floats(particles.id), false, true};
  if (name == "force")
    return {"force of contacts [N]", sum_over_contacts(frame, particles.id, contact_forces(frame))};
  const std::string field = name == "velocity"              ? "speed"
                            : name == "coordination_number" ? "coordination_number"
                                                            : name;
  const FrameField* const found = find_field(particles.fields, field);
  if (found != nullptr) {
    const bool whole = field == "coordination_number" || field == "material" || field == "fixed";
    const std::string label = field == "speed" ? "speed [m/s]" : field;
    return {label, magnitudes(*found), true, whole};
  }
  throw_color_error(name,
                    message("there is no such field here; there are ", available_fields(frame)));
}

}  // namespace

const FrameField* find_field(const std::vector<FrameField>& fields, const std::string& name) {
  const auto found = std::ranges::find(fields, name, &FrameField::name);
  return found == fields.end() ? nullptr : &*found;
}

ColorField find_color_field(const FrameData& frame, const std::string& name) {
  if (has_blocks(frame)) return block_color_field(frame, name);
  return particle_color_field(frame, name.empty() ? default_field(frame) : name);
}

ColorField find_force_chain_field(const FrameData& frame) {
  const FrameField* const size = find_field(frame.contacts.fields, "force_magnitude");
  if (size != nullptr) return {"force [N]", size->values};
  const FrameField* const overlap = find_field(frame.contacts.fields, "overlap");
  if (overlap != nullptr) return {"overlap", overlap->values};
  throw Error(
      "--force-chains: there are no contacts here; let the case say contacts = true, or put the "
      "pairs of "
      "abut detect beside the particles");
}

std::vector<bool> fixed_particles(const FrameData& frame) {
  const FrameField* const fixed = find_field(frame.particles.fields, "fixed");
  if (fixed == nullptr || fixed->components != 1) return {};
  std::vector<bool> all;
  for (const float value : fixed->values) all.push_back(value != 0);
  return std::ranges::find(all, true) == all.end() ? std::vector<bool>{} : all;
}

}  // namespace abut
