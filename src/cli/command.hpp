#pragma once

#include <functional>
#include <initializer_list>
#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): it is not ours
class App;
class Option;
}  // namespace CLI

namespace abut {

/// An option of a command, of which more can be said.
class Argument {
 public:
  explicit Argument(CLI::Option& option) : option_(&option) {}

  Argument& required();
  Argument& hidden();           ///< help does not name it
  Argument& comma_separated();  ///< one word may hold several values
  Argument& expected(int least, int most);
  Argument& range(int least, int most);
  Argument& non_negative();
  Argument& one_of(std::initializer_list<int> values);
  Argument& excludes(const std::string& other);

  [[nodiscard]] bool is_given() const;

 private:
  CLI::Option* option_;
};

/// What a command may be told. CLI11 is behind it, of which the compiler sees much: in one file,
/// not in that of every command. Copies are the same command.
class Arguments {
 public:
  Arguments(CLI::App& program, const std::string& name, const std::string& description);

  /// Words below the help.
  void footer(const std::string& text);

  /// For text, numbers, and lists of them: see the end of arguments.cpp.
  template <class Value>
  Argument add_option(const std::string& name, Value& value, const std::string& description);
  Argument add_flag(const std::string& name, bool& value, const std::string& description);
  Argument get_option(const std::string& name);

  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::string description() const;
  [[nodiscard]] bool is_parsed() const;  ///< whether it is the one that was called

  /// The command with all that was given to it, as one would type it.
  [[nodiscard]] std::string command_line() const;

 private:
  CLI::App* app_;
};

/// A subcommand: its options are parsed into what `run` has captured; `run` returns the exit
/// status.
struct Command {
  Arguments arguments;
  std::function<int()> run;
};

// Exit statuses of the program.
inline constexpr int exit_success = 0;
inline constexpr int exit_mismatch = 1;    ///< compare: methods disagree; validate: a verdict fails
inline constexpr int exit_incomplete = 1;  ///< release: not all particles found a place
inline constexpr int exit_bad_input = 2;   ///< files, options or the machine: one line on stderr

inline constexpr int max_threads = 1024;  ///< more would be a slip of the finger

// One file each, cli/<name>.cpp.
Command detect_command(CLI::App& program);
Command methods_command(CLI::App& program);
Command compare_command(CLI::App& program);
Command scene_command(CLI::App& program);
Command insert_command(CLI::App& program);
Command mesh_command(CLI::App& program);
Command bench_command(CLI::App& program);
Command bench_walls_command(CLI::App& program);
Command bench_polygons_command(CLI::App& program);
Command bench_polyhedra_command(CLI::App& program);
Command bench_dem_command(CLI::App& program);
Command reproduce_command(CLI::App& program);
Command validate_command(CLI::App& program);
Command run_command(CLI::App& program);
Command state_command(CLI::App& program);
Command render_command(CLI::App& program);
Command view_command(CLI::App& program);

}  // namespace abut
