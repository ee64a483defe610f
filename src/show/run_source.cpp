#include <abut/error.hpp>
#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "core/message.hpp"
#include "io/text_file.hpp"
#include "io/toml_table.hpp"
#include "io/vtk_series.hpp"
#include "show/source.hpp"
#include "show/vtp_parts.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

/// The files of a moment; empty where a part was not written.
struct Moment {
  std::string particles;
  std::string contacts;
  std::string walls;
};

class RunSource final : public FrameSource {
 public:
  explicit RunSource(std::string folder) : folder_(std::move(folder)) {
    take_case();
    refresh();
    if (times_.empty())
      throw Error(message(folder_,
                          "/run.pvd: no frames; the run has only begun, or its case says "
                          "frames = 0"));
  }

  bool refresh() override {
    const std::size_t before = times_.size();
    const VtkSeries series = VtkSeries::continued(folder_ + "/run.pvd", endless);
    times_.clear();
    moments_.clear();
    for (const VtkSeries::Entry& entry : series.entries()) take(entry);
    return times_.size() > before;
  }

  [[nodiscard]] const std::string& title() const override { return title_; }
  [[nodiscard]] const std::vector<double>& times() const override { return times_; }

  [[nodiscard]] ShownFrame frame(std::size_t number) const override {
    if (number >= moments_.size())
      throw Error(message(folder_, ": there is no frame ", number, ", only ", moments_.size()));
    const Moment& moment = moments_[number];
    ShownFrame frame;
    frame.time = times_[number];
    if (!moment.particles.empty())
      frame.particles = particles_of(moment.particles, VtkContent(moment.particles));
    if (!moment.contacts.empty())
      frame.contacts = contacts_of(moment.contacts, VtkContent(moment.contacts));
    if (!moment.walls.empty()) frame.walls = walls_of(moment.walls, VtkContent(moment.walls));
    frame.dimension = dimension_ != 0 ? dimension_ : is_flat(frame) ? 2 : 3;
    return frame;
  }

  [[nodiscard]] std::string probes() const override {
    const std::string path = folder_ + "/probes.csv";
    std::error_code unknown;
    if (!fs::exists(path, unknown)) return {};
    const TextFile file(path);
    const std::size_t end = file.text().rfind('\n');  // a run in progress may be within a line
    return std::string(file.text().substr(0, end == std::string_view::npos ? 0 : end + 1));
  }

 private:
  static constexpr double endless = std::numeric_limits<double>::infinity();

  // The case says what the frames do not; without it, or if it is damaged, they have to do.
  void take_case() {
    title_ = fs::absolute(folder_).lexically_normal().filename().string();
    if (title_.empty()) title_ = fs::absolute(folder_).lexically_normal().parent_path().filename();
    try {
      TomlTable given(folder_ + "/case.toml");
      title_ = given.text("title", title_);
      dimension_ = given.count("dimension", 3) == 2 ? 2 : 3;
    } catch (const Error&) {
    }
  }

  void take(const VtkSeries::Entry& entry) {
    if (entry.file.find('/') != std::string::npos)
      throw Error(message(folder_, "/run.pvd: the file ", entry.file,
                          " is not in this folder; abut run writes all of a run into one"));
    if (times_.empty() || times_.back() != entry.time) {
      times_.push_back(entry.time);
      moments_.emplace_back();
    }
    const std::string path = folder_ + "/" + entry.file;
    if (entry.part == "particles") moments_.back().particles = path;
    if (entry.part == "contacts") moments_.back().contacts = path;
    if (entry.part == "walls") moments_.back().walls = path;
  }

  std::string folder_;
  std::string title_;
  int dimension_ = 0;  ///< 0: not known
  std::vector<double> times_;
  std::vector<Moment> moments_;
};

class StillSource final : public FrameSource {
 public:
  StillSource(std::string title, ShownFrame frame)
      : title_(std::move(title)), frame_(std::move(frame)), times_{frame_.time} {}

  [[nodiscard]] const std::string& title() const override { return title_; }
  [[nodiscard]] const std::vector<double>& times() const override { return times_; }
  [[nodiscard]] ShownFrame frame(std::size_t number) const override {
    if (number > 0) throw Error(message(title_, ": there is no frame ", number, ", only one"));
    return frame_;
  }

 private:
  std::string title_;
  ShownFrame frame_;
  std::vector<double> times_;
};

}  // namespace

std::unique_ptr<FrameSource> run_source(const std::string& folder) {
  return std::make_unique<RunSource>(folder);
}

std::unique_ptr<FrameSource> still_source(std::string title, ShownFrame frame) {
  return std::make_unique<StillSource>(std::move(title), std::move(frame));
}

}  // namespace abut
