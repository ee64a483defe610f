#include "io/demcda.hpp"

#include <algorithm>

#include "core/sort_pairs.hpp"
#include "core/survey.hpp"
#include "io/scanner.hpp"
#include "io/steps.hpp"
#include "io/text_file.hpp"

namespace abut {
namespace {

// Columns of the line the scanner stands on, on a copy that may run ahead.
int columns(Scanner ahead) {
  int count = 0;
  for (ahead.skip_blanks(); !ahead.at_line_end(); ahead.skip_blanks(), ++count) ahead.skip_word();
  return count;
}

int dimension_of(const Scanner& first_line, const std::optional<Bounds>& bounds, int asked) {
  if (bounds) return bounds->dimension;
  if (asked != 0) return asked;
  const int count = columns(first_line);
  if (count < 2 || count > 4)
    first_line.fail(message(count, " columns; an element is x y, x y z or x y z radius"));
  return count == 2 ? 2 : 3;
}

void read_element(Scanner& scan, ParticleFile& file, double common_radius, std::size_t number) {
  const auto dimension = static_cast<std::size_t>(file.dimension);
  for (std::size_t k = 0; k < dimension; ++k) {
    file.axes[k].push_back(scan.number({axis_names[k], "element", number}));
    scan.skip_blanks();
  }
  double radius = common_radius;
  if (!scan.at_line_end()) {
    radius = scan.number({"radius", "element", number});
    scan.skip_blanks();
  }
  file.radius.push_back(radius);
  if (!scan.at_line_end())
    scan.fail(message("element ", number, " has more than ", dimension + 1, " columns; in ",
                      dimension, "D it is ", dimension == 2 ? "x y [radius]" : "x y z [radius]"));
}

}  // namespace

Bounds read_bounds(const std::string& path) {
  const TextFile file(path);
  Scanner scan(file.name(), file.text());
  Bounds bounds{.file = file.name()};
  scan.skip_to_text();
  if (scan.at_end()) scan.fail("empty; the first line is the dimension, 2 or 3");
  bounds.dimension = scan.integer<int>({"dimension"});
  if (bounds.dimension != 2 && bounds.dimension != 3)
    scan.fail({"dimension"}, scan.last(), "must be 2 or 3");
  for (std::size_t k = 0; k < static_cast<std::size_t>(bounds.dimension); ++k) {
    scan.skip_to_text();
    bounds.min[k] = scan.number({message(axis_names[k], " min")});
    scan.skip_blanks();
    bounds.max[k] = scan.number({message(axis_names[k], " max")});
    if (!(bounds.min[k] < bounds.max[k]))
      scan.fail(message(axis_names[k], " from ", bounds.min[k], " to ", bounds.max[k],
                        ": the smaller bound comes first"));
  }
  scan.skip_to_text();
  if (!scan.at_end()) scan.fail("more text after the last axis; is the dimension right?");
  return bounds;
}

ParticleFile read_elements(std::string_view name, std::string_view text,
                           const std::optional<Bounds>& bounds, int dimension,
                           const Progress& progress) {
  Scanner scan(name, text);
  scan.skip_to_text();
  if (scan.at_end())
    scan.fail("empty; the first line is the number of elements and their common radius");
  const auto count = scan.integer<std::size_t>({"number of elements"});
  const std::string count_text(scan.last());
  const std::size_t count_line = scan.line();
  scan.skip_to_text();
  const double common_radius = scan.number({"common radius"});
  if (!(common_radius > 0)) scan.fail({"common radius"}, scan.last(), "must be above zero");
  scan.skip_blanks();
  if (!scan.at_line_end()) scan.fail("more than the number of elements and their common radius");

  scan.skip_to_text();
  ParticleFile file;
  file.dimension = count > 0 && !scan.at_end() ? dimension_of(scan, bounds, dimension)
                   : bounds                    ? bounds->dimension
                   : dimension != 0            ? dimension
                                               : 3;
  const std::size_t shortest = 2 * static_cast<std::size_t>(file.dimension);  // "0 0\n"
  const auto cut_short = [&](std::size_t found) {
    scan.fail(message("ends after ", found, " of ", count_text,
                      " elements; the file is cut short or"
                      " the number in line ",
                      count_line, " is wrong"));
  };
  // A wrong number must not make us ask for more memory than the file can fill.
  const std::size_t room = std::min(count, scan.left() / shortest + 1);
  for (std::size_t k = 0; k < static_cast<std::size_t>(file.dimension); ++k)
    file.axes[k].reserve(room);
  file.radius.reserve(room);

  Steps steps(progress, text.size());
  for (std::size_t number = 1; number <= count; ++number) {
    scan.skip_to_text();
    if (scan.at_end()) cut_short(number - 1);
    read_element(scan, file, common_radius, number);
    check_last_particle(scan, file, bounds, "element", number);
    steps.reached([&] { return text.size() - scan.left(); });
  }
  scan.skip_to_text();
  if (!scan.at_end())
    scan.fail(message("more text after the last of ", count_text,
                      " elements; is the number in line ", count_line, " right?"));
  return file;
}

template <std::size_t D>
void write_bounds(OutputFile& out, const Box<D>& box) {
  out << D << '\n';
  for (std::size_t k = 0; k < D; ++k) out << box.min[k] << ' ' << box.max[k] << '\n';
}

template <std::size_t D>
void write_elements(OutputFile& out, const Spheres<D>& particles, const Progress& progress) {
  const auto radius = particles.radius();
  const double common = radius.empty() ? 0.5 : *std::ranges::max_element(radius);
  const bool own = std::ranges::any_of(radius, [&](double r) { return r != common; });
  out << particles.size() << ' ' << common << '\n';
  Steps steps(progress, particles.size());
  for (std::size_t i = 0; i < particles.size(); ++i) {
    for (std::size_t k = 0; k < D; ++k) {
      if (k > 0) out << ' ';
      out << particles.axis(k)[i];
    }
    if (own) out << ' ' << radius[i];
    out << '\n';
    steps.reached([&] { return i; });
  }
}

void write_contacts(OutputFile& out, std::span<const Pair> sorted, std::size_t particles,
                    const Progress& progress) {
  const SmallerPartners partners(sorted, particles);
  Steps steps(progress, sorted.size());
  std::size_t written = 0;
  for (std::size_t b = particles; b-- > 0;)
    for (const Index a : partners.of(b)) {
      out << b + 1 << ' ' << std::uint64_t{a} + 1 << '\n';
      steps.reached([&] { return written; });
      ++written;
    }
}

template void write_bounds(OutputFile&, const Box<2>&);
template void write_bounds(OutputFile&, const Box<3>&);
template void write_elements(OutputFile&, const Spheres<2>&, const Progress&);
template void write_elements(OutputFile&, const Spheres<3>&, const Progress&);

}  // namespace abut
