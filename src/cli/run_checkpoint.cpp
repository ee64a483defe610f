#include "cli/run_checkpoint.hpp"

#include <array>
#include <span>

#include "io/checkpoint_folder.hpp"

namespace abut {
namespace {

/// All arrays of a state by name: visit("id", saved.id) …
template <class State, class Visit>
void for_each_array(State& saved, const Visit& visit) {
  visit("id", saved.id);
  visit("material", saved.material);
  visit("place", saved.place);
  visit("velocity", saved.velocity);
  visit("spin", saved.spin);
  visit("push", saved.push);
  visit("twist", saved.twist);
  visit("acceleration", saved.acceleration);
  visit("turning", saved.turning);
  visit("contact", saved.contact);
  visit("image", saved.image);
  visit("spring", saved.spring);
  visit("rolled", saved.rolled);
  visit("wall_contact", saved.wall_contact);
  visit("wall_normal", saved.wall_normal);
  visit("wall_spring", saved.wall_spring);
  visit("wall_rolled", saved.wall_rolled);
  visit("sink_count", saved.sink_count);
  visit("sink_mass", saved.sink_mass);
  visit("account", saved.account);
}

/// A state as sections of a checkpoint, which look at it.
class StateSections {
 public:
  StateSections(const SavedState& saved, std::span<const std::uint64_t> placed)
      : counts_{saved.step, saved.fixed, saved.released, saved.left}, time_step_{saved.time_step} {
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

}  // namespace

template <std::size_t D>
void write_run_checkpoint(const std::string& folder, const Run<D>& run, const CaseSource& source) {
  const SavedState saved = run.simulation().save();
  const std::vector<std::uint8_t> name(source.folder.begin(), source.folder.end());
  const std::vector<std::uint8_t> text(source.text.begin(), source.text.end());
  StateSections state(saved, run.placed());
  state.sections().add("case_folder", name);
  state.sections().add("case_text", text);
  write_checkpoint(folder, saved.step, state.sections());
}

RunCheckpoint read_run_checkpoint(const std::string& folder) {
  const auto [checkpoint, note] = read_newest_checkpoint(folder);
  RunCheckpoint read;
  const auto counts = checkpoint.get<std::uint64_t>("counts", 4);
  read.state.step = counts[0];
  read.state.fixed = counts[1];
  read.state.released = counts[2];
  read.state.left = counts[3];
  read.state.time_step = checkpoint.value<double>("time_step");
  for_each_array(read.state, [&, &from = checkpoint](const char* array, auto& values) {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    const auto saved = from.template get<Value>(array);
    values.assign(saved.begin(), saved.end());
  });
  const auto placed = checkpoint.get<std::uint64_t>("placed");
  read.placed.assign(placed.begin(), placed.end());
  const auto name = checkpoint.get<std::uint8_t>("case_folder");
  read.source.folder.assign(name.begin(), name.end());
  const auto text = checkpoint.get<std::uint8_t>("case_text");
  read.source.text.assign(text.begin(), text.end());
  // The case is no part of the state.
  read.hash = state_hash(StateSections(read.state, read.placed).sections());
  read.note = note;
  return read;
}

template void write_run_checkpoint(const std::string&, const Run<2>&, const CaseSource&);
template void write_run_checkpoint(const std::string&, const Run<3>&, const CaseSource&);

}  // namespace abut
