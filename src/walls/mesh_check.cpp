#include "walls/mesh_check.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check_point.hpp"
#include "core/corner_table.hpp"
#include "core/message.hpp"
#include "core/survey.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

template <std::size_t D>
constexpr std::string_view kind = D == 2 ? "segment " : "triangle ";

// Corners no piece uses do no harm, but a number that is none is a mistake there too.
template <std::size_t D>
[[noreturn]] void refuse_corner(const Mesh<D>& mesh, std::size_t corner) {
  for (std::size_t i = 0; i < mesh.pieces.size(); ++i)
    for (std::size_t k = 0; k < D; ++k)
      if (mesh.pieces[i][k] == corner)
        check_point(mesh.corners[corner], message(kind<D>, i, ": corner ", k));
  check_point(mesh.corners[corner], message("corner ", corner));
  throw Error("a mesh that cannot be worked with");
}

}  // namespace

template <std::size_t D>
void check(const Mesh<D>& mesh) {
  constexpr std::size_t most = 1U << 31U;
  if (mesh.pieces.size() >= most || mesh.corners.size() >= most)
    throw Error(message(mesh.pieces.size(), " pieces and ", mesh.corners.size(),
                        " corners: a mesh has at most 2147483647 of each"));
  for (std::size_t i = 0; i < mesh.pieces.size(); ++i)
    for (std::size_t k = 0; k < D; ++k)
      if (mesh.pieces[i][k] >= mesh.corners.size())
        throw Error(message(kind<D>, i, ": corner ", k, " is number ", mesh.pieces[i][k],
                            "; the mesh has ", mesh.corners.size(), " corners, from 0"));
  for (std::size_t i = 0; i < mesh.corners.size(); ++i)
    for (const double value : mesh.corners[i])
      if (!(std::abs(value) <= largest_length)) refuse_corner(mesh, i);
}

template <std::size_t D>
std::vector<std::array<Index, D>> pieces_by_place(const Mesh<D>& mesh) {
  std::vector<Point<D>> places;
  CornerTable<D> table(places);
  std::vector<std::array<Index, D>> pieces = mesh.pieces;
  for (auto& piece : pieces)
    for (Index& corner : piece) corner = table.number(mesh.corners[corner]);
  return pieces;
}

template <std::size_t D>
bool without_area(const std::array<Point<D>, D>& corners) {
  constexpr double rounding = 1e-14;
  double longest = 0;
  std::array<Point<D>, D> sides;
  for (std::size_t k = 0; k < D; ++k) {
    sides[k] = difference(corners[(k + 1) % D], corners[k]);
    longest = std::max(longest, largest_part(sides[k]));
  }
  if (longest < smallest_length) return true;
  if constexpr (D == 3) {
    const Point<D> area = cross(scaled(sides[0], 1 / longest), scaled(sides[2], 1 / longest));
    return largest_part(area) < rounding;
  }
  return false;
}

template <std::size_t D>
std::vector<bool> repeated(const std::vector<std::array<Index, D>>& pieces) {
  std::vector<std::array<Index, D>> sorted = pieces;
  for (auto& piece : sorted) std::ranges::sort(piece);
  std::vector<Index> order(pieces.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](Index a, Index b) {
    return sorted[a] != sorted[b] ? sorted[a] < sorted[b] : a < b;
  });
  std::vector<bool> again(pieces.size());
  for (std::size_t i = 1; i < order.size(); ++i)
    again[order[i]] = sorted[order[i]] == sorted[order[i - 1]];
  return again;
}

template void check(const Mesh<2>&);
template void check(const Mesh<3>&);
template std::vector<std::array<Index, 2>> pieces_by_place(const Mesh<2>&);
template std::vector<std::array<Index, 3>> pieces_by_place(const Mesh<3>&);
template bool without_area(const std::array<Point<2>, 2>&);
template bool without_area(const std::array<Point<3>, 3>&);
template std::vector<bool> repeated(const std::vector<std::array<Index, 2>>&);
template std::vector<bool> repeated(const std::vector<std::array<Index, 3>>&);

}  // namespace abut
