// VTK XML PolyData: XML that declares all arrays and their offsets, followed by the raw bytes of
// the arrays, each preceded by its size in bytes.
#include "io/vtk_writer.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "core/message.hpp"
#include "io/binary_values.hpp"
#include "io/output_file.hpp"
#include "io/text_format.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

// Writes columns as rows of three, in blocks of rows. `Word` has the size of an element; its type
// does not matter.
template <class Word>
void write_rows(OutputFile& file, const VtkValues& values) {
  constexpr std::size_t block_size = 1024;
  std::array<Word, 3 * block_size> rows{};
  for (std::size_t begin = 0; begin < values.count(); begin += block_size) {
    const std::size_t count = std::min(block_size, values.count() - begin);
    for (std::size_t c = 0; c < 3; ++c) {
      const auto* column = static_cast<const char*>(values.column(c));
      if (!column) continue;  // a missing column is 0
      const std::size_t stride = values.stride() * sizeof(Word);
      for (std::size_t i = 0; i < count; ++i)
        std::memcpy(&rows[3 * i + c], column + (begin + i) * stride, sizeof(Word));
    }
    file << raw_bytes(rows.data(), 3 * count);
  }
}

void write_values(OutputFile& file, const VtkValues& values) {
  if (values.is_contiguous()) {
    file << raw_bytes(static_cast<const char*>(values.column(0)), values.bytes());
    return;
  }
  switch (traits_of(values.type()).size) {
    case 1:
      return write_rows<std::uint8_t>(file, values);
    case 2:
      return write_rows<std::uint16_t>(file, values);
    case 4:
      return write_rows<std::uint32_t>(file, values);
    default:
      return write_rows<std::uint64_t>(file, values);
  }
}

// Writes first, first + step, first + 2·step, …
void write_sequence(OutputFile& file, std::int64_t first, std::int64_t step, std::size_t count) {
  constexpr std::size_t block_size = 1024;
  std::array<std::int64_t, block_size> block{};
  for (std::size_t begin = 0; begin < count; begin += block_size) {
    const std::size_t size = std::min(block_size, count - begin);
    for (std::size_t i = 0; i < size; ++i)
      block[i] = first + step * static_cast<std::int64_t>(begin + i);
    file << raw_bytes(block.data(), size);
  }
}

// Declares arrays in the XML part and writes them after it in the same order.
class AppendedData {
 public:
  explicit AppendedData(OutputFile& file) : file_(file) {}

  void declare(std::string_view name, const VtkValues& values) {
    declare(name, traits_of(values.type()).name, values.components(), values.bytes(),
            [values](OutputFile& file) { write_values(file, values); });
  }

  void declare(std::string_view name, std::string_view type, std::size_t components,
               std::size_t bytes, std::function<void(OutputFile&)> write) {
    file_ << "        <DataArray type=\"" << type << "\" Name=\"" << xml_escaped(name)
          << "\" NumberOfComponents=\"" << components << "\" format=\"appended\" offset=\""
          << offset_ << "\"/>\n";
    offset_ += sizeof(std::uint64_t) + bytes;
    arrays_.push_back({bytes, std::move(write)});
  }

  void write() {
    file_ << "  <AppendedData encoding=\"raw\">\n_";
    for (const Array& array : arrays_) {
      file_ << raw_bytes(&array.bytes);
      array.write(file_);
    }
    file_ << "\n  </AppendedData>\n";
  }

 private:
  struct Array {
    std::uint64_t bytes;
    std::function<void(OutputFile&)> write;
  };

  OutputFile& file_;
  std::uint64_t offset_ = 0;
  std::vector<Array> arrays_;
};

template <std::size_t N>
using Cells = std::span<const std::array<Index, N>>;

std::size_t cell_count(const VtkFrame& frame) {
  return (frame.has_vertices ? frame.points.count() : 0) + frame.lines.size() +
         frame.triangles.size();
}

[[noreturn]] void fail_writing(const std::string& path, const std::string& key,
                               std::string_view problem) {
  throw Error(message("cannot write ", path, ": ", key, ": ", problem), ErrorCode::invalid_argument,
              {.file = path, .key = key});
}

template <std::size_t N>
void check_cells(const std::string& path, std::string_view kind, Cells<N> cells,
                 std::size_t point_count) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (const Index point : cells[i])
      if (point >= point_count)
        fail_writing(path, message(kind, "[", i, "]"),
                     message("refers to point ", point, ", but there are only ", point_count));
}

// `kind` is "point" or "cell"; each field must have `count` values.
void check_fields(const std::string& path, std::string_view kind,
                  const std::vector<VtkField>& fields, std::size_t count) {
  for (auto field = fields.begin(); field != fields.end(); ++field) {
    if (!is_xml_text(field->name) || field->name.empty())
      fail_writing(path, message(kind, " field ", field - fields.begin()),
                   "its name must be UTF-8 without control characters, and not empty");
    const std::string key = message(kind, " field '", field->name, "'");
    if (std::any_of(fields.begin(), field,
                    [&](const VtkField& other) { return other.name == field->name; }))
      fail_writing(path, key, "names of fields must be unique");
    if (field->values.count() != count)
      fail_writing(path, key,
                   message("has ", field->values.count(), " values for ", count, " ", kind, "s"));
  }
}

void check_frame(const std::string& path, const VtkFrame& frame) {
  const std::size_t points = frame.points.count();
  if (points > 0 && frame.points.components() != 3)
    fail_writing(path, "points", "must have coordinates x, y and z");
  if (points > std::size_t{std::numeric_limits<std::int32_t>::max()})
    fail_writing(path, "points", message("must be at most 2147483647, but are ", points));
  check_cells(path, "lines", frame.lines, points);
  check_cells(path, "triangles", frame.triangles, points);
  check_fields(path, "point", frame.point_fields, points);
  check_fields(path, "cell", frame.cell_fields, cell_count(frame));
}

void declare_fields(OutputFile& file, AppendedData& data, std::string_view kind,
                    const std::vector<VtkField>& fields) {
  file << "      <" << kind << ">\n";
  for (const VtkField& field : fields) data.declare(field.name, field.values);
  file << "      </" << kind << ">\n";
}

void declare_points(OutputFile& file, AppendedData& data, const VtkValues& points) {
  constexpr std::span<const std::array<double, 3>> none;
  file << "      <Points>\n";
  data.declare("Points", points.count() > 0 ? points : VtkValues(none));
  file << "      </Points>\n";
}

void declare_offsets(AppendedData& data, std::size_t points_per_cell, std::size_t count) {
  const auto step = static_cast<std::int64_t>(points_per_cell);
  data.declare("offsets", "Int64", 1, count * sizeof step,
               [=](OutputFile& out) { write_sequence(out, step, step, count); });
}

void declare_vertices(OutputFile& file, AppendedData& data, std::size_t count) {
  file << "      <Verts>\n";
  data.declare("connectivity", "Int64", 1, count * sizeof(std::int64_t),
               [=](OutputFile& out) { write_sequence(out, 0, 1, count); });
  declare_offsets(data, 1, count);
  file << "      </Verts>\n";
}

// VTK requires signed indices; those below 2³¹ have the same bits.
template <std::size_t N>
void declare_cells(OutputFile& file, AppendedData& data, std::string_view kind, Cells<N> cells) {
  static_assert(sizeof cells[0] == N * sizeof(std::int32_t));
  file << "      <" << kind << ">\n";
  data.declare("connectivity", "Int32", 1, cells.size_bytes(),
               [=](OutputFile& out) { out << raw_bytes(cells.data(), cells.size()); });
  declare_offsets(data, N, cells.size());
  file << "      </" << kind << ">\n";
}

void write_time(OutputFile& file, const VtkFrame& frame) {
  constexpr std::string_view rest = "\" NumberOfTuples=\"1\" format=\"ascii\">";
  file << "    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue" << rest
       << frame.time << "</DataArray>\n      <DataArray type=\"Int64\" Name=\"step" << rest
       << frame.step << "</DataArray>\n    </FieldData>\n";
}

}  // namespace

void write_vtk(const std::string& path, const VtkFrame& frame) {
  check_frame(path, frame);
  const std::size_t vertices = frame.has_vertices ? frame.points.count() : 0;
  OutputFile file(path);
  AppendedData data(file);
  file << "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\""
       << (std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian")
       << "\" header_type=\"UInt64\">\n  <PolyData>\n";
  write_time(file, frame);
  file << "    <Piece NumberOfPoints=\"" << frame.points.count() << "\" NumberOfVerts=\""
       << vertices << "\" NumberOfLines=\"" << frame.lines.size()
       << "\" NumberOfStrips=\"0\" NumberOfPolys=\"" << frame.triangles.size() << "\">\n";
  declare_fields(file, data, "PointData", frame.point_fields);
  declare_fields(file, data, "CellData", frame.cell_fields);
  declare_points(file, data, frame.points);
  declare_vertices(file, data, vertices);
  declare_cells(file, data, "Lines", frame.lines);
  declare_cells(file, data, "Polys", frame.triangles);
  file << "    </Piece>\n  </PolyData>\n";
  data.write();
  file << "</VTKFile>\n";
  file.commit();
}

namespace {

constexpr std::string_view collection_header =
    "<?xml version=\"1.0\"?>\n"
    "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
    "  <Collection>\n";
constexpr std::string_view collection_footer =
    "  </Collection>\n"
    "</VTKFile>\n";

// Removes the text up to and including `mark` and returns what is before the mark; none if the mark
// is missing.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(at + mark.size());
  return before;
}

// Removes the text up to and including `name="value"` and returns the value.
std::optional<std::string> take_attribute(std::string_view& line, std::string_view name) {
  if (!take_until(line, message(" ", name, "=\""))) return {};
  const std::optional<std::string_view> value = take_until(line, "\"");
  return value ? xml_unescaped(*value) : std::nullopt;
}

std::optional<VtkSeries::Entry> parse_entry(std::string_view line) {
  const auto time = take_attribute(line, "timestep");
  auto part = take_attribute(line, "name");
  auto file = take_attribute(line, "file");
  if (!time || !part || !file) return {};
  double value = 0;
  std::from_chars(time->data(), time->data() + time->size(), value);
  return VtkSeries::Entry{value, std::move(*part), std::move(*file)};
}

void require_xml_text(const std::string& path, const std::string& key, const std::string& text) {
  if (!text.empty() && is_xml_text(text)) return;
  throw Error(ErrorCode::invalid_argument,
              {.file = path, .key = key, .value = Scanner::printable(text)},
              "must be UTF-8 without control characters, and not empty");
}

}  // namespace

VtkSeries VtkSeries::resume(const std::string& path, double time) {
  VtkSeries series(path);
  std::error_code unknown;
  if (std::filesystem::exists(std::filesystem::status(path, unknown))) series.read(time);
  return series;
}

void VtkSeries::add(Entry entry) {
  require_xml_text(path_, "part", entry.part);
  require_xml_text(path_, "file", entry.file);
  if (!std::isfinite(entry.time) || (!entries_.empty() && entry.time < entries_.back().time))
    throw Error(ErrorCode::invalid_argument,
                {.file = path_, .key = "time of " + entry.file, .value = message(entry.time)},
                message("must not be less than ", entries_.empty() ? 0 : entries_.back().time,
                        ", the time of the last entry"));
  if (std::ranges::find(part_names_, entry.part) == part_names_.end())
    part_names_.push_back(entry.part);
  const auto same = std::ranges::find_if(entries_.rbegin(), entries_.rend(), [&](const Entry& old) {
    return old.time < entry.time || old.part == entry.part;
  });
  if (same != entries_.rend() && same->time == entry.time)
    *same = std::move(entry);
  else
    entries_.push_back(std::move(entry));
}

void VtkSeries::write() const {
  OutputFile file(path_);
  file << collection_header;
  for (const Entry& entry : entries_) file << xml_line(entry);
  file << collection_footer;
  file.commit();
}

std::string VtkSeries::xml_line(const Entry& entry) const {
  return message("    <DataSet timestep=\"", entry.time, "\" part=\"",
                 std::ranges::find(part_names_, entry.part) - part_names_.begin(), "\" name=\"",
                 xml_escaped(entry.part), "\" file=\"", xml_escaped(entry.file), "\"/>\n");
}

// Accepts exactly the files that `write` produces: each line must be equal to the line that would
// be written for the entry.
void VtkSeries::read(double last_time) {
  const InputFile file(path_);
  std::string_view text = file.text();
  std::size_t line_number = 1;
  const auto fail = [&] {
    throw Error(ErrorCode::invalid_input, {.file = path_, .line = line_number},
                "not a collection written by abut; move this file away to begin a new one");
  };
  if (!text.starts_with(collection_header)) fail();
  text.remove_prefix(collection_header.size());
  for (line_number += 3; text != collection_footer; ++line_number) {
    const std::optional<std::string_view> line = take_until(text, "\n");
    std::optional<Entry> entry = line ? parse_entry(*line) : std::nullopt;
    if (!entry) fail();
    const std::size_t previous_size = entries_.size();
    add(*entry);
    if (entries_.size() == previous_size || xml_line(*entry) != message(*line, "\n")) fail();
  }
  std::vector<Entry> all = std::exchange(entries_, {});
  part_names_.clear();  // parts of dropped entries get new numbers
  for (Entry& entry : all)
    if (entry.time <= last_time) add(std::move(entry));
}

}  // namespace abut
