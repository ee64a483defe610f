#include <fmt/core.h>

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <sstream>
#include <string_view>

#include "cli/run_output.hpp"
#include "core/message.hpp"
#include "io/checkpoint_file.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

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
  visit("wall_force", saved.wall_force);
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

/// The sections of a checkpoint that hold the source of the case; they own their data. Names of
/// files end with a null character.
class SourceSections {
 public:
  SourceSections(const std::string& run_folder, const CaseSource& source)
      : folder_(bytes_of(source.folder)),
        folder_from_run_(
            bytes_of(fs::path(source.folder).lexically_relative(fs::canonical(run_folder)))),
        text_(bytes_of(source.text)) {
    for (const CaseInput& input : source.inputs) {
      names_.insert(names_.end(), input.name.begin(), input.name.end());
      names_.push_back(0);
      sizes_.push_back(input.size);
      checksums_.push_back(input.checksum);
    }
  }
  SourceSections(const SourceSections&) = delete;
  SourceSections& operator=(const SourceSections&) = delete;

  void add_to(CheckpointSections& sections) const {
    sections.add("case_folder", folder_);
    sections.add("case_folder_from_run", folder_from_run_);
    sections.add("case_text", text_);
    sections.add("input_names", names_);
    sections.add("input_sizes", sizes_);
    sections.add("input_checksums", checksums_);
  }

 private:
  std::vector<std::uint8_t> folder_;
  std::vector<std::uint8_t> folder_from_run_;
  std::vector<std::uint8_t> text_;
  std::vector<std::uint8_t> names_;
  std::vector<std::uint64_t> sizes_;
  std::vector<std::uint64_t> checksums_;
};

std::string text_in(const Checkpoint& checkpoint, const char* section) {
  const auto bytes = checkpoint.get<std::uint8_t>(section);
  return {bytes.begin(), bytes.end()};
}

std::vector<CaseInput> inputs_in(const Checkpoint& checkpoint) {
  const auto sizes = checkpoint.get<std::uint64_t>("input_sizes");
  const auto checksums = checkpoint.get<std::uint64_t>("input_checksums", sizes.size());
  std::istringstream names(text_in(checkpoint, "input_names"));
  std::vector<CaseInput> inputs(sizes.size());
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    std::getline(names, inputs[k].name, '\0');
    inputs[k].path = inputs[k].name;
    inputs[k].size = sizes[k];
    inputs[k].checksum = checksums[k];
  }
  return inputs;
}

/// Where the case was, or, if that folder does not exist any more, where it is now, provided that
/// it was moved together with the folder of the run.
std::string case_folder_of(const Checkpoint& checkpoint, const std::string& run_folder) {
  const std::string folder = text_in(checkpoint, "case_folder");
  const fs::path moved =
      (fs::canonical(run_folder) / text_in(checkpoint, "case_folder_from_run")).lexically_normal();
  return !fs::exists(folder) && fs::exists(moved) ? moved.string() : folder;
}

}  // namespace

std::vector<CaseInput> case_inputs(std::span<const std::string> files) {
  std::vector<CaseInput> inputs;
  for (const std::string& file : files) {
    const InputFile input(file);
    const std::string_view bytes = input.bytes();
    inputs.push_back({file, fs::weakly_canonical(fs::absolute(file)).string(), bytes.size(),
                      checksum_of(bytes.data(), bytes.size())});
  }
  return inputs;
}

std::vector<CaseInput> changed_inputs(std::span<const CaseInput> current,
                                      std::span<const CaseInput> saved) {
  std::vector<CaseInput> changed;
  for (const CaseInput& input : current) {
    const auto before = std::ranges::find(saved, input.name, &CaseInput::name);
    const auto is_same = [&](const CaseInput& other) { return input.has_contents_of(other); };
    if (before != saved.end() ? !is_same(*before) : std::ranges::none_of(saved, is_same))
      changed.push_back(input);
  }
  return changed;
}

template <std::size_t D>
void write_run_checkpoint(const std::string& folder, const Run<D>& run, const CaseSource& source) {
  const SavedState saved = run.simulation().save();
  const SourceSections source_sections(folder, source);
  StateSections state(saved, run.inserted());
  source_sections.add_to(state.sections());
  write_checkpoint(folder, saved.step, state.sections());
}

RunCheckpoint read_run_checkpoint(const std::string& folder) {
  const auto [checkpoint, warning] = read_newest_checkpoint(folder);
  RunCheckpoint result;
  result.path = checkpoint.path();
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
  result.source = {case_folder_of(checkpoint, folder), text_in(checkpoint, "case_text"),
                   inputs_in(checkpoint)};
  // The hash covers the state, not the source of the case.
  result.hash = state_hash(StateSections(result.state, result.inserted).sections());
  result.warning = warning;
  return result;
}

template <std::size_t D>
void restore_run(const RunCheckpoint& checkpoint, Run<D>& run) try {
  const std::uint64_t added = checkpoint.state.next_id - checkpoint.state.fixed;
  std::uint64_t remaining = added;
  for (const std::uint64_t inserted : checkpoint.inserted) {
    if (inserted > remaining)
      throw Error(ErrorCode::invalid_input,
                  {.key = "section 'inserted'", .value = message(inserted)},
                  message("more than the ", added, " particles that were added"));
    remaining -= inserted;
  }
  run.restore(checkpoint.state, checkpoint.inserted);
} catch (const Error& error) {
  ErrorDetails details = error.details();
  details.file = checkpoint.path;
  throw Error(message(checkpoint.path, ": ", error.what()), error.code(), details);
}

template void restore_run(const RunCheckpoint&, Run<2>&);
template void restore_run(const RunCheckpoint&, Run<3>&);
template void write_run_checkpoint(const std::string&, const Run<2>&, const CaseSource&);
template void write_run_checkpoint(const std::string&, const Run<3>&, const CaseSource&);

}  // namespace abut
