#include "cli/outputs.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <filesystem>

#include "core/message.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

bool same_place(const std::string& one, const std::string& other) {
  if (is_standard_output(one) || is_standard_output(other))
    return is_standard_output(one) && is_standard_output(other);
  std::error_code missing;
  return fs::equivalent(one, other, missing) || fs::absolute(one, missing).lexically_normal() ==
                                                    fs::absolute(other, missing).lexically_normal();
}

}  // namespace

OutputFile* Outputs::open(const std::string& option, const std::string& path) {
  if (path.empty()) return nullptr;
  for (const std::string& read : read_)
    if (read != "-" && !read.empty() && same_place(path, read))
      throw Error(message(option, " = ", path, ": would overwrite what is read"));
  for (const Opened& other : opened_)
    if (same_place(path, other.path))
      throw Error(message(option, " = ", path, ": another output goes there"));
  opened_.push_back({path, std::make_unique<OutputFile>(path)});
  return opened_.back().file.get();
}

bool Outputs::take_standard_output() const {
  return std::ranges::any_of(opened_, is_standard_output, &Opened::path);
}

void Outputs::commit() {
  for (const Opened& opened : opened_) opened.file->flush();
  for (const Opened& opened : opened_) opened.file->commit();
}

}  // namespace abut
