#pragma once

#include <toml++/toml.h>

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

/// A table of a TOML file that is read strictly: every mistake is an `Error` that names file, line
/// and column, and a key nobody knows, or nobody has asked for, is one, too.
class TomlTable {
 public:
  /// The whole of a file.
  explicit TomlTable(const std::string& path);

  /// Throws naming the first key that is none of these, and the one it may have been meant for. To
  /// be said first: a key with a slip in it is then not taken for one that is missing.
  void check_keys(std::span<const std::string_view> keys) const;
  void check_keys(std::initializer_list<std::string_view> keys) const {
    check_keys(std::span(keys.begin(), keys.size()));
  }

  [[nodiscard]] bool has(std::string_view key) const;

  [[nodiscard]] double number(std::string_view key);
  [[nodiscard]] double number(std::string_view key, double otherwise);
  [[nodiscard]] std::optional<double> optional_number(std::string_view key);
  [[nodiscard]] std::uint64_t count(std::string_view key);
  [[nodiscard]] std::uint64_t count(std::string_view key, std::uint64_t otherwise);
  [[nodiscard]] bool flag(std::string_view key, bool otherwise);
  [[nodiscard]] std::string text(std::string_view key);
  [[nodiscard]] std::string text(std::string_view key, const std::string& otherwise);

  /// One of several words, by its number.
  [[nodiscard]] std::size_t choice(std::string_view key,
                                   std::initializer_list<std::string_view> words);

  /// So many numbers; or from `least` to `most` of them.
  [[nodiscard]] std::vector<double> numbers(std::string_view key, std::size_t least,
                                            std::size_t most);
  template <std::size_t N>
  [[nodiscard]] std::array<double, N> vector(std::string_view key) {
    const std::vector<double> values = numbers(key, N, N);
    std::array<double, N> result{};
    std::copy(values.begin(), values.end(), result.begin());
    return result;
  }
  [[nodiscard]] std::vector<std::string> texts(std::string_view key, std::size_t count);

  [[nodiscard]] TomlTable table(std::string_view key);
  [[nodiscard]] std::vector<TomlTable> tables(std::string_view key);  ///< [[key]], perhaps none

  /// Throws naming the first key that is known and yet was not asked for: beside the others it has
  /// no meaning.
  void check_unused() const;

  /// A mistake in the value of a key, or in the table itself.
  [[noreturn]] void fail(std::string_view key, const std::string& what) const;
  [[noreturn]] void fail(const std::string& what) const;

  [[nodiscard]] const std::string& file() const { return file_; }

  /// Other files that this one has led to, in the order of `remember`.
  void add_input_file(std::string file) { input_files_->push_back(std::move(file)); }
  [[nodiscard]] const std::vector<std::string>& input_files() const { return *input_files_; }

 private:
  TomlTable(const TomlTable& parent, const toml::table& table, std::string name);
  [[nodiscard]] const toml::node* find(std::string_view key);
  [[nodiscard]] const toml::node& require(std::string_view key);
  [[nodiscard]] std::string location(const toml::source_region& where) const;

  std::string file_;
  std::string name_;  ///< such as [[wall]], for messages
  std::shared_ptr<const toml::table> root_;
  std::shared_ptr<std::vector<std::string>> input_files_;
  const toml::table* table_;
  std::set<std::string, std::less<>> used_keys_;
};

/// The one of several names that is most like a word, if any is at all.
std::optional<std::string> nearest_name(std::string_view word,
                                        const std::vector<std::string>& names);

}  // namespace abut
