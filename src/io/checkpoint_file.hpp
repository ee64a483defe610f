#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/binary_values.hpp"

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
  template <BorrowedArray R>
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

/// Hash of the types, lengths and bits of all sections in their order. Their names are not
/// included.
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

/// A checkpoint is a head, a directory of its sections, the checksum of both, and the sections, one
/// right after the other. The directory has a checksum of each section, so that the one of head and
/// directory vouches for the whole. Numbers are as in the memory of the machine that wrote them.
struct CheckpointHeader {
  static constexpr std::array<char, 8> expected_magic{'\x89', 'a',  'b',  'u',
                                                      't',    '\r', '\n', '\x1a'};
  static constexpr std::uint32_t expected_byte_order = 0x01020304;
  static constexpr std::uint32_t expected_version = 2;

  std::array<char, 8> magic = expected_magic;
  std::uint32_t byte_order =
      expected_byte_order;  ///< reads 0x04030201 where bytes are the other way round
  std::uint32_t version = expected_version;
  std::uint64_t file_size = 0;
  std::uint64_t step = 0;
  std::uint64_t section_count = 0;
  std::uint64_t directory_size = 0;
};
static_assert(sizeof(CheckpointHeader) == 48, "no bytes that nobody sets");

/// One section in the directory; its name follows.
struct CheckpointEntry {
  std::uint32_t type = 0;
  std::uint32_t name_size = 0;
  std::uint64_t count = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(CheckpointEntry) == 24, "no bytes that nobody sets");

using Checksum = std::uint64_t;

/// A section as the directory has it: where it is remains to be seen.
struct DirectoryEntry {
  CheckpointSection section;
  Checksum checksum = 0;
};

[[nodiscard]] Checksum checksum_of(const void* data, std::size_t bytes);

[[nodiscard]] std::string make_directory(const CheckpointSections& sections);

/// Throws `Error` if the head is not that of a whole file of this size.
void check_header(const std::string& path, const CheckpointHeader& head, std::uint64_t file_size);

/// What a directory promises. Throws `Error` unless that fills the file exactly, so that no
/// promise can be larger than the file.
[[nodiscard]] std::vector<DirectoryEntry> read_directory(const std::string& path,
                                                         const CheckpointHeader& head,
                                                         std::string_view directory);

/// Writes `checkpoint-000000012345.abut` into a folder and returns its path. Once it is safely
/// there, the newest whole one before it is kept and all others go: those of later steps are of a
/// run that was taken up again before them. What writers that were killed left behind goes first.
std::string write_checkpoint(const std::string& folder, std::uint64_t step,
                             const CheckpointSections& sections);

/// A checkpoint to go on from.
struct NewestCheckpoint {
  Checkpoint checkpoint;
  std::string warning;  ///< one line about newer ones that are of no use; empty if there are none
};

/// The newest that is whole. Throws `Error` if there is none.
[[nodiscard]] NewestCheckpoint read_newest_checkpoint(const std::string& folder);

}  // namespace abut
