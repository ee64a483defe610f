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
#include "io/vtk_reader.hpp"
#include "io/vtk_writer.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view damaged_file_hint =
    "the file is damaged; copy it again or repeat the run";

VtkContent open_vtp(const std::string& path) {
  require_regular_file(path);
  return VtkContent(path);
}

TomlTable open_case(const std::string& folder) {
  const std::string path = folder + "/case.toml";
  require_regular_file(path);
  return TomlTable(path);
}

std::vector<std::array<float, 3>> finite_points(const std::string& path, const VtkArray& points) {
  const std::vector<float> coordinates = points.as<float>();
  std::vector<std::array<float, 3>> positions(points.count());
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      positions[i][k] = coordinates[3 * i + k];
      if (!std::isfinite(positions[i][k]))
        throw Error(message(path, ": ", axis_names[k], " of point ", i,
                            " is not finite in single precision; ", damaged_file_hint));
    }
  return positions;
}

FrameField to_frame_field(const VtkArray& array) {
  return {array.name, array.components, array.as<float>()};
}

const VtkArray& required_field(const std::string& path, const VtkArray* array,
                               std::string_view name) {
  if (array != nullptr && array->components == 1) return *array;
  throw Error(message(path, ": the field '", name, "' is missing; ", damaged_file_hint));
}

// Walls are stored as −1 − index, to distinguish them from particle ids.
void read_contact_ids(const VtkContent& file, FrameContacts& contacts) {
  const VtkArray* const a = file.cell_field("a");
  const VtkArray* const b = file.cell_field("b");
  const VtkArray* const is_wall_field = file.cell_field("is_wall");
  if (a == nullptr || b == nullptr || a->components != 1 || b->components != 1) return;
  contacts.a = a->as<std::int64_t>();
  contacts.b = b->as<std::int64_t>();
  if (is_wall_field == nullptr || is_wall_field->components != 1) return;
  const auto is_wall = is_wall_field->as<std::int32_t>();
  for (std::size_t i = 0; i < is_wall.size(); ++i)
    if (is_wall[i] != 0) contacts.b[i] = -1 - contacts.b[i];
}

bool has_zero_z(const std::vector<std::array<float, 3>>& points) {
  return std::ranges::all_of(points, [](const auto& point) { return point[2] == 0; });
}

FrameParticles particles_from_vtp(const std::string& path, const VtkContent& file) {
  FrameParticles particles;
  particles.position = finite_points(path, file.points());
  particles.radius = required_field(path, file.point_field("radius"), "radius").as<float>();
  particles.id = required_field(path, file.point_field("id"), "id").as<std::int64_t>();
  for (std::size_t i = 0; i < particles.radius.size(); ++i)
    if (!(particles.radius[i] > 0) || !std::isfinite(particles.radius[i]))
      throw Error(message(path, ": radius of particle ", i, " = ", particles.radius[i],
                          ": must be positive and finite; ", damaged_file_hint));
  for (const VtkArray& field : file.point_fields())
    if (field.name != "radius" && field.name != "id")
      particles.fields.push_back(to_frame_field(field));
  return particles;
}

FrameContacts contacts_from_vtp(const std::string& path, const VtkContent& file) {
  if (file.has_vertices() || !file.triangles().empty())
    throw Error(message(path, ": contacts must consist of lines only; ", damaged_file_hint));
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
  const std::size_t elements = walls.triangles.size() + walls.segments.size();
  const VtkArray* const wall_id = file.cell_field("wall_id");
  if (wall_id != nullptr && wall_id->components == 1 && wall_id->count() == elements)
    walls.wall_id = wall_id->as<std::int32_t>();
  else
    walls.wall_id.assign(elements, 0);
  return walls;
}

/// Whether all coordinates z are 0.
bool is_planar(const FrameData& frame) {
  return frame.walls.triangles.empty() && frame.blocks.triangles.empty() &&
         has_zero_z(frame.particles.position) && has_zero_z(frame.walls.vertices) &&
         std::ranges::all_of(frame.contacts.ends,
                             [](const auto& ends) { return ends[0][2] == 0 && ends[1][2] == 0; });
}

/// Paths of the files of a frame; empty if not written.
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
                          "/run.pvd: no frames; the run has just started, or frame_interval = 0 in "
                          "its case"));
  }

  bool refresh() override {
    const std::size_t before = times_.size();
    require_regular_file(folder_ + "/run.pvd");
    const VtkSeries series = VtkSeries::resume(folder_ + "/run.pvd", no_time_limit);
    times_.clear();
    frame_files_.clear();
    for (const VtkSeries::Entry& entry : series.entries()) add_entry(entry);
    return times_.size() > before;
  }

  [[nodiscard]] const std::string& title() const override { return title_; }
  [[nodiscard]] const std::vector<double>& times() const override { return times_; }
  [[nodiscard]] bool has_si_units() const override { return has_si_units_; }

  [[nodiscard]] FrameData frame(std::size_t index) const override {
    if (index >= frame_files_.size())
      throw Error(message(folder_, ": there is no frame ", index,
                          "; number of frames: ", frame_files_.size()));
    const FrameFiles& files = frame_files_[index];
    FrameData frame;
    frame.time = times_[index];
    if (!files.particles.empty())
      frame.particles = particles_from_vtp(files.particles, open_vtp(files.particles));
    if (!files.contacts.empty())
      frame.contacts = contacts_from_vtp(files.contacts, open_vtp(files.contacts));
    if (!files.walls.empty()) frame.walls = walls_from_vtp(files.walls, open_vtp(files.walls));
    frame.dimension = dimension_ != 0 ? dimension_ : is_planar(frame) ? 2 : 3;
    return frame;
  }

  [[nodiscard]] std::string probes() const override {
    const std::string path = folder_ + "/probes.csv";
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return {};
    require_regular_file(path);
    const InputFile file(path);
    const std::size_t end =
        file.text().rfind('\n');  // the last line of a run in progress may be incomplete
    return std::string(file.text().substr(0, end == std::string_view::npos ? 0 : end + 1));
  }

 private:
  static constexpr double no_time_limit = std::numeric_limits<double>::infinity();

  // Title, dimension and units are taken from the case; if it is missing or damaged, from defaults.
  void read_case() {
    title_ = fs::absolute(folder_).lexically_normal().filename().string();
    if (title_.empty()) title_ = fs::absolute(folder_).lexically_normal().parent_path().filename();
    try {
      TomlTable input = open_case(folder_);
      title_ = input.text("title", title_);
      dimension_ = input.count("dimension", 3) == 2 ? 2 : 3;
    } catch (const Error&) {
    }
    has_si_units_ = run_has_si_units(folder_);
  }

  void add_entry(const VtkSeries::Entry& entry) {
    if (entry.file.find('/') != std::string::npos)
      throw Error(message(folder_, "/run.pvd: ", entry.file,
                          " is not in this folder; all files of a run must be in one folder"));
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
  int dimension_ = 0;  ///< 0: unknown
  bool has_si_units_ = true;
  std::vector<double> times_;
  std::vector<FrameFiles> frame_files_;
};

}  // namespace

bool run_has_si_units(const std::string& folder) {
  try {
    return open_case(folder).text("units", "SI") != "none";
  } catch (const Error&) {
    return true;
  }
}

std::unique_ptr<FrameSource> open_run_source(const std::string& folder) {
  return std::make_unique<RunSource>(folder);
}

FrameData read_vtp_frame(const std::string& path) {
  const VtkContent file = open_vtp(path);
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

}  // namespace abut
