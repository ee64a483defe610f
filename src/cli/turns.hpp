#pragma once

#include <abut/error.hpp>
#include <cstdint>
#include <string>

#include "cli/arguments.hpp"
#include "cli/bench_page.hpp"
#include "cli/progress_bar.hpp"

namespace abut {

/// What the smaller benchmarks have in common.
struct TurnArguments {
  int repeat;
  std::uint64_t seed = 1;
  bool with_peers = false;
  bool json = false;
  BenchPage page{};

  /// `peers` names the other libraries, `script` installs and builds with them.
  void add_to(Arguments& command, const std::string& peers, const std::string& script) {
    command.add_option("--repeat", repeat, "timed runs of each [" + std::to_string(repeat) + "]")
        .between(1, 1000);
    command.add_option("--seed", seed, "of what is searched [1]").not_negative();
    command.add_flag("--peers", with_peers, "measure " + peers + " too (see " + script + ")");
    command.add_flag("--json", json, "an array of objects instead of the table");
    page.add_to(command);
  }

  /// Complains of --peers if there are none.
  void check_peers(bool there, const std::string& script) const {
    if (with_peers && !there)
      throw Error("--peers: this program was built without the other libraries; " + script +
                  " installs them, builds and measures");
  }

  /// Calls measure(i, counts) for 0 … contestants−1 in turn, once more than is asked for: the first
  /// round only finds its memory, and does not count.
  template <class Measure>
  void take_turns(std::size_t contestants, const Measure& measure) const {
    ProgressBar bar("measuring");
    const auto rounds = static_cast<std::size_t>(repeat) + 1;
    for (std::size_t round = 0; round < rounds; ++round)
      for (std::size_t i = 0; i < contestants; ++i) {
        measure(i, round > 0);
        bar.show(static_cast<double>(round * contestants + i + 1) /
                 static_cast<double>(rounds * contestants));
      }
  }
};

}  // namespace abut
