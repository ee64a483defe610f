#include "io/mesh_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "core/input_checks.hpp"
#include "core/vertex_welder.hpp"
#include "io/output_file.hpp"
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

// Ignores the case of `path`.
bool has_extension(std::string_view path, std::string_view extension) {
  return path.size() >= extension.size() &&
         std::ranges::equal(path.substr(path.size() - extension.size()), extension, {},
                            [](unsigned char c) { return std::tolower(c); });
}

// Empty if the format is unknown.
std::string_view detect_format(const std::string& path, const InputFile& file) {
  if (is_binary_stl(file.bytes())) return binary_stl;
  if (is_ascii_stl(file.text())) return ascii_stl;
  if (has_extension(path, ".obj")) return obj;
  if (has_extension(path, ".csv")) return csv;
  if (is_obj(file.text())) return obj;
  if (looks_like_csv(file.text())) return csv;
  return {};
}

std::string_view expected_formats(int dimension) {
  return dimension == 2 ? formats_2d : formats_3d;
}

[[noreturn]] void fail(const InputFile& file, std::string_view problem) {
  throw Error(ErrorCode::invalid_input, {.file = file.name()}, problem);
}

void reject_empty(const InputFile& file, int dimension) {
  if (file.text().find_first_not_of(" \t\r\n") == std::string_view::npos)
    fail(file, message("empty; ", expected_formats(dimension)));
}

std::string binary_stl_mismatch(std::string_view bytes) {
  if (bytes.size() < stl_header_size)
    return message("not binary STL: shorter than ", stl_header_size, " bytes");
  const std::size_t expected =
      stl_header_size + stl_facet_size * std::size_t{stl_facet_count(bytes)};
  const bool is_short = expected > bytes.size();
  return message("not binary STL: the ", stl_facet_count(bytes), " facets of its header take ",
                 expected, " bytes (", is_short ? expected - bytes.size() : bytes.size() - expected,
                 is_short ? " are missing)" : " too many)");
}

std::string ascii_stl_mismatch(std::string_view text) {
  return message("not ASCII STL: ", begins_with_solid(text) ? "begins with 'solid' but has no facet"
                                                            : "does not begin with 'solid'");
}

[[noreturn]] void reject_unknown(const InputFile& file, int dimension) {
  const std::string mismatch = dimension == 2 ? "not CSV: the first line is not a header"
                                              : message(binary_stl_mismatch(file.bytes()), "; ",
                                                        ascii_stl_mismatch(file.text()));
  fail(file, message("unknown format of ", file.bytes().size(), " bytes; ", mismatch,
                     "; not OBJ: no line begins with v, f or l; ", expected_formats(dimension)));
}

void reject_wrong_dimension(const InputFile& file, std::string_view format, int dimension) {
  const bool is_stl = format == binary_stl || format == ascii_stl;
  if (dimension == 2 && is_stl)
    fail(file, message(format, " has triangles, but the particles are 2D; ", formats_2d));
  if (dimension == 3 && format == csv)
    fail(file, message("CSV has segments, but the particles are 3D; ", formats_3d));
}

}  // namespace

MeshFile read_mesh(const std::string& path, int dimension, const Progress& progress) {
  if (dimension != 2 && dimension != 3)
    throw Error(ErrorCode::invalid_argument, {.key = "dimension", .value = message(dimension)},
                "must be 2 or 3");
  const InputFile file(path);
  reject_empty(file, dimension);
  const std::string_view format = detect_format(path, file);
  if (format.empty()) reject_unknown(file, dimension);
  reject_wrong_dimension(file, format, dimension);

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
    scan.fail(field, scan.last_token(), "must lie within 1e150 of the origin");
  return x;
}

namespace {

constexpr std::array<std::string_view, 4> segment_columns{"x1", "y1", "x2", "y2"};

// The coordinates x1, y1, x2, y2 of segment `number`, counted from 0.
std::array<double, 4> read_segment(Scanner& scan, const std::vector<std::size_t>& columns,
                                   std::size_t number) {
  std::array<double, 4> coordinates{};
  read_csv_row(scan, columns.size(), "segment", number, [&](std::size_t i) {
    if (columns[i] == segment_columns.size())
      scan.field();
    else
      coordinates[columns[i]] =
          read_coordinate(scan, {segment_columns[columns[i]], "segment", number});
  });
  return coordinates;
}

}  // namespace

Mesh<2> read_segment_csv(std::string_view name, std::string_view text, const Progress& progress) {
  Scanner scan(name, text, ',');
  scan.skip_whitespace();
  const std::vector<std::size_t> columns = match_csv_columns(
      scan, read_csv_header(scan), segment_columns, "the header must be x1,y1,x2,y2");
  Mesh<2> mesh;
  VertexWelder<2> welder(mesh.vertices);
  ProgressThrottle throttle(progress, text.size());
  for (scan.skip_whitespace(); !scan.at_end(); scan.skip_whitespace()) {
    const auto [x1, y1, x2, y2] = read_segment(scan, columns, mesh.facets.size());
    const Index from = welder.weld({x1, y1});
    mesh.facets.push_back({from, welder.weld({x2, y2})});
    throttle.advance([&] { return text.size() - scan.remaining(); });
  }
  if (mesh.facets.empty()) scan.fail("no segments, only a header");
  return mesh;
}

}  // namespace abut
