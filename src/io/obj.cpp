#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/input_checks.hpp"
#include "core/vec.hpp"
#include "core/vertex_welder.hpp"
#include "io/mesh_file.hpp"
#include "io/output_file.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

using Vector = Point<3>;

// A fan triangulation of a polygon: all triangles share a vertex, the apex.
struct TriangleFan {
  std::size_t apex = 0;          // first vertex for which no triangle is inverted, else 0
  bool overlaps_itself = false;  // there is no such apex: triangles cover more than the polygon
  bool is_nonplanar = false;     // a vertex is off the mean plane by more than the tolerance
};

constexpr double fold_tolerance = 1e-9;       // relative to the size squared: above rounding
constexpr double planarity_tolerance = 1e-4;  // relative to the size: above rounding in files
constexpr std::size_t max_apexes = 64;        // tried per polygon

// The polygon relative to its first vertex and scaled to unit size, so that no product overflows.
std::vector<Vector> scaled_to_unit_size(std::span<const Point<3>> polygon) {
  std::vector<Vector> scaled;
  double size = 0;
  for (const Point<3>& vertex : polygon) {
    scaled.push_back(difference(vertex, polygon.front()));
    for (const double x : scaled.back()) size = std::max(size, std::abs(x));
  }
  if (size > 0)
    for (Vector& vertex : scaled)
      for (double& x : vertex) x /= size;
  return scaled;
}

// The unit normal; 0 if the polygon has no area.
Vector unit_normal(std::span<const Vector> polygon) {
  Vector sum{};
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    const Vector part = cross(polygon[i], polygon[i + 1]);
    for (std::size_t k = 0; k < 3; ++k) sum[k] += part[k];
  }
  const double length = std::sqrt(dot(sum, sum));
  for (double& x : sum) x = length > 0 ? x / length : 0;
  return sum;
}

// Whether a triangle of the fan with this apex is oriented against the normal.
bool folds_back_from(std::span<const Vector> polygon, std::size_t apex, const Vector& normal) {
  const std::size_t n = polygon.size();
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const Vector u = difference(polygon[(apex + i) % n], polygon[apex]);
    const Vector v = difference(polygon[(apex + i + 1) % n], polygon[apex]);
    if (dot(cross(u, v), normal) < -fold_tolerance) return true;
  }
  return false;
}

// Chooses the fan of a polygon of at least four vertices; only the first `max_apexes` are tried.
TriangleFan choose_fan(std::span<const Point<3>> polygon) {
  const std::vector<Vector> scaled = scaled_to_unit_size(polygon);
  const Vector normal = unit_normal(scaled);
  TriangleFan fan;
  fan.is_nonplanar = std::ranges::any_of(scaled, [&](const Vector& vertex) {
    return std::abs(dot(vertex, normal)) > planarity_tolerance;
  });
  const std::size_t tried = std::min(scaled.size(), max_apexes);
  while (fan.apex < tried && folds_back_from(scaled, fan.apex, normal)) ++fan.apex;
  fan.overlaps_itself = fan.apex == tried;
  if (fan.overlaps_itself) fan.apex = 0;
  return fan;
}

// The vertex number of "5", "5/2", "5//3" or "5/2/3". Texture and normal are ignored, but must look
// like numbers.
std::optional<std::int64_t> parse_vertex_number(std::string_view word) {
  const std::size_t slash = std::min(word.find('/'), word.size());
  const std::string_view rest = word.substr(slash);
  if (rest.find_first_not_of("0123456789-/") != std::string_view::npos) return {};
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + slash, number);
  if (error != std::errc{} || stop != word.data() + slash) return {};
  return number;
}

template <std::size_t D>
class ObjReader {
 public:
  ObjReader(std::string_view name, std::string_view text, const Progress& progress)
      : scan_(name, text, line_continuation),
        size_(text.size()),
        welder_(mesh_.vertices),
        progress_(progress, size_) {}

  Mesh<D> read() {
    for (scan_.skip_whitespace(); !scan_.at_end(); scan_.skip_whitespace()) {
      read_statement();
      progress_.advance([&] { return size_ - scan_.remaining(); });
    }
    if (mesh_.facets.empty()) fail_empty();
    return std::move(mesh_);
  }

  void append_warnings(std::vector<std::string>& warnings) const {
    if (ignored_elements_ > 0)
      warnings.push_back(
          D == 3 ? message("ignored ", ignored_elements_, " lines (l); walls in 3D are faces (f)")
                 : message("ignored ", ignored_elements_, " faces (f); walls in 2D are lines (l)"));
    if (polygons_ > 0)
      warnings.push_back(message("triangulated ", polygons_, " polygons of more than 3 vertices"));
    if (nonplanar_ > 0)
      warnings.push_back(message(nonplanar_,
                                 " polygons are not planar, so their shape depends on the"
                                 " triangulation; triangulate them in the mesh"));
    if (overlapping_ > 0)
      warnings.push_back(message(overlapping_,
                                 " polygons are so concave that their triangles overlap;"
                                 " triangulate them in the mesh"));
  }

 private:
  static constexpr char line_continuation = '\\';
  static constexpr Index unassigned = std::numeric_limits<Index>::max();

  void read_statement() {
    const std::string_view keyword = scan_.word();
    scan_.skip_word();
    if (keyword == "v")
      read_vertex();
    else if (keyword == (D == 3 ? "f" : "l"))
      read_element();
    else {
      if (keyword == (D == 3 ? "l" : "f")) ++ignored_elements_;
      skip_statement(keyword.starts_with('#'));
    }
  }

  void read_vertex() {
    const std::size_t number = vertices_.size() + 1;
    Point<3> point{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Field field{axis_names[k], "vertex", number};
      if (!has_more()) scan_.fail(field, "missing");
      point[k] = read_coordinate(scan_, field);
    }
    constexpr int max_further_numbers = 4;  // weight, or red, green, blue and alpha
    for (int further = 0; has_more(); ++further) {
      if (further == max_further_numbers)
        scan_.fail(message("vertex ", number, " has more than 7 numbers; it is x y z"));
      scan_.number({"weight or color", "vertex", number});
    }
    vertices_.push_back(point);
    mesh_vertex_of_.push_back(unassigned);
  }

  void read_element() {
    ++elements_;
    element_vertices_.clear();
    while (has_more()) element_vertices_.push_back(read_index());
    if (element_vertices_.size() < D)
      scan_.fail(message(element_name, " ", elements_, " has ", element_vertices_.size(),
                         " vertices; it needs ", D));
    if constexpr (D == 3)
      add_polygon();
    else
      add_line();
  }

  std::size_t read_index() {
    const Field field{"vertex", element_name, elements_};
    const std::string_view word = scan_.word();
    const std::optional<std::int64_t> number = parse_vertex_number(word);
    if (!number) scan_.fail(field, word, "must be a vertex number, as 5, 5/2, 5//3 or 5/2/3");
    if (*number == 0) scan_.fail(field, word, "must not be 0; vertices are numbered from 1");
    const auto count = static_cast<std::int64_t>(vertices_.size());
    if (*number > count || *number < -count)
      scan_.fail(field, word,
                 message("must refer to one of the ", count, " vertices before this line"));
    scan_.skip_word();
    return static_cast<std::size_t>(*number > 0 ? *number - 1 : count + *number);
  }

  void add_polygon() {
    std::size_t apex = 0;
    const std::size_t n = element_vertices_.size();
    if (n > 3) {
      polygon_.clear();
      for (const std::size_t vertex : element_vertices_) polygon_.push_back(vertices_[vertex]);
      const TriangleFan fan = choose_fan(polygon_);
      apex = fan.apex;
      ++polygons_;
      nonplanar_ += fan.is_nonplanar ? 1U : 0U;
      overlapping_ += fan.overlaps_itself ? 1U : 0U;
    }
    const auto vertex_index = [&](std::size_t i) {
      return mesh_vertex(element_vertices_[(apex + i) % n]);
    };
    for (std::size_t i = 1; i + 1 < n; ++i) {
      const Index a = vertex_index(0);  // separate statements: they define the order of vertices
      const Index b = vertex_index(i);
      mesh_.facets.push_back(facet(a, b, vertex_index(i + 1)));
    }
  }

  void add_line() {
    for (const std::size_t vertex : element_vertices_) check_coplanar(vertex);
    for (std::size_t i = 0; i + 1 < element_vertices_.size(); ++i) {
      const Index a = mesh_vertex(element_vertices_[i]);
      mesh_.facets.push_back(facet(a, mesh_vertex(element_vertices_[i + 1])));
    }
  }

  template <class... Indices>
  static std::array<Index, D> facet(Indices... vertices) {
    return {vertices...};
  }

  // The index in the mesh of a vertex of the file; assigned at its first use.
  Index mesh_vertex(std::size_t vertex) {
    if (mesh_vertex_of_[vertex] != unassigned) return mesh_vertex_of_[vertex];
    Point<D> point{};
    for (std::size_t k = 0; k < D; ++k) point[k] = vertices_[vertex][k];
    return mesh_vertex_of_[vertex] = welder_.weld(point);
  }

  void check_coplanar(std::size_t vertex) {
    if (mesh_.facets.empty() && vertex == element_vertices_.front()) reference_vertex_ = vertex;
    if (vertices_[vertex][2] != vertices_[reference_vertex_][2])
      scan_.fail({"z", "vertex", vertex + 1}, message(vertices_[vertex][2]),
                 message("must equal z of vertex ", reference_vertex_ + 1, ", ",
                         vertices_[reference_vertex_][2], "; walls in 2D lie in one plane"));
  }

  // Whether another word of this statement follows, perhaps after a line continuation.
  bool has_more() {
    for (scan_.skip_blanks(); scan_.skip(line_continuation); scan_.skip_blanks()) {
      scan_.skip_blanks();
      if (!scan_.at_line_end()) scan_.fail("a backslash must end its line");
      scan_.skip_line_end();
    }
    return !scan_.at_line_end() && scan_.peek() != '#';
  }

  // A comment ends with its line even if that ends with a backslash, as in C:\walls\.
  void skip_statement(bool is_comment) {
    for (;;) {
      scan_.field();
      if (!scan_.skip(line_continuation)) return;
      if (!is_comment && scan_.at_line_end()) scan_.skip_line_end();
    }
  }

  [[noreturn]] void fail_empty() const {
    const std::string_view hint = ignored_elements_ == 0 ? ""
                                  : D == 3               ? "; lines (l) are walls in 2D only"
                                                         : "; faces (f) are walls in 3D only";
    scan_.fail(message("no ", element_name, "s (", D == 3 ? "f" : "l",
                       "), which make up a wall in ", D, "D", hint));
  }

  static constexpr std::string_view element_name = D == 3 ? "face" : "line";

  Scanner scan_;
  std::size_t size_;
  Mesh<D> mesh_;
  VertexWelder<D> welder_;
  ProgressThrottle progress_;
  std::vector<Point<3>> vertices_;
  std::vector<Index> mesh_vertex_of_;          // index in the mesh, or unassigned
  std::vector<std::size_t> element_vertices_;  // of the element being read
  std::vector<Point<3>> polygon_;              // their positions
  std::size_t reference_vertex_ = 0;           // in 2D, the vertex whose z all others must have
  std::size_t elements_ = 0;
  std::size_t ignored_elements_ = 0;
  std::size_t polygons_ = 0;
  std::size_t nonplanar_ = 0;
  std::size_t overlapping_ = 0;
};

}  // namespace

bool is_obj(std::string_view text) {
  // Binary files are not OBJ, even if a "line" begins like one.
  if (text.find('\0') != std::string_view::npos) return false;
  Scanner scan("", text);
  for (scan.skip_whitespace(); !scan.at_end(); scan.skip_whitespace()) {
    const std::string_view word = scan.word();
    if (word == "v" || word == "f" || word == "l") return true;
    while (!scan.at_line_end()) {
      scan.skip_word();
      scan.skip_blanks();
    }
  }
  return false;
}

template <std::size_t D>
Mesh<D> read_obj(std::string_view name, std::string_view text, const Progress& progress,
                 std::vector<std::string>& warnings) {
  ObjReader<D> reader(name, text, progress);
  Mesh<D> mesh = reader.read();
  reader.append_warnings(warnings);
  return mesh;
}

template Mesh<2> read_obj<2>(std::string_view, std::string_view, const Progress&,
                             std::vector<std::string>&);
template Mesh<3> read_obj<3>(std::string_view, std::string_view, const Progress&,
                             std::vector<std::string>&);

}  // namespace abut
