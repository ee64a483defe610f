// What `abut detect` reads and writes, as a frame. Contacts are found beside what they belong to: a
// file of them fits if it names particles there are, with the gaps they have.
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

namespace abut {
namespace {

namespace fs = std::filesystem;

using IndexById = std::unordered_map<std::int64_t, std::size_t>;

std::vector<std::string> csv_files_in(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code unknown;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, unknown))
    if (has_csv_extension(entry.path().string()) && entry.is_regular_file(unknown))
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

// Of all files of this kind beside the particles the first that fits them.
std::optional<ContactTable> find_matching_contacts(
    const std::string& path, CsvKind kind, const std::function<bool(const ContactTable&)>& fits) {
  for (const std::string& file : csv_files_in(parent_folder(path))) {
    if (csv_kind(file) != kind) continue;
    try {
      ContactTable table = read_contacts(file);
      if (fits(table)) return table;
    } catch (const Error&) {  // whatever it is, it was not asked for
    }
  }
  return {};
}

double pair_gap(const FrameParticles& particles, std::size_t a, std::size_t b) {
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double way = double{particles.position[a][k]} - double{particles.position[b][k]};
    square += way * way;
  }
  return std::sqrt(square) - (double{particles.radius[a]} + double{particles.radius[b]});
}

// Places are floats here, so a gap is known to some millionths of the largest coordinate.
bool contacts_match_particles(const FrameParticles& particles, const IndexById& numbers,
                              const ContactTable& table) {
  float largest = 0;
  for (const auto& place : particles.position)
    for (const float x : place) largest = std::max(largest, std::abs(x));
  const double slack = 1e-5 * double{largest};
  for (std::size_t i = 0; i < table.gap.size(); ++i) {
    const auto a = numbers.find(table.a[i]);
    const auto b = numbers.find(table.b[i]);
    if (a == numbers.end() || b == numbers.end()) return false;
    if (crosses_periodic_boundary(table, i)) continue;
    const double gap = pair_gap(particles, a->second, b->second);
    if (std::abs(gap - table.gap[i]) > slack) return false;
  }
  return !table.gap.empty();
}

// Lines that would go through the whole domain, to the particle at its other end, are left out.
void add_contacts(const ContactTable& table, const IndexById& numbers,
                  const std::vector<std::array<float, 3>>& centres, FrameContacts& contacts) {
  FrameField gap{"gap", 1, {}};
  FrameField overlap{"overlap", 1, {}};
  for (std::size_t i = 0; i < table.gap.size(); ++i) {
    if (crosses_periodic_boundary(table, i)) continue;
    contacts.ends.push_back({centres[numbers.at(table.a[i])], centres[numbers.at(table.b[i])]});
    contacts.a.push_back(table.a[i]);
    contacts.b.push_back(table.b[i]);
    gap.values.push_back(static_cast<float>(table.gap[i]));
    overlap.values.push_back(static_cast<float>(std::max(0.0, -table.gap[i])));
  }
  contacts.fields = {std::move(gap), std::move(overlap)};
}

FrameField contact_counts(const ContactTable& table, const IndexById& numbers,
                          std::size_t particles) {
  FrameField touching{"coordination_number", 1, std::vector<float>(particles)};
  for (std::size_t i = 0; i < table.gap.size(); ++i) {
    touching.values[numbers.at(table.a[i])] += 1;
    touching.values[numbers.at(table.b[i])] += 1;
  }
  return touching;
}

ParticleFile read_particle_file(const std::string& path) {
  const fs::path bounds = parent_folder(path) / "bounds.txt";
  std::error_code unknown;
  if (fs::path(path).filename() == "elements.txt" && fs::exists(bounds, unknown))
    return read_particles(path, read_demcda_bounds(bounds.string()), 0, {});
  return read_particles(path, {}, 0, {});
}

FrameParticles to_frame_particles(const std::string& path, const ParticleFile& file) {
  FrameParticles particles;
  particles.position.resize(file.size());
  for (std::size_t i = 0; i < file.size(); ++i) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(file.dimension); ++k)
      particles.position[i][k] = static_cast<float>(file.coordinates[k][i]);
    particles.radius.push_back(static_cast<float>(file.radii[i]));
    particles.id.push_back(file.ids.empty() ? static_cast<std::int64_t>(i) : file.ids[i]);
    constexpr double most = 1e18;  // their squares are floats, too
    const auto fits = [&](float x) { return double{std::abs(x)} < most; };
    if (!std::ranges::all_of(particles.position[i], fits) || !fits(particles.radius[i]) ||
        particles.radius[i] == 0)
      throw Error(message(path, ": particle ", i,
                          " is too far away, too large or too small to be "
                          "shown; lengths between 1e-37 and 1e18 can be"));
  }
  return particles;
}

IndexById index_by_id(const std::vector<std::int64_t>& ids) {
  IndexById numbers;
  for (std::size_t i = 0; i < ids.size(); ++i) numbers.emplace(ids[i], i);
  return numbers;
}

}  // namespace

FrameData read_particle_frame(const std::string& path) {
  const CsvKind kind = csv_kind(path);
  if (kind == CsvKind::contacts || kind == CsvKind::block_contacts)
    throw Error(message(path,
                        ": holds contacts; give the file of the particles that they belong "
                        "to, they are found beside it"));
  const ParticleFile file = read_particle_file(path);
  FrameData frame;
  frame.dimension = file.dimension;
  frame.particles = to_frame_particles(path, file);
  const IndexById numbers = index_by_id(frame.particles.id);
  const auto table =
      find_matching_contacts(path, CsvKind::contacts, [&](const ContactTable& found) {
        return contacts_match_particles(frame.particles, numbers, found);
      });
  if (!table) return frame;
  add_contacts(*table, numbers, frame.particles.position, frame.contacts);
  frame.particles.fields.push_back(contact_counts(*table, numbers, frame.particles.id.size()));
  return frame;
}

FrameData read_block_frame(const std::string& path) {
  BlockOutlines outlines = read_block_outlines(path);
  FrameData frame;
  frame.dimension = outlines.dimension;
  frame.blocks = std::move(outlines.blocks);
  const IndexById numbers = index_by_id(outlines.ids);
  std::error_code unknown;
  const std::string beside = fs::is_directory(path, unknown) ? path + "/." : path;
  const auto table =
      find_matching_contacts(beside, CsvKind::block_contacts, [&](const ContactTable& found) {
        return outlines.matches(found, [&](std::int64_t id) {
          const auto at = numbers.find(id);
          return at == numbers.end() ? outlines.ids.size() : at->second;
        });
      });
  if (!table) return frame;
  add_contacts(*table, numbers, outlines.centers, frame.contacts);
  FrameField point{"point", 3, {}};
  FrameField normal{"normal", 3, {}};
  FrameField measure{"area", 1, {}};
  for (std::size_t i = 0; i < table->gap.size(); ++i) {
    if (crosses_periodic_boundary(*table, i)) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      point.values.push_back(static_cast<float>(table->point[i][k]));
      normal.values.push_back(table->normal.empty() ? 0.0F
                                                    : static_cast<float>(table->normal[i][k]));
    }
    measure.values.push_back(table->area.empty() ? 0.0F : static_cast<float>(table->area[i]));
  }
  frame.contacts.fields.insert(frame.contacts.fields.end(), {point, normal, measure});
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
                        ": no run.pvd, no elements.txt, and no CSV, OBJ or STL of "
                        "particles; give a folder of abut run, or what abut detect reads"));
  if (found.size() > 1)
    throw Error(message(folder, ": holds several files of particles, ", found[0], " and ", found[1],
                        " among them; name one"));
  return found[0];
}

}  // namespace abut
