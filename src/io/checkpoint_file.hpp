#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/element_type.hpp"
#include "io/lasting_array.hpp"

namespace abut {

/// One array of a state, by name.
struct CheckpointSection {
  std::string name;
  ElementType type{};
  std::size_t count = 0;
  const void* data = nullptr;

  [[nodiscard]] std::size_t bytes() const { return count * traits_of(type).size; }
};

/// The arrays that are a state. They stay where they are and are not copied.
class CheckpointSections {
 public:
  template <LastingArray R>
  requires Element<std::ranges::range_value_t<R>>
  void add(std::string name, R&& values) {  // NOLINT(*-missing-std-forward)
    append({std::move(name), element_type<std::ranges::range_value_t<R>>(),
            std::ranges::size(values), std::ranges::data(values)});
  }

  [[nodiscard]] const std::vector<CheckpointSection>& all() const { return all_; }

 private:
  void append(CheckpointSection section);  // throws `Error` for a name that is there already

  std::vector<CheckpointSection> all_;
};

/// One number for all names, types, lengths and bits of a state.
[[nodiscard]] std::uint64_t state_hash(const CheckpointSections& sections);

/// Writes a state so that it is whole or not there, even after a loss of power.
void write_checkpoint_file(const std::string& path, std::uint64_t step,
                           const CheckpointSections& sections);

/// A state that was read back, every bit of it checked.
class Checkpoint {
 public:
  /// Throws `Error` that says what is wrong with the file.
  explicit Checkpoint(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint64_t step() const { return step_; }
  /// What the function of this name said of the sections that were written.
  [[nodiscard]] std::uint64_t state_hash() const { return state_hash_; }
  [[nodiscard]] const std::vector<CheckpointSection>& sections() const { return sections_; }
  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }

  /// Throws `Error` if there is no section of this name or it holds another type.
  template <Element T>
  [[nodiscard]] std::span<const T> get(std::string_view name) const {
    const CheckpointSection& section = require(name, element_type<T>());
    return {static_cast<const T*>(section.data), section.count};
  }

  /// Throws `Error` also if it holds more or less than this.
  template <Element T>
  [[nodiscard]] std::span<const T> get(std::string_view name, std::size_t count) const {
    const CheckpointSection& section = require(name, element_type<T>(), count);
    return {static_cast<const T*>(section.data), section.count};
  }

  /// The only number of a section.
  template <Element T>
  [[nodiscard]] T value(std::string_view name) const {
    return get<T>(name, 1).front();
  }

 private:
  static constexpr std::size_t any_count = SIZE_MAX;

  [[nodiscard]] const CheckpointSection* find(std::string_view name) const;
  [[nodiscard]] const CheckpointSection& require(std::string_view name, ElementType type,
                                                 std::size_t count = any_count) const;

  std::string path_;
  std::uint64_t step_ = 0;
  std::uint64_t state_hash_ = 0;
  std::vector<CheckpointSection> sections_;
  std::vector<std::unique_ptr<std::byte[]>> memory_;  // of the sections
};

/// Throws `Error` as reading it would, without keeping more than a part in memory; returns the
/// step.
std::uint64_t verify_checkpoint(const std::string& path);

}  // namespace abut
