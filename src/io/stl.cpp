#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "core/vertex_welder.hpp"
#include "io/mesh_file.hpp"
#include "io/output_file.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

constexpr std::size_t stl_comment_size = 80;
constexpr std::size_t stl_normal_size = 12;

std::uint32_t read_uint32(const char* bytes) {
  std::uint32_t word = 0;
  for (unsigned i = 0; i < 4; ++i)
    word |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return word;
}

// Vertex 0, 1 or 2 of a facet, counted from 0.
Point<3> read_binary_vertex(std::string_view name, std::string_view bytes, std::size_t facet,
                            std::size_t vertex) {
  Point<3> point{};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t offset =
        stl_header_size + stl_facet_size * facet + stl_normal_size + 12 * vertex + 4 * k;
    const auto value = std::bit_cast<float>(read_uint32(bytes.data() + offset));
    if (!std::isfinite(value))
      throw Error(
          ErrorCode::invalid_input,
          {.file = std::string(name),
           .key = message(axis_names[k], " of vertex ", vertex + 1, " of facet ", facet + 1),
           .value = message(value)},
          message("must be finite; the file is damaged at byte ", offset));
    point[k] = value;
  }
  return point;
}

// Writes a number in little-endian order and advances the position.
void put(char*& at, std::uint32_t word) {
  for (unsigned i = 0; i < 4; ++i) *at++ = static_cast<char>(word >> (8 * i));
}

void put(char*& at, const std::array<float, 3>& values) {
  for (const float value : values) put(at, std::bit_cast<std::uint32_t>(value));
}

std::array<float, 3> rounded_to_float(const Mesh<3>& mesh, Index vertex) {
  if (vertex >= mesh.vertices.size())
    throw Error(ErrorCode::out_of_range, {.key = "vertex of the mesh", .value = message(vertex)},
                message("must be less than ", mesh.vertices.size(), ", the number of vertices"));
  std::array<float, 3> values{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double x = mesh.vertices[vertex][k];
    if (!(std::abs(x) <= std::numeric_limits<float>::max()))
      throw Error(ErrorCode::unsupported,
                  {.key = message(axis_names[k], " of vertex ", vertex, " of the mesh"),
                   .value = message(x)},
                  "must be at most 3.4e38 to be written as STL");
    values[k] = static_cast<float>(x);
  }
  return values;
}

// The unit normal of the rounded vertices, which are what readers see; 0 for a degenerate facet.
std::array<float, 3> facet_normal(const std::array<std::array<float, 3>, 3>& vertices) {
  Point<3> u{};
  Point<3> v{};
  for (std::size_t k = 0; k < 3; ++k) {
    u[k] = double{vertices[1][k]} - vertices[0][k];
    v[k] = double{vertices[2][k]} - vertices[0][k];
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

std::uint32_t stl_facet_count(std::string_view bytes) {
  return read_uint32(bytes.data() + stl_comment_size);
}

bool is_binary_stl(std::string_view bytes) {
  return bytes.size() >= stl_header_size &&
         (bytes.size() - stl_header_size) % stl_facet_size == 0 &&
         (bytes.size() - stl_header_size) / stl_facet_size == stl_facet_count(bytes);
}

Mesh<3> read_binary_stl(std::string_view name, std::string_view bytes, const Progress& progress) {
  const std::size_t count = stl_facet_count(bytes);
  if (count == 0)
    throw Error(ErrorCode::invalid_input, {.file = std::string(name)},
                "no facets; its header has 0");
  Mesh<3> mesh;
  mesh.facets.reserve(count);
  VertexWelder<3> welder(mesh.vertices);
  ProgressThrottle throttle(progress, count);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<Index, 3> facet{};
    for (std::size_t k = 0; k < 3; ++k)
      facet[k] = welder.weld(read_binary_vertex(name, bytes, i, k));
    mesh.facets.push_back(facet);
    throttle.advance([&] { return i; });
  }
  return mesh;
}

void write_stl(OutputFile& out, const Mesh<3>& mesh, const Progress& progress) {
  const std::size_t count = mesh.facets.size();
  if (count > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorCode::unsupported, {.key = "facets of the mesh", .value = message(count)},
                "must be at most 4294967295 to be written as STL");
  std::array<char, stl_header_size> header{};
  std::ranges::copy(std::string_view("binary STL written by abut"), header.begin());
  char* end = header.data() + stl_comment_size;
  put(end, static_cast<std::uint32_t>(count));
  out << std::string_view(header.data(), header.size());

  ProgressThrottle throttle(progress, count);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<std::array<float, 3>, 3> vertices{};
    for (std::size_t k = 0; k < 3; ++k) vertices[k] = rounded_to_float(mesh, mesh.facets[i][k]);
    std::array<char, stl_facet_size> record{};
    char* at = record.data();
    put(at, facet_normal(vertices));
    for (const auto& vertex : vertices) put(at, vertex);
    out << std::string_view(record.data(), record.size());
    throttle.advance([&] { return i; });
  }
}

namespace {

constexpr std::array<std::string_view, 3> vertex_names{"vertex 1 of facet", "vertex 2 of facet",
                                                       "vertex 3 of facet"};

bool same_letter_ignoring_case(char c, char lower_case) {
  return c == lower_case || (c >= 'A' && c <= 'Z' && c - 'A' + 'a' == lower_case);
}

bool equal_ignoring_case(std::string_view word, std::string_view lower_case) {
  return std::ranges::equal(word, lower_case, same_letter_ignoring_case);
}

bool contains_ignoring_case(std::string_view text, std::string_view lower_case) {
  return std::search(text.begin(), text.end(), lower_case.begin(), lower_case.end(),
                     same_letter_ignoring_case) != text.end();
}

bool is_finite_number(std::string_view word) {
  double value = 0;
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc{} && stop == word.data() + word.size() && std::isfinite(value);
}

class AsciiStlReader {
 public:
  AsciiStlReader(std::string_view name, std::string_view text, const Progress& progress)
      : scan_(name, text),
        size_(text.size()),
        welder_(mesh_.vertices),
        progress_(progress, size_) {}

  Mesh<3> read() {
    do {
      read_solid();
      scan_.skip_whitespace();
    } while (!scan_.at_end());
    if (mesh_.facets.empty()) scan_.fail("no facets before endsolid");
    return std::move(mesh_);
  }

  void append_warnings(std::vector<std::string>& warnings) const {
    if (solids_ > 1) warnings.push_back(message(solids_, " solids, read as one wall"));
    if (invalid_normals_ > 0)
      warnings.push_back(message(invalid_normals_, " of ", facet_number_,
                                 " facets have a normal that is not finite; normals are ignored"));
  }

 private:
  void read_solid() {
    expect("solid");
    ++solids_;
    skip_name();
    while (accept("facet")) read_facet();
    if (!accept("endsolid")) fail_expecting("facet or endsolid");
    skip_name();
  }

  void read_facet() {
    ++facet_number_;
    expect("normal");
    read_normal();
    expect("outer");
    expect("loop");
    std::array<Index, 3> facet{};
    for (std::size_t k = 0; k < 3; ++k) facet[k] = read_vertex(k);
    if (next_is("vertex"))
      scan_.fail(message("facet ", facet_number_, " has more than 3 vertices; triangulate it"));
    expect("endloop");
    expect("endfacet");
    mesh_.facets.push_back(facet);
    progress_.advance([&] { return size_ - scan_.remaining(); });
  }

  // Programs write nan, -nan(ind) or 1.#QNAN for degenerate facets.
  void read_normal() {
    bool is_invalid = false;
    for (std::size_t k = 0; k < 3; ++k) {
      if (next_is("outer") || scan_.at_end())
        scan_.fail({axis_names[k], "the normal of facet", facet_number_}, "missing");
      is_invalid = is_invalid || !is_finite_number(scan_.word());
      scan_.skip_word();
    }
    invalid_normals_ += is_invalid ? 1U : 0U;
  }

  // Vertex 0, 1 or 2 of the current facet.
  Index read_vertex(std::size_t vertex) {
    if (next_is("endloop"))
      scan_.fail(message("facet ", facet_number_, " has ", vertex, " vertices instead of 3"));
    expect("vertex");
    Point<3> point{};
    for (std::size_t k = 0; k < 3; ++k) {
      scan_.skip_whitespace();
      point[k] = read_coordinate(scan_, {axis_names[k], vertex_names[vertex], facet_number_});
    }
    return welder_.weld(point);
  }

  // The name of a solid ends with its line, or before a facet in the same line.
  void skip_name() {
    for (scan_.skip_blanks(); !scan_.at_line_end(); scan_.skip_blanks()) {
      Scanner ahead = scan_;
      ahead.skip_word();
      ahead.skip_blanks();
      if (equal_ignoring_case(scan_.word(), "facet") && equal_ignoring_case(ahead.word(), "normal"))
        return;
      scan_.skip_word();
    }
  }

  bool next_is(std::string_view keyword) {
    scan_.skip_whitespace();
    return equal_ignoring_case(scan_.word(), keyword);
  }

  bool accept(std::string_view keyword) {
    if (!next_is(keyword)) return false;
    scan_.skip_word();
    return true;
  }

  void expect(std::string_view keyword) {
    if (!accept(keyword)) fail_expecting(keyword);
  }

  [[noreturn]] void fail_expecting(std::string_view expected) const {
    const std::string location =
        facet_number_ == 0 ? "before the first facet" : message("facet ", facet_number_);
    if (scan_.at_end())
      scan_.fail(message("ends before ", expected, " (", location, "); the file is truncated"));
    scan_.fail({"keyword"}, scan_.word(), message("must be ", expected, " (", location, ")"));
  }

  Scanner scan_;
  std::size_t size_;
  Mesh<3> mesh_;
  VertexWelder<3> welder_;
  ProgressThrottle progress_;
  std::size_t solids_ = 0;
  std::size_t facet_number_ = 0;  // of the current facet, counted from 1 through all solids
  std::size_t invalid_normals_ = 0;
};

}  // namespace

bool begins_with_solid(std::string_view text) {
  constexpr std::string_view keyword = "solid";
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return equal_ignoring_case(text.substr(0, keyword.size()), keyword);
}

bool is_ascii_stl(std::string_view text) {
  return begins_with_solid(text) &&
         (contains_ignoring_case(text, "facet") || contains_ignoring_case(text, "endsolid"));
}

Mesh<3> read_ascii_stl(std::string_view name, std::string_view text, const Progress& progress,
                       std::vector<std::string>& warnings) {
  AsciiStlReader reader(name, text, progress);
  Mesh<3> mesh = reader.read();
  reader.append_warnings(warnings);
  return mesh;
}

}  // namespace abut
