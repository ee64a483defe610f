// Particles from and to CSV and Demcda text files: the common part, then CSV, then Demcda.
#include "io/particle_file.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/buffers.hpp"
#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "io/output_file.hpp"
#include "io/particle_formats.hpp"

namespace abut {

bool has_csv_extension(const std::string& path) {
  return path.ends_with(".csv") || path.ends_with(".CSV");
}

namespace {

constexpr std::string_view header_hint = "the header must name the columns, as x,y,z,r or x,y,r,id";

constexpr std::array csv_columns{
    NamedColumn{"x", ParticleColumn::x},
    NamedColumn{"y", ParticleColumn::y},
    NamedColumn{"z", ParticleColumn::z},
    NamedColumn{"r", ParticleColumn::radius},
    NamedColumn{"radius", ParticleColumn::radius},
    NamedColumn{"id", ParticleColumn::id},
    NamedColumn{"vx", ParticleColumn::vx},
    NamedColumn{"vy", ParticleColumn::vy},
    NamedColumn{"vz", ParticleColumn::vz},
    NamedColumn{"wx", ParticleColumn::wx},
    NamedColumn{"wy", ParticleColumn::wy},
    NamedColumn{"wz", ParticleColumn::wz},
    NamedColumn{"material", ParticleColumn::material},
};

void check_csv_columns(const Scanner& scan, const std::vector<std::string>& titles) {
  const auto count = [&](ParticleColumn column) {
    return std::ranges::count_if(titles, [&](const std::string& title) {
      const auto* const found = std::ranges::find(csv_columns, title, &NamedColumn::title);
      return found != csv_columns.end() && found->column == column;
    });
  };
  for (const auto& [title, column] : csv_columns) {
    const bool is_required = column == ParticleColumn::x || column == ParticleColumn::y ||
                             column == ParticleColumn::radius;
    if (is_required && count(column) == 0)
      scan.fail({title}, message("missing column; ", header_hint));
    if (count(column) > 1) scan.fail({title}, "duplicate column");
  }
}

}  // namespace

ParticleFile read_csv_particles(const ParticleText& input, const ParticleRequest& request) {
  const std::string_view text = input.text();
  Scanner scan(input.name(), text, ',');
  scan.skip_whitespace();
  if (scan.at_end()) scan.fail(message("empty; ", header_hint));
  const std::vector<std::string> titles = read_csv_header(scan);
  check_csv_columns(scan, titles);
  ParticleFile file{.format = ParticleFormat::csv};
  file.dimension = std::ranges::find(titles, "z") != titles.end() ? 3 : 2;
  if (request.bounds && request.bounds->dimension != file.dimension)
    scan.fail(message("the header is ", file.dimension, "D, but ", request.bounds->file, " is ",
                      request.bounds->dimension, "D"));
  if (request.dimension != 0 && request.dimension != file.dimension)
    scan.fail(
        message("the header is ", file.dimension, "D, but ", request.dimension, "D was requested"));
  ParticleTable table(titles, csv_columns, request.contents, file);
  table.check_vectors(scan);
  table.warn_unknown();
  ProgressThrottle throttle(request.progress, text.size());
  scan.skip_whitespace();
  file.first_row = text.size() - scan.remaining();
  for (; !scan.at_end(); scan.skip_whitespace()) {
    const std::size_t number = file.size();
    read_csv_row(scan, table.size(), "particle", number,
                 [&](std::size_t i) { table.read_field(scan, i, number); });
    table.append_row();
    check_last_particle(scan, file, request.bounds, "particle", number);
    throttle.advance([&] { return text.size() - scan.remaining(); });
  }
  table.finish();
  return file;
}

template <std::size_t D>
void write_particles_csv(OutputFile& out, const Spheres<D>& particles, const Progress& progress) {
  out << (D == 2 ? "x,y,r\n" : "x,y,z,r\n");
  ProgressThrottle throttle(progress, particles.size());
  for (std::size_t i = 0; i < particles.size(); ++i) {
    for (std::size_t k = 0; k < D; ++k) out << particles.coordinates(k)[i] << ',';
    out << particles.radii()[i] << '\n';
    throttle.advance([&] { return i; });
  }
}

namespace {

// Writes a line per pair: ids or rows of both particles, the gap, and further columns written by
// `write_rest`.
template <class AnyPair, class Gap, class WriteRest>
void write_pairs(OutputFile& out, std::span<const AnyPair> pairs, std::span<const std::int64_t> ids,
                 const Progress& progress, const Gap& gap, const WriteRest& write_rest) {
  ProgressThrottle throttle(progress, pairs.size());
  std::size_t written = 0;
  for (const AnyPair& pair : pairs) {
    if (ids.empty())
      out << pair.a << ',' << pair.b;
    else
      out << ids[pair.a] << ',' << ids[pair.b];
    out << ',' << gap(pair);
    write_rest(pair);
    out << '\n';
    throttle.advance([&] { return written; });
    ++written;
  }
}

// The gap between the surfaces of a and b, with b shifted by `shift`.
template <std::size_t D>
double surface_gap(const Spheres<D>& particles, Index a, Index b,
                   const std::array<double, D>& shift) {
  double squared = 0;
  for (std::size_t k = 0; k < D; ++k) {
    const double difference =
        particles.coordinates(k)[a] - (particles.coordinates(k)[b] + shift[k]);
    squared += difference * difference;
  }
  return std::sqrt(squared) - (particles.radii()[a] + particles.radii()[b]);
}

}  // namespace

template <std::size_t D>
void write_pairs_csv(OutputFile& out, std::span<const Pair> pairs, const Spheres<D>& particles,
                     std::span<const std::int64_t> ids, const Progress& progress) {
  out << "a,b,gap\n";
  write_pairs(
      out, pairs, ids, progress,
      [&](Pair pair) { return surface_gap<D>(particles, pair.a, pair.b, {}); }, [](Pair) {});
}

template <std::size_t D>
void write_pairs_csv(OutputFile& out, std::span<const PeriodicPair<D>> pairs,
                     const std::array<double, D>& periods, const Spheres<D>& particles,
                     std::span<const std::int64_t> ids, const Progress& progress) {
  out << (D == 2 ? "a,b,gap,ix,iy\n" : "a,b,gap,ix,iy,iz\n");
  write_pairs(
      out, pairs, ids, progress,
      [&](const PeriodicPair<D>& pair) {
        std::array<double, D> shift;
        for (std::size_t k = 0; k < D; ++k) shift[k] = pair.image[k] * periods[k];
        return surface_gap<D>(particles, pair.a, pair.b, shift);
      },
      [&](const PeriodicPair<D>& pair) {
        for (const std::int32_t count : pair.image) out << ',' << count;
      });
}

template void write_particles_csv(OutputFile&, const Spheres<2>&, const Progress&);
template void write_particles_csv(OutputFile&, const Spheres<3>&, const Progress&);
template void write_pairs_csv(OutputFile&, std::span<const Pair>, const Spheres<2>&,
                              std::span<const std::int64_t>, const Progress&);
template void write_pairs_csv(OutputFile&, std::span<const Pair>, const Spheres<3>&,
                              std::span<const std::int64_t>, const Progress&);
template void write_pairs_csv(OutputFile&, std::span<const PeriodicPair<2>>,
                              const std::array<double, 2>&, const Spheres<2>&,
                              std::span<const std::int64_t>, const Progress&);
template void write_pairs_csv(OutputFile&, std::span<const PeriodicPair<3>>,
                              const std::array<double, 3>&, const Spheres<3>&,
                              std::span<const std::int64_t>, const Progress&);

namespace {

// Counts the columns of the current line on a copy of the scanner.
int count_columns(Scanner ahead) {
  int count = 0;
  for (ahead.skip_blanks(); !ahead.at_line_end(); ahead.skip_blanks(), ++count) ahead.skip_word();
  return count;
}

// The dimension of Demcda elements. The scanner stands at the first element; `requested` is 0 if it
// is left to the file.
int find_dimension(const Scanner& scan, const std::optional<Bounds>& bounds, int requested) {
  if (bounds) return bounds->dimension;
  if (requested != 0) return requested;
  const int count = count_columns(scan);
  if (count < 2 || count > 4)
    scan.fail(message(count, " columns; an element is x y, x y z or x y z radius"));
  return count == 2 ? 2 : 3;
}

// Reads element `number`, counted from 1.
void read_element(Scanner& scan, ParticleFile& file, double common_radius, std::size_t number) {
  const auto dimension = static_cast<std::size_t>(file.dimension);
  Point<3> center{};
  for (std::size_t k = 0; k < dimension; ++k) {
    center[k] = scan.number({axis_names[k], "element", number});
    scan.skip_blanks();
  }
  double radius = common_radius;
  if (!scan.at_line_end()) {
    radius = scan.number({"radius", "element", number});
    scan.skip_blanks();
  }
  file.spheres.push_back(center, radius);
  if (!scan.at_line_end())
    scan.fail(message("element ", number, " has more than ", dimension + 1, " columns; in ",
                      dimension, "D it is ", dimension == 2 ? "x y [radius]" : "x y z [radius]"));
}

}  // namespace

Bounds read_demcda_bounds(const std::string& path) {
  const InputFile file(path);
  Scanner scan(file.name(), file.text());
  Bounds bounds{.file = file.name()};
  scan.skip_whitespace();
  if (scan.at_end()) scan.fail("empty; the first line must be the dimension, 2 or 3");
  bounds.dimension = scan.integer<int>({"dimension"});
  if (bounds.dimension != 2 && bounds.dimension != 3)
    scan.fail({"dimension"}, scan.last_token(), "must be 2 or 3");
  for (std::size_t k = 0; k < static_cast<std::size_t>(bounds.dimension); ++k) {
    scan.skip_whitespace();
    bounds.min[k] = scan.number({message(axis_names[k], " min")});
    scan.skip_blanks();
    bounds.max[k] = scan.number({message(axis_names[k], " max")});
    if (!(bounds.min[k] < bounds.max[k]))
      scan.fail({message(axis_names[k], " max")}, scan.last_token(),
                message("must exceed the minimum ", bounds.min[k]));
  }
  scan.skip_whitespace();
  if (!scan.at_end()) scan.fail("text after the last axis; is the dimension right?");
  return bounds;
}

ParticleFile read_demcda_elements(const ParticleText& input, const ParticleRequest& request) {
  const std::optional<Bounds>& bounds = request.bounds;
  const std::string_view text = input.text();
  Scanner scan(input.name(), text);
  scan.skip_whitespace();
  if (scan.at_end())
    scan.fail("empty; the first line must be the number of elements and their common radius");
  const auto count = scan.integer<std::size_t>({"number of elements"});
  const std::string count_text(scan.last_token());
  const std::size_t count_line = scan.line();
  scan.skip_whitespace();
  const double common_radius = scan.number({"common radius"});
  if (!(common_radius > 0)) scan.fail({"common radius"}, scan.last_token(), "must be positive");
  scan.skip_blanks();
  if (!scan.at_line_end())
    scan.fail("the first line must have only the number of elements and their common radius");

  scan.skip_whitespace();
  ParticleFile file{.format = ParticleFormat::elements};
  file.dimension = count > 0 && !scan.at_end() ? find_dimension(scan, bounds, request.dimension)
                   : bounds                    ? bounds->dimension
                   : request.dimension != 0    ? request.dimension
                                               : 3;
  file.first_row = text.size() - scan.remaining();
  // The shortest element of two columns is "0 0\n".
  const std::size_t min_element_size = 2 * static_cast<std::size_t>(file.dimension);
  const auto fail_truncated = [&](std::size_t found) {
    scan.fail(message("ends after ", found, " of ", count_text,
                      " elements; the file is truncated, or the number in line ", count_line,
                      " is wrong"));
  };
  // Never reserve more than the file can hold, even if the number of elements is wrong.
  const std::size_t capacity = std::min(count, scan.remaining() / min_element_size + 1);
  file.spheres.reserve(capacity);

  ProgressThrottle throttle(request.progress, text.size());
  for (std::size_t number = 1; number <= count; ++number) {
    scan.skip_whitespace();
    if (scan.at_end()) fail_truncated(number - 1);
    read_element(scan, file, common_radius, number);
    check_last_particle(scan, file, bounds, "element", number);
    throttle.advance([&] { return text.size() - scan.remaining(); });
  }
  scan.skip_whitespace();
  if (!scan.at_end())
    scan.fail(message("text after the last of ", count_text, " elements; is the number in line ",
                      count_line, " right?"));
  return file;
}

template <std::size_t D>
void write_demcda_bounds(OutputFile& out, const Box<D>& box) {
  out << D << '\n';
  for (std::size_t k = 0; k < D; ++k) out << box.min[k] << ' ' << box.max[k] << '\n';
}

template <std::size_t D>
void write_demcda_elements(OutputFile& out, const Spheres<D>& particles, const Progress& progress) {
  const auto radii = particles.radii();
  const double common_radius = radii.empty() ? 0.5 : *std::ranges::max_element(radii);
  const bool radii_differ =
      std::ranges::any_of(radii, [&](double radius) { return radius != common_radius; });
  out << particles.size() << ' ' << common_radius << '\n';
  ProgressThrottle throttle(progress, particles.size());
  for (std::size_t i = 0; i < particles.size(); ++i) {
    for (std::size_t k = 0; k < D; ++k) {
      if (k > 0) out << ' ';
      out << particles.coordinates(k)[i];
    }
    if (radii_differ) out << ' ' << radii[i];
    out << '\n';
    throttle.advance([&] { return i; });
  }
}

void write_demcda_contacts(OutputFile& out, std::span<const Pair> pairs, std::size_t particle_count,
                           const Progress& progress) {
  const ReverseNeighbors reverse(pairs, particle_count);
  ProgressThrottle throttle(progress, pairs.size());
  std::size_t written = 0;
  for (std::size_t b = particle_count; b-- > 0;)
    for (const Index a : reverse.neighbors_of(b)) {
      out << b + 1 << ' ' << std::uint64_t{a} + 1 << '\n';
      throttle.advance([&] { return written; });
      ++written;
    }
}

template void write_demcda_bounds(OutputFile&, const Box<2>&);
template void write_demcda_bounds(OutputFile&, const Box<3>&);
template void write_demcda_elements(OutputFile&, const Spheres<2>&, const Progress&);
template void write_demcda_elements(OutputFile&, const Spheres<3>&, const Progress&);

}  // namespace abut
