#include "io/checkpoint_format.hpp"

#include <xxhash.h>

#include <abut/error.hpp>
#include <cstring>

#include "core/message.hpp"
#include "io/raw_bytes.hpp"

namespace abut {
namespace {

constexpr std::uint64_t around_directory = sizeof(CheckpointHead) + sizeof(Checksum);

[[noreturn]] void refuse(const std::string& path, std::string_view why) {
  throw Error(message(path, ": ", why));
}

constexpr std::uint32_t turned(std::uint32_t word) {
  return word << 24U | (word & 0xFF00U) << 8U | (word >> 8U & 0xFF00U) | word >> 24U;
}

// Takes what is at the beginning of a text, which must be long enough.
template <class T>
T take(std::string_view& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

}  // namespace

Checksum checksum_of(const void* data, std::size_t bytes) { return XXH3_64bits(data, bytes); }

std::string directory_of(const CheckpointSections& sections) {
  std::string directory;
  for (const CheckpointSection& section : sections.all()) {
    const CheckpointEntry entry{static_cast<std::uint32_t>(section.type),
                                static_cast<std::uint32_t>(section.name.size()), section.count,
                                checksum_of(section.data, section.bytes())};
    directory += raw_bytes(&entry);
    directory += section.name;
  }
  return directory;
}

void check_head(const std::string& path, const CheckpointHead& head, std::uint64_t file_size) {
  if (head.magic != CheckpointHead::right_magic) refuse(path, "not a checkpoint of abut");
  if (head.order == turned(CheckpointHead::right_order))
    refuse(path, "from a machine with the other order of bytes; resume on one like that");
  if (head.order != CheckpointHead::right_order) refuse(path, "damaged: its order of bytes");
  if (head.version != CheckpointHead::right_version)
    refuse(path, message("of format version ", head.version, ", but this abut reads version ",
                         CheckpointHead::right_version, "; resume with the abut that wrote it"));
  if (head.file_size != file_size)
    refuse(path, message("damaged: ", file_size, " bytes long, not ", head.file_size));
  if (file_size < around_directory || head.directory_size > file_size - around_directory)
    refuse(path, "damaged: its directory is longer than the file");
}

std::vector<PromisedSection> read_directory(const std::string& path, const CheckpointHead& head,
                                            std::string_view directory) {
  std::uint64_t left = head.file_size - around_directory - directory.size();
  std::vector<PromisedSection> sections;
  while (directory.size() >= sizeof(CheckpointEntry)) {
    const auto entry = take<CheckpointEntry>(directory);
    const auto type = static_cast<ElementType>(entry.type);
    const std::size_t size = traits_of(type).size;
    if (size == 0) refuse(path, message("damaged: ", entry.type, " is no type of a section"));
    if (entry.name_size > directory.size()) refuse(path, "damaged: its directory");
    const std::string name(directory.substr(0, entry.name_size));
    directory.remove_prefix(entry.name_size);
    if (entry.count > left / size)
      refuse(path, message("damaged: section '", name, "' is longer than the file"));
    left -= entry.count * size;
    sections.push_back({{name, type, entry.count, nullptr}, entry.checksum});
  }
  if (!directory.empty() || left != 0 || sections.size() != head.section_count)
    refuse(path, "damaged: its directory");
  return sections;
}

}  // namespace abut
