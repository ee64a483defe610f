#pragma once

#include <abut/error.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/outputs.hpp"
#include "cli/progress_bar.hpp"
#include "report/report.hpp"

namespace abut {

/// `--report FILE` of a benchmark: what was measured as a page, with the look of all reports.
class BenchHtml {
 public:
  void add_to(Arguments& command);

  [[nodiscard]] bool is_requested() const { return !path_.empty(); }

  /// Before the work begins: it is better to hear at once that nothing can be written or drawn.
  void open();

  /// The page begins with how the command measures.
  void write(std::string how, std::vector<Report::Section> sections);

 private:
  std::string path_;
  std::optional<Arguments> command_;
  Outputs outputs_;
  OutputFile* file_ = nullptr;
};

/// What the smaller benchmarks have in common.
struct BenchOptions {
  int repeat;
  std::uint64_t seed = 1;
  bool with_libraries = false;
  bool json = false;
  BenchHtml html{};

  /// `peers` names the other libraries, `script` installs and builds with them.
  void add_to(Arguments& command, const std::string& peers, const std::string& script) {
    command.add_option("--repeat", repeat, "timed runs of each [" + std::to_string(repeat) + "]")
        .range(1, 1000);
    command.add_option("--seed", seed, "of what is searched [1]").non_negative();
    command.add_flag("--libraries", with_libraries,
                     "measure " + peers + " too (see " + script + ")");
    command.add_flag("--json", json, "an array of objects instead of the table");
    html.add_to(command);
  }

  /// Complains of --libraries if there are none.
  void check_libraries(bool there, const std::string& script) const {
    if (with_libraries && !there)
      throw Error("--libraries: this program was built without the other libraries; " + script +
                  " installs them, builds and measures");
  }

  /// Calls measure(i, counts) for 0 … contestants−1 in turn, once more than is asked for: the first
  /// round only finds its memory, and does not count.
  template <class Measure>
  void interleave(std::size_t contestants, const Measure& measure) const {
    ProgressBar bar("measuring");
    const auto rounds = static_cast<std::size_t>(repeat) + 1;
    for (std::size_t round = 0; round < rounds; ++round)
      for (std::size_t i = 0; i < contestants; ++i) {
        measure(i, round > 0);
        bar.set_fraction(static_cast<double>(round * contestants + i + 1) /
                         static_cast<double>(rounds * contestants));
      }
  }
};

}  // namespace abut
