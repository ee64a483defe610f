#include <abut/walls.hpp>
#include <algorithm>

#include "walls/mesh_body.hpp"
#include "walls/mesh_check.hpp"

namespace abut {
namespace {

// What two pieces meet at: in space an edge, in the plane a corner, named by its lowest corners.
// `forward` says which way the piece runs along it, or whether the segment begins there.
struct Seam {
  std::array<Index, 2> corners;
  bool forward;
};

void add_seams(const std::array<Index, 2>& piece, std::vector<Seam>& seams) {
  seams.push_back({{piece[0], piece[0]}, true});
  seams.push_back({{piece[1], piece[1]}, false});
}

void add_seams(const std::array<Index, 3>& piece, std::vector<Seam>& seams) {
  for (std::size_t k = 0; k < 3; ++k) {
    const Index from = piece[k];
    const Index to = piece[(k + 1) % 3];
    seams.push_back({{std::min(from, to), std::max(from, to)}, from < to});
  }
}

template <std::size_t D>
bool has_corner_twice(std::array<Index, D> piece) {
  std::ranges::sort(piece);
  return std::ranges::adjacent_find(piece) != piece.end();
}

void count(std::vector<Seam>& seams, MeshReport& report) {
  std::ranges::sort(seams, {}, &Seam::corners);
  for (std::size_t i = 0; i < seams.size();) {
    std::size_t last = i;
    while (last < seams.size() && seams[last].corners == seams[i].corners) ++last;
    if (last - i == 1) ++report.open_edges;
    if (last - i > 2) ++report.crowded_edges;
    if (last - i == 2 && seams[i].forward == seams[i + 1].forward) ++report.turned;
    i = last;
  }
}

}  // namespace

// A triangle of three corners on a line has no area, but it may join two others; so its edges
// count. One with a corner twice joins nothing.
template <std::size_t D>
MeshReport inspect(const Mesh<D>& mesh) {
  check(mesh);
  const std::vector<std::array<Index, D>> pieces = pieces_by_place(mesh);
  const std::vector<bool> twice = repeated<D>(pieces);
  MeshReport report;
  report.pieces = pieces.size();
  std::vector<Seam> seams;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool flat = without_area<D>(MeshBody<D>::corners_of(mesh, i));
    if (flat) report.without_area.push_back(static_cast<Index>(i));
    if (!flat && twice[i]) report.twice.push_back(static_cast<Index>(i));
    if (!twice[i] && !has_corner_twice<D>(pieces[i])) add_seams(pieces[i], seams);
  }
  count(seams, report);
  return report;
}

template MeshReport inspect(const Mesh<2>&);
template MeshReport inspect(const Mesh<3>&);

}  // namespace abut
