// Frames from input and output files of `abut detect`. A file of contacts in the folder of the
// particles is used if all its ids exist and its gaps or contact points match the particles.
#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>
#include <unordered_map>

#include "core/message.hpp"
#include "frames/frame_source.hpp"
#include "io/contact_csv.hpp"
#include "io/particle_file.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

using IndexById = std::unordered_map<std::int64_t, std::size_t>;

std::vector<std::string> csv_files_in(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (has_csv_extension(entry.path().string()) && entry.is_regular_file(ignored))
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

fs::path parent_folder(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

bool crosses_periodic_boundary(const ContactTable& table, std::size_t i) {
  return !table.image.empty() && table.image[i] != std::array<double, 3>{};
}

/// The first file of this kind in the folder of the particles that matches them.
std::optional<ContactTable> find_matching_contacts(
    const std::string& path, CsvKind kind,
    const std::function<bool(const ContactTable&)>& matches) {
  for (const std::string& file : csv_files_in(parent_folder(path))) {
    if (csv_kind(file) != kind) continue;
    try {
      ContactTable table = read_contacts(file);
      if (matches(table)) return table;
    } catch (const Error&) {  // unreadable files are ignored: the user did not name them
    }
  }
  return {};
}

double pair_gap(const FrameParticles& particles, std::size_t a, std::size_t b) {
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double difference = double{particles.position[a][k]} - double{particles.position[b][k]};
    square += difference * difference;
  }
  return std::sqrt(square) - (double{particles.radius[a]} + double{particles.radius[b]});
}

// Positions are floats, so gaps are accurate only to about 1e-6 of the largest coordinate.
bool contacts_match_particles(const FrameParticles& particles, const IndexById& indices,
                              const ContactTable& table) {
  float max_coordinate = 0;
  for (const auto& position : particles.position)
    for (const float x : position) max_coordinate = std::max(max_coordinate, std::abs(x));
  const double tolerance = 1e-5 * double{max_coordinate};
  for (std::size_t i = 0; i < table.gap.size(); ++i) {
    const auto a = indices.find(table.a[i]);
    const auto b = indices.find(table.b[i]);
    if (a == indices.end() || b == indices.end()) return false;
    if (crosses_periodic_boundary(table, i)) continue;
    const double gap = pair_gap(particles, a->second, b->second);
    if (std::abs(gap - table.gap[i]) > tolerance) return false;
  }
  return !table.gap.empty();
}

/// Adds all contacts except those across a periodic boundary: their lines would cross the whole
/// domain.
void add_contacts(const ContactTable& table, const IndexById& indices,
                  const std::vector<std::array<float, 3>>& centers, FrameContacts& contacts) {
  FrameField gap{"gap", 1, {}};
  FrameField overlap{"overlap", 1, {}};
  for (std::size_t i = 0; i < table.gap.size(); ++i) {
    if (crosses_periodic_boundary(table, i)) continue;
    contacts.ends.push_back({centers[indices.at(table.a[i])], centers[indices.at(table.b[i])]});
    contacts.a.push_back(table.a[i]);
    contacts.b.push_back(table.b[i]);
    gap.values.push_back(static_cast<float>(table.gap[i]));
    overlap.values.push_back(static_cast<float>(std::max(0.0, -table.gap[i])));
  }
  contacts.fields = {std::move(gap), std::move(overlap)};
}

FrameField contact_counts(const ContactTable& table, const IndexById& indices,
                          std::size_t particle_count) {
  FrameField counts{"coordination_number", 1, std::vector<float>(particle_count)};
  for (std::size_t i = 0; i < table.gap.size(); ++i) {
    counts.values[indices.at(table.a[i])] += 1;
    counts.values[indices.at(table.b[i])] += 1;
  }
  return counts;
}

ParticleFile read_particle_file(const std::string& path) {
  const fs::path bounds_file = parent_folder(path) / "bounds.txt";
  std::error_code ignored;
  std::optional<Bounds> bounds;
  if (fs::path(path).filename() == "elements.txt" && fs::exists(bounds_file, ignored)) {
    require_regular_file(bounds_file.string());
    bounds = read_demcda_bounds(bounds_file.string());
  }
  return read_particles(ParticleText(path), bounds, 0, ParticleContents::all, {});
}

FrameField vector_field(const std::string& name, const std::vector<Vec<3>>& vectors) {
  FrameField field{name, 3, {}};
  for (const Vec<3>& vector : vectors)
    for (const double component : vector) field.values.push_back(static_cast<float>(component));
  return field;
}

/// The velocities of the file, if any, as in the frames of a run.
void add_velocities(const ParticleFile& file, FrameParticles& particles) {
  if (!file.velocity.empty()) {
    FrameField speed{"speed", 1, {}};
    for (const Vec<3>& v : file.velocity)
      speed.values.push_back(static_cast<float>(std::hypot(v[0], v[1], v[2])));
    particles.fields.push_back(vector_field("velocity", file.velocity));
    particles.fields.push_back(std::move(speed));
  }
  if (!file.angular_velocity.empty())
    particles.fields.push_back(vector_field("angular_velocity", file.angular_velocity));
}

FrameParticles to_frame_particles(const std::string& path, const ParticleFile& file) {
  FrameParticles particles;
  particles.position.resize(file.size());
  for (std::size_t i = 0; i < file.size(); ++i) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(file.dimension); ++k)
      particles.position[i][k] = static_cast<float>(file.spheres.coordinates[k][i]);
    particles.radius.push_back(static_cast<float>(file.spheres.radii[i]));
    particles.id.push_back(file.ids.empty() ? static_cast<std::int64_t>(i) : file.ids[i]);
    constexpr double max = 1e18;  // so that squares are finite floats
    const auto fits = [&](float x) { return double{std::abs(x)} < max; };
    if (!std::ranges::all_of(particles.position[i], fits) || !fits(particles.radius[i]) ||
        particles.radius[i] == 0)
      throw Error(message(path, ": particle ", i,
                          ": coordinates must be less than 1e18 in magnitude and the radius "
                          "between 1e-37 and 1e18 for display"));
  }
  return particles;
}

IndexById index_by_id(const std::vector<std::int64_t>& ids) {
  IndexById indices;
  for (std::size_t i = 0; i < ids.size(); ++i) indices.emplace(ids[i], i);
  return indices;
}

}  // namespace

FrameData read_particle_frame(const std::string& path) {
  const CsvKind kind = csv_kind(path);
  if (kind == CsvKind::contacts || kind == CsvKind::block_contacts)
    throw Error(message(path,
                        ": contains contacts; give the file of the particles, contacts in the "
                        "same folder are found automatically"));
  const ParticleFile file = read_particle_file(path);
  FrameData frame;
  frame.dimension = file.dimension;
  frame.particles = to_frame_particles(path, file);
  add_velocities(file, frame.particles);
  for (const std::string& warning : file.warnings)
    frame.warnings.push_back(message(path, ": warning: ", warning));
  const IndexById indices = index_by_id(frame.particles.id);
  const auto table =
      find_matching_contacts(path, CsvKind::contacts, [&](const ContactTable& found) {
        return contacts_match_particles(frame.particles, indices, found);
      });
  if (!table) return frame;
  add_contacts(*table, indices, frame.particles.position, frame.contacts);
  frame.particles.fields.push_back(contact_counts(*table, indices, frame.particles.id.size()));
  return frame;
}

FrameData read_block_frame(const std::string& path) {
  BlockOutlines outlines = read_block_outlines(path);
  FrameData frame;
  frame.dimension = outlines.dimension;
  frame.blocks = std::move(outlines.blocks);
  const IndexById indices = index_by_id(outlines.ids);
  std::error_code ignored;
  const std::string file_in_folder = fs::is_directory(path, ignored) ? path + "/." : path;
  const auto table = find_matching_contacts(
      file_in_folder, CsvKind::block_contacts, [&](const ContactTable& found) {
        return outlines.matches(found, [&](std::int64_t id) {
          const auto index = indices.find(id);
          return index == indices.end() ? outlines.ids.size() : index->second;
        });
      });
  if (!table) return frame;
  add_contacts(*table, indices, outlines.centers, frame.contacts);
  FrameField point{"point", 3, {}};
  FrameField normal{"normal", 3, {}};
  FrameField area{"area", 1, {}};
  for (std::size_t i = 0; i < table->gap.size(); ++i) {
    if (crosses_periodic_boundary(*table, i)) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      point.values.push_back(static_cast<float>(table->point[i][k]));
      normal.values.push_back(table->normal.empty() ? 0.0F
                                                    : static_cast<float>(table->normal[i][k]));
    }
    area.values.push_back(table->area.empty() ? 0.0F : static_cast<float>(table->area[i]));
  }
  frame.contacts.fields.insert(frame.contacts.fields.end(), {point, normal, area});
  return frame;
}

std::string find_particle_file(const std::string& folder) {
  std::vector<std::string> found;
  for (const std::string& file : csv_files_in(folder)) {
    const CsvKind kind = csv_kind(file);
    if (kind == CsvKind::particles || kind == CsvKind::polygons) found.push_back(file);
  }
  if (found.empty())
    throw Error(message(folder,
                        ": no run.pvd, no elements.txt, and no CSV, OBJ or STL file of particles; "
                        "give an output folder of abut run or an input of abut detect"));
  if (found.size() > 1)
    throw Error(message(folder, ": several files of particles, such as ", found[0], " and ",
                        found[1], "; name one of them"));
  return found[0];
}

}  // namespace abut
