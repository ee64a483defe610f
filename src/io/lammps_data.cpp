#include "io/lammps_data.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/message.hpp"
#include "io/gzip.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

class LammpsDataReader {
 public:
  LammpsDataReader(const std::string& name, std::string_view text)
      : scan_(name, text), text_size_(text.size()) {
    data_.file = name;
  }

  LammpsData read() {
    skip_line();  // the first line is a comment
    read_header();
    bool has_atoms = false;
    while (!scan_.at_end()) {
      const std::string section = section_name();
      if (section == "Atoms") {
        read_atoms();
        has_atoms = true;
      } else if (section == "Velocities") {
        if (!has_atoms) scan_.fail("the section Velocities must follow the section Atoms");
        read_velocities();
      } else if (section == "Masses" || section == "Pair Coeffs" || section == "PairIJ Coeffs") {
        skip_section();
      } else {
        scan_.fail({"section"}, section, "must be Atoms or Velocities; delete other sections");
      }
    }
    if (!has_atoms)
      scan_.fail({"Atoms"}, "missing section; is this a LAMMPS data file of atom_style sphere?");
    return std::move(data_);
  }

 private:
  [[nodiscard]] bool at_content_end() const { return scan_.at_line_end() || scan_.peek() == '#'; }

  void skip_line() {
    while (!scan_.at_line_end()) scan_.skip(scan_.peek());
    scan_.skip_line_end();
  }

  // Skips blank lines, comments, and blanks before the next word.
  void skip_to_content() {
    scan_.skip_blanks();
    while (!scan_.at_end() && at_content_end()) {
      skip_line();
      scan_.skip_blanks();
    }
  }

  [[nodiscard]] bool at_section() const {
    const char c = scan_.peek();
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }

  // The remaining words of the line, up to a comment, separated by single blanks.
  std::string words() {
    std::string text;
    for (scan_.skip_blanks(); !at_content_end(); scan_.skip_blanks()) {
      if (!text.empty()) text += ' ';
      text += scan_.word();
      scan_.skip_word();
    }
    return text;
  }

  template <class Integer = std::size_t>
  Integer integer(const Field& field) {
    scan_.skip_blanks();
    return scan_.integer<Integer>(field);
  }

  double number(const Field& field) {
    scan_.skip_blanks();
    return scan_.number(field);
  }

  double positive_number(const Field& field) {
    const double value = number(field);
    if (!(value > 0)) scan_.fail(field, scan_.last_token(), "must be positive");
    return value;
  }

  Vec<3> vector(const std::array<std::string_view, 3>& names, std::size_t id) {
    Vec<3> value{};
    for (std::size_t k = 0; k < 3; ++k) value[k] = number({names[k], "atom", id});
    return value;
  }

  void read_header() {
    std::array<bool, 3> has_bounds{};
    for (skip_to_content(); !scan_.at_end() && !at_section(); skip_to_content()) {
      const double first = number({"header value"});
      scan_.skip_blanks();
      const char next = scan_.peek();
      if ((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z'))
        read_count(first, words());
      else
        read_bounds(first, has_bounds);
    }
    if (atoms_ == 0) scan_.fail({"atoms"}, "missing in the header; write a line such as 10 atoms");
    if (types_ == 0)
      scan_.fail({"atom types"}, "missing in the header; write a line such as 1 atom types");
    if (std::ranges::count(has_bounds, true) < 3)
      scan_.fail({"box"}, "missing in the header; write lines such as 0 40 xlo xhi for x, y and z");
  }

  // A count of something that there is none of, such as 0 bonds, has no effect.
  void read_count(double value, const std::string& keyword) {
    if (keyword == "atoms")
      atoms_ = checked_count(keyword, value);
    else if (keyword == "atom types")
      types_ = checked_count(keyword, value);
    else if (value != 0)
      fail_header(keyword);
  }

  void read_bounds(double first, std::array<bool, 3>& has_bounds) {
    const double second = number({"upper bound"});
    const std::string keyword = words();
    constexpr std::array<std::string_view, 3> bounds{"xlo xhi", "ylo yhi", "zlo zhi"};
    const auto axis = static_cast<std::size_t>(std::ranges::find(bounds, keyword) - bounds.begin());
    if (axis == bounds.size()) fail_header(keyword);
    data_.box.min[axis] = first;
    data_.box.max[axis] = second;
    has_bounds[axis] = true;
    if (!(first < second))
      scan_.fail({keyword}, message(first, " ", second), "the first must be less");
  }

  [[noreturn]] void fail_header(const std::string& keyword) const {
    for (const std::string_view triclinic : {"xy xz yz", "avec", "bvec", "cvec", "abc origin"})
      if (keyword.ends_with(triclinic)) scan_.fail({triclinic}, triclinic_box_problem);
    scan_.fail({"header"}, keyword,
               "must be atoms, atom types, xlo xhi, ylo yhi or zlo zhi; others are not read");
  }

  [[nodiscard]] std::size_t checked_count(std::string_view keyword, double value) const {
    constexpr double max_count = 2147483647;
    if (!(value >= 1 && value <= max_count && value == std::floor(value)))
      scan_.fail({keyword}, message(value), "must be an integer from 1 to 2147483647");
    return static_cast<std::size_t>(value);
  }

  // Reads the name of a section; checks the atom style after '#', if any.
  std::string section_name() {
    std::string name = words();
    Scanner style = scan_;
    style.skip('#');
    style.skip_blanks();
    if (name == "Atoms" && !style.at_line_end() && style.word() != "sphere")
      scan_.fail({"atom_style"}, style.word(), "must be sphere; write the file with this style");
    return name;
  }

  void skip_section() {
    for (skip_to_content(); !scan_.at_end() && !at_section(); skip_to_content()) skip_line();
  }

  // Calls read_row() for each of the `atoms_` rows of a section.
  template <class ReadRow>
  void read_rows(std::string_view section, const ReadRow& read_row) {
    std::size_t rows = 0;
    for (skip_to_content(); !scan_.at_end() && !at_section(); skip_to_content()) {
      if (rows == atoms_)
        scan_.fail({section}, message("has more rows than the header states: ", atoms_, " atoms"));
      read_row();
      ++rows;
      scan_.skip_blanks();
      if (!at_content_end())
        scan_.fail({"row"}, scan_.word(), message("unexpected value after the row of ", section));
    }
    if (rows < atoms_)
      scan_.fail({section}, message("has ", rows, " rows, but the header states ", atoms_,
                                    " atoms; is the file complete?"));
  }

  // A row of another atom style would be read as wrong numbers.
  void begin_atoms() {
    data_.first_row = text_size_ - scan_.remaining();
    constexpr std::size_t sphere_columns = 7;
    std::size_t columns = 0;
    Scanner ahead = scan_;
    for (; !ahead.at_line_end() && ahead.peek() != '#'; ahead.skip_blanks(), ++columns)
      ahead.skip_word();
    if (columns < sphere_columns)
      scan_.fail({"atom_style"},
                 message("must be sphere, with at least 7 columns (id type diameter density x y z) "
                         "instead of ",
                         columns, "; write the file with this style"));
  }

  void read_atoms() {
    constexpr std::array<std::string_view, 3> position{"x", "y", "z"};
    constexpr std::array<std::string_view, 3> image{"image flag x", "image flag y", "image flag z"};
    if (!index_.empty()) scan_.fail("there is a second section Atoms; delete it");
    read_rows("Atoms", [&] {
      if (data_.size() == 0) begin_atoms();
      const auto id = integer<std::int64_t>({"id"});
      if (id < 1) scan_.fail({"id"}, scan_.last_token(), "must be positive");
      if (!index_.emplace(id, data_.size()).second)
        scan_.fail({"id"}, scan_.last_token(), "must be unique, but is also that of another atom");
      const auto number_of_atom = static_cast<std::size_t>(id);
      data_.id.push_back(id);
      data_.type.push_back(integer<std::uint32_t>({"type", "atom", number_of_atom}));
      if (data_.type.back() < 1 || data_.type.back() > types_)
        scan_.fail({"type", "atom", number_of_atom}, scan_.last_token(),
                   message("must be from 1 to ", types_, ", the number of atom types"));
      const double radius = positive_number({"diameter", "atom", number_of_atom}) / 2;
      data_.density.push_back(positive_number({"density", "atom", number_of_atom}));
      data_.spheres.push_back(vector(position, number_of_atom), radius);
      scan_.skip_blanks();
      if (at_content_end()) return;
      for (const std::string_view name : image)
        integer<std::int64_t>({name, "atom", number_of_atom});
    });
    data_.velocity.resize(data_.size());
    data_.angular_velocity.resize(data_.size());
  }

  void read_velocities() {
    constexpr std::array<std::string_view, 3> v{"vx", "vy", "vz"};
    constexpr std::array<std::string_view, 3> w{"wx", "wy", "wz"};
    if (data_.has_velocities) scan_.fail("there is a second section Velocities; delete it");
    data_.has_velocities = true;
    std::vector<bool> is_read(data_.size());
    read_rows("Velocities", [&] {
      const auto id = integer<std::int64_t>({"id"});
      const auto found = index_.find(id);
      if (found == index_.end())
        scan_.fail({"id"}, scan_.last_token(), "must be that of an atom of the section Atoms");
      if (is_read[found->second])
        scan_.fail({"id"}, scan_.last_token(), "must be unique, but is also that of another row");
      is_read[found->second] = true;
      data_.velocity[found->second] = vector(v, static_cast<std::size_t>(id));
      data_.angular_velocity[found->second] = vector(w, static_cast<std::size_t>(id));
    });
  }

  Scanner scan_;
  LammpsData data_;
  std::size_t text_size_;
  std::size_t atoms_ = 0;
  std::size_t types_ = 0;
  std::unordered_map<std::int64_t, std::size_t> index_;  // of an atom by its id
};

}  // namespace

LammpsData read_lammps_data(const std::string& name, std::string_view text) {
  return LammpsDataReader(name, text).read();
}

LammpsData read_lammps_data(const std::string& path) {
  const InputFile file(path);
  if (!is_gzipped(file.bytes())) return read_lammps_data(file.name(), file.text());
  return read_lammps_data(file.name(), without_byte_order_mark(decompressed(file).bytes()));
}

}  // namespace abut
