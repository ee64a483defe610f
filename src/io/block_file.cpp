#include "io/block_file.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <unordered_map>

#include "core/message.hpp"
#include "io/mesh_file.hpp"
#include "io/output_file.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::vector<std::string> list_mesh_files(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  const auto fail_if_unreadable = [&](std::string_view what, const std::string& path) {
    if (error)
      throw Error(message("cannot read ", what, path, ": ", error.message()), ErrorCode::io,
                  {.file = path});
  };
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::string extension = entry.path().extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](unsigned char c) { return std::tolower(c); });
    if (extension != ".obj" && extension != ".stl") continue;
    if (entry.is_regular_file(error)) files.push_back(entry.path().string());
    fail_if_unreadable("", entry.path().string());  // such as a link to a missing file
  }
  fail_if_unreadable("the folder ", folder);
  std::ranges::sort(files);
  return files;
}

bool looks_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

bool has_particle_column(std::string_view text) {
  const std::vector<std::string> titles = csv_titles(text);
  return std::ranges::find(titles, "particle") != titles.end();
}

BlockFile read_block_folder(const std::string& folder, const Progress& progress) {
  BlockFile blocks{.format = "folder", .dimension = 3};
  blocks.mesh_files = list_mesh_files(folder);
  for (const std::string& file : blocks.mesh_files) {
    MeshFile mesh = read_mesh(file, 3);
    for (const std::string& warning : mesh.warnings)
      blocks.warnings.push_back(message(file, ": ", warning));
    blocks.particles.push_back(
        {blocks.shapes_3d.size(), static_cast<std::int64_t>(blocks.shapes_3d.size())});
    blocks.shapes_3d.push_back({.location = file, .mesh = std::move(mesh.triangles)});
    if (progress)
      progress(static_cast<double>(blocks.shapes_3d.size()) /
               static_cast<double>(blocks.mesh_files.size()));
  }
  return blocks;
}

}  // namespace

bool contains_blocks(const std::string& path) {
  if (path.empty() || path == "-") return false;
  if (is_folder(path)) {
    std::error_code error;
    return !fs::exists(fs::path(path) / "elements.txt", error) && !list_mesh_files(path).empty();
  }
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  const std::string text = read_file_prefix(path);
  return looks_like_json(text) || has_particle_column(text);
}

BlockFile read_blocks(const std::string& path, const Progress& progress) {
  if (is_folder(path)) return read_block_folder(path, progress);
  const InputFile file(path);
  return looks_like_json(file.text()) ? read_block_json(path, file.text(), progress)
                                      : read_polygon_csv(file.name(), file.text(), progress);
}

namespace {

constexpr std::array<std::string_view, 3> polygon_columns{"particle", "x", "y"};

std::vector<std::size_t> read_polygon_columns(Scanner& scan) {
  const std::vector<std::string> titles = read_csv_header(scan);
  if (std::ranges::find(titles, "z") != titles.end())
    scan.fail({"z"}, "polygons have no column z; give polyhedra as JSON or as a folder of meshes");
  return match_csv_columns(scan, titles, polygon_columns, "the header must be particle,x,y");
}

struct PolygonRow {
  std::int64_t particle = 0;
  Point<2> vertex{};
};

PolygonRow read_polygon_row(Scanner& scan, const std::vector<std::size_t>& columns,
                            std::size_t number) {
  PolygonRow row;
  read_csv_row(scan, columns.size(), "vertex", number, [&](std::size_t i) {
    if (columns[i] == 0)
      row.particle = scan.integer<std::int64_t>({"particle", "vertex", number});
    else if (columns[i] < polygon_columns.size())
      row.vertex[columns[i] - 1] =
          read_coordinate(scan, {polygon_columns[columns[i]], "vertex", number});
    else
      scan.field();
  });
  return row;
}

}  // namespace

BlockFile read_polygon_csv(std::string_view name, std::string_view text, const Progress& progress) {
  Scanner scan(name, text, ',');
  scan.skip_whitespace();
  const std::vector<std::size_t> columns = read_polygon_columns(scan);
  BlockFile blocks{.format = "CSV", .dimension = 2};
  std::unordered_map<std::int64_t, std::size_t> first_lines;  // by particle
  ProgressThrottle throttle(progress, text.size());
  std::size_t vertex_count = 0;
  for (scan.skip_whitespace(); !scan.at_end(); scan.skip_whitespace()) {
    const std::size_t line = scan.line();
    const PolygonRow row = read_polygon_row(scan, columns, vertex_count++);
    if (blocks.particles.empty() || blocks.particles.back().id != row.particle) {
      const auto [first, is_new] = first_lines.emplace(row.particle, line);
      if (!is_new)
        throw Error(ErrorCode::invalid_input,
                    {.file = std::string(name),
                     .line = line,
                     .key = "particle",
                     .value = message(row.particle)},
                    message("vertices of a particle must be consecutive, but it began at line ",
                            first->second));
      blocks.particles.push_back({blocks.shapes_2d.size(), row.particle});
      blocks.shapes_2d.push_back(
          {.location = message(name, ":", line, ": particle ", row.particle), .parts = {{}}});
    }
    blocks.shapes_2d.back().parts[0].push_back(row.vertex);
    throttle.advance([&] { return text.size() - scan.remaining(); });
  }
  if (blocks.particles.empty()) scan.fail("no vertices, only a header");
  return blocks;
}

}  // namespace abut
