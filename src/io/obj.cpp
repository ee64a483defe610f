#include "io/obj.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "core/corner_table.hpp"
#include "core/survey.hpp"
#include "io/mesh_file.hpp"
#include "io/polygon.hpp"
#include "io/scanner.hpp"
#include "io/steps.hpp"

namespace abut {
namespace {

// The vertex a corner of a face or line names, as written; none if it names none. Texture and
// normal are not looked up, only seen to be numbers.
std::optional<std::int64_t> vertex_named(std::string_view corner) {
  const std::size_t slash = std::min(corner.find('/'), corner.size());
  const std::string_view rest = corner.substr(slash);
  if (rest.find_first_not_of("0123456789-/") != std::string_view::npos) return {};
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(corner.data(), corner.data() + slash, number);
  if (error != std::errc{} || stop != corner.data() + slash) return {};
  return number;
}

template <std::size_t D>
class Obj {
 public:
  Obj(std::string_view name, std::string_view text, const Progress& progress)
      : scan_(name, text, continues),
        size_(text.size()),
        table_(mesh_.corners),
        steps_(progress, size_) {}

  Mesh<D> read() {
    for (scan_.skip_to_text(); !scan_.at_end(); scan_.skip_to_text()) {
      read_statement();
      steps_.reached([&] { return size_ - scan_.left(); });
    }
    if (mesh_.pieces.empty()) refuse_empty();
    return std::move(mesh_);
  }

  void remark(std::vector<std::string>& remarks) const {
    if (others_ > 0)
      remarks.push_back(D == 3
                            ? message(others_, " lines (l) left out: walls in 3D are faces (f)")
                            : message(others_, " faces (f) left out: walls in 2D are lines (l)"));
    if (polygons_ > 0)
      remarks.push_back(message(polygons_, " polygons of more than 3 corners cut into triangles"));
    if (bent_ > 0)
      remarks.push_back(message(bent_,
                                " polygons are not flat; where they fold when cut is chance:"
                                " better cut them into triangles before"));
    if (folded_ > 0)
      remarks.push_back(message(folded_,
                                " polygons are so concave that their triangles cover more"
                                " than they enclose: cut them into triangles before"));
  }

 private:
  static constexpr char continues = '\\';
  static constexpr Index unused = std::numeric_limits<Index>::max();

  void read_statement() {
    const std::string_view keyword = scan_.word();
    scan_.skip_word();
    if (keyword == "v")
      read_vertex();
    else if (keyword == (D == 3 ? "f" : "l"))
      read_element();
    else {
      if (keyword == (D == 3 ? "l" : "f")) ++others_;
      pass_over(keyword.starts_with('#'));
    }
  }

  void read_vertex() {
    const std::size_t number = vertices_.size() + 1;
    Point<3> point{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Field field{axis_names[k], "vertex", number};
      if (!more()) scan_.fail(message(field.text(), " is missing"));
      point[k] = read_coordinate(scan_, field);
    }
    constexpr int longest_colour = 4;
    for (int further = 0; more(); ++further) {
      if (further == longest_colour)
        scan_.fail(message("vertex ", number, " has more than 7 numbers; it is x y z"));
      scan_.number({"weight or colour", "vertex", number});
    }
    vertices_.push_back(point);
    corner_of_.push_back(unused);
  }

  void read_element() {
    ++elements_;
    chain_.clear();
    while (more()) chain_.push_back(read_index());
    if (chain_.size() < D)
      scan_.fail(message(kind, " ", elements_, " has ", chain_.size(), " vertices; it needs ", D));
    if constexpr (D == 3)
      add_polygon();
    else
      add_line();
  }

  std::size_t read_index() {
    const Field field{"vertex", kind, elements_};
    const std::string_view word = scan_.word();
    const std::optional<std::int64_t> named = vertex_named(word);
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
    const std::size_t n = chain_.size();
    if (n > 3) {
      polygon_.clear();
      for (const std::size_t vertex : chain_) polygon_.push_back(vertices_[vertex]);
      const Fan cut = fan(polygon_);
      first = cut.corner;
      ++polygons_;
      bent_ += cut.bent ? 1U : 0U;
      folded_ += cut.folded ? 1U : 0U;
    }
    const auto corner = [&](std::size_t i) { return number(chain_[(first + i) % n]); };
    for (std::size_t i = 1; i + 1 < n; ++i) {
      const Index a = corner(0);  // one after the other: corners are numbered as they come
      const Index b = corner(i);
      mesh_.pieces.push_back(piece(a, b, corner(i + 1)));
    }
  }

  void add_line() {
    for (const std::size_t vertex : chain_) check_flat(vertex);
    for (std::size_t i = 0; i + 1 < chain_.size(); ++i) {
      const Index a = number(chain_[i]);
      mesh_.pieces.push_back(piece(a, number(chain_[i + 1])));
    }
  }

  template <class... Corners>
  static std::array<Index, D> piece(Corners... corners) {
    return {corners...};
  }

  Index number(std::size_t vertex) {
    if (corner_of_[vertex] != unused) return corner_of_[vertex];
    Point<D> point{};
    for (std::size_t k = 0; k < D; ++k) point[k] = vertices_[vertex][k];
    return corner_of_[vertex] = table_.number(point);
  }

  void check_flat(std::size_t vertex) {
    if (mesh_.pieces.empty() && vertex == chain_.front()) level_ = vertex;
    if (vertices_[vertex][2] != vertices_[level_][2])
      scan_.fail(message("z of vertex ", vertex + 1, " = ", vertices_[vertex][2],
                         ", but z of vertex ", level_ + 1, " = ", vertices_[level_][2],
                         ": walls in 2D must have one z, which is then left out"));
  }

  // Whether a word of this statement follows, be it in the next line.
  bool more() {
    for (scan_.skip_blanks(); scan_.skip(continues); scan_.skip_blanks()) {
      scan_.skip_blanks();
      if (!scan_.at_line_end()) scan_.fail("a backslash must be the last in its line");
      scan_.skip_line_end();
    }
    return !scan_.at_line_end() && scan_.peek() != '#';
  }

  // A comment ends with its line, even if that is a folder of Windows: C:\walls\.
  void pass_over(bool comment) {
    for (;;) {
      scan_.field();
      if (!scan_.skip(continues)) return;
      if (!comment && scan_.at_line_end()) scan_.skip_line_end();
    }
  }

  [[noreturn]] void refuse_empty() const {
    const std::string_view instead = others_ == 0 ? ""
                                     : D == 3     ? "; lines (l) are walls in 2D only"
                                                  : "; faces (f) are walls in 3D only";
    scan_.fail(message("has no ", kind, "s (", D == 3 ? "f" : "l", "), of which a wall in ", D,
                       "D is made", instead));
  }

  static constexpr std::string_view kind = D == 3 ? "face" : "line";

  Scanner scan_;
  std::size_t size_;
  Mesh<D> mesh_;
  CornerTable<D> table_;
  Steps steps_;
  std::vector<Point<3>> vertices_;
  std::vector<Index> corner_of_;    // each vertex' number in the mesh, once it has one
  std::vector<std::size_t> chain_;  // the vertices of the element being read
  std::vector<Point<3>> polygon_;   // and their places
  std::size_t level_ = 0;           // the vertex all others are as high as
  std::size_t elements_ = 0;
  std::size_t others_ = 0;
  std::size_t polygons_ = 0;
  std::size_t bent_ = 0;
  std::size_t folded_ = 0;
};

}  // namespace

bool is_obj(std::string_view text) {
  // What is no text may have anything at the beginning of what is no line.
  if (text.find('\0') != std::string_view::npos) return false;
  Scanner scan("", text);
  for (scan.skip_to_text(); !scan.at_end(); scan.skip_to_text()) {
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
  Obj<D> file(name, text, progress);
  Mesh<D> mesh = file.read();
  file.remark(remarks);
  return mesh;
}

template Mesh<2> read_obj<2>(std::string_view, std::string_view, const Progress&,
                             std::vector<std::string>&);
template Mesh<3> read_obj<3>(std::string_view, std::string_view, const Progress&,
                             std::vector<std::string>&);

}  // namespace abut
