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

/// One named array of a state. Does not own the data.
struct CheckpointSection {
  std::string name;
  ElementType type{};
  std::size_t count = 0;
  const void* data = nullptr;

  [[nodiscard]] std::size_t bytes() const { return count * traits_of(type).size; }
};

/// The arrays that make up a state. Refers to the arrays without copying them.
class CheckpointSections {
 public:
  /// Adds an array, which must outlive this object. Throws `Error` if a section of this name
  /// exists.
  template <BorrowedArray R>
  requires Element<std::ranges::range_value_t<R>>
  void add(std::string name, R&& values) {  // NOLINT(*-missing-std-forward)
    append({std::move(name), element_type<std::ranges::range_value_t<R>>(),
            std::ranges::size(values), std::ranges::data(values)});
  }

  [[nodiscard]] const std::vector<CheckpointSection>& all() const { return all_; }

 private:
  void append(CheckpointSection section);

  std::vector<CheckpointSection> all_;
};

/// Hash of the types, lengths and bits of all sections in their order. Their names are not
/// included.
[[nodiscard]] std::uint64_t state_hash(const CheckpointSections& sections);

/// Writes a state. The file is complete or absent, even after a power failure. Throws `Error` (code
/// io).
void write_checkpoint_file(const std::string& path, std::uint64_t step,
                           const CheckpointSections& sections);

/// A state read from a file and verified by checksums. Owns the arrays.
class Checkpoint {
 public:
  /// Throws `Error` with the file, and the section as key, if the file is damaged, of another
  /// version or not a checkpoint.
  explicit Checkpoint(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint64_t step() const { return step_; }
  /// The value of `abut::state_hash` for the sections that were written.
  [[nodiscard]] std::uint64_t state_hash() const { return state_hash_; }
  [[nodiscard]] const std::vector<CheckpointSection>& sections() const { return sections_; }
  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }

  /// Throws `Error` if there is no section of this name or it has another type.
  template <Element T>
  [[nodiscard]] std::span<const T> get(std::string_view name) const {
    const CheckpointSection& section = require(name, element_type<T>());
    return {static_cast<const T*>(section.data), section.count};
  }

  /// Throws `Error` also if the number of values is not `count`.
  template <Element T>
  [[nodiscard]] std::span<const T> get(std::string_view name, std::size_t count) const {
    const CheckpointSection& section = require(name, element_type<T>(), count);
    return {static_cast<const T*>(section.data), section.count};
  }

  /// The value of a section of one element.
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
  std::vector<std::unique_ptr<std::byte[]>> memory_;  // owns the data of the sections
};

/// Verifies a file as `Checkpoint` does, but in constant memory. Returns the step.
std::uint64_t verify_checkpoint(const std::string& path);

/// Beginning of a checkpoint file. The file consists of the header, the directory of the sections,
/// a checksum of header and directory, and the sections without gaps. The directory has a checksum
/// for each section, so that every byte is covered. Numbers are in the byte order of the machine.
struct CheckpointHeader {
  static constexpr std::array<char, 8> expected_magic{'\x89', 'a',  'b',  'u',
                                                      't',    '\r', '\n', '\x1a'};
  static constexpr std::uint32_t expected_byte_order = 0x01020304;
  static constexpr std::uint32_t expected_version = 4;

  std::array<char, 8> magic = expected_magic;
  /// Reads 0x04030201 on a machine with the opposite byte order.
  std::uint32_t byte_order = expected_byte_order;
  std::uint32_t version = expected_version;
  std::uint64_t file_size = 0;
  std::uint64_t step = 0;
  std::uint64_t section_count = 0;
  std::uint64_t directory_size = 0;
};
static_assert(sizeof(CheckpointHeader) == 48, "must not have padding");

/// One section in the directory of a file; followed by its name.
struct CheckpointEntry {
  std::uint32_t type = 0;
  std::uint32_t name_size = 0;
  std::uint64_t count = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(CheckpointEntry) == 24, "must not have padding");

using Checksum = std::uint64_t;

/// A section as read from the directory; its data pointer is not set yet.
struct DirectoryEntry {
  CheckpointSection section;
  Checksum checksum = 0;
};

[[nodiscard]] Checksum checksum_of(const void* data, std::size_t bytes);

[[nodiscard]] std::string make_directory(const CheckpointSections& sections);

/// Throws `Error` unless the header belongs to a complete file of this size (bytes).
void check_header(const std::string& path, const CheckpointHeader& header, std::uint64_t file_size);

/// Parses a directory. Throws `Error` unless the sections fill the file exactly, so that no section
/// can be larger than the file.
[[nodiscard]] std::vector<DirectoryEntry> read_directory(const std::string& path,
                                                         const CheckpointHeader& header,
                                                         std::string_view directory);

/// Writes `checkpoint-000000012345.abut` (the number is the step) to a folder and returns its path.
/// Once it is on the disk, all other checkpoints are removed, except the newest intact one of an
/// earlier step. Checkpoints of later steps are obsolete: the run was resumed from an earlier step.
/// Temporary files of killed processes are removed first.
std::string write_checkpoint(const std::string& folder, std::uint64_t step,
                             const CheckpointSections& sections);

/// A checkpoint to resume from.
struct NewestCheckpoint {
  Checkpoint checkpoint;
  std::string warning;  ///< one line about newer checkpoints that are damaged; or empty
};

/// Reads the newest intact checkpoint of a folder. Throws `Error` if there is none.
[[nodiscard]] NewestCheckpoint read_newest_checkpoint(const std::string& folder);

}  // namespace abut
