#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "frames/frame_source.hpp"
#include "io/text_input.hpp"
#include "io/toml_table.hpp"
#include "io/vtk_writer.hpp"

namespace abut {
namespace {

constexpr std::string_view damaged_file_hint = "it is damaged: copy it again, or repeat the run";

std::vector<std::array<float, 3>> finite_points(const std::string& path, const VtkArray& points) {
  const std::vector<float> numbers = points.as<float>();
  std::vector<std::array<float, 3>> places(points.count());
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      places[i][k] = numbers[3 * i + k];
      if (!std::isfinite(places[i][k]))
        throw Error(message(path, ": point ", i, " is nowhere (", axis_names[k],
                            " is no number that can be drawn); ", damaged_file_hint));
    }
  return places;
}

FrameField to_frame_field(const VtkArray& array) {
  return {array.name, array.components, array.as<float>()};
}

const VtkArray& required_field(const std::string& path, const VtkArray* array,
                               std::string_view name) {
  if (array != nullptr && array->components == 1) return *array;
  throw Error(
      message(path, ": no field '", name, "', which frames of abut run have; ", damaged_file_hint));
}

// A wall is not a particle: its number goes below zero.
void read_contact_ids(const VtkContent& file, FrameContacts& contacts) {
  const VtkArray* const a = file.cell_field("a");
  const VtkArray* const b = file.cell_field("b");
  const VtkArray* const wall = file.cell_field("is_wall");
  if (a == nullptr || b == nullptr || a->components != 1 || b->components != 1) return;
  contacts.a = a->as<std::int64_t>();
  contacts.b = b->as<std::int64_t>();
  if (wall == nullptr || wall->components != 1) return;
  const auto is_wall = wall->as<std::int32_t>();
  for (std::size_t i = 0; i < is_wall.size(); ++i)
    if (is_wall[i] != 0) contacts.b[i] = -1 - contacts.b[i];
}

bool has_zero_z(const std::vector<std::array<float, 3>>& points) {
  return std::ranges::all_of(points, [](const auto& point) { return point[2] == 0; });
}

}  // namespace

FrameParticles particles_from_vtp(const std::string& path, const VtkContent& file) {
  FrameParticles particles;
  particles.position = finite_points(path, file.points());
  particles.radius = required_field(path, file.point_field("radius"), "radius").as<float>();
  particles.id = required_field(path, file.point_field("id"), "id").as<std::int64_t>();
  for (std::size_t i = 0; i < particles.radius.size(); ++i)
    if (!(particles.radius[i] > 0) || !std::isfinite(particles.radius[i]))
      throw Error(message(path, ": the radius of particle ", i, " is ", particles.radius[i],
                          ", not above zero; ", damaged_file_hint));
  for (const VtkArray& field : file.point_fields())
    if (field.name != "radius" && field.name != "id")
      particles.fields.push_back(to_frame_field(field));
  return particles;
}

FrameContacts contacts_from_vtp(const std::string& path, const VtkContent& file) {
  if (file.has_vertices() || !file.triangles().empty())
    throw Error(message(path, ": contacts are lines and nothing else; ", damaged_file_hint));
  const std::vector<std::array<float, 3>> points = finite_points(path, file.points());
  FrameContacts contacts;
  for (const auto& [from, to] : file.lines()) contacts.ends.push_back({points[from], points[to]});
  for (const VtkArray& field : file.cell_fields())
    if (field.name != "a" && field.name != "b") contacts.fields.push_back(to_frame_field(field));
  read_contact_ids(file, contacts);
  return contacts;
}

FrameWalls walls_from_vtp(const std::string& path, const VtkContent& file) {
  FrameWalls walls;
  walls.vertices = finite_points(path, file.points());
  walls.triangles.assign(file.triangles().begin(), file.triangles().end());
  walls.segments.assign(file.lines().begin(), file.lines().end());
  const std::size_t pieces = walls.triangles.size() + walls.segments.size();
  const VtkArray* const body = file.cell_field("wall_id");
  if (body != nullptr && body->components == 1 && body->count() == pieces)
    walls.wall_id = body->as<std::int32_t>();
  else
    walls.wall_id.assign(pieces, 0);
  return walls;
}

bool is_planar(const FrameData& frame) {
  return frame.walls.triangles.empty() && frame.blocks.triangles.empty() &&
         has_zero_z(frame.particles.position) && has_zero_z(frame.walls.vertices) &&
         std::ranges::all_of(frame.contacts.ends,
                             [](const auto& ends) { return ends[0][2] == 0 && ends[1][2] == 0; });
}

FrameData read_vtp_frame(const std::string& path) {
  const VtkContent file(path);
  FrameData frame;
  frame.time = file.time();
  if (file.point_field("radius") != nullptr)
    frame.particles = particles_from_vtp(path, file);
  else if (file.cell_field("force") != nullptr)
    frame.contacts = contacts_from_vtp(path, file);
  else
    frame.walls = walls_from_vtp(path, file);
  frame.dimension = is_planar(frame) ? 2 : 3;
  return frame;
}

namespace {

namespace fs = std::filesystem;

/// The files of a moment; empty where a part was not written.
struct FrameFiles {
  std::string particles;
  std::string contacts;
  std::string walls;
};

class RunSource final : public FrameSource {
 public:
  explicit RunSource(std::string folder) : folder_(std::move(folder)) {
    read_case();
    refresh();
    if (times_.empty())
      throw Error(message(folder_,
                          "/run.pvd: no frames; the run has only begun, or its case says "
                          "frames = 0"));
  }

  bool refresh() override {
    const std::size_t before = times_.size();
    const VtkSeries series = VtkSeries::resume(folder_ + "/run.pvd", no_time_limit);
    times_.clear();
    frame_files_.clear();
    for (const VtkSeries::Entry& entry : series.entries()) add_entry(entry);
    return times_.size() > before;
  }

  [[nodiscard]] const std::string& title() const override { return title_; }
  [[nodiscard]] const std::vector<double>& times() const override { return times_; }

  [[nodiscard]] FrameData frame(std::size_t number) const override {
    if (number >= frame_files_.size())
      throw Error(message(folder_, ": there is no frame ", number, ", only ", frame_files_.size()));
    const FrameFiles& moment = frame_files_[number];
    FrameData frame;
    frame.time = times_[number];
    if (!moment.particles.empty())
      frame.particles = particles_from_vtp(moment.particles, VtkContent(moment.particles));
    if (!moment.contacts.empty())
      frame.contacts = contacts_from_vtp(moment.contacts, VtkContent(moment.contacts));
    if (!moment.walls.empty()) frame.walls = walls_from_vtp(moment.walls, VtkContent(moment.walls));
    frame.dimension = dimension_ != 0 ? dimension_ : is_planar(frame) ? 2 : 3;
    return frame;
  }

  [[nodiscard]] std::string probes() const override {
    const std::string path = folder_ + "/probes.csv";
    std::error_code unknown;
    if (!fs::exists(path, unknown)) return {};
    const InputFile file(path);
    const std::size_t end = file.text().rfind('\n');  // a run in progress may be within a line
    return std::string(file.text().substr(0, end == std::string_view::npos ? 0 : end + 1));
  }

 private:
  static constexpr double no_time_limit = std::numeric_limits<double>::infinity();

  // The case says what the frames do not; without it, or if it is damaged, they have to do.
  void read_case() {
    title_ = fs::absolute(folder_).lexically_normal().filename().string();
    if (title_.empty()) title_ = fs::absolute(folder_).lexically_normal().parent_path().filename();
    try {
      TomlTable given(folder_ + "/case.toml");
      title_ = given.text("title", title_);
      dimension_ = given.count("dimension", 3) == 2 ? 2 : 3;
    } catch (const Error&) {
    }
  }

  void add_entry(const VtkSeries::Entry& entry) {
    if (entry.file.find('/') != std::string::npos)
      throw Error(message(folder_, "/run.pvd: the file ", entry.file,
                          " is not in this folder; abut run writes all of a run into one"));
    if (times_.empty() || times_.back() != entry.time) {
      times_.push_back(entry.time);
      frame_files_.emplace_back();
    }
    const std::string path = folder_ + "/" + entry.file;
    if (entry.part == "particles") frame_files_.back().particles = path;
    if (entry.part == "contacts") frame_files_.back().contacts = path;
    if (entry.part == "walls") frame_files_.back().walls = path;
  }

  std::string folder_;
  std::string title_;
  int dimension_ = 0;  ///< 0: not known
  std::vector<double> times_;
  std::vector<FrameFiles> frame_files_;
};

class SingleFrameSource final : public FrameSource {
 public:
  SingleFrameSource(std::string title, FrameData frame)
      : title_(std::move(title)), frame_(std::move(frame)), times_{frame_.time} {}

  [[nodiscard]] const std::string& title() const override { return title_; }
  [[nodiscard]] const std::vector<double>& times() const override { return times_; }
  [[nodiscard]] FrameData frame(std::size_t number) const override {
    if (number > 0) throw Error(message(title_, ": there is no frame ", number, ", only one"));
    return frame_;
  }

 private:
  std::string title_;
  FrameData frame_;
  std::vector<double> times_;
};

}  // namespace

std::unique_ptr<FrameSource> open_run_source(const std::string& folder) {
  return std::make_unique<RunSource>(folder);
}

std::unique_ptr<FrameSource> single_frame_source(std::string title, FrameData frame) {
  return std::make_unique<SingleFrameSource>(std::move(title), std::move(frame));
}

}  // namespace abut
