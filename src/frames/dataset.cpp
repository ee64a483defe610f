#include "frames/dataset.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/message.hpp"
#include "frames/frame_source.hpp"
#include "io/block_file.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

std::string lowercase_extension(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

class SingleFrameSource final : public FrameSource {
 public:
  SingleFrameSource(std::string title, FrameData frame, bool has_si_units)
      : title_(std::move(title)),
        frame_(std::move(frame)),
        times_{frame_.time},
        has_si_units_(has_si_units) {}

  [[nodiscard]] const std::string& title() const override { return title_; }
  [[nodiscard]] const std::vector<double>& times() const override { return times_; }
  [[nodiscard]] bool has_si_units() const override { return has_si_units_; }
  [[nodiscard]] FrameData frame(std::size_t index) const override {
    if (index > 0)
      throw Error(message(title_, ": there is no frame ", index, "; number of frames: 1"));
    return frame_;
  }
  [[nodiscard]] std::vector<std::string> warnings() const override { return frame_.warnings; }

 private:
  std::string title_;
  FrameData frame_;
  std::vector<double> times_;
  bool has_si_units_;
};

FrameData read_single_frame(const std::string& path) {
  const std::string extension = lowercase_extension(path);
  if (extension == ".vtp") return read_vtp_frame(path);
  if (extension == ".stl" || extension == ".obj" || contains_blocks(path))
    return read_block_frame(path);
  return read_particle_frame(path);
}

std::unique_ptr<FrameSource> open_single_frame(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  const bool has_si_units = lowercase_extension(path) == ".vtp" &&
                            run_has_si_units(folder.empty() ? "." : folder.string());
  return std::make_unique<SingleFrameSource>(fs::path(path).filename().string(),
                                             read_single_frame(path), has_si_units);
}

std::unique_ptr<FrameSource> open_folder(const std::string& folder) {
  std::error_code ignored;
  const auto has = [&](const char* name) { return fs::exists(fs::path(folder) / name, ignored); };
  if (has("run.pvd")) return open_run_source(folder);
  const std::string path = has("elements.txt")       ? folder + "/elements.txt"
                           : contains_blocks(folder) ? folder
                                                     : find_particle_file(folder);
  if (path != folder) require_regular_file(path);
  return open_single_frame(path);
}

std::unique_ptr<FrameSource> open_source(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  std::error_code ignored;
  if (path.empty() || !fs::exists(path, ignored))
    throw Error(message("cannot read ", path, ": no such file or folder"));
  if (fs::is_directory(path, ignored)) return open_folder(path);
  require_regular_file(path);
  if (lowercase_extension(path) != ".pvd") return open_single_frame(path);
  const fs::path folder = fs::path(path).parent_path();
  if (fs::path(path).filename() != "run.pvd")
    throw Error(
        message(path, ": only run.pvd of abut run can be opened; give the folder of the run"));
  return open_run_source(folder.empty() ? "." : folder.string());
}

}  // namespace

Dataset::Dataset(std::string path) : source_(open_source(std::move(path))) {}
Dataset::~Dataset() = default;
Dataset::Dataset(Dataset&&) noexcept = default;
Dataset& Dataset::operator=(Dataset&&) noexcept = default;

bool Dataset::refresh() { return source_->refresh(); }
const std::string& Dataset::title() const { return source_->title(); }
const std::vector<double>& Dataset::times() const { return source_->times(); }
bool Dataset::has_si_units() const { return source_->has_si_units(); }
FrameData Dataset::frame(std::size_t index) const { return source_->frame(index); }
std::string Dataset::probes() const { return source_->probes(); }
std::vector<std::string> Dataset::warnings() const { return source_->warnings(); }

}  // namespace abut
