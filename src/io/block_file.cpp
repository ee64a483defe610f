#include "io/block_file.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <filesystem>

#include "core/message.hpp"
#include "io/csv_header.hpp"
#include "io/mesh_file.hpp"
#include "io/text_file.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::vector<std::string> meshes_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::string ending = entry.path().extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
    if ((ending == ".obj" || ending == ".stl") && entry.is_regular_file(error))
      files.push_back(entry.path().string());
  }
  if (error) throw Error(message(folder, ": ", error.message()));
  std::ranges::sort(files);
  return files;
}

bool begins_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

bool has_particle_column(std::string_view text) {
  if (!begins_like_csv(text)) return false;
  text.remove_prefix(text.find_first_not_of(" \t\r\n"));
  Scanner scan("", text.substr(0, text.find_first_of("\r\n")), ',');
  const std::vector<std::string> titles = read_titles(scan);
  return std::ranges::find(titles, "particle") != titles.end();
}

BlockFile read_folder(const std::string& folder, const Progress& progress) {
  BlockFile blocks{.format = "folder", .dimension = 3};
  blocks.files = meshes_in(folder);
  for (const std::string& file : blocks.files) {
    MeshFile read = read_mesh(file, 3);
    for (const std::string& remark : read.remarks)
      blocks.remarks.push_back(message(file, ": ", remark));
    blocks.particles.push_back(
        {blocks.solid.size(), static_cast<std::int64_t>(blocks.solid.size())});
    blocks.solid.push_back({.where = file, .mesh = std::move(read.triangles)});
    if (progress)
      progress(static_cast<double>(blocks.solid.size()) / static_cast<double>(blocks.files.size()));
  }
  return blocks;
}

}  // namespace

bool holds_blocks(const std::string& path) {
  if (path.empty() || path == "-") return false;
  if (is_folder(path)) {
    std::error_code error;
    return !fs::exists(fs::path(path) / "elements.txt", error) && !meshes_in(path).empty();
  }
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  const std::string text = beginning_of(path);
  return begins_like_json(text) || has_particle_column(text);
}

BlockFile read_blocks(const std::string& path, const Progress& progress) {
  if (is_folder(path)) return read_folder(path, progress);
  const TextFile file(path);
  return begins_like_json(file.text()) ? read_block_json(path, file.text(), progress)
                                       : read_polygon_csv(file.name(), file.text(), progress);
}

}  // namespace abut
