#include "cli/walls_input.hpp"

#include <fmt/core.h>

#include <abut/error.hpp>

#include "cli/input.hpp"
#include "cli/progress_bar.hpp"

namespace abut {
namespace {

// "3 triangles without area left out, the first is number 17"
std::string left_out(const std::vector<Index>& pieces, const char* piece, const char* why) {
  return fmt::format("{} {}{} {} left out, the first is number {}", pieces.size(), piece,
                     pieces.size() == 1 ? "" : "s", why, pieces[0]);
}

void tell(const std::string& file, const std::string& remark) {
  fmt::print(stderr, "abut: {}: {}\n", file, remark);
}

template <std::size_t D>
MeshReport inspected(const MeshFile& file) {
  try {
    return inspect(file.mesh<D>());
  } catch (const Error& error) {
    throw Error(file.file + ": " + error.what());
  }
}

MeshReport look_over(const MeshFile& file) {
  for (const std::string& remark : file.remarks) tell(file.file, remark);
  const char* piece = file.dimension == 2 ? "segment" : "triangle";
  MeshReport report =
      with_dimension(file.dimension, [&]<std::size_t D>() { return inspected<D>(file); });
  if (report.without_area.size() + report.twice.size() >= report.pieces)
    throw Error(
        fmt::format("{}: none of its {} {}s can be touched", file.file, report.pieces, piece));
  if (!report.without_area.empty())
    tell(file.file, left_out(report.without_area, piece,
                             file.dimension == 2 ? "without length" : "without area"));
  if (!report.twice.empty()) tell(file.file, left_out(report.twice, piece, "given twice"));
  if (report.turned > 0)
    tell(file.file, fmt::format("{} edges lie between {}s that face different ways; no matter, "
                                "both sides can be touched",
                                report.turned, piece));
  return report;
}

MeshFile read_one(const std::string& path, int dimension) {
  ProgressBar bar("reading " + path);
  return read_mesh(path, dimension, bar.callback());
}

}  // namespace

ReadWalls read_walls(const std::vector<std::string>& paths, int dimension) {
  ReadWalls all;
  for (const std::string& path : paths) {
    all.files.push_back(read_one(path, dimension));
    (void)look_over(all.files.back());
  }
  return all;
}

MeshFile read_closed_mesh(const std::string& path, int dimension) {
  MeshFile file = read_one(path, dimension);
  const MeshReport report = look_over(file);
  if (!report.closed())
    throw Error(fmt::format("{}: not closed: {} edges belong to one {} only, {} to more than two",
                            path, report.open_edges, dimension == 2 ? "segment" : "triangle",
                            report.crowded_edges));
  return file;
}

}  // namespace abut
