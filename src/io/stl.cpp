#include "io/stl.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "core/corner_table.hpp"
#include "core/message.hpp"
#include "core/survey.hpp"
#include "io/steps.hpp"

namespace abut {
namespace {

constexpr std::size_t header_size = 80;
constexpr std::size_t normal_size = 12;

std::uint32_t word_at(const char* bytes) {
  std::uint32_t word = 0;
  for (unsigned i = 0; i < 4; ++i)
    word |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return word;
}

[[noreturn]] void refuse(std::string_view name, std::size_t offset, std::size_t triangle,
                         std::size_t corner, std::size_t axis, float value) {
  throw Error(message(name, ": byte ", offset, ": ", axis_names[axis], " of corner ", corner + 1,
                      " of triangle ", triangle + 1, " = ", value,
                      ": not a finite number; the file is damaged or was written so"));
}

// The corner of a triangle, both counted from 0.
Point<3> corner_at(std::string_view name, std::string_view bytes, std::size_t triangle,
                   std::size_t corner) {
  Point<3> point{};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t offset =
        stl_start + stl_record * triangle + normal_size + 12 * corner + 4 * k;
    const auto value = std::bit_cast<float>(word_at(bytes.data() + offset));
    if (!std::isfinite(value)) refuse(name, offset, triangle, corner, k, value);
    point[k] = value;
  }
  return point;
}

void put(char*& at, std::uint32_t word) {
  for (unsigned i = 0; i < 4; ++i) *at++ = static_cast<char>(word >> (8 * i));
}

void put(char*& at, const std::array<float, 3>& values) {
  for (const float value : values) put(at, std::bit_cast<std::uint32_t>(value));
}

std::array<float, 3> as_floats(const Mesh<3>& mesh, Index corner) {
  if (corner >= mesh.corners.size())
    throw Error(message("corner ", corner, " of the mesh is not there: it has ",
                        mesh.corners.size(), " corners"));
  std::array<float, 3> values{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double x = mesh.corners[corner][k];
    if (!(std::abs(x) <= std::numeric_limits<float>::max()))
      throw Error(message(axis_names[k], " of corner ", corner, " of the mesh = ", x,
                          ": STL holds numbers up to 3.4e38 only"));
    values[k] = static_cast<float>(x);
  }
  return values;
}

// Of the rounded corners, which is what others read; 0 where there is no area.
std::array<float, 3> normal(const std::array<std::array<float, 3>, 3>& corners) {
  Point<3> u{};
  Point<3> v{};
  for (std::size_t k = 0; k < 3; ++k) {
    u[k] = double{corners[1][k]} - corners[0][k];
    v[k] = double{corners[2][k]} - corners[0][k];
  }
  const Point<3> cross{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                       u[0] * v[1] - u[1] * v[0]};
  const double length = std::hypot(cross[0], cross[1], cross[2]);
  if (!(length > 0)) return {};
  std::array<float, 3> unit{};
  std::ranges::transform(cross, unit.begin(),
                         [&](double x) { return static_cast<float>(x / length); });
  return unit;
}

}  // namespace

std::uint32_t stl_count(std::string_view bytes) { return word_at(bytes.data() + header_size); }

bool is_binary_stl(std::string_view bytes) {
  return bytes.size() >= stl_start && (bytes.size() - stl_start) % stl_record == 0 &&
         (bytes.size() - stl_start) / stl_record == stl_count(bytes);
}

Mesh<3> read_binary_stl(std::string_view name, std::string_view bytes, const Progress& progress) {
  const std::size_t count = stl_count(bytes);
  if (count == 0) throw Error(message(name, ": has no triangles: its header counts 0"));
  Mesh<3> mesh;
  mesh.pieces.reserve(count);
  CornerTable<3> table(mesh.corners);
  Steps steps(progress, count);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<Index, 3> piece{};
    for (std::size_t k = 0; k < 3; ++k) piece[k] = table.number(corner_at(name, bytes, i, k));
    mesh.pieces.push_back(piece);
    steps.reached([&] { return i; });
  }
  return mesh;
}

void write_stl(OutputFile& out, const Mesh<3>& mesh, const Progress& progress) {
  const std::size_t count = mesh.pieces.size();
  if (count > std::numeric_limits<std::uint32_t>::max())
    throw Error(message("STL holds up to 4294967295 triangles, the mesh has ", count));
  std::array<char, stl_start> start{};
  std::ranges::copy(std::string_view("binary STL written by abut"), start.begin());
  char* end = start.data() + header_size;
  put(end, static_cast<std::uint32_t>(count));
  out << std::string_view(start.data(), start.size());

  Steps steps(progress, count);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<std::array<float, 3>, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) corners[k] = as_floats(mesh, mesh.pieces[i][k]);
    std::array<char, stl_record> record{};
    char* at = record.data();
    put(at, normal(corners));
    for (const auto& corner : corners) put(at, corner);
    out << std::string_view(record.data(), record.size());
    steps.reached([&] { return i; });
  }
}

}  // namespace abut
