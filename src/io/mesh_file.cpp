#include "io/mesh_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "core/input_checks.hpp"
#include "core/vertex_welder.hpp"
#include "io/progress.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

constexpr std::string_view binary_stl = "binary STL";
constexpr std::string_view ascii_stl = "ASCII STL";
constexpr std::string_view obj = "OBJ";
constexpr std::string_view csv = "CSV";

constexpr std::string_view formats_2d =
    "walls in 2D are CSV with the header x1,y1,x2,y2 or lines (l) of an OBJ";
constexpr std::string_view formats_3d = "walls in 3D are STL or faces (f) of an OBJ";

bool ends_with(std::string_view path, std::string_view ending) {
  return path.size() >= ending.size() &&
         std::ranges::equal(path.substr(path.size() - ending.size()), ending, {},
                            [](unsigned char c) { return std::tolower(c); });
}

// Empty if it is none of them.
std::string_view detect_format(const std::string& path, const InputFile& file) {
  if (is_binary_stl(file.bytes())) return binary_stl;
  if (is_ascii_stl(file.text())) return ascii_stl;
  if (ends_with(path, ".obj")) return obj;
  if (ends_with(path, ".csv")) return csv;
  if (is_obj(file.text())) return obj;
  if (looks_like_csv(file.text())) return csv;
  return {};
}

std::string binary_stl_mismatch(std::string_view bytes) {
  if (bytes.size() < stl_header_size)
    return message("no binary STL, which has at least ", stl_header_size, " bytes");
  const std::size_t needed = stl_header_size + stl_facet_size * std::size_t{stl_facet_count(bytes)};
  const bool cut = needed > bytes.size();
  return message("no binary STL, as the ", stl_facet_count(bytes),
                 " triangles its header counts take ", needed, " bytes (",
                 cut ? needed - bytes.size() : bytes.size() - needed,
                 cut ? " are missing)" : " too many)");
}

void reject_empty(const InputFile& file, int dimension) {
  if (file.text().find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw Error(message(file.name(), ": empty; ", dimension == 2 ? formats_2d : formats_3d));
}

std::string ascii_stl_mismatch(std::string_view text) {
  return message("no ASCII STL, as it ", begins_with_solid(text)
                                             ? "begins with 'solid' but has no facet"
                                             : "does not begin with 'solid'");
}

[[noreturn]] void reject_unknown(const InputFile& file, int dimension) {
  const std::string others = dimension == 2 ? "no CSV, as its first line is no header"
                                            : message(binary_stl_mismatch(file.bytes()), "; ",
                                                      ascii_stl_mismatch(file.text()));
  throw Error(message(file.name(), ": ", file.bytes().size(), " bytes, but ", others,
                      "; no OBJ, as no line begins with v, f or l; ",
                      dimension == 2 ? formats_2d : formats_3d));
}

void reject_wrong_dimension(const std::string& name, std::string_view format, int dimension) {
  const bool stl = format == binary_stl || format == ascii_stl;
  if (dimension == 2 && stl)
    throw Error(
        message(name, ": ", format, " has triangles, but the particles are 2D; ", formats_2d));
  if (dimension == 3 && format == csv)
    throw Error(message(name, ": CSV has segments, but the particles are 3D; ", formats_3d));
}

}  // namespace

MeshFile read_mesh(const std::string& path, int dimension, const Progress& progress) {
  if (dimension != 2 && dimension != 3)
    throw Error(message("dimension of a wall = ", dimension, ": must be 2 or 3"));
  const InputFile file(path);
  reject_empty(file, dimension);
  const std::string_view format = detect_format(path, file);
  if (format.empty()) reject_unknown(file, dimension);
  reject_wrong_dimension(file.name(), format, dimension);

  MeshFile mesh{.file = file.name(), .format = std::string(format), .dimension = dimension};
  if (format == binary_stl)
    mesh.triangles = read_binary_stl(file.name(), file.bytes(), progress);
  else if (format == ascii_stl)
    mesh.triangles = read_ascii_stl(file.name(), file.text(), progress, mesh.warnings);
  else if (format == csv)
    mesh.segments = read_segment_csv(file.name(), file.text(), progress);
  else if (dimension == 2)
    mesh.segments = read_obj<2>(file.name(), file.text(), progress, mesh.warnings);
  else
    mesh.triangles = read_obj<3>(file.name(), file.text(), progress, mesh.warnings);
  return mesh;
}

double read_coordinate(Scanner& scan, const Field& field) {
  const double x = scan.number(field);
  if (!(x >= -max_length && x <= max_length))
    scan.fail(field, scan.last_token(), "farther than 1e150 from the origin");
  return x;
}

namespace {

constexpr std::array<std::string_view, 4> segment_columns{"x1", "y1", "x2", "y2"};

// For each column which of the four it is; those passed over are none of them.
std::vector<std::size_t> read_segment_columns(Scanner& scan) {
  const std::vector<std::string> titles = read_csv_header(scan);
  for (const std::string_view name : segment_columns) {
    const auto times = std::ranges::count(titles, name);
    if (times == 0)
      scan.fail(message("no column ", name, "; the header of segments is x1,y1,x2,y2"));
    if (times > 1) scan.fail(message("two columns are called ", name));
  }
  std::vector<std::size_t> columns(titles.size());
  std::ranges::transform(titles, columns.begin(), [](const std::string& title) {
    return static_cast<std::size_t>(std::ranges::find(segment_columns, title) -
                                    segment_columns.begin());
  });
  return columns;
}

std::array<double, 4> read_segment(Scanner& scan, const std::vector<std::size_t>& columns,
                                   std::size_t number) {
  std::array<double, 4> ends{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0 && !scan.skip(','))
      scan.fail(message("segment ", number, " has ", i, " fields, the header ", columns.size()));
    scan.skip_blanks();
    if (columns[i] == segment_columns.size())
      scan.field();
    else
      ends[columns[i]] = read_coordinate(scan, {segment_columns[columns[i]], "segment", number});
    scan.skip_blanks();
  }
  if (!scan.at_line_end())
    scan.fail(message("segment ", number, " has more fields than the header's ", columns.size(),
                      "; numbers are written 1.5, not 1,5"));
  return ends;
}

}  // namespace

Mesh<2> read_segment_csv(std::string_view name, std::string_view text, const Progress& progress) {
  Scanner scan(name, text, ',');
  scan.skip_whitespace();
  const std::vector<std::size_t> columns = read_segment_columns(scan);
  Mesh<2> mesh;
  VertexWelder<2> table(mesh.vertices);
  ProgressThrottle steps(progress, text.size());
  for (scan.skip_whitespace(); !scan.at_end(); scan.skip_whitespace()) {
    const auto [x1, y1, x2, y2] = read_segment(scan, columns, mesh.facets.size());
    const Index from = table.weld({x1, y1});
    mesh.facets.push_back({from, table.weld({x2, y2})});
    steps.advance([&] { return text.size() - scan.remaining(); });
  }
  if (mesh.facets.empty()) scan.fail("has no segments, only a header");
  return mesh;
}

}  // namespace abut
