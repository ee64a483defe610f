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
#include "io/progress.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

using Vector = Point<3>;

constexpr double fold_tolerance = 1e-9;       // of the square of the size: more than rounding
constexpr double planarity_tolerance = 1e-4;  // of the size: more than files with few digits round
constexpr std::size_t max_apexes = 64;

// The same polygon from the origin and of size one, so that no product leaves the range of double.
std::vector<Vector> scaled_to_unit_size(std::span<const Point<3>> polygon) {
  std::vector<Vector> scaled;
  double size = 0;
  for (const Point<3>& corner : polygon) {
    scaled.push_back(difference(corner, polygon.front()));
    for (const double x : scaled.back()) size = std::max(size, std::abs(x));
  }
  if (size > 0)
    for (Vector& corner : scaled)
      for (double& x : corner) x /= size;
  return scaled;
}

// Of length one; 0 where there is no area.
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

bool folds_back_from(std::span<const Vector> polygon, std::size_t corner, const Vector& normal) {
  const std::size_t n = polygon.size();
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const Vector u = difference(polygon[(corner + i) % n], polygon[corner]);
    const Vector v = difference(polygon[(corner + i + 1) % n], polygon[corner]);
    if (dot(cross(u, v), normal) < -fold_tolerance) return true;
  }
  return false;
}

}  // namespace

TriangleFan choose_fan(std::span<const Point<3>> polygon) {
  const std::vector<Vector> scaled = scaled_to_unit_size(polygon);
  const Vector normal = unit_normal(scaled);
  TriangleFan found;
  found.is_nonplanar = std::ranges::any_of(scaled, [&](const Vector& corner) {
    return std::abs(dot(corner, normal)) > planarity_tolerance;
  });
  const std::size_t tried = std::min(scaled.size(), max_apexes);
  while (found.apex < tried && folds_back_from(scaled, found.apex, normal)) ++found.apex;
  found.overlaps_itself = found.apex == tried;
  if (found.overlaps_itself) found.apex = 0;
  return found;
}

namespace {

// The vertex a corner of a face or line names, as written; none if it names none. Texture and
// normal are not looked up, only seen to be numbers.
std::optional<std::int64_t> parse_vertex_number(std::string_view corner) {
  const std::size_t slash = std::min(corner.find('/'), corner.size());
  const std::string_view rest = corner.substr(slash);
  if (rest.find_first_not_of("0123456789-/") != std::string_view::npos) return {};
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(corner.data(), corner.data() + slash, number);
  if (error != std::errc{} || stop != corner.data() + slash) return {};
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

  void append_warnings(std::vector<std::string>& remarks) const {
    if (ignored_elements_ > 0)
      remarks.push_back(
          D == 3 ? message(ignored_elements_, " lines (l) left out: walls in 3D are faces (f)")
                 : message(ignored_elements_, " faces (f) left out: walls in 2D are lines (l)"));
    if (polygons_ > 0)
      remarks.push_back(message(polygons_, " polygons of more than 3 corners cut into triangles"));
    if (nonplanar_ > 0)
      remarks.push_back(message(nonplanar_,
                                " polygons are not flat; where they fold when cut is chance:"
                                " better cut them into triangles before"));
    if (overlapping_ > 0)
      remarks.push_back(message(overlapping_,
                                " polygons are so concave that their triangles cover more"
                                " than they enclose: cut them into triangles before"));
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
      if (!has_more()) scan_.fail(message(field.description(), " is missing"));
      point[k] = read_coordinate(scan_, field);
    }
    constexpr int longest_colour = 4;
    for (int further = 0; has_more(); ++further) {
      if (further == longest_colour)
        scan_.fail(message("vertex ", number, " has more than 7 numbers; it is x y z"));
      scan_.number({"weight or colour", "vertex", number});
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
    const std::optional<std::int64_t> named = parse_vertex_number(word);
    if (!named) scan_.fail(field, word, "must be a number, as 5, 5/2, 5//3 or 5/2/3");
    if (*named == 0) scan_.fail(field, word, "vertices are numbered from 1");
    const auto count = static_cast<std::int64_t>(vertices_.size());
    if (*named > count || *named < -count)
      scan_.fail(field, word, message("there are only ", count, " vertices before this line"));
    scan_.skip_word();
    return static_cast<std::size_t>(*named > 0 ? *named - 1 : count + *named);
  }

  void add_polygon() {
    std::size_t first = 0;
    const std::size_t n = element_vertices_.size();
    if (n > 3) {
      polygon_.clear();
      for (const std::size_t vertex : element_vertices_) polygon_.push_back(vertices_[vertex]);
      const TriangleFan cut = choose_fan(polygon_);
      first = cut.apex;
      ++polygons_;
      nonplanar_ += cut.is_nonplanar ? 1U : 0U;
      overlapping_ += cut.overlaps_itself ? 1U : 0U;
    }
    const auto corner = [&](std::size_t i) {
      return mesh_vertex(element_vertices_[(first + i) % n]);
    };
    for (std::size_t i = 1; i + 1 < n; ++i) {
      const Index a = corner(0);  // one after the other: corners are numbered as they come
      const Index b = corner(i);
      mesh_.facets.push_back(facet(a, b, corner(i + 1)));
    }
  }

  void add_line() {
    for (const std::size_t vertex : element_vertices_) check_coplanar(vertex);
    for (std::size_t i = 0; i + 1 < element_vertices_.size(); ++i) {
      const Index a = mesh_vertex(element_vertices_[i]);
      mesh_.facets.push_back(facet(a, mesh_vertex(element_vertices_[i + 1])));
    }
  }

  template <class... Corners>
  static std::array<Index, D> facet(Corners... corners) {
    return {corners...};
  }

  Index mesh_vertex(std::size_t vertex) {
    if (mesh_vertex_of_[vertex] != unassigned) return mesh_vertex_of_[vertex];
    Point<D> point{};
    for (std::size_t k = 0; k < D; ++k) point[k] = vertices_[vertex][k];
    return mesh_vertex_of_[vertex] = welder_.weld(point);
  }

  void check_coplanar(std::size_t vertex) {
    if (mesh_.facets.empty() && vertex == element_vertices_.front()) reference_vertex_ = vertex;
    if (vertices_[vertex][2] != vertices_[reference_vertex_][2])
      scan_.fail(message("z of vertex ", vertex + 1, " = ", vertices_[vertex][2],
                         ", but z of vertex ", reference_vertex_ + 1, " = ",
                         vertices_[reference_vertex_][2],
                         ": walls in 2D must have one z, which is then left out"));
  }

  // Whether a word of this statement follows, be it in the next line.
  bool has_more() {
    for (scan_.skip_blanks(); scan_.skip(line_continuation); scan_.skip_blanks()) {
      scan_.skip_blanks();
      if (!scan_.at_line_end()) scan_.fail("a backslash must be the last in its line");
      scan_.skip_line_end();
    }
    return !scan_.at_line_end() && scan_.peek() != '#';
  }

  // A comment ends with its line, even if that is a folder of Windows: C:\walls\.
  void skip_statement(bool comment) {
    for (;;) {
      scan_.field();
      if (!scan_.skip(line_continuation)) return;
      if (!comment && scan_.at_line_end()) scan_.skip_line_end();
    }
  }

  [[noreturn]] void fail_empty() const {
    const std::string_view instead = ignored_elements_ == 0 ? ""
                                     : D == 3               ? "; lines (l) are walls in 2D only"
                                                            : "; faces (f) are walls in 3D only";
    scan_.fail(message("has no ", element_name, "s (", D == 3 ? "f" : "l", "), of which a wall in ",
                       D, "D is made", instead));
  }

  static constexpr std::string_view element_name = D == 3 ? "face" : "line";

  Scanner scan_;
  std::size_t size_;
  Mesh<D> mesh_;
  VertexWelder<D> welder_;
  ProgressThrottle progress_;
  std::vector<Point<3>> vertices_;
  std::vector<Index> mesh_vertex_of_;          // each vertex' number in the mesh, once it has one
  std::vector<std::size_t> element_vertices_;  // the vertices of the element being read
  std::vector<Point<3>> polygon_;              // and their places
  std::size_t reference_vertex_ = 0;           // the vertex all others are as high as
  std::size_t elements_ = 0;
  std::size_t ignored_elements_ = 0;
  std::size_t polygons_ = 0;
  std::size_t nonplanar_ = 0;
  std::size_t overlapping_ = 0;
};

}  // namespace

bool is_obj(std::string_view text) {
  // What is no text may have anything at the beginning of what is no line.
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
                 std::vector<std::string>& remarks) {
  ObjReader<D> file(name, text, progress);
  Mesh<D> mesh = file.read();
  file.append_warnings(remarks);
  return mesh;
}

template Mesh<2> read_obj<2>(std::string_view, std::string_view, const Progress&,
                             std::vector<std::string>&);
template Mesh<3> read_obj<3>(std::string_view, std::string_view, const Progress&,
                             std::vector<std::string>&);

}  // namespace abut
