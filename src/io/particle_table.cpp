// Rows of particles in columns, as in CSV files and LAMMPS dumps.
#include <algorithm>
#include <utility>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "io/particle_formats.hpp"

namespace abut {
namespace {

// Without the quotes around it; a quote within is written twice.
std::string unquoted(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = text.find_last_not_of(" \t") + 1;
  text = text.substr(begin, end - begin);
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::string(text);
  std::string name;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    name += text[i];
    if (text[i] == '"' && text[i + 1] == '"') ++i;
  }
  return name;
}

bool is_geometry(ParticleColumn column) {
  return column <= ParticleColumn::z || column == ParticleColumn::radius ||
         column == ParticleColumn::diameter || column == ParticleColumn::id ||
         column == ParticleColumn::unknown;
}

ParticleColumn offset_by(ParticleColumn first, std::size_t axis) {
  return static_cast<ParticleColumn>(static_cast<std::size_t>(first) + axis);
}

std::size_t axis_from(ParticleColumn first, ParticleColumn column) {
  return static_cast<std::size_t>(column) - static_cast<std::size_t>(first);
}

}  // namespace

std::uint32_t MaterialNames::index_of(std::string_view text) {
  if (text == last_text_ && !names_.empty()) return last_index_;
  last_text_ = text;
  const auto [found, is_new] =
      indices_.emplace(last_text_, static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back(unquoted(text));
  last_index_ = found->second;
  return last_index_;
}

ParticleTable::ParticleTable(std::vector<std::string> titles, std::span<const NamedColumn> known,
                             ParticleContents contents, ParticleFile& file)
    : titles_(std::move(titles)), known_(known), file_(file) {
  for (const std::string& title : titles_) {
    const auto found = std::ranges::find(known, title, &NamedColumn::title);
    columns_.push_back(found == known.end() ? ParticleColumn::unknown : found->column);
  }
  if (contents == ParticleContents::geometry)
    for (ParticleColumn& column : columns_)
      if (!is_geometry(column)) column = ParticleColumn::unused;
  has_id_ = count(ParticleColumn::id) > 0;
  has_density_ = count(ParticleColumn::density) > 0;
  has_material_ = count(ParticleColumn::material) > 0;
  for (std::size_t k = 0; k < 3; ++k) {
    has_velocity_ |= count(offset_by(ParticleColumn::vx, k)) > 0;
    has_angular_velocity_ |= count(offset_by(ParticleColumn::wx, k)) > 0;
  }
}

std::size_t ParticleTable::count(ParticleColumn column) const {
  return static_cast<std::size_t>(std::ranges::count(columns_, column));
}

std::string_view ParticleTable::known_title(ParticleColumn column) const {
  return std::ranges::find(known_, column, &NamedColumn::column)->title;
}

// `required_axes` has bit k for axis k.
void ParticleTable::check_vector(const Scanner& scan, ParticleColumn first,
                                 unsigned required_axes) const {
  std::string required;
  for (std::size_t k = 0; k < 3; ++k)
    if ((required_axes >> k & 1U) != 0)
      required += message(required.empty() ? "" : ", ", known_title(offset_by(first, k)));
  for (std::size_t k = 0; k < 3; ++k)
    if ((required_axes >> k & 1U) != 0 && count(offset_by(first, k)) == 0)
      scan.fail({known_title(offset_by(first, k))},
                message("missing column; in ", file_.dimension, "D give ", required,
                        ", or no column of this vector"));
}

void ParticleTable::check_vectors(const Scanner& scan) const {
  if (has_velocity_) check_vector(scan, ParticleColumn::vx, file_.dimension == 2 ? 3 : 7);
  if (has_angular_velocity_) check_vector(scan, ParticleColumn::wx, file_.dimension == 2 ? 4 : 7);
}

void ParticleTable::warn_unknown() const {
  constexpr std::size_t max_names = 8;
  std::string names;
  std::size_t unknown = 0;
  for (std::size_t i = 0; i < size(); ++i)
    if (columns_[i] == ParticleColumn::unknown && ++unknown <= max_names)
      names += message(names.empty() ? "" : ", ", Scanner::printable(titles_[i]));
  if (unknown == 0) return;
  if (unknown > max_names) names += message(" and ", unknown - max_names, " more");
  std::string all;
  for (const NamedColumn& column : known_)
    if (column.column != ParticleColumn::unused)
      all += message(all.empty() ? "" : ", ", column.title);
  file_.warnings.push_back(
      message("ignored column", unknown == 1 ? " " : "s ", names, "; abut reads ", all));
}

void ParticleTable::read_field(Scanner& scan, std::size_t i, std::size_t number) {
  const ParticleColumn column = columns_[i];
  const Field field{titles_[i], "particle", number};
  switch (column) {
    case ParticleColumn::x:
    case ParticleColumn::y:
    case ParticleColumn::z:
      row_.position[axis_from(ParticleColumn::x, column)] = scan.number(field);
      return;
    case ParticleColumn::vx:
    case ParticleColumn::vy:
    case ParticleColumn::vz:
      row_.velocity[axis_from(ParticleColumn::vx, column)] = scan.number(field);
      return;
    case ParticleColumn::wx:
    case ParticleColumn::wy:
    case ParticleColumn::wz:
      row_.angular_velocity[axis_from(ParticleColumn::wx, column)] = scan.number(field);
      return;
    case ParticleColumn::radius:
      row_.radius = scan.number(field);
      return;
    case ParticleColumn::diameter:
      row_.radius = scan.number(field) / 2;
      return;
    case ParticleColumn::density:
      row_.density = scan.number(field);
      return;
    case ParticleColumn::id:
      row_.id = scan.integer<std::int64_t>(field);
      return;
    case ParticleColumn::material:
    case ParticleColumn::unused:
    case ParticleColumn::unknown:
      break;
  }
  std::string_view text;
  if (file_.format == ParticleFormat::csv) {
    text = scan.field();
  } else {
    text = scan.word();
    if (text.empty()) scan.fail(field, "missing");
    scan.skip_word();
  }
  if (column == ParticleColumn::material) row_.material = materials_.index_of(text);
}

void ParticleTable::append_row() {
  file_.spheres.push_back(row_.position, row_.radius);
  if (has_id_) file_.ids.push_back(row_.id);
  if (has_velocity_) file_.velocity.push_back(row_.velocity);
  if (has_angular_velocity_) file_.angular_velocity.push_back(row_.angular_velocity);
  if (has_density_) file_.density.push_back(row_.density);
  if (has_material_) file_.material.push_back(row_.material);
}

void ParticleTable::finish() { file_.material_names = materials_.take(); }

namespace {

struct InvalidValue {
  std::string_view field;
  double value;
  std::string problem;
};

// The first rule that particle i breaks.
std::optional<InvalidValue> invalid_value(const ParticleFile& file,
                                          const std::optional<Bounds>& bounds, std::size_t i) {
  const double radius = file.spheres.radii[i];
  if (!(radius > 0)) return InvalidValue{"radius", radius, "must be positive"};
  if (!(radius >= min_length && radius <= max_length))
    return InvalidValue{"radius", radius, "must lie between 1e-150 and 1e150"};
  const auto dimension = static_cast<std::size_t>(file.dimension);
  for (std::size_t k = 0; k < 3; ++k) {
    const double x = file.spheres.coordinates[k][i];
    if (k >= dimension && x != 0) return InvalidValue{axis_names[k], x, "must be 0 in 2D"};
    if (!(x >= -max_length && x <= max_length))
      return InvalidValue{axis_names[k], x, "must lie within 1e150 of the origin"};
    if (k < dimension && bounds && !(x >= bounds->min[k] && x <= bounds->max[k]))
      return InvalidValue{axis_names[k], x,
                          message("must lie between ", bounds->min[k], " and ", bounds->max[k],
                                  ", the bounds in ", bounds->file)};
  }
  if (dimension == 3) return std::nullopt;
  if (!file.velocity.empty() && file.velocity[i][2] != 0)
    return InvalidValue{"vz", file.velocity[i][2], "must be 0 in 2D"};
  for (std::size_t k = 0; k < 2 && !file.angular_velocity.empty(); ++k)
    if (file.angular_velocity[i][k] != 0)
      return InvalidValue{k == 0 ? "wx" : "wy", file.angular_velocity[i][k], "must be 0 in 2D"};
  return std::nullopt;
}

}  // namespace

void check_last_particle(const Scanner& scan, const ParticleFile& file,
                         const std::optional<Bounds>& bounds, const char* item,
                         std::size_t number) {
  if (const auto invalid = invalid_value(file, bounds, file.size() - 1))
    scan.fail({invalid->field, item, number}, message(invalid->value), invalid->problem);
}

void check_particle(const ParticleText& text, const ParticleFile& file,
                    const std::optional<Bounds>& bounds, std::size_t i) {
  if (const auto invalid = invalid_value(file, bounds, i))
    fail_at_particle(text, file, i, invalid->field, message(invalid->value), invalid->problem);
}

}  // namespace abut
