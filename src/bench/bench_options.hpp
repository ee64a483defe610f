#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "report/report.hpp"

namespace abut {

/// Option `--report FILE` of a benchmark: writes the results as an HTML page.
class BenchHtml {
 public:
  void add_to(Arguments& command);

  [[nodiscard]] bool is_requested() const { return !path_.empty(); }

  /// Call before measuring: throws `Error` if the file cannot be written or gnuplot is missing.
  /// Does nothing if no page was requested.
  void open();

  /// Writes the page and closes the file. `introduction` describes how the results were measured.
  void write(std::string introduction, std::vector<Report::Section> sections);

 private:
  std::string path_;
  std::optional<Arguments> command_;
  Outputs outputs_;
  OutputFile* file_ = nullptr;
};

/// Options shared by bench-walls, bench-polygons, bench-polyhedra and bench-dem.
struct BenchOptions {
  int repeat;  ///< timed runs of each search
  std::uint64_t seed = 1;
  bool with_libraries = false;
  bool json = false;
  BenchHtml html{};

  /// `libraries` names the other libraries in the help; `script` installs them and builds with
  /// them.
  void add_to(Arguments& command, const std::string& libraries, const std::string& script);

  /// Throws `Error` if --libraries was given but the program was built without them.
  void check_libraries(bool available, const std::string& script) const;

  /// Calls measure(i, is_counted) for each i in [0, n) in turn, repeat + 1 times. The first round
  /// only warms up memory and caches: is_counted is false.
  template <class Measure>
  void interleave(std::size_t n, const Measure& measure) const {
    ProgressBar bar("measuring");
    const auto rounds = static_cast<std::size_t>(repeat) + 1;
    for (std::size_t round = 0; round < rounds; ++round)
      for (std::size_t i = 0; i < n; ++i) {
        measure(i, round > 0);
        bar.set_fraction(static_cast<double>(round * n + i + 1) / static_cast<double>(rounds * n));
      }
  }
};

}  // namespace abut
