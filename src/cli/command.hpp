#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.hpp"
#include "papers/paper.hpp"
#include "report/report.hpp"

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
  Argument& unsigned_integer();          ///< values must be integers that fit into 64 bits, ≥ 0
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

  /// Whether the name is that of an option with values separated by commas.
  [[nodiscard]] bool is_list(const std::string& option) const;

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
Command laws_command(CLI::App& program);
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

/// The output files of a command. They are opened before the computation, so that an unwritable
/// path is reported at once, and moved into place together by `commit`.
class Outputs {
 public:
  /// `input_paths` must not be overwritten.
  explicit Outputs(std::vector<std::string> input_paths = {})
      : input_paths_(std::move(input_paths)) {}

  /// Opens a file; returns null for an empty path. The file is owned by this object. Throws `Error`
  /// naming the option if the path is unwritable, an input, or already open.
  OutputFile* open(const std::string& option, const std::string& path);

  /// Whether one of the files is standard output; messages must go to stderr then.
  [[nodiscard]] bool uses_standard_output() const;

  /// Flushes all files, then gives them their final names. Throws `Error` if a write failed; files
  /// that are not committed are deleted by the destructor.
  void commit();

 private:
  struct OpenOutput {
    std::string path;
    std::unique_ptr<OutputFile> file;
  };
  std::vector<std::string> input_paths_;
  std::vector<OpenOutput> opened_;
};

/// The files of a set of figures in a folder: NAME.csv and NAME.svg of each figure, and report.html
/// with all of them. They are opened by the constructor.
class FigureFiles {
 public:
  FigureFiles(const OutputFolder& folder, const std::vector<std::string_view>& names,
              Outputs& outputs);

  /// Writes all files; each figure becomes a section of the report. Returns the complete report.
  // NOLINTNEXTLINE(modernize-use-nodiscard): most callers need only the files
  Report write(Report report, const std::vector<Figure>& figures) const;

  /// Path of report.html.
  [[nodiscard]] const std::string& html_path() const { return html_path_; }

 private:
  struct Files {
    std::string name;
    OutputFile* csv;
    OutputFile* svg;
  };
  std::vector<Files> figures_;
  std::string html_path_;
  OutputFile* html_;
};

/// Prints each claim or check with its verdict, and the result on the next line.
void print_findings(const std::vector<Figure>& figures, VerdictWords words);

}  // namespace abut
