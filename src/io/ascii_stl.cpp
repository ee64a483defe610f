#include "io/ascii_stl.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/corner_table.hpp"
#include "core/survey.hpp"
#include "io/mesh_file.hpp"
#include "io/scanner.hpp"
#include "io/steps.hpp"

namespace abut {
namespace {

constexpr std::array<std::string_view, 3> corner_names{"vertex 1 of facet", "vertex 2 of facet",
                                                       "vertex 3 of facet"};

bool same_letter(char c, char small) {
  return c == small || (c >= 'A' && c <= 'Z' && c - 'A' + 'a' == small);
}

bool same_word(std::string_view word, std::string_view small) {
  return std::ranges::equal(word, small, same_letter);
}

bool has(std::string_view text, std::string_view small) {
  return std::search(text.begin(), text.end(), small.begin(), small.end(), same_letter) !=
         text.end();
}

bool is_finite_number(std::string_view word) {
  double value = 0;
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc{} && stop == word.data() + word.size() && std::isfinite(value);
}

class AsciiStl {
 public:
  AsciiStl(std::string_view name, std::string_view text, const Progress& progress)
      : scan_(name, text), size_(text.size()), table_(mesh_.corners), steps_(progress, size_) {}

  Mesh<3> read() {
    do {
      read_solid();
      scan_.skip_to_text();
    } while (!scan_.at_end());
    if (mesh_.pieces.empty()) scan_.fail("has no triangles: there is no facet before endsolid");
    return std::move(mesh_);
  }

  void remark(std::vector<std::string>& remarks) const {
    if (solids_ > 1) remarks.push_back(message(solids_, " solids, taken as one wall"));
    if (odd_normals_ > 0)
      remarks.push_back(message(odd_normals_, " of ", facet_,
                                " facets have a normal that is not a finite number; normals are"
                                " not used"));
  }

 private:
  void read_solid() {
    expect("solid");
    ++solids_;
    skip_name();
    while (take("facet")) read_facet();
    if (!take("endsolid")) refuse("facet or endsolid");
    skip_name();
  }

  void read_facet() {
    ++facet_;
    expect("normal");
    read_normal();
    expect("outer");
    expect("loop");
    std::array<Index, 3> piece{};
    for (std::size_t corner = 0; corner < 3; ++corner) piece[corner] = read_vertex(corner);
    if (next_is("vertex"))
      scan_.fail(message("facet ", facet_, " has more than 3 vertices; cut it into triangles"));
    expect("endloop");
    expect("endfacet");
    mesh_.pieces.push_back(piece);
    steps_.reached([&] { return size_ - scan_.left(); });
  }

  // Programs write nan, -nan(ind) or 1.#QNAN where a facet has no area.
  void read_normal() {
    bool odd = false;
    for (std::size_t k = 0; k < 3; ++k) {
      if (next_is("outer") || scan_.at_end())
        scan_.fail(message(axis_names[k], " of the normal of facet ", facet_, " is missing"));
      odd = odd || !is_finite_number(scan_.word());
      scan_.skip_word();
    }
    odd_normals_ += odd ? 1U : 0U;
  }

  Index read_vertex(std::size_t corner) {
    if (next_is("endloop"))
      scan_.fail(message("facet ", facet_, " has ", corner, " vertices instead of 3"));
    expect("vertex");
    Point<3> point{};
    for (std::size_t k = 0; k < 3; ++k) {
      scan_.skip_to_text();
      point[k] = read_coordinate(scan_, {axis_names[k], corner_names[corner], facet_});
    }
    return table_.number(point);
  }

  // Also ends where the first facet follows in the same line.
  void skip_name() {
    for (scan_.skip_blanks(); !scan_.at_line_end(); scan_.skip_blanks()) {
      Scanner ahead = scan_;
      ahead.skip_word();
      ahead.skip_blanks();
      if (same_word(scan_.word(), "facet") && same_word(ahead.word(), "normal")) return;
      scan_.skip_word();
    }
  }

  bool next_is(std::string_view keyword) {
    scan_.skip_to_text();
    return same_word(scan_.word(), keyword);
  }

  bool take(std::string_view keyword) {
    if (!next_is(keyword)) return false;
    scan_.skip_word();
    return true;
  }

  void expect(std::string_view keyword) {
    if (!take(keyword)) refuse(keyword);
  }

  [[noreturn]] void refuse(std::string_view expected) const {
    const std::string place = facet_ == 0 ? "before the first facet" : message("facet ", facet_);
    if (scan_.at_end())
      scan_.fail(
          message("ends where ", expected, " must follow (", place, "); the file is cut short"));
    scan_.fail(message(Scanner::printable(scan_.word()), " where ", expected, " must follow (",
                       place, ")"));
  }

  Scanner scan_;
  std::size_t size_;
  Mesh<3> mesh_;
  CornerTable<3> table_;
  Steps steps_;
  std::size_t solids_ = 0;
  std::size_t facet_ = 0;  // the one being read, counted from 1 through all solids
  std::size_t odd_normals_ = 0;
};

}  // namespace

bool begins_with_solid(std::string_view text) {
  constexpr std::string_view keyword = "solid";
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return same_word(text.substr(0, keyword.size()), keyword);
}

bool is_ascii_stl(std::string_view text) {
  return begins_with_solid(text) && (has(text, "facet") || has(text, "endsolid"));
}

Mesh<3> read_ascii_stl(std::string_view name, std::string_view text, const Progress& progress,
                       std::vector<std::string>& remarks) {
  AsciiStl file(name, text, progress);
  Mesh<3> mesh = file.read();
  file.remark(remarks);
  return mesh;
}

}  // namespace abut
