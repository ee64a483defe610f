#include "io/mesh_file.hpp"

#include <algorithm>
#include <cctype>

#include "core/survey.hpp"
#include "io/ascii_stl.hpp"
#include "io/csv_header.hpp"
#include "io/obj.hpp"
#include "io/scanner.hpp"
#include "io/segment_csv.hpp"
#include "io/stl.hpp"
#include "io/text_file.hpp"

namespace abut {
namespace {

constexpr std::string_view binary_stl = "binary STL";
constexpr std::string_view ascii_stl = "ASCII STL";
constexpr std::string_view obj = "OBJ";
constexpr std::string_view csv = "CSV";

constexpr std::string_view for_2d =
    "walls in 2D are CSV with the header x1,y1,x2,y2 or lines (l) of an OBJ";
constexpr std::string_view for_3d = "walls in 3D are STL or faces (f) of an OBJ";

bool ends_with(std::string_view path, std::string_view ending) {
  return path.size() >= ending.size() &&
         std::ranges::equal(path.substr(path.size() - ending.size()), ending, {},
                            [](unsigned char c) { return std::tolower(c); });
}

// Empty if it is none of them.
std::string_view format_of(const std::string& path, const TextFile& file) {
  if (is_binary_stl(file.bytes())) return binary_stl;
  if (is_ascii_stl(file.text())) return ascii_stl;
  if (ends_with(path, ".obj")) return obj;
  if (ends_with(path, ".csv")) return csv;
  if (is_obj(file.text())) return obj;
  if (begins_like_csv(file.text())) return csv;
  return {};
}

std::string why_not_binary(std::string_view bytes) {
  if (bytes.size() < stl_start)
    return message("no binary STL, which has at least ", stl_start, " bytes");
  const std::size_t needed = stl_start + stl_record * std::size_t{stl_count(bytes)};
  const bool cut = needed > bytes.size();
  return message("no binary STL, as the ", stl_count(bytes), " triangles its header counts take ",
                 needed, " bytes (", cut ? needed - bytes.size() : bytes.size() - needed,
                 cut ? " are missing)" : " too many)");
}

void refuse_empty(const TextFile& file, int dimension) {
  if (file.text().find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw Error(message(file.name(), ": empty; ", dimension == 2 ? for_2d : for_3d));
}

std::string why_not_ascii(std::string_view text) {
  return message("no ASCII STL, as it ", begins_with_solid(text)
                                             ? "begins with 'solid' but has no facet"
                                             : "does not begin with 'solid'");
}

[[noreturn]] void refuse_unknown(const TextFile& file, int dimension) {
  const std::string others =
      dimension == 2 ? "no CSV, as its first line is no header"
                     : message(why_not_binary(file.bytes()), "; ", why_not_ascii(file.text()));
  throw Error(message(file.name(), ": ", file.bytes().size(), " bytes, but ", others,
                      "; no OBJ, as no line begins with v, f or l; ",
                      dimension == 2 ? for_2d : for_3d));
}

void refuse_other_dimension(const std::string& name, std::string_view format, int dimension) {
  const bool stl = format == binary_stl || format == ascii_stl;
  if (dimension == 2 && stl)
    throw Error(message(name, ": ", format, " has triangles, but the particles are 2D; ", for_2d));
  if (dimension == 3 && format == csv)
    throw Error(message(name, ": CSV has segments, but the particles are 3D; ", for_3d));
}

}  // namespace

MeshFile read_mesh(const std::string& path, int dimension, const Progress& progress) {
  if (dimension != 2 && dimension != 3)
    throw Error(message("dimension of a wall = ", dimension, ": must be 2 or 3"));
  const TextFile file(path);
  refuse_empty(file, dimension);
  const std::string_view format = format_of(path, file);
  if (format.empty()) refuse_unknown(file, dimension);
  refuse_other_dimension(file.name(), format, dimension);

  MeshFile mesh{.file = file.name(), .format = std::string(format), .dimension = dimension};
  if (format == binary_stl)
    mesh.triangles = read_binary_stl(file.name(), file.bytes(), progress);
  else if (format == ascii_stl)
    mesh.triangles = read_ascii_stl(file.name(), file.text(), progress, mesh.remarks);
  else if (format == csv)
    mesh.segments = read_segment_csv(file.name(), file.text(), progress);
  else if (dimension == 2)
    mesh.segments = read_obj<2>(file.name(), file.text(), progress, mesh.remarks);
  else
    mesh.triangles = read_obj<3>(file.name(), file.text(), progress, mesh.remarks);
  return mesh;
}

double read_coordinate(Scanner& scan, const Field& field) {
  const double x = scan.number(field);
  if (!(x >= -largest_length && x <= largest_length))
    scan.fail(field, scan.last(), "farther than 1e150 from the origin");
  return x;
}

}  // namespace abut
