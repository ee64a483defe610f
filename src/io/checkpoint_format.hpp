#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/checkpoint_file.hpp"

namespace abut {

/// A checkpoint is a head, a directory of its sections, the checksum of both, and the sections, one
/// right after the other. The directory has a checksum of each section, so that the one of head and
/// directory vouches for the whole. Numbers are as in the memory of the machine that wrote them.
struct CheckpointHead {
  static constexpr std::array<char, 8> right_magic{'\x89', 'a', 'b', 'u', 't', '\r', '\n', '\x1a'};
  static constexpr std::uint32_t right_order = 0x01020304;
  static constexpr std::uint32_t right_version = 1;

  std::array<char, 8> magic = right_magic;
  std::uint32_t order = right_order;  ///< reads 0x04030201 where bytes are the other way round
  std::uint32_t version = right_version;
  std::uint64_t file_size = 0;
  std::uint64_t step = 0;
  std::uint64_t section_count = 0;
  std::uint64_t directory_size = 0;
};
static_assert(sizeof(CheckpointHead) == 48, "no bytes that nobody sets");

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
struct PromisedSection {
  CheckpointSection section;
  Checksum checksum = 0;
};

[[nodiscard]] Checksum checksum_of(const void* data, std::size_t bytes);

[[nodiscard]] std::string directory_of(const CheckpointSections& sections);

/// Throws `Error` if the head is not that of a whole file of this size.
void check_head(const std::string& path, const CheckpointHead& head, std::uint64_t file_size);

/// What a directory promises. Throws `Error` unless that fills the file exactly, so that no
/// promise can be larger than the file.
[[nodiscard]] std::vector<PromisedSection> read_directory(const std::string& path,
                                                          const CheckpointHead& head,
                                                          std::string_view directory);

}  // namespace abut
