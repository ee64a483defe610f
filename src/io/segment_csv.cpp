#include "io/segment_csv.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/corner_table.hpp"
#include "io/csv_header.hpp"
#include "io/mesh_file.hpp"
#include "io/scanner.hpp"
#include "io/steps.hpp"

namespace abut {
namespace {

constexpr std::array<std::string_view, 4> segment_columns{"x1", "y1", "x2", "y2"};

// For each column which of the four it is; those passed over are none of them.
std::vector<std::size_t> read_segment_columns(Scanner& scan) {
  const std::vector<std::string> titles = read_titles(scan);
  for (const std::string_view name : segment_columns) {
    const auto times = std::ranges::count(titles, name);
    if (times == 0)
      scan.fail(message("no column ", name, "; the header of segments is x1,y1,x2,y2"));
    if (times > 1) scan.fail(message("two columns are called ", name));
  }
  std::vector<std::size_t> columns(titles.size());
  std::ranges::transform(titles, columns.begin(), [](const std::string& title) {
    return static_cast<std::size_t>(std::ranges::find(segment_columns, title) -
                                    segment_columns.begin());
  });
  return columns;
}

std::array<double, 4> read_segment(Scanner& scan, const std::vector<std::size_t>& columns,
                                   std::size_t number) {
  std::array<double, 4> ends{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0 && !scan.skip(','))
      scan.fail(message("segment ", number, " has ", i, " fields, the header ", columns.size()));
    scan.skip_blanks();
    if (columns[i] == segment_columns.size())
      scan.field();
    else
      ends[columns[i]] = read_coordinate(scan, {segment_columns[columns[i]], "segment", number});
    scan.skip_blanks();
  }
  if (!scan.at_line_end())
    scan.fail(message("segment ", number, " has more fields than the header's ", columns.size(),
                      "; numbers are written 1.5, not 1,5"));
  return ends;
}

}  // namespace

Mesh<2> read_segment_csv(std::string_view name, std::string_view text, const Progress& progress) {
  Scanner scan(name, text, ',');
  scan.skip_to_text();
  const std::vector<std::size_t> columns = read_segment_columns(scan);
  Mesh<2> mesh;
  CornerTable<2> table(mesh.corners);
  Steps steps(progress, text.size());
  for (scan.skip_to_text(); !scan.at_end(); scan.skip_to_text()) {
    const auto [x1, y1, x2, y2] = read_segment(scan, columns, mesh.pieces.size());
    const Index from = table.number({x1, y1});
    mesh.pieces.push_back({from, table.number({x2, y2})});
    steps.reached([&] { return text.size() - scan.left(); });
  }
  if (mesh.pieces.empty()) scan.fail("has no segments, only a header");
  return mesh;
}

}  // namespace abut
