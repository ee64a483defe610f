#pragma once

#include <toml++/toml.h>

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace abut {

/// A value of an enumeration and its name in files.
template <class Value>
struct NamedValue {
  std::string_view name;
  Value value;
};

/// A table of a TOML file, read strictly: wrong types, wrong values, unknown keys and unused keys
/// are errors. Every `Error` has file, line, column and key, and the value if there is one:
///
///     case.toml:10:11: density = -1: must be positive
///
/// A key with a name of an earlier version is unknown; the message gives the current name.
/// Tables share ownership of the parsed file.
class TomlTable {
 public:
  /// The root table of a file.
  explicit TomlTable(const std::string& path);

  /// Throws for the first key that is not one of these and suggests the most similar one. To be
  /// called before any key is read, so that a misspelled key is not reported as missing.
  void check_keys(std::span<const std::string_view> keys) const;
  void check_keys(std::initializer_list<std::string_view> keys) const {
    check_keys(std::span(keys.begin(), keys.size()));
  }

  [[nodiscard]] bool has(std::string_view key) const;
  /// All keys, sorted, for tables the keys of which are not known in advance.
  [[nodiscard]] std::vector<std::string> keys() const;

  // A key without a fallback is required. Numbers must be finite, counts must not be negative.
  [[nodiscard]] double number(std::string_view key);
  [[nodiscard]] double number(std::string_view key, double fallback);
  [[nodiscard]] std::optional<double> optional_number(std::string_view key);
  [[nodiscard]] std::uint64_t count(std::string_view key);
  [[nodiscard]] std::uint64_t count(std::string_view key, std::uint64_t fallback);
  [[nodiscard]] bool flag(std::string_view key, bool fallback);
  [[nodiscard]] std::string text(std::string_view key);
  [[nodiscard]] std::string text(std::string_view key, const std::string& fallback);
  [[nodiscard]] std::string file_name(std::string_view key);  ///< a text that is not empty

  /// One of several values by its name.
  template <class Value>
  [[nodiscard]] Value choice(std::string_view key, const std::vector<NamedValue<Value>>& values) {
    const std::string given = text(key);
    std::vector<std::string_view> names;
    for (const NamedValue<Value>& value : values) {
      if (value.name == given) return value.value;
      names.push_back(value.name);
    }
    fail_choice(key, given, names);
  }

  /// From `min_count` to `max_count` numbers. A single number may be given without brackets.
  [[nodiscard]] std::vector<double> numbers(std::string_view key, std::size_t min_count,
                                            std::size_t max_count);
  template <std::size_t N>
  [[nodiscard]] std::array<double, N> vector(std::string_view key) {
    const std::vector<double> values = numbers(key, N, N);
    std::array<double, N> result{};
    std::copy(values.begin(), values.end(), result.begin());
    return result;
  }
  [[nodiscard]] std::vector<std::string> texts(std::string_view key, std::size_t count);

  [[nodiscard]] TomlTable table(std::string_view key);
  /// The tables given as [[key]]; may be none.
  [[nodiscard]] std::vector<TomlTable> tables(std::string_view key);

  /// Throws for the first key that has not been read: the other keys make it ineffective.
  void check_unused() const;

  /// Throws an `Error` about the value of a key, or about the table itself.
  [[noreturn]] void fail(std::string_view key, std::string_view problem) const;
  [[noreturn]] void fail(std::string_view problem) const;

  /// Throws an `Error` with the text of `cause`, located at the given key. Without a key, it is
  /// located at the key of `cause`, if this table has it, and else at the table.
  [[noreturn]] void fail(std::string_view key, const Error& cause) const;
  [[noreturn]] void fail(const Error& cause) const;

  [[nodiscard]] const std::string& file() const { return file_; }

  /// Other files that were read for this one, in the order of the calls of `add_input_file`.
  void add_input_file(std::string file) { input_files_->push_back(std::move(file)); }
  [[nodiscard]] const std::vector<std::string>& input_files() const { return *input_files_; }

 private:
  TomlTable(const TomlTable& parent, const toml::table& table, std::string_view key,
            bool is_element);
  [[nodiscard]] const toml::node* find(std::string_view key);
  [[nodiscard]] const toml::node& require(std::string_view key);
  [[nodiscard]] ErrorDetails location(const toml::source_region& region) const;
  [[nodiscard]] std::string in_table() const;
  [[noreturn]] void fail_choice(std::string_view key, std::string_view given,
                                const std::vector<std::string_view>& names) const;

  std::string file_;
  std::string key_;   // such as wall; empty for the root
  std::string name_;  // such as [[wall]], for messages
  std::shared_ptr<const toml::table> root_;
  std::shared_ptr<std::vector<std::string>> input_files_;
  const toml::table* table_;
  std::set<std::string, std::less<>> used_keys_;
};

/// The most similar of several names by edit distance; none if all differ too much.
std::optional<std::string> nearest_name(std::string_view word,
                                        const std::vector<std::string>& names);

}  // namespace abut
