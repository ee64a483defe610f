#include <algorithm>
#include <array>
#include <unordered_map>

#include "io/block_file.hpp"
#include "io/csv_header.hpp"
#include "io/mesh_file.hpp"
#include "io/scanner.hpp"
#include "io/steps.hpp"

namespace abut {
namespace {

constexpr std::array<std::string_view, 3> column_names{"particle", "x", "y"};

// For each column which of the three it is; those passed over are none of them.
std::vector<std::size_t> read_columns(Scanner& scan) {
  const std::vector<std::string> titles = read_titles(scan);
  for (const std::string_view name : column_names) {
    const auto times = std::ranges::count(titles, name);
    if (times == 0) scan.fail(message("no column ", name, "; the header is particle,x,y"));
    if (times > 1) scan.fail(message("two columns are called ", name));
  }
  if (std::ranges::find(titles, "z") != titles.end())
    scan.fail("a column z: polygons lie in the plane; polyhedra come as JSON or a folder of OBJ");
  std::vector<std::size_t> columns(titles.size());
  std::ranges::transform(titles, columns.begin(), [](const std::string& title) {
    return static_cast<std::size_t>(std::ranges::find(column_names, title) - column_names.begin());
  });
  return columns;
}

struct Row {
  std::int64_t particle = 0;
  Point<2> corner{};
};

Row read_row(Scanner& scan, const std::vector<std::size_t>& columns, std::size_t number) {
  Row row;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0 && !scan.skip(','))
      scan.fail(message("corner ", number, " has ", i, " fields, the header ", columns.size()));
    scan.skip_blanks();
    if (columns[i] == 0)
      row.particle = scan.integer<std::int64_t>({"particle", "corner", number});
    else if (columns[i] < column_names.size())
      row.corner[columns[i] - 1] =
          read_coordinate(scan, {column_names[columns[i]], "corner", number});
    else
      scan.field();
    scan.skip_blanks();
  }
  if (!scan.at_line_end())
    scan.fail(message("corner ", number, " has more fields than the header's ", columns.size(),
                      "; numbers are written 1.5, not 1,5"));
  return row;
}

}  // namespace

BlockFile read_polygon_csv(std::string_view name, std::string_view text, const Progress& progress) {
  Scanner scan(name, text, ',');
  scan.skip_to_text();
  const std::vector<std::size_t> columns = read_columns(scan);
  BlockFile blocks{.format = "CSV", .dimension = 2};
  std::unordered_map<std::int64_t, std::size_t> began;  // at which line
  Steps steps(progress, text.size());
  std::size_t corners = 0;
  for (scan.skip_to_text(); !scan.at_end(); scan.skip_to_text()) {
    const std::size_t line = scan.line();
    const Row row = read_row(scan, columns, corners++);
    if (blocks.particles.empty() || blocks.particles.back().id != row.particle) {
      const auto [before, is_new] = began.emplace(row.particle, line);
      if (!is_new)
        throw Error(message(name, ":", line, ": particle ", row.particle, " began at line ",
                            before->second, "; the corners of a particle must follow each other"));
      blocks.particles.push_back({blocks.flat.size(), row.particle});
      blocks.flat.push_back(
          {.where = message(name, ":", line, ": particle ", row.particle), .parts = {{}}});
    }
    blocks.flat.back().parts[0].push_back(row.corner);
    steps.reached([&] { return text.size() - scan.left(); });
  }
  if (blocks.particles.empty()) scan.fail("has no corners, only a header");
  return blocks;
}

}  // namespace abut
