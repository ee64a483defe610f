#include <fmt/core.h>

#include <array>
#include <span>

#include "cli/run_output.hpp"
#include "io/checkpoint_file.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

/// Calls visit(name, array) for all arrays of a state. The names are those of the sections in the
/// checkpoint file.
template <class State, class Visit>
void for_each_array(State& saved, const Visit& visit) {
  visit("id", saved.id);
  visit("material", saved.material);
  visit("position", saved.position);
  visit("image", saved.image);
  visit("velocity", saved.velocity);
  visit("angular_velocity", saved.angular_velocity);
  visit("force", saved.force);
  visit("torque", saved.torque);
  visit("acceleration", saved.acceleration);
  visit("angular_acceleration", saved.angular_acceleration);
  visit("contact", saved.contact);
  visit("contact_image", saved.contact_image);
  visit("friction_spring", saved.friction_spring);
  visit("rolling_spring", saved.rolling_spring);
  visit("wall_contact", saved.wall_contact);
  visit("wall_normal", saved.wall_normal);
  visit("wall_friction_spring", saved.wall_friction_spring);
  visit("wall_rolling_spring", saved.wall_rolling_spring);
  visit("sink_count", saved.sink_count);
  visit("sink_mass", saved.sink_mass);
  visit("energy_totals", saved.energy_totals);
}

/// The sections of a checkpoint that hold a state. They refer to the arrays of the state, which
/// must outlive them.
class StateSections {
 public:
  StateSections(const SavedState& saved, std::span<const std::uint64_t> inserted)
      : counts_{saved.step, saved.fixed, saved.next_id, saved.removed},
        time_step_{saved.time_step} {
    sections_.add("counts", counts_);
    sections_.add("time_step", time_step_);
    for_each_array(saved,
                   [&](const char* name, const auto& values) { sections_.add(name, values); });
    sections_.add("inserted", inserted);
  }
  StateSections(const StateSections&) = delete;
  StateSections& operator=(const StateSections&) = delete;

  [[nodiscard]] CheckpointSections& sections() { return sections_; }

 private:
  std::array<std::uint64_t, 4> counts_;
  std::array<double, 1> time_step_;
  CheckpointSections sections_;
};

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

}  // namespace

std::string file_checksums(std::span<const std::string> files) {
  std::string list;
  for (const std::string& file : files) {
    const InputFile text(file);
    list +=
        fmt::format("{:016x} {}\n", checksum_of(text.bytes().data(), text.bytes().size()), file);
  }
  return list;
}

template <std::size_t D>
void write_run_checkpoint(const std::string& folder, const Run<D>& run, const CaseSource& source) {
  const SavedState saved = run.simulation().save();
  const std::vector<std::uint8_t> folder_bytes = bytes_of(source.folder);
  const std::vector<std::uint8_t> text_bytes = bytes_of(source.text);
  const std::vector<std::uint8_t> files_bytes = bytes_of(source.file_checksums);
  StateSections state(saved, run.inserted());
  state.sections().add("case_folder", folder_bytes);
  state.sections().add("case_text", text_bytes);
  state.sections().add("case_files", files_bytes);
  write_checkpoint(folder, saved.step, state.sections());
}

RunCheckpoint read_run_checkpoint(const std::string& folder) {
  const auto [checkpoint, warning] = read_newest_checkpoint(folder);
  RunCheckpoint result;
  const auto counts = checkpoint.get<std::uint64_t>("counts", 4);
  result.state.step = counts[0];
  result.state.fixed = counts[1];
  result.state.next_id = counts[2];
  result.state.removed = counts[3];
  result.state.time_step = checkpoint.value<double>("time_step");
  for_each_array(result.state, [&, &from = checkpoint](const char* name, auto& values) {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    const auto saved = from.template get<Value>(name);
    values.assign(saved.begin(), saved.end());
  });
  const auto inserted = checkpoint.get<std::uint64_t>("inserted");
  result.inserted.assign(inserted.begin(), inserted.end());
  const auto text = [&from = checkpoint](const char* name) {
    const auto bytes = from.get<std::uint8_t>(name);
    return std::string(bytes.begin(), bytes.end());
  };
  result.source = {text("case_folder"), text("case_text"), text("case_files")};
  // The hash covers the state, not the source of the case.
  result.hash = state_hash(StateSections(result.state, result.inserted).sections());
  result.warning = warning;
  return result;
}

template void write_run_checkpoint(const std::string&, const Run<2>&, const CaseSource&);
template void write_run_checkpoint(const std::string&, const Run<3>&, const CaseSource&);

}  // namespace abut
