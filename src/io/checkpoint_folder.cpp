#include "io/checkpoint_folder.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/message.hpp"
#include "io/left_overs.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view name_begin = "checkpoint-";
constexpr std::string_view name_end = ".abut";

std::string name_of(std::uint64_t step) {
  constexpr std::size_t digits = 12;
  const std::string number = message(step);
  const std::string zeros(digits - std::min(digits, number.size()), '0');
  return message(name_begin, zeros, number, name_end);
}

// Only names that `name_of` returns: no other file is touched.
std::optional<std::uint64_t> step_of(std::string_view name) {
  std::uint64_t step = 0;
  if (!name.starts_with(name_begin)) return {};
  const std::string_view rest = name.substr(name_begin.size());
  std::from_chars(rest.data(), rest.data() + rest.size(), step);
  return name == name_of(step) ? std::optional(step) : std::nullopt;
}

std::vector<std::uint64_t> newest_first(const std::string& folder) {
  std::vector<std::uint64_t> steps;
  for (const std::string& name : names_in(folder))
    if (const std::optional<std::uint64_t> step = step_of(name)) steps.push_back(*step);
  std::ranges::sort(steps, std::greater{});
  return steps;
}

std::string path_of(const std::string& folder, std::uint64_t step) {
  return (fs::path(folder) / name_of(step)).string();
}

// A file of another step under this name would let a run go on from where it was not.
void require_step(const std::string& path, std::uint64_t named, std::uint64_t found) {
  if (named != found)
    throw Error(message(path, ": of step ", found, ", which is not the one in its name"));
}

bool is_whole(const std::string& folder, std::uint64_t step) {
  try {
    const std::string path = path_of(folder, step);
    require_step(path, step, verify_checkpoint(path));
    return true;
  } catch (const Error&) {
    return false;
  }
}

void remove_all_but_two(const std::string& folder, std::uint64_t newest) {
  bool has_second = false;
  for (const std::uint64_t step : newest_first(folder)) {
    if (step == newest) continue;
    const bool keep = step < newest && !has_second && is_whole(folder, step);
    has_second = has_second || keep;
    std::error_code ignored;  // what cannot be removed does no harm
    if (!keep) fs::remove(path_of(folder, step), ignored);
  }
}

Checkpoint read_step(const std::string& folder, std::uint64_t step) {
  Checkpoint checkpoint(path_of(folder, step));
  require_step(checkpoint.path(), step, checkpoint.step());
  return checkpoint;
}

}  // namespace

std::string write_checkpoint(const std::string& folder, std::uint64_t step,
                             const CheckpointSections& sections) {
  remove_left_overs(folder, [](std::string_view name) { return step_of(name).has_value(); });
  std::string path = path_of(folder, step);
  write_checkpoint_file(path, step, sections);
  remove_all_but_two(folder, step);
  return path;
}

NewestCheckpoint read_newest_checkpoint(const std::string& folder) {
  std::string complaint;  // about the newest one
  for (const std::uint64_t step : newest_first(folder)) try {
      Checkpoint checkpoint = read_step(folder, step);
      if (!complaint.empty()) complaint += message("; going on from step ", step);
      return {std::move(checkpoint), std::move(complaint)};
    } catch (const Error& error) {
      if (complaint.empty()) complaint = error.what();
    }
  if (complaint.empty())
    throw Error(message("no checkpoint in ", folder, ": there is no ", name_begin, "…", name_end,
                        "; run the case from its beginning"));
  throw Error(message("no checkpoint in ", folder, " can be used; ", complaint,
                      "; run the case from its beginning"));
}

}  // namespace abut
