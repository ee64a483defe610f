#include "io/toml_table.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "core/message.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

/// The parser calls itself for every part of a name, and names have one line.
void check_line_lengths(std::string_view text, const std::string& file) {
  constexpr std::size_t longest = 20000;
  for (std::size_t at = 0, line = 1; at < text.size(); ++line) {
    const std::size_t length = std::min(text.find('\n', at), text.size()) - at;
    if (length > longest)
      throw Error(
          message(file, ":", line, ": a line of ", length, " characters; at most ", longest));
    at += length + 1;
  }
}

/// How many letters must be put in, left out or changed (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = corner + (a[i] == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, corner + 1});
    }
  }
  return row.back();
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
  const InputFile text(path);
  file_ = text.name();
  check_line_lengths(text.text(), file_);
  try {
    root_ = std::make_shared<const toml::table>(toml::parse(text.text(), file_));
  } catch (const toml::parse_error& error) {
    throw Error(location(error.source()) + first_line(error.description()));
  }
  table_ = root_.get();
}

TomlTable::TomlTable(const TomlTable& parent, const toml::table& table, std::string name)
    : file_(parent.file_),
      name_(std::move(name)),
      root_(parent.root_),
      input_files_(parent.input_files_),
      table_(&table) {}

std::string TomlTable::location(const toml::source_region& where) const {
  return message(file_, ":", where.begin.line, ":", where.begin.column, ": ");
}

void TomlTable::fail(std::string_view key, const std::string& what) const {
  const toml::node* node = table_->get(key);
  throw Error(location((node != nullptr ? *node : *table_).source()) + std::string(key) + what);
}

void TomlTable::fail(const std::string& what) const {
  throw Error(location(table_->source()) + (name_.empty() ? "" : name_ + ": ") + what);
}

const toml::node* TomlTable::find(std::string_view key) {
  used_keys_.emplace(key);
  return table_->get(key);
}

bool TomlTable::has(std::string_view key) const { return table_->contains(key); }

const toml::node& TomlTable::require(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) fail(message("needs \"", key, "\""));
  return *node;
}

std::optional<double> TomlTable::optional_number(std::string_view key) {
  if (find(key) == nullptr) return std::nullopt;
  return number(key);
}

double TomlTable::number(std::string_view key) {
  const auto value = require(key).value<double>();
  if (!value || require(key).is_boolean()) fail(key, " must be a number");
  if (!std::isfinite(*value)) fail(key, " must be a finite number");
  return *value;
}

double TomlTable::number(std::string_view key, double otherwise) {
  return find(key) == nullptr ? otherwise : number(key);
}

std::uint64_t TomlTable::count(std::string_view key) {
  const toml::node& node = require(key);
  const auto value = node.value_exact<std::int64_t>();
  if (!value || *value < 0) fail(key, " must be a whole number, not below 0");
  return static_cast<std::uint64_t>(*value);
}

std::uint64_t TomlTable::count(std::string_view key, std::uint64_t otherwise) {
  return find(key) == nullptr ? otherwise : count(key);
}

bool TomlTable::flag(std::string_view key, bool otherwise) {
  if (find(key) == nullptr) return otherwise;
  const auto value = require(key).value_exact<bool>();
  if (!value) fail(key, " must be true or false");
  return *value;
}

std::string TomlTable::text(std::string_view key) {
  const auto value = require(key).value_exact<std::string>();
  if (!value) fail(key, " must be a text in quotes");
  return *value;
}

std::string TomlTable::text(std::string_view key, const std::string& otherwise) {
  return find(key) == nullptr ? otherwise : text(key);
}

std::size_t TomlTable::choice(std::string_view key, std::initializer_list<std::string_view> words) {
  const std::string given = text(key);
  const auto* found = std::find(words.begin(), words.end(), given);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  std::string list;
  for (const std::string_view word : words)
    list += message(list.empty() ? "" : ", ", "\"", word, "\"");
  fail(key, message(" = \"", given, "\", must be one of ", list));
}

std::vector<double> TomlTable::numbers(std::string_view key, std::size_t least, std::size_t most) {
  const toml::node& node = require(key);
  std::vector<double> values;
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& element : *array) {
      const auto value = element.value<double>();
      if (!value || element.is_boolean() || !std::isfinite(*value))
        throw Error(location(element.source()) + std::string(key) + " must hold finite numbers");
      values.push_back(*value);
    }
  } else if (node.is_number()) {
    values.push_back(number(key));
  }
  if (values.size() < least || values.size() > most)
    fail(key, least == most
                  ? message(" must be ", least, least == 1 ? " number" : " numbers in [ ]")
                  : message(" must be ", least, " to ", most, " numbers"));
  return values;
}

std::vector<std::string> TomlTable::texts(std::string_view key, std::size_t count) {
  const toml::array* array = require(key).as_array();
  std::vector<std::string> values;
  for (std::size_t k = 0; array != nullptr && k < array->size(); ++k)
    if (const auto value = (*array)[k].value_exact<std::string>()) values.push_back(*value);
  if (array == nullptr || array->size() != count || values.size() != count)
    fail(key, message(" must be ", count, " texts in [ ]"));
  return values;
}

TomlTable TomlTable::table(std::string_view key) {
  const toml::table* inner = require(key).as_table();
  if (inner == nullptr) fail(key, " must be a table");
  return {*this, *inner, message("[", key, "]")};
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) {
  std::vector<TomlTable> all;
  if (find(key) == nullptr) return all;
  const toml::array* array = require(key).as_array();
  if (array == nullptr || !array->is_homogeneous<toml::table>())
    fail(key, message(" must be given as [[", key, "]]"));
  for (const toml::node& element : *array)
    all.push_back(TomlTable(*this, *element.as_table(), message("[[", key, "]]")));
  return all;
}

void TomlTable::check_keys(std::span<const std::string_view> keys) const {
  for (const auto& [key, value] : *table_) {
    if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
    const auto meant = nearest_name(key.str(), {keys.begin(), keys.end()});
    throw Error(message(location(key.source()), "unknown key \"", key.str(), "\"",
                        name_.empty() ? "" : message(" in ", name_),
                        meant ? message("; did you mean \"", *meant, "\"?") : ""));
  }
}

void TomlTable::check_unused() const {
  for (const auto& [key, value] : *table_)
    if (!used_keys_.contains(key.str()))
      throw Error(message(location(key.source()), "\"", key.str(), "\" has no meaning here",
                          name_.empty() ? "" : message(", with the other keys of this ", name_)));
}

}  // namespace abut
