// VTK XML PolyData: a text that says what there is and where, then all numbers as they are in
// memory, each array after its length in bytes.
#include "io/vtk_file.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

#include "io/markup.hpp"
#include "io/output_file.hpp"
#include "io/raw_bytes.hpp"

namespace abut {
namespace {

// Columns become rows, some at a time. Only the size of a number matters here, not its type.
template <class Word>
void write_rows(OutputFile& file, const VtkValues& values) {
  constexpr std::size_t most = 1024;
  std::array<Word, 3 * most> rows{};
  for (std::size_t begin = 0; begin < values.count(); begin += most) {
    const std::size_t count = std::min(most, values.count() - begin);
    for (std::size_t c = 0; c < 3; ++c) {
      const auto* column = static_cast<const char*>(values.column(c));
      if (!column) continue;  // stays 0
      const std::size_t step = values.step() * sizeof(Word);
      for (std::size_t i = 0; i < count; ++i)
        std::memcpy(&rows[3 * i + c], column + (begin + i) * step, sizeof(Word));
    }
    file << raw_bytes(rows.data(), 3 * count);
  }
}

void write_values(OutputFile& file, const VtkValues& values) {
  if (values.is_packed()) {
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

// first, first + step, first + 2·step, …
void write_sequence(OutputFile& file, std::int64_t first, std::int64_t step, std::size_t count) {
  constexpr std::size_t most = 1024;
  std::array<std::int64_t, most> part{};
  for (std::size_t begin = 0; begin < count; begin += most) {
    const std::size_t size = std::min(most, count - begin);
    for (std::size_t i = 0; i < size; ++i)
      part[i] = first + step * static_cast<std::int64_t>(begin + i);
    file << raw_bytes(part.data(), size);
  }
}

// Arrays are announced in the text and follow it in the same order.
class Appendix {
 public:
  explicit Appendix(OutputFile& file) : file_(file) {}

  void announce(std::string_view name, const VtkValues& values) {
    announce(name, traits_of(values.type()).name, values.components(), values.bytes(),
             [values](OutputFile& file) { write_values(file, values); });
  }

  void announce(std::string_view name, std::string_view type, std::size_t components,
                std::size_t bytes, std::function<void(OutputFile&)> write) {
    file_ << "        <DataArray type=\"" << type << "\" Name=\"" << escaped(name)
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
  return (frame.vertices ? frame.points.count() : 0) + frame.lines.size() + frame.triangles.size();
}

template <std::size_t N>
void check_cells(const std::string& path, std::string_view what, Cells<N> cells,
                 std::size_t points) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (const Index corner : cells[i])
      if (corner >= points)
        throw Error(message("cannot write ", path, ": ", what, "[", i, "] names point ", corner,
                            ", but there are only ", points));
}

void check_fields(const std::string& path, std::string_view what,
                  const std::vector<VtkField>& fields, std::size_t count) {
  for (auto field = fields.begin(); field != fields.end(); ++field) {
    const std::string begin = message("cannot write ", path, ": the field '", field->name, "' ");
    if (!fits_markup(field->name) || field->name.empty())
      throw Error(message("cannot write ", path, ": field ", field - fields.begin(), " of ", what,
                          " needs a name that is UTF-8 without control characters"));
    if (std::any_of(fields.begin(), field,
                    [&](const VtkField& other) { return other.name == field->name; }))
      throw Error(message(begin, "of ", what, " is there twice; names must differ"));
    if (field->values.count() != count)
      throw Error(message(begin, "has ", field->values.count(), " values for ", count, " ", what));
  }
}

void check(const std::string& path, const VtkFrame& frame) {
  const std::size_t points = frame.points.count();
  if (points > 0 && frame.points.components() != 3)
    throw Error(message("cannot write ", path, ": points need coordinates x, y and z"));
  if (points > std::size_t{std::numeric_limits<std::int32_t>::max()})
    throw Error(message("cannot write ", path, ": ", points, " points are more than 2147483647"));
  check_cells(path, "lines", frame.lines, points);
  check_cells(path, "triangles", frame.triangles, points);
  check_fields(path, "points", frame.point_fields, points);
  check_fields(path, "cells", frame.cell_fields, cell_count(frame));
}

void announce_fields(OutputFile& file, Appendix& appendix, std::string_view kind,
                     const std::vector<VtkField>& fields) {
  file << "      <" << kind << ">\n";
  for (const VtkField& field : fields) appendix.announce(field.name, field.values);
  file << "      </" << kind << ">\n";
}

void announce_points(OutputFile& file, Appendix& appendix, const VtkValues& points) {
  constexpr std::span<const std::array<double, 3>> none;
  file << "      <Points>\n";
  appendix.announce("Points", points.count() > 0 ? points : VtkValues(none));
  file << "      </Points>\n";
}

void announce_offsets(Appendix& appendix, std::size_t corners, std::size_t count) {
  const auto step = static_cast<std::int64_t>(corners);
  appendix.announce("offsets", "Int64", 1, count * sizeof step,
                    [=](OutputFile& out) { write_sequence(out, step, step, count); });
}

void announce_vertices(OutputFile& file, Appendix& appendix, std::size_t count) {
  file << "      <Verts>\n";
  appendix.announce("connectivity", "Int64", 1, count * sizeof(std::int64_t),
                    [=](OutputFile& out) { write_sequence(out, 0, 1, count); });
  announce_offsets(appendix, 1, count);
  file << "      </Verts>\n";
}

// An index below 2³¹ is the same as a signed number, which VTK wants.
template <std::size_t N>
void announce_cells(OutputFile& file, Appendix& appendix, std::string_view kind, Cells<N> cells) {
  static_assert(sizeof cells[0] == N * sizeof(std::int32_t));
  file << "      <" << kind << ">\n";
  appendix.announce("connectivity", "Int32", 1, cells.size_bytes(),
                    [=](OutputFile& out) { out << raw_bytes(cells.data(), cells.size()); });
  announce_offsets(appendix, N, cells.size());
  file << "      </" << kind << ">\n";
}

void write_moment(OutputFile& file, const VtkFrame& frame) {
  constexpr std::string_view rest = "\" NumberOfTuples=\"1\" format=\"ascii\">";
  file << "    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue" << rest
       << frame.time << "</DataArray>\n      <DataArray type=\"Int64\" Name=\"step" << rest
       << frame.step << "</DataArray>\n    </FieldData>\n";
}

}  // namespace

void write_vtk(const std::string& path, const VtkFrame& frame) {
  check(path, frame);
  const std::size_t vertices = frame.vertices ? frame.points.count() : 0;
  OutputFile file(path);
  Appendix appendix(file);
  file << "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\""
       << (std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian")
       << "\" header_type=\"UInt64\">\n  <PolyData>\n";
  write_moment(file, frame);
  file << "    <Piece NumberOfPoints=\"" << frame.points.count() << "\" NumberOfVerts=\""
       << vertices << "\" NumberOfLines=\"" << frame.lines.size()
       << "\" NumberOfStrips=\"0\" NumberOfPolys=\"" << frame.triangles.size() << "\">\n";
  announce_fields(file, appendix, "PointData", frame.point_fields);
  announce_fields(file, appendix, "CellData", frame.cell_fields);
  announce_points(file, appendix, frame.points);
  announce_vertices(file, appendix, vertices);
  announce_cells(file, appendix, "Lines", frame.lines);
  announce_cells(file, appendix, "Polys", frame.triangles);
  file << "    </Piece>\n  </PolyData>\n";
  appendix.write();
  file << "</VTKFile>\n";
  file.commit();
}

}  // namespace abut
