#include "render/color_field.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "core/message.hpp"
#include "io/text_format.hpp"

namespace abut {
namespace {

const FrameField* find_field(const std::vector<FrameField>& fields, const std::string& name) {
  const auto found = std::ranges::find(fields, name, &FrameField::name);
  return found == fields.end() ? nullptr : &*found;
}

std::string si_unit(const std::string& field) {
  constexpr std::array<std::array<std::string_view, 2>, 5> units{{{"speed", "m/s"},
                                                                  {"velocity", "m/s"},
                                                                  {"angular_velocity", "rad/s"},
                                                                  {"radius", "m"},
                                                                  {"mass", "kg"}}};
  const auto* const found =
      std::ranges::find(units, field, [](const auto& unit) { return unit[0]; });
  return found == units.end() ? std::string() : std::string((*found)[1]);
}

std::string label_of(std::string field) {
  std::ranges::replace(field, '_', ' ');
  return field;
}

/// The values of a scalar field, or the magnitudes of a vector field.
std::vector<float> magnitudes(const FrameField& field) {
  if (field.components == 1) return field.values;
  std::vector<float> values;
  for (std::size_t i = 0; i + 2 < field.values.size(); i += 3)
    values.push_back(std::hypot(field.values[i], field.values[i + 1], field.values[i + 2]));
  return values;
}

[[noreturn]] void throw_color_error(const std::string& name, const std::string& reason) {
  throw Error(message("--color = ", name, ": ", reason));
}

/// The force of each contact; null if the frame has no contact forces, or no ids of the particles
/// in contact. A frame with forces may have no contacts, as at the beginning of a run.
const std::vector<float>* find_contact_forces(const FrameData& frame) {
  const FrameField* const force = find_field(frame.contacts.fields, "force_magnitude");
  const bool has_ids = frame.contacts.a.size() == frame.contacts.ends.size();
  return force != nullptr && force->components == 1 && has_ids ? &force->values : nullptr;
}

const std::vector<float>& contact_forces(const FrameData& frame) {
  if (const std::vector<float>* const forces = find_contact_forces(frame)) return *forces;
  throw_color_error("force",
                    "the frames have no contact forces; set contacts = true in [output] of the "
                    "case and run it again");
}

/// For each id, the sum of a contact field over its contacts.
std::vector<float> sum_over_contacts(const FrameData& frame, const std::vector<std::int64_t>& ids,
                                     const std::vector<float>& contact_values) {
  std::unordered_map<std::int64_t, float> sums;
  for (std::size_t i = 0; i < frame.contacts.a.size(); ++i) {
    sums[frame.contacts.a[i]] += contact_values[i];
    sums[frame.contacts.b[i]] += contact_values[i];
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

ColorField id_field(const std::vector<std::int64_t>& ids) {
  return {"id", "", to_floats(ids), false, true};
}

ColorField block_color_field(const FrameData& frame, const std::string& name) {
  if (name == "id") return id_field(frame.blocks.id);
  if (name == "coordination_number" || (name.empty() && !frame.contacts.a.empty()))
    return {
        "coordination number", "",
        sum_over_contacts(frame, frame.blocks.id, std::vector<float>(frame.contacts.a.size(), 1)),
        true, true};
  if (name.empty()) return id_field(frame.blocks.id);
  throw_color_error(name, "polygons and polyhedra have only coordination_number and id");
}

std::string available_fields(const FrameData& frame) {
  std::string names = "radius, id";
  for (const FrameField& field : frame.particles.fields) names += message(", ", field.name);
  if (find_contact_forces(frame) != nullptr) names += ", force";
  return names;
}

std::string default_field(const FrameData& frame) {
  for (const char* name : {"speed", "coordination_number"})
    if (find_field(frame.particles.fields, name) != nullptr) return name;
  return "radius";
}

ColorField particle_color_field(const FrameData& frame, const std::string& name) {
  const FrameParticles& particles = frame.particles;
  if (name == "radius") return {"radius", si_unit(name), particles.radius, false, false};
  if (name == "id") return id_field(particles.id);
  if (name == "force")
    return {"contact force", "N", sum_over_contacts(frame, particles.id, contact_forces(frame))};
  const std::string field = name == "velocity" ? "speed" : name;
  const FrameField* const found = find_field(particles.fields, field);
  if (found == nullptr)
    throw_color_error(name, message("no such field; available: ", available_fields(frame)));
  const bool is_integer = field == "coordination_number" || field == "material" || field == "fixed";
  return {label_of(field), si_unit(field), magnitudes(*found), true, is_integer};
}

/// The 90th percentile (the maximum of an integer field), so that a few large values do not leave
/// the rest with almost the same color.
float upper_limit(std::vector<float>& values, bool is_integer) {
  const auto last = static_cast<std::ptrdiff_t>(values.size()) - 1;
  const auto rank =
      is_integer ? last : static_cast<std::ptrdiff_t>(std::ceil(0.9 * static_cast<double>(last)));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

/// Round numbers between two values.
std::vector<double> round_ticks(double low, double high, bool is_integer) {
  const double span = high - low;
  double step = std::pow(10, std::floor(std::log10(span / 5)));
  for (const double factor : {2.0, 2.5, 2.0})
    if (span / step > 6) step *= factor;
  if (is_integer) step = std::max(1.0, std::round(step));
  std::vector<double> ticks;
  for (double tick = std::ceil(low / step - 1e-6); tick * step <= high + 1e-6 * span; ++tick)
    ticks.push_back(tick * step);
  return ticks;
}

}  // namespace

ColorField find_color_field(const FrameData& frame, const std::string& name) {
  if (!frame.blocks.id.empty()) return block_color_field(frame, name);
  return particle_color_field(frame, name.empty() ? default_field(frame) : name);
}

ColorField find_force_chain_field(const FrameData& frame) {
  const FrameField* const force = find_field(frame.contacts.fields, "force_magnitude");
  if (force != nullptr) return {"contact force", "N", force->values};
  const FrameField* const overlap = find_field(frame.contacts.fields, "overlap");
  if (overlap != nullptr) return {"overlap", "m", overlap->values};
  throw Error(
      "--force-chains: there are no contacts; set contacts = true in [output] of the case, or put "
      "the pairs of abut detect into the folder of the particles");
}

std::vector<bool> fixed_particles(const FrameData& frame) {
  const FrameField* const fixed = find_field(frame.particles.fields, "fixed");
  if (fixed == nullptr || fixed->components != 1) return {};
  std::vector<bool> is_fixed;
  for (const float value : fixed->values) is_fixed.push_back(value != 0);
  return std::ranges::find(is_fixed, true) == is_fixed.end() ? std::vector<bool>{} : is_fixed;
}

ColorScale make_color_scale(const ColorField& field, std::vector<float> values, bool with_units) {
  ColorScale scale;
  scale.label = field.label;
  if (with_units && !field.unit.empty()) scale.label += message(" (", field.unit, ")");
  if (values.empty()) values = {0, 1};
  const auto [min, max] = std::ranges::minmax(values);
  if (field.starts_at_zero && min >= 0) {
    scale.ticks = linear_ticks(upper_limit(values, field.is_integer));
    if (field.is_integer) scale.ticks = round_ticks(0, std::max(1.0F, max), true);
    scale.high = field.is_integer ? std::max(1.0F, max) : static_cast<float>(scale.ticks.back());
    scale.has_overflow = max > scale.high;
  } else {
    scale.low = min;
    scale.high = max;
    const bool is_constant = !(max - min > 1e-6F * std::max(std::abs(max), std::abs(min)));
    scale.ticks = is_constant ? std::vector<double>{max} : round_ticks(min, max, field.is_integer);
  }
  return scale;
}

}  // namespace abut
