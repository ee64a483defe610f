#include "io/particle_csv.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/input_checks.hpp"
#include "io/progress.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

enum class Column { x, y, z, radius, id, other };

constexpr std::string_view header_hint = "the header must name the columns, as x,y,z,r or x,y,r,id";

Column parse_column(std::string_view title) {
  if (title == "x") return Column::x;
  if (title == "y") return Column::y;
  if (title == "z") return Column::z;
  if (title == "r" || title == "radius") return Column::radius;
  if (title == "id") return Column::id;
  return Column::other;
}

std::vector<Column> read_header(Scanner& scan) {
  std::vector<Column> columns;
  for (const std::string& title : read_csv_header(scan)) columns.push_back(parse_column(title));
  for (const auto& [column, name] :
       {std::pair(Column::x, "x"), std::pair(Column::y, "y"), std::pair(Column::z, "z"),
        std::pair(Column::radius, "r"), std::pair(Column::id, "id")}) {
    const bool is_required = column != Column::z && column != Column::id;
    const auto occurrences = std::ranges::count(columns, column);
    if (is_required && occurrences == 0)
      scan.fail({name}, message("missing column; ", header_hint));
    if (occurrences > 1) scan.fail({name}, "duplicate column");
  }
  return columns;
}

void read_particle(Scanner& scan, const std::vector<Column>& columns, ParticleFile& file,
                   std::size_t number) {
  read_csv_row(scan, columns.size(), "particle", number, [&](std::size_t i) {
    const Column column = columns[i];
    if (column == Column::other)
      scan.field();
    else if (column == Column::id)
      file.ids.push_back(scan.integer<std::int64_t>({"id", "particle", number}));
    else if (column == Column::radius)
      file.radii.push_back(scan.number({"r", "particle", number}));
    else
      file.coordinates[static_cast<std::size_t>(column)].push_back(
          scan.number({axis_names[static_cast<std::size_t>(column)], "particle", number}));
  });
}

// Ids must be unique: pairs refer to particles by them.
void check_ids(std::string_view name, std::string_view text, const std::vector<std::int64_t>& ids) {
  std::vector<std::size_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return ids[i]; });
  const auto duplicate =
      std::ranges::adjacent_find(order, {}, [&](std::size_t i) { return ids[i]; });
  if (duplicate == order.end()) return;
  const std::size_t second = *std::next(duplicate);
  throw Error(ErrorCode::invalid_input,
              {.file = std::string(name),
               .line = csv_line_number(text, second),
               .key = message("id of particle ", second),
               .value = message(ids[second])},
              message("must be unique, but is also the id of particle ", *duplicate));
}

}  // namespace

// The line of each particle is not stored: it is needed only for messages.
std::size_t csv_line_number(std::string_view text, std::size_t particle) {
  Scanner scan("", text, ',');
  scan.skip_whitespace();
  for (std::size_t row = 0; row <= particle; ++row) {  // row 0 is the header
    while (!scan.at_line_end())
      if (!scan.skip(',')) scan.field();
    scan.skip_whitespace();
  }
  return scan.line();
}

ParticleFile read_particles_csv(std::string_view name, std::string_view text,
                                const std::optional<Bounds>& bounds, int dimension,
                                const Progress& progress) {
  Scanner scan(name, text, ',');
  scan.skip_whitespace();
  if (scan.at_end()) scan.fail(message("empty; ", header_hint));
  const std::vector<Column> columns = read_header(scan);
  ParticleFile file{.from_csv = true};
  file.dimension = std::ranges::count(columns, Column::z) > 0 ? 3 : 2;
  if (bounds && bounds->dimension != file.dimension)
    scan.fail(message("the header is ", file.dimension, "D, but ", bounds->file, " is ",
                      bounds->dimension, "D"));
  if (dimension != 0 && dimension != file.dimension)
    scan.fail(message("the header is ", file.dimension, "D, but ", dimension, "D was requested"));

  ProgressThrottle throttle(progress, text.size());
  for (scan.skip_whitespace(); !scan.at_end(); scan.skip_whitespace()) {
    const std::size_t number = file.size();
    read_particle(scan, columns, file, number);
    check_last_particle(scan, file, bounds, "particle", number);
    throttle.advance([&] { return text.size() - scan.remaining(); });
  }
  check_ids(name, text, file.ids);
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

}  // namespace abut
