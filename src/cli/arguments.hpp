#pragma once

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
  Argument& between(int least, int most);
  Argument& not_negative();
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
  [[nodiscard]] std::string typed() const;

 private:
  CLI::App* app_;
};

}  // namespace abut
