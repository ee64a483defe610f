#include "show/shown.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "core/message.hpp"
#include "io/block_file.hpp"
#include "show/source.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

std::string ending_of(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

std::string name_of(const std::string& path) { return fs::path(path).filename().string(); }

ShownFrame still_of(const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending == ".vtp") return frame_of_vtp(path);
  if (ending == ".stl" || ending == ".obj" || holds_blocks(path)) return frame_of_blocks(path);
  return frame_of_particles(path);
}

std::unique_ptr<FrameSource> source_in(const std::string& folder) {
  std::error_code unknown;
  const auto has = [&](const char* name) { return fs::exists(fs::path(folder) / name, unknown); };
  if (has("run.pvd")) return run_source(folder);
  const std::string path = has("elements.txt")    ? folder + "/elements.txt"
                           : holds_blocks(folder) ? folder
                                                  : only_particles_in(folder);
  return still_source(name_of(path), still_of(path));
}

std::unique_ptr<FrameSource> source_of(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  std::error_code unknown;
  if (path.empty() || !fs::exists(path, unknown))
    throw Error(message("cannot read ", path, ": there is no such file or folder"));
  if (fs::is_directory(path, unknown)) return source_in(path);
  if (ending_of(path) != ".pvd") return still_source(name_of(path), still_of(path));
  const fs::path folder = fs::path(path).parent_path();
  if (fs::path(path).filename() != "run.pvd")
    throw Error(message(path, ": a run is listed in run.pvd; give its folder"));
  return run_source(folder.empty() ? "." : folder.string());
}

}  // namespace

struct Shown::Source {
  std::unique_ptr<FrameSource> frames;
};

Shown::Shown(std::string path)
    : source_(std::make_unique<Source>(Source{source_of(std::move(path))})) {}
Shown::~Shown() = default;
Shown::Shown(Shown&&) noexcept = default;
Shown& Shown::operator=(Shown&&) noexcept = default;

bool Shown::refresh() { return source_->frames->refresh(); }
const std::string& Shown::title() const { return source_->frames->title(); }
const std::vector<double>& Shown::times() const { return source_->frames->times(); }
ShownFrame Shown::frame(std::size_t number) const { return source_->frames->frame(number); }
std::string Shown::probes() const { return source_->frames->probes(); }

}  // namespace abut
