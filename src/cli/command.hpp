#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

namespace CLI {  // NOLINT(readability-identifier-naming): a third-party library
class App;
class Option;
}  // namespace CLI

namespace abut {

/// Reference to one option of a command, for setting its properties in a chain of calls.
class Argument {
 public:
  explicit Argument(CLI::Option& option) : option_(&option) {}

  Argument& metavar(const std::string& name);  ///< placeholder of the value in the help: FILE, N
  Argument& required();
  Argument& hidden();                    ///< not listed in the help
  Argument& comma_separated();           ///< one word may hold several values
  Argument& expected(int min, int max);  ///< number of values
  Argument& range(int min, int max);     ///< values must be in [min, max]
  Argument& non_negative();              ///< values must be ≥ 0
  Argument& one_of(std::initializer_list<int> values);
  Argument& excludes(const std::string& other);

  [[nodiscard]] bool is_given() const;

 private:
  CLI::Option* option_;
};

/// Options of one subcommand. Wraps CLI11, whose headers are expensive to compile: only
/// command.cpp and main.cpp include them. Copies refer to the same subcommand.
class Arguments {
 public:
  Arguments(CLI::App& program, const std::string& name, const std::string& description);

  /// Text below the list of options in the help.
  void footer(const std::string& text);

  /// Parses the option into `value`, which must outlive the program's `CLI::App`. Instantiated for
  /// strings, numbers and vectors of them at the end of command.cpp.
  template <class Value>
  Argument add_option(const std::string& name, Value& value, const std::string& description);
  Argument add_flag(const std::string& name, bool& value, const std::string& description);
  Argument get_option(const std::string& name);

  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::string description() const;
  [[nodiscard]] bool is_parsed() const;  ///< whether the user called this subcommand

  /// The subcommand with all options that were given, as typed on the command line.
  [[nodiscard]] std::string command_line() const;

 private:
  CLI::App* app_;
};

/// A subcommand. Its options are parsed into the objects captured by `run`; `run` executes it and
/// returns the exit status.
struct Command {
  Arguments arguments;
  std::function<int()> run;
};

// Exit statuses of the program.
inline constexpr int exit_success = 0;
inline constexpr int exit_mismatch = 1;    ///< compare: methods disagree; validate: a check fails
inline constexpr int exit_incomplete = 1;  ///< insert: not all particles fit
inline constexpr int exit_bad_input = 2;   ///< bad file, option or system; one line on stderr

inline constexpr int max_threads = 1024;  ///< larger values of --threads are taken for a typo

/// The current name of a command or option that was renamed: `insert` for ("", "release"), `--svg`
/// for ("detect", "--picture"). Empty if `command` never had an option `old_name`. Old names are
/// not accepted; they only appear in error messages.
[[nodiscard]] std::string_view renamed_option(std::string_view command, std::string_view old_name);

// The subcommands; those of the benchmarks are in bench/bench_commands.hpp.
Command detect_command(CLI::App& program);
Command methods_command(CLI::App& program);
Command compare_command(CLI::App& program);
Command scene_command(CLI::App& program);
Command insert_command(CLI::App& program);
Command mesh_command(CLI::App& program);
Command reproduce_command(CLI::App& program);
Command validate_command(CLI::App& program);
Command run_command(CLI::App& program);
Command state_command(CLI::App& program);
Command render_command(CLI::App& program);
Command view_command(CLI::App& program);

}  // namespace abut
