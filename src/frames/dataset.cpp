#include "frames/dataset.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "core/message.hpp"
#include "frames/frame_source.hpp"
#include "io/block_file.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

std::string lowercase_extension(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

std::string file_name_of(const std::string& path) { return fs::path(path).filename().string(); }

FrameData read_single_frame(const std::string& path) {
  const std::string ending = lowercase_extension(path);
  if (ending == ".vtp") return read_vtp_frame(path);
  if (ending == ".stl" || ending == ".obj" || contains_blocks(path)) return read_block_frame(path);
  return read_particle_frame(path);
}

std::unique_ptr<FrameSource> open_folder(const std::string& folder) {
  std::error_code unknown;
  const auto has = [&](const char* name) { return fs::exists(fs::path(folder) / name, unknown); };
  if (has("run.pvd")) return open_run_source(folder);
  const std::string path = has("elements.txt")       ? folder + "/elements.txt"
                           : contains_blocks(folder) ? folder
                                                     : find_particle_file(folder);
  return single_frame_source(file_name_of(path), read_single_frame(path));
}

std::unique_ptr<FrameSource> open_source(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  std::error_code unknown;
  if (path.empty() || !fs::exists(path, unknown))
    throw Error(message("cannot read ", path, ": there is no such file or folder"));
  if (fs::is_directory(path, unknown)) return open_folder(path);
  if (lowercase_extension(path) != ".pvd")
    return single_frame_source(file_name_of(path), read_single_frame(path));
  const fs::path folder = fs::path(path).parent_path();
  if (fs::path(path).filename() != "run.pvd")
    throw Error(message(path, ": a run is listed in run.pvd; give its folder"));
  return open_run_source(folder.empty() ? "." : folder.string());
}

}  // namespace

struct Dataset::Source {
  std::unique_ptr<FrameSource> frame_source;
};

Dataset::Dataset(std::string path)
    : source_(std::make_unique<Source>(Source{open_source(std::move(path))})) {}
Dataset::~Dataset() = default;
Dataset::Dataset(Dataset&&) noexcept = default;
Dataset& Dataset::operator=(Dataset&&) noexcept = default;

bool Dataset::refresh() { return source_->frame_source->refresh(); }
const std::string& Dataset::title() const { return source_->frame_source->title(); }
const std::vector<double>& Dataset::times() const { return source_->frame_source->times(); }
FrameData Dataset::frame(std::size_t number) const { return source_->frame_source->frame(number); }
std::string Dataset::probes() const { return source_->frame_source->probes(); }

}  // namespace abut
