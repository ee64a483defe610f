#include "io/checkpoint_file.hpp"

#include <xxhash.h>

#include <abut/error.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <new>
#include <system_error>

#include "core/message.hpp"
#include "io/checkpoint_format.hpp"
#include "io/output_file.hpp"
#include "io/raw_bytes.hpp"

namespace abut {
namespace {

std::string_view bytes_of(const CheckpointSection& section) {
  return {static_cast<const char*>(section.data), section.bytes()};
}

Checksum checksum_of_both(const CheckpointHead& head, const std::string& directory) {
  const std::string both = message(raw_bytes(&head), directory);
  return checksum_of(both.data(), both.size());
}

// A file that is read from begin to end, and must not end before it was asked for all of it.
class BinaryFile {
 public:
  explicit BinaryFile(const std::string& path) : path_(path), file_(nullptr, &std::fclose) {
    std::error_code error;
    size_ = std::filesystem::file_size(path, error);  // first: opening a pipe would wait
    if (error) fail(error);
    file_.reset(std::fopen(path.c_str(), "rbe"));
    if (!file_) fail({errno, std::generic_category()});
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }

  void read(void* to, std::size_t bytes) {
    errno = 0;
    if (std::fread(to, 1, bytes, file_.get()) == bytes) return;
    if (errno != 0) fail({errno, std::generic_category()});
    throw Error(message(path_, ": damaged: its end is missing"));
  }

 private:
  [[noreturn]] void fail(std::error_code error) const {
    throw Error(message("cannot read ", path_, ": ", error.message()));
  }

  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::uint64_t size_ = 0;
};

// A checksum of bytes that come in parts.
class RunningChecksum {
 public:
  RunningChecksum() : state_(XXH3_createState(), &XXH3_freeState) {
    if (!state_) throw std::bad_alloc();
    XXH3_64bits_reset(state_.get());
  }
  void add(const void* data, std::size_t bytes) { XXH3_64bits_update(state_.get(), data, bytes); }
  [[nodiscard]] Checksum get() const { return XXH3_64bits_digest(state_.get()); }

 private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

// All but the sections, checked.
struct Beginning {
  CheckpointHead head;
  std::string directory;
  std::vector<PromisedSection> sections;
};

Beginning read_beginning(const std::string& path, BinaryFile& file) {
  Beginning beginning;
  CheckpointHead& head = beginning.head;
  if (file.size() < sizeof head)
    throw Error(message(path, ": damaged: ", file.size(), " bytes are too few for a checkpoint"));
  file.read(&head, sizeof head);
  check_head(path, head, file.size());
  beginning.directory.resize(head.directory_size);
  file.read(beginning.directory.data(), head.directory_size);
  Checksum checksum = 0;
  file.read(&checksum, sizeof checksum);
  if (checksum != checksum_of_both(head, beginning.directory))
    throw Error(message(path, ": damaged: checksum of its directory"));
  beginning.sections = read_directory(path, head, beginning.directory);
  return beginning;
}

// Reads in parts that are still in the cache when they are summed up. To keep nothing, `to` is
// room for one part.
constexpr std::size_t part_size = 1U << 20U;

void read_section(const std::string& path, BinaryFile& file, const PromisedSection& promised,
                  std::byte* to, bool keep) {
  RunningChecksum checksum;
  const std::size_t size = promised.section.bytes();
  for (std::size_t done = 0; done < size; done += part_size) {
    const std::size_t part = std::min(part_size, size - done);
    std::byte* const place = keep ? to + done : to;
    file.read(place, part);
    checksum.add(place, part);
  }
  if (checksum.get() != promised.checksum)
    throw Error(message(path, ": damaged: checksum of section '", promised.section.name, "'"));
}

}  // namespace

void CheckpointSections::append(CheckpointSection section) {
  for (const CheckpointSection& other : all_)
    if (other.name == section.name)
      throw Error(message("a checkpoint cannot have two sections '", section.name, "'"));
  all_.push_back(std::move(section));
}

std::uint64_t state_hash(const CheckpointSections& sections) {
  const std::string directory = directory_of(sections);
  return checksum_of(directory.data(), directory.size());
}

void write_checkpoint_file(const std::string& path, std::uint64_t step,
                           const CheckpointSections& sections) {
  const std::string directory = directory_of(sections);
  CheckpointHead head{
      .step = step, .section_count = sections.all().size(), .directory_size = directory.size()};
  head.file_size = sizeof head + directory.size() + sizeof(Checksum);
  for (const CheckpointSection& section : sections.all()) head.file_size += section.bytes();
  OutputFile file(path);
  const Checksum checksum = checksum_of_both(head, directory);
  file << raw_bytes(&head) << directory << raw_bytes(&checksum);
  for (const CheckpointSection& section : sections.all()) file << bytes_of(section);
  file.commit_to_disk();
}

Checkpoint::Checkpoint(const std::string& path) : path_(path) {
  BinaryFile file(path);
  Beginning beginning = read_beginning(path, file);
  step_ = beginning.head.step;
  state_hash_ = checksum_of(beginning.directory.data(), beginning.directory.size());
  for (PromisedSection& promised : beginning.sections) {
    memory_.push_back(std::make_unique_for_overwrite<std::byte[]>(promised.section.bytes()));
    read_section(path, file, promised, memory_.back().get(), true);
    promised.section.data = memory_.back().get();
    sections_.push_back(std::move(promised.section));
  }
}

const CheckpointSection* Checkpoint::find(std::string_view name) const {
  const auto found = std::ranges::find(sections_, name, &CheckpointSection::name);
  return found == sections_.end() ? nullptr : &*found;
}

const CheckpointSection& Checkpoint::require(std::string_view name, ElementType type,
                                             std::size_t count) const {
  const std::string_view wanted = traits_of(type).name;
  const CheckpointSection* const section = find(name);
  if (section == nullptr)
    throw Error(message(path_, ": no section '", name, "' (", wanted,
                        "); resume with the abut and the case that wrote it"));
  if (section->type == type && (count == any_count || section->count == count)) return *section;
  throw Error(message(path_, ": section '", name, "' has ", section->count, " of ",
                      traits_of(section->type).name, ", but ",
                      count == any_count ? "any number" : message(count), " of ", wanted,
                      " was expected; resume with the abut and the case that wrote it"));
}

std::uint64_t verify_checkpoint(const std::string& path) {
  BinaryFile file(path);
  const Beginning beginning = read_beginning(path, file);
  const auto part = std::make_unique_for_overwrite<std::byte[]>(part_size);
  for (const PromisedSection& promised : beginning.sections)
    read_section(path, file, promised, part.get(), false);
  return beginning.head.step;
}

}  // namespace abut
