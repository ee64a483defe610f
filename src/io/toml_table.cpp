#include "io/toml_table.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "core/message.hpp"
#include "io/renamed_keys.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

// The first line of a message of the parser, which can quote long keys and values: words are
// shortened.
std::string first_line(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  std::string line;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    line += message(line.empty() ? "" : " ", shortened(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return line;
}

// Limits the recursion of the parser, which recurses for each part of a dotted key (a key is on one
// line).
void check_line_lengths(std::string_view text, const std::string& file) {
  constexpr std::size_t max_characters = 20000;
  for (std::size_t at = 0, line = 1; at < text.size(); ++line) {
    const std::size_t length = std::min(text.find('\n', at), text.size()) - at;
    if (length > max_characters)
      throw Error(ErrorCode::invalid_input, {.file = file, .line = line},
                  message("line of ", length, " characters; must be at most ", max_characters));
    at += length + 1;
  }
}

// The number of letters to be inserted, removed or changed (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::string toml_quoted(std::string_view text) {
  return message("\"", Scanner::printable(text), "\"");
}

// A value as it appears in messages, shortened; none for tables and long arrays.
std::optional<std::string> value_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return toml_quoted(text->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* integer = node.as_integer()) return message(integer->get());
  if (const auto* number = node.as_floating_point()) return message(number->get());
  const toml::array* array = node.as_array();
  constexpr std::size_t max_elements = 8;
  if (array == nullptr || array->size() > max_elements) return std::nullopt;
  std::string list;
  for (const toml::node& element : *array) {
    const std::optional<std::string> text = value_text(element);
    if (!text) return std::nullopt;
    list += message(list.empty() ? "" : ", ", *text);
  }
  return shortened(message("[", list, "]"));
}

const RenamedKey* find_renamed(std::span<const RenamedKey> renamed, std::string_view table,
                               std::string_view former) {
  for (const RenamedKey& one : renamed)
    if (one.table == table && one.former == former) return &one;
  return nullptr;
}

std::string renamed_hint(const RenamedKey& renamed) {
  return message("it is now named ", renamed.current, renamed.hint.empty() ? "" : "; ",
                 renamed.hint);
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view word,
                                        const std::vector<std::string>& names) {
  const auto nearest =
      std::min_element(names.begin(), names.end(), [&](const auto& x, const auto& y) {
        return edit_distance(word, x) < edit_distance(word, y);
      });
  if (nearest == names.end() ||
      edit_distance(word, *nearest) > std::max<std::size_t>(2, word.size() / 3))
    return std::nullopt;
  return *nearest;
}

TomlTable::TomlTable(const std::string& path)
    : input_files_(std::make_shared<std::vector<std::string>>()), table_(nullptr) {
  constexpr std::size_t max_bytes = 64U << 20U;
  const InputFile text(path, {.bytes = max_bytes, .explanation = "a case file must be smaller"});
  file_ = text.name();
  check_line_lengths(text.text(), file_);
  try {
    root_ = std::make_shared<const toml::table>(toml::parse(text.text(), file_));
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::invalid_input, location(error.source()),
                first_line(error.description()));
  }
  table_ = root_.get();
}

TomlTable::TomlTable(const TomlTable& parent, const toml::table& table, std::string_view key,
                     bool is_element)
    : file_(parent.file_),
      key_(key),
      name_(is_element ? message("[[", key, "]]") : message("[", key, "]")),
      root_(parent.root_),
      input_files_(parent.input_files_),
      table_(&table) {}

ErrorDetails TomlTable::location(const toml::source_region& region) const {
  return {.file = file_, .line = region.begin.line, .column = region.begin.column};
}

std::string TomlTable::in_table() const { return name_.empty() ? "" : message(" in ", name_); }

void TomlTable::fail(std::string_view key, std::string_view problem) const {
  const toml::node* node = table_->get(key);
  ErrorDetails details = location((node != nullptr ? *node : *table_).source());
  details.key = std::string(key);
  if (node != nullptr) details.value = value_text(*node);
  throw Error(ErrorCode::invalid_input, details, problem);
}

void TomlTable::fail(std::string_view problem) const {
  ErrorDetails details = location(table_->source());
  if (!name_.empty()) details.key = name_;
  throw Error(ErrorCode::invalid_input, details, problem);
}

void TomlTable::fail(std::string_view key, const Error& cause) const {
  const toml::node* node = table_->get(key);
  ErrorDetails details = location((node != nullptr ? *node : *table_).source());
  const std::string where = Error(cause.code(), details, "").what();
  details.key = std::string(key);
  if (node != nullptr) details.value = value_text(*node);
  const bool is_about_key = cause.details().key == key;
  throw Error(message(where, is_about_key ? "" : message(key, ": "), cause.what()), cause.code(),
              details);
}

void TomlTable::fail(const Error& cause) const {
  const std::optional<std::string>& key = cause.details().key;
  if (key && has(*key)) fail(*key, cause);
  fail(cause.what());
}

void TomlTable::fail_choice(std::string_view key, std::string_view given,
                            const std::vector<std::string_view>& names) const {
  if (const RenamedKey* renamed = find_renamed(renamed_values, key, given))
    fail(key, message("unknown value; ", renamed_hint(*renamed)));
  std::string list;
  for (const std::string_view name : names)
    list += message(list.empty() ? "" : ", ", "\"", name, "\"");
  fail(key, names.size() == 1 ? message("must be ", list) : message("must be one of ", list));
}

const toml::node* TomlTable::find(std::string_view key) {
  used_keys_.emplace(key);
  return table_->get(key);
}

bool TomlTable::has(std::string_view key) const { return table_->contains(key); }

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::string> all;
  for (const auto& [key, value] : *table_) all.emplace_back(key.str());
  return all;
}

const toml::node& TomlTable::require(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) fail(key, message("missing", in_table()));
  return *node;
}

std::optional<double> TomlTable::optional_number(std::string_view key) {
  if (find(key) == nullptr) return std::nullopt;
  return number(key);
}

double TomlTable::number(std::string_view key) {
  const auto value = require(key).value<double>();
  if (!value || require(key).is_boolean()) fail(key, "must be a number");
  if (!std::isfinite(*value)) fail(key, "must be finite");
  return *value;
}

double TomlTable::number(std::string_view key, double fallback) {
  return find(key) == nullptr ? fallback : number(key);
}

std::uint64_t TomlTable::count(std::string_view key) {
  const toml::node& node = require(key);
  const auto value = node.value_exact<std::int64_t>();
  if (!value || *value < 0) fail(key, "must be a non-negative integer");
  return static_cast<std::uint64_t>(*value);
}

std::uint64_t TomlTable::count(std::string_view key, std::uint64_t fallback) {
  return find(key) == nullptr ? fallback : count(key);
}

bool TomlTable::flag(std::string_view key, bool fallback) {
  if (find(key) == nullptr) return fallback;
  const auto value = require(key).value_exact<bool>();
  if (!value) fail(key, "must be true or false");
  return *value;
}

std::string TomlTable::text(std::string_view key) {
  const auto value = require(key).value_exact<std::string>();
  if (!value) fail(key, "must be a string in quotes");
  return *value;
}

std::string TomlTable::file_name(std::string_view key) {
  std::string name = text(key);
  if (name.empty()) fail(key, "must be a file name");
  return name;
}

std::string TomlTable::text(std::string_view key, const std::string& fallback) {
  return find(key) == nullptr ? fallback : text(key);
}

std::vector<double> TomlTable::numbers(std::string_view key, std::size_t min_count,
                                       std::size_t max_count) {
  const toml::node& node = require(key);
  std::vector<double> values;
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& element : *array) {
      const auto value = element.value<double>();
      if (!value || element.is_boolean() || !std::isfinite(*value)) {
        ErrorDetails details = location(element.source());
        details.key = std::string(key);
        details.value = value_text(element);
        throw Error(ErrorCode::invalid_input, details, "must be a finite number");
      }
      values.push_back(*value);
    }
  } else if (node.is_number()) {
    values.push_back(number(key));
  }
  if (values.size() < min_count || values.size() > max_count)
    fail(key, min_count == max_count
                  ? message("must be ", min_count, min_count == 1 ? " number" : " numbers in [ ]")
                  : message("must be ", min_count, " to ", max_count, " numbers"));
  return values;
}

std::vector<std::string> TomlTable::texts(std::string_view key, std::size_t count) {
  const toml::array* array = require(key).as_array();
  std::vector<std::string> values;
  for (std::size_t k = 0; array != nullptr && k < array->size(); ++k)
    if (const auto value = (*array)[k].value_exact<std::string>()) values.push_back(*value);
  if (array == nullptr || array->size() != count || values.size() != count)
    fail(key, message("must be ", count, " strings in [ ]"));
  return values;
}

TomlTable TomlTable::table(std::string_view key) {
  const toml::table* inner = require(key).as_table();
  if (inner == nullptr) fail(key, message("must be a table, [", key, "]"));
  return {*this, *inner, key, false};
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) {
  std::vector<TomlTable> all;
  if (find(key) == nullptr) return all;
  const toml::array* array = require(key).as_array();
  if (array == nullptr || !array->is_homogeneous<toml::table>())
    fail(key, message("must be given as [[", key, "]]"));
  for (const toml::node& element : *array)
    all.push_back(TomlTable(*this, *element.as_table(), key, true));
  return all;
}

void TomlTable::check_keys(std::span<const std::string_view> keys) const {
  for (const auto& [key, value] : *table_) {
    if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
    ErrorDetails details = location(key.source());
    details.key = Scanner::printable(key.str());
    const RenamedKey* renamed = find_renamed(renamed_keys, key_, key.str());
    const auto nearest = nearest_name(key.str(), {keys.begin(), keys.end()});
    throw Error(ErrorCode::unknown_key, details,
                message("unknown key", in_table(), renamed != nullptr || nearest ? "; " : "",
                        renamed != nullptr ? renamed_hint(*renamed)
                        : nearest          ? message("did you mean ", *nearest, "?")
                                           : ""));
  }
}

void TomlTable::check_unused() const {
  for (const auto& [key, value] : *table_) {
    if (used_keys_.contains(key.str())) continue;
    ErrorDetails details = location(key.source());
    details.key = Scanner::printable(key.str());
    throw Error(ErrorCode::invalid_input, details,
                message("has no effect with the other keys",
                        name_.empty() ? "" : message(" of this ", name_)));
  }
}

}  // namespace abut
