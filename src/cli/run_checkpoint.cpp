#include <fmt/core.h>

#include <array>
#include <span>

#include "cli/run_output.hpp"
#include "io/checkpoint_file.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

/// All arrays of a state by name: visit("id", saved.id) …
template <class State, class Visit>
void for_each_array(State& saved, const Visit& visit) {
  visit("id", saved.id);
  visit("material", saved.material);
  visit("place", saved.position);
  visit("velocity", saved.velocity);
  visit("spin", saved.angular_velocity);
  visit("push", saved.force);
  visit("twist", saved.torque);
  visit("acceleration", saved.acceleration);
  visit("turning", saved.angular_acceleration);
  visit("contact", saved.contact);
  visit("image", saved.image);
  visit("spring", saved.friction_spring);
  visit("rolled", saved.rolling_spring);
  visit("wall_contact", saved.wall_contact);
  visit("wall_normal", saved.wall_normal);
  visit("wall_spring", saved.wall_friction_spring);
  visit("wall_rolled", saved.wall_rolling_spring);
  visit("sink_count", saved.sink_count);
  visit("sink_mass", saved.sink_mass);
  visit("account", saved.energy_totals);
}

/// A state as sections of a checkpoint, which look at it.
class StateSections {
 public:
  StateSections(const SavedState& saved, std::span<const std::uint64_t> placed)
      : counts_{saved.step, saved.fixed, saved.next_id, saved.removed},
        time_step_{saved.time_step} {
    sections_.add("counts", counts_);
    sections_.add("time_step", time_step_);
    for_each_array(saved,
                   [&](const char* array, const auto& values) { sections_.add(array, values); });
    sections_.add("placed", placed);
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
  RunCheckpoint read;
  const auto counts = checkpoint.get<std::uint64_t>("counts", 4);
  read.state.step = counts[0];
  read.state.fixed = counts[1];
  read.state.next_id = counts[2];
  read.state.removed = counts[3];
  read.state.time_step = checkpoint.value<double>("time_step");
  for_each_array(read.state, [&, &from = checkpoint](const char* array, auto& values) {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    const auto saved = from.template get<Value>(array);
    values.assign(saved.begin(), saved.end());
  });
  const auto placed = checkpoint.get<std::uint64_t>("placed");
  read.inserted.assign(placed.begin(), placed.end());
  const auto text = [&from = checkpoint](const char* array) {
    const auto bytes = from.get<std::uint8_t>(array);
    return std::string(bytes.begin(), bytes.end());
  };
  read.source = {text("case_folder"), text("case_text"), text("case_files")};
  // The case is no part of the state.
  read.hash = state_hash(StateSections(read.state, read.inserted).sections());
  read.warning = warning;
  return read;
}

template void write_run_checkpoint(const std::string&, const Run<2>&, const CaseSource&);
template void write_run_checkpoint(const std::string&, const Run<3>&, const CaseSource&);

}  // namespace abut
