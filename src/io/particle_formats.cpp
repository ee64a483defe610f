// Particle files of any format: detection of the format, formats without a reader of their own, and
// what is done for all of them.
#include "io/particle_formats.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "io/gzip.hpp"
#include "io/lammps_data.hpp"
#include "io/vtk_reader.hpp"

namespace abut {

ParticleText::ParticleText(const std::string& path, std::size_t max_pipe_bytes)
    : file_(path, {.bytes = max_pipe_bytes,
                   .for_regular_files = false,
                   .explanation = "a device or pipe is limited by --memory-limit"}),
      is_gzipped_(is_gzipped(file_.bytes())) {
  if (is_gzipped_)
    decompressed_ =
        decompressed(file_, {.bytes = max_pipe_bytes,
                             .explanation = "decompressed data are limited by --memory-limit"});
}

namespace {

// Whether a line after the first, which is a comment, is one of the header of a LAMMPS data file.
bool has_lammps_header(std::string_view text) {
  constexpr std::size_t max_bytes = 4096;
  text = text.substr(0, max_bytes);
  for (std::size_t end = text.find('\n'); end != std::string_view::npos;) {
    text.remove_prefix(end + 1);
    end = text.find('\n');
    std::string_view line = text.substr(0, end);
    line = line.substr(0, line.find('#'));
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    for (const std::string_view keyword : {" atoms", "\tatoms", " atom types", " xlo xhi"})
      if (line.ends_with(keyword)) return true;
    if (line == "Atoms") return true;
  }
  return false;
}

// Skips blank lines, and lines and ends of lines that are comments.
void skip_comments(Scanner& scan) {
  for (scan.skip_whitespace(); scan.peek() == '#'; scan.skip_whitespace())
    while (!scan.at_line_end()) scan.skip(scan.peek());
}

std::vector<std::string_view> words_of_line(Scanner scan) {
  std::vector<std::string_view> words;
  for (scan.skip_blanks(); !scan.at_line_end() && scan.peek() != '#'; scan.skip_blanks()) {
    words.push_back(scan.word());
    scan.skip_word();
    if (words.size() > 4) break;
  }
  return words;
}

bool begins_as_number(std::string_view word) { return word.find_first_of("0123456789+-.") == 0; }

// A line such as "nine 0.5" can only be meant to begin a file of elements.
bool is_misspelled_count(const std::vector<std::string_view>& words) {
  return words.size() == 2 && std::isalpha(static_cast<unsigned char>(words[0][0])) != 0 &&
         words[1].find_first_not_of("0123456789+-.e") == std::string_view::npos;
}

[[noreturn]] void fail_unknown_format(const Scanner& scan) {
  scan.fail(
      "unknown format; abut reads CSV with a header (x,y,z,r), text with columns x y z r, Demcda "
      "elements, LAMMPS data and dump files, and frames of abut run (.vtp)");
}

ParticleFormat particle_format(const ParticleText& file) {
  const std::string_view text = file.text();
  if (text.starts_with("<?xml") || text.starts_with("<VTKFile")) return ParticleFormat::frame;
  Scanner scan(file.name(), text);
  scan.skip_whitespace();
  const bool has_comment = scan.peek() == '#';
  if (scan.word() == "ITEM:") return ParticleFormat::lammps_dump;
  if (has_lammps_header(text)) return ParticleFormat::lammps_data;
  if (looks_like_csv(text)) return ParticleFormat::csv;
  skip_comments(scan);
  const std::vector<std::string_view> words = words_of_line(scan);
  const bool is_numeric = !words.empty() && begins_as_number(words[0]);
  if ((words.size() >= 4 && is_numeric) || (has_comment && (is_numeric || scan.at_end())))
    return ParticleFormat::table;
  if (file.has_csv_name()) return ParticleFormat::csv;  // its reader reports what is wrong
  if (scan.at_end() || is_numeric || is_misspelled_count(words)) return ParticleFormat::elements;
  fail_unknown_format(scan);
}

int dimension_of(const ParticleRequest& request) { return request.dimension == 2 ? 2 : 3; }

ParticleFile read_table(const ParticleText& input, const ParticleRequest& request) {
  const std::string_view text = input.text();
  Scanner scan(input.name(), text);
  ParticleFile file{.format = ParticleFormat::table, .dimension = dimension_of(request)};
  ProgressThrottle throttle(request.progress, text.size());
  skip_comments(scan);
  file.first_row = text.size() - scan.remaining();
  for (; !scan.at_end(); skip_comments(scan)) {
    const std::size_t number = file.size();
    std::array<double, 4> values{};
    constexpr std::array<std::string_view, 4> names{"x", "y", "z", "r"};
    for (std::size_t k = 0; k < values.size(); ++k) {
      scan.skip_blanks();
      values[k] = scan.number({names[k], "particle", number});
    }
    scan.skip_blanks();
    if (!scan.at_line_end() && scan.peek() != '#')
      scan.fail(message("particle ", number,
                        " has more than 4 columns; must be x y z r, or CSV with a header"));
    file.spheres.push_back({values[0], values[1], values[2]}, values[3]);
    check_last_particle(scan, file, request.bounds, "particle", number);
    throttle.advance([&] { return text.size() - scan.remaining(); });
  }
  return file;
}

void check_particles(const ParticleText& text, const ParticleFile& file,
                     const std::optional<Bounds>& bounds) {
  for (std::size_t i = 0; i < file.size(); ++i) check_particle(text, file, bounds, i);
}

ParticleFile read_lammps_particles(const ParticleText& text, const ParticleRequest& request) {
  LammpsData data = read_lammps_data(text.name(), text.text());
  ParticleFile file{.format = ParticleFormat::lammps_data, .dimension = dimension_of(request)};
  file.spheres = std::move(data.spheres);
  file.ids = std::move(data.id);
  file.box = ParticleBox{data.box};
  file.first_row = data.first_row;
  if (request.contents == ParticleContents::all) {
    if (data.has_velocities) {
      file.velocity = std::move(data.velocity);
      file.angular_velocity = std::move(data.angular_velocity);
    }
    file.density = std::move(data.density);
    MaterialNames names;
    file.material.reserve(data.type.size());
    for (const std::uint32_t type : data.type)
      file.material.push_back(names.index_of(message(type)));
    file.material_names = names.take();
  }
  check_particles(text, file, request.bounds);
  return file;
}

const VtkArray* frame_field(const VtkContent& content, std::string_view name,
                            std::size_t components) {
  const VtkArray* const field = content.point_field(name);
  return field != nullptr && field->components == components ? field : nullptr;
}

std::vector<Vec<3>> frame_vectors(const ParticleText& text, const ParticleFile& file,
                                  const VtkContent& content, std::string_view name) {
  const VtkArray* const field = frame_field(content, name, 3);
  if (field == nullptr) return {};
  const std::vector<double> values = field->as<double>();
  std::vector<Vec<3>> vectors(file.size());
  for (std::size_t i = 0; i < vectors.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      vectors[i][k] = values[3 * i + k];
      if (!std::isfinite(vectors[i][k]))
        fail_at_particle(text, file, i, name, message(vectors[i][k]), "must be finite");
    }
  return vectors;
}

void warn_unknown_fields(const VtkContent& content, ParticleFile& file) {
  constexpr std::array<std::string_view, 9> known{
      "radius", "velocity", "speed", "angular_velocity", "id", "material", "coordination_number",
      "fixed",  "image"};
  std::string names;
  for (const VtkArray& field : content.point_fields())
    if (std::ranges::find(known, field.name) == known.end())
      names += message(names.empty() ? "" : ", ", Scanner::printable(field.name));
  if (!names.empty())
    file.warnings.push_back(message("ignored fields ", names,
                                    "; abut reads radius, velocity, angular_velocity, id, material "
                                    "and fixed"));
}

void read_frame_contents(const ParticleText& text, const VtkContent& content, ParticleFile& file) {
  file.velocity = frame_vectors(text, file, content, "velocity");
  file.angular_velocity = frame_vectors(text, file, content, "angular_velocity");
  if (const VtkArray* const fixed = frame_field(content, "fixed", 1))
    for (const std::int32_t is_fixed : fixed->as<std::int32_t>())
      file.fixed.push_back(is_fixed != 0 ? 1 : 0);
  if (const VtkArray* const material = frame_field(content, "material", 1)) {
    MaterialNames names;
    for (const std::int64_t number : material->as<std::int64_t>())
      file.material.push_back(names.index_of(message(number)));
    file.material_names = names.take();
  }
}

ParticleFile read_frame_particles(const ParticleText& text, const ParticleRequest& request) {
  const VtkContent content(text.name(), text.text());
  const VtkArray* const radius = frame_field(content, "radius", 1);
  if (radius == nullptr)
    throw Error(ErrorCode::invalid_input, {.file = text.name(), .key = "radius"},
                "missing field; this is not a frame of particles, the name of which begins with "
                "particles-");
  ParticleFile file{.format = ParticleFormat::frame};
  file.spheres.radii = radius->as<double>();
  const std::vector<double> points = content.points().as<double>();
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < file.size(); ++i)
      file.spheres.coordinates[k].push_back(points[3 * i + k]);
  const auto& z = file.spheres.coordinates[2];
  const bool is_planar =
      !z.empty() && std::ranges::all_of(z, [](double coordinate) { return coordinate == 0; });
  file.dimension = request.dimension != 0 ? request.dimension : is_planar ? 2 : 3;
  if (const VtkArray* const id = frame_field(content, "id", 1)) file.ids = id->as<std::int64_t>();
  if (request.contents == ParticleContents::all) read_frame_contents(text, content, file);
  warn_unknown_fields(content, file);
  check_particles(text, file, request.bounds);
  return file;
}

ParticleFile read_format(const ParticleText& text, const ParticleRequest& request) {
  switch (particle_format(text)) {
    case ParticleFormat::csv:
      return read_csv_particles(text, request);
    case ParticleFormat::elements:
      return read_demcda_elements(text, request);
    case ParticleFormat::table:
      return read_table(text, request);
    case ParticleFormat::lammps_data:
      return read_lammps_particles(text, request);
    case ParticleFormat::lammps_dump:
      return read_lammps_dump(text, request);
    case ParticleFormat::frame:
      break;
  }
  return read_frame_particles(text, request);
}

// Ids must be unique: pairs refer to particles by them.
void check_ids(const ParticleText& text, const ParticleFile& file) {
  const std::vector<std::int64_t>& ids = file.ids;
  std::vector<std::size_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return ids[i]; });
  const auto duplicate =
      std::ranges::adjacent_find(order, {}, [&](std::size_t i) { return ids[i]; });
  if (duplicate == order.end()) return;
  const std::size_t second = *std::next(duplicate);
  fail_at_particle(text, file, second, "id", message(ids[second]),
                   message("must be unique, but is also the id of particle ", *duplicate));
}

}  // namespace

ParticleFile read_particles(const ParticleText& file, const std::optional<Bounds>& bounds,
                            int dimension, ParticleContents contents, const Progress& progress) {
  if (dimension == 0 && bounds) dimension = bounds->dimension;
  ParticleFile particles = read_format(file, {bounds, dimension, contents, progress});
  check_ids(file, particles);
  return particles;
}

ParticleFile read_particles(const std::string& path, const std::optional<Bounds>& bounds,
                            int dimension, const Progress& progress) {
  return read_particles(ParticleText(path), bounds, dimension, ParticleContents::geometry,
                        progress);
}

std::optional<std::size_t> particle_line(const ParticleText& text, const ParticleFile& file,
                                         std::size_t particle) {
  if (file.format == ParticleFormat::frame) return std::nullopt;
  const bool has_comments =
      file.format == ParticleFormat::table || file.format == ParticleFormat::lammps_data;
  Scanner scan("", text.text());
  scan.advance_to(file.first_row);
  for (std::size_t row = 0;; ++row) {
    if (has_comments)
      skip_comments(scan);
    else
      scan.skip_whitespace();
    if (row == particle || scan.at_end()) return scan.line();
    while (!scan.at_line_end()) scan.skip(scan.peek());
  }
}

std::string particle_name(const ParticleFile& file, std::size_t particle) {
  if (file.format == ParticleFormat::lammps_data) return message("atom ", file.ids[particle]);
  if (file.format == ParticleFormat::frame && !file.ids.empty())
    return message("particle with id ", file.ids[particle]);
  return message("particle ", particle);
}

void fail_at_particle(const ParticleText& text, const ParticleFile& file, std::size_t particle,
                      std::string_view field, std::string value, std::string_view problem) {
  throw Error(ErrorCode::invalid_input,
              {.file = text.name(),
               .line = particle_line(text, file, particle),
               .key = message(field, " of ", particle_name(file, particle)),
               .value = std::move(value)},
              problem);
}

void check_box(const ParticleText& text, ParticleFile& file, const std::optional<Bounds>& domain,
               const std::array<bool, 3>& periodic) {
  if (!file.box) return;
  std::string open_axes;
  for (std::size_t k = 0; k < static_cast<std::size_t>(file.dimension); ++k) {
    if (file.box->periodic[k] && !periodic[k]) open_axes += axis_names[k];
    if (!periodic[k] || !domain) continue;
    const double length = file.box->box.max[k] - file.box->box.min[k];
    const double period = domain->max[k] - domain->min[k];
    constexpr double tolerance = 1e-9;
    if (std::abs(length - period) > tolerance * period)
      throw Error(ErrorCode::invalid_input,
                  {.file = text.name(),
                   .key = message("length of the box along ", axis_names[k]),
                   .value = message(length)},
                  message("must be ", period, " as in ", domain->file, ", which is periodic"));
  }
  if (!open_axes.empty())
    file.warnings.push_back(message("the box of the file is periodic along ", open_axes, ", but ",
                                    domain ? domain->file : "the domain",
                                    " is not; contacts across it are omitted"));
}

}  // namespace abut
