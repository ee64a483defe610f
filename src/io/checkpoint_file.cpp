#include "io/checkpoint_file.hpp"

#include <xxhash.h>

#include <abut/error.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/message.hpp"
#include "io/binary_values.hpp"
#include "io/output_file.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

constexpr std::uint64_t header_and_checksum_size = sizeof(CheckpointHeader) + sizeof(Checksum);

[[noreturn]] void fail_checkpoint(const std::string& path, std::string_view problem) {
  throw Error(ErrorCode::invalid_input, {.file = path}, problem);
}

[[noreturn]] void fail_section(const std::string& path, std::string_view name,
                               std::string_view problem) {
  throw Error(ErrorCode::invalid_input, {.file = path, .key = message("section '", name, "'")},
              problem);
}

constexpr std::uint32_t byte_swapped(std::uint32_t word) {
  return word << 24U | (word & 0xFF00U) << 8U | (word >> 8U & 0xFF00U) | word >> 24U;
}

// Removes a value from the beginning of `bytes`, which must be long enough.
template <class T>
T consume(std::string_view& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

}  // namespace

Checksum checksum_of(const void* data, std::size_t bytes) { return XXH3_64bits(data, bytes); }

std::string make_directory(const CheckpointSections& sections) {
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

void check_header(const std::string& path, const CheckpointHeader& header,
                  std::uint64_t file_size) {
  if (header.magic != CheckpointHeader::expected_magic)
    fail_checkpoint(path, "not a checkpoint of abut");
  if (header.byte_order == byte_swapped(CheckpointHeader::expected_byte_order))
    fail_checkpoint(path, "written on a machine with another byte order; resume on such a machine");
  if (header.byte_order != CheckpointHeader::expected_byte_order)
    fail_checkpoint(path, "damaged: invalid byte order");
  if (header.version != CheckpointHeader::expected_version)
    fail_checkpoint(
        path,
        message("checkpoint of format version ", header.version, ", but this abut reads version ",
                CheckpointHeader::expected_version, "; resume with the abut that wrote it"));
  if (header.file_size != file_size)
    fail_checkpoint(path,
                    message("damaged: has ", file_size, " bytes instead of ", header.file_size));
  if (file_size < header_and_checksum_size ||
      header.directory_size > file_size - header_and_checksum_size)
    fail_checkpoint(path, "damaged: its directory is larger than the file");
}

std::vector<DirectoryEntry> read_directory(const std::string& path, const CheckpointHeader& header,
                                           std::string_view directory) {
  std::uint64_t remaining = header.file_size - header_and_checksum_size - directory.size();
  std::vector<DirectoryEntry> sections;
  while (directory.size() >= sizeof(CheckpointEntry)) {
    const auto entry = consume<CheckpointEntry>(directory);
    const auto type = static_cast<ElementType>(entry.type);
    const std::size_t size = traits_of(type).size;
    if (size == 0) fail_checkpoint(path, message("damaged: unknown element type ", entry.type));
    if (entry.name_size > directory.size()) fail_checkpoint(path, "damaged: invalid directory");
    const std::string name(directory.substr(0, entry.name_size));
    directory.remove_prefix(entry.name_size);
    if (entry.count > remaining / size) fail_section(path, name, "damaged: larger than the file");
    remaining -= entry.count * size;
    sections.push_back({{name, type, entry.count, nullptr}, entry.checksum});
  }
  if (!directory.empty() || remaining != 0 || sections.size() != header.section_count)
    fail_checkpoint(path, "damaged: invalid directory");
  return sections;
}

namespace {

std::string_view bytes_of(const CheckpointSection& section) {
  return {static_cast<const char*>(section.data), section.bytes()};
}

Checksum header_checksum(const CheckpointHeader& header, const std::string& directory) {
  const std::string both = message(raw_bytes(&header), directory);
  return checksum_of(both.data(), both.size());
}

// A file that is read from beginning to end; reading beyond its end is an error.
class BinaryFile {
 public:
  explicit BinaryFile(const std::string& path) : path_(path), file_(nullptr, &std::fclose) {
    std::error_code error;
    size_ = std::filesystem::file_size(path, error);  // first: opening a pipe would wait
    if (error == std::errc::not_supported || error == std::errc::operation_not_supported)
      require_regular_file(path);
    if (error) fail(error);
    file_.reset(std::fopen(path.c_str(), "rbe"));
    if (!file_) fail({errno, std::generic_category()});
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }

  void read(void* to, std::size_t bytes) {
    errno = 0;
    if (std::fread(to, 1, bytes, file_.get()) == bytes) return;
    if (errno != 0) fail({errno, std::generic_category()});
    fail_checkpoint(path_, "damaged: truncated");
  }

 private:
  [[noreturn]] void fail(std::error_code error) const {
    throw Error(message("cannot read ", path_, ": ", error.message()), ErrorCode::io,
                {.file = path_});
  }

  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::uint64_t size_ = 0;
};

// A checksum of bytes that are added in chunks.
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

// Everything before the sections, checked.
struct CheckpointPreamble {
  CheckpointHeader header;
  std::string directory;
  std::vector<DirectoryEntry> sections;
};

CheckpointPreamble read_preamble(const std::string& path, BinaryFile& file) {
  CheckpointPreamble preamble;
  CheckpointHeader& header = preamble.header;
  if (file.size() < sizeof header)
    fail_checkpoint(path, message("damaged: ", file.size(), " bytes are too few for a checkpoint"));
  file.read(&header, sizeof header);
  check_header(path, header, file.size());
  preamble.directory.resize(header.directory_size);
  file.read(preamble.directory.data(), header.directory_size);
  Checksum checksum = 0;
  file.read(&checksum, sizeof checksum);
  if (checksum != header_checksum(header, preamble.directory))
    fail_checkpoint(path, "damaged: wrong checksum of the directory");
  preamble.sections = read_directory(path, header, preamble.directory);
  return preamble;
}

// Sections are read in chunks that are still in the cache when their checksum is computed.
constexpr std::size_t chunk_size = 1U << 20U;

// Reads a section into `to` and checks it. Without `keep`, each chunk overwrites the one before,
// and `to` needs to hold only one chunk.
void read_section(const std::string& path, BinaryFile& file, const DirectoryEntry& entry,
                  std::byte* to, bool keep) {
  RunningChecksum checksum;
  const std::size_t size = entry.section.bytes();
  for (std::size_t done = 0; done < size; done += chunk_size) {
    const std::size_t bytes = std::min(chunk_size, size - done);
    std::byte* const chunk = keep ? to + done : to;
    file.read(chunk, bytes);
    checksum.add(chunk, bytes);
  }
  if (checksum.get() != entry.checksum)
    fail_section(path, entry.section.name, "damaged: wrong checksum");
}

}  // namespace

void CheckpointSections::append(CheckpointSection section) {
  for (const CheckpointSection& other : all_)
    if (other.name == section.name)
      throw Error(ErrorCode::invalid_argument, {.key = message("section '", section.name, "'")},
                  "exists already");
  all_.push_back(std::move(section));
}

namespace {

// Hash of types, lengths and checksums, without names.
std::uint64_t contents_hash(std::span<const DirectoryEntry> entries) {
  std::string contents;
  for (const auto& [section, checksum] : entries) {
    const CheckpointEntry entry{static_cast<std::uint32_t>(section.type), 0, section.count,
                                checksum};
    contents += raw_bytes(&entry);
  }
  return checksum_of(contents.data(), contents.size());
}

}  // namespace

std::uint64_t state_hash(const CheckpointSections& sections) {
  std::vector<DirectoryEntry> entries;
  for (const CheckpointSection& section : sections.all())
    entries.push_back({section, checksum_of(section.data, section.bytes())});
  return contents_hash(entries);
}

void write_checkpoint_file(const std::string& path, std::uint64_t step,
                           const CheckpointSections& sections) {
  const std::string directory = make_directory(sections);
  CheckpointHeader header{
      .step = step, .section_count = sections.all().size(), .directory_size = directory.size()};
  header.file_size = sizeof header + directory.size() + sizeof(Checksum);
  for (const CheckpointSection& section : sections.all()) header.file_size += section.bytes();
  OutputFile file(path);
  const Checksum checksum = header_checksum(header, directory);
  file << raw_bytes(&header) << directory << raw_bytes(&checksum);
  for (const CheckpointSection& section : sections.all()) file << bytes_of(section);
  file.commit_to_disk();
}

Checkpoint::Checkpoint(const std::string& path) : path_(path) {
  BinaryFile file(path);
  CheckpointPreamble preamble = read_preamble(path, file);
  step_ = preamble.header.step;
  state_hash_ = contents_hash(preamble.sections);
  for (DirectoryEntry& entry : preamble.sections) {
    memory_.push_back(std::make_unique_for_overwrite<std::byte[]>(entry.section.bytes()));
    read_section(path, file, entry, memory_.back().get(), true);
    entry.section.data = memory_.back().get();
    sections_.push_back(std::move(entry.section));
  }
}

const CheckpointSection* Checkpoint::find(std::string_view name) const {
  const auto found = std::ranges::find(sections_, name, &CheckpointSection::name);
  return found == sections_.end() ? nullptr : &*found;
}

const CheckpointSection& Checkpoint::require(std::string_view name, ElementType type,
                                             std::size_t count) const {
  constexpr std::string_view hint = "; resume with the abut and the case that wrote it";
  const std::string_view type_name = traits_of(type).name;
  const CheckpointSection* const section = find(name);
  if (section == nullptr) fail_section(path_, name, message("missing (", type_name, ")", hint));
  if (section->type == type && (count == any_count || section->count == count)) return *section;
  fail_section(
      path_, name,
      message("has ", section->count, " values of ", traits_of(section->type).name, " instead of ",
              count == any_count ? "values" : message(count, " values"), " of ", type_name, hint));
}

std::uint64_t verify_checkpoint(const std::string& path) {
  BinaryFile file(path);
  const CheckpointPreamble preamble = read_preamble(path, file);
  const auto chunk = std::make_unique_for_overwrite<std::byte[]>(chunk_size);
  for (const DirectoryEntry& entry : preamble.sections)
    read_section(path, file, entry, chunk.get(), false);
  return preamble.header.step;
}

namespace {

namespace fs = std::filesystem;

constexpr std::string_view name_prefix = "checkpoint-";
constexpr std::string_view name_suffix = ".abut";

std::string file_name_of(std::uint64_t step) {
  constexpr std::size_t digits = 12;
  const std::string number = message(step);
  const std::string zeros(digits - std::min(digits, number.size()), '0');
  return message(name_prefix, zeros, number, name_suffix);
}

// Accepts only names that `file_name_of` returns, so that no other file is touched.
std::optional<std::uint64_t> step_from_name(std::string_view name) {
  std::uint64_t step = 0;
  if (!name.starts_with(name_prefix)) return {};
  const std::string_view rest = name.substr(name_prefix.size());
  std::from_chars(rest.data(), rest.data() + rest.size(), step);
  return name == file_name_of(step) ? std::optional(step) : std::nullopt;
}

std::vector<std::uint64_t> steps_newest_first(const std::string& folder) {
  std::vector<std::uint64_t> steps;
  for (const std::string& name : list_folder(folder))
    if (const std::optional<std::uint64_t> step = step_from_name(name)) steps.push_back(*step);
  std::ranges::sort(steps, std::greater{});
  return steps;
}

std::string path_of(const std::string& folder, std::uint64_t step) {
  return (fs::path(folder) / file_name_of(step)).string();
}

// Detects renamed checkpoints: a run must not continue from a step other than that in the name.
void require_step(const std::string& path, std::uint64_t named, std::uint64_t actual) {
  if (named != actual)
    fail_checkpoint(path, message("contains step ", actual, ", which does not match its name"));
}

bool is_intact(const std::string& folder, std::uint64_t step) {
  try {
    const std::string path = path_of(folder, step);
    require_step(path, step, verify_checkpoint(path));
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Keeps `newest` and the newest intact checkpoint before it.
void remove_all_but_two(const std::string& folder, std::uint64_t newest) {
  bool has_second = false;
  for (const std::uint64_t step : steps_newest_first(folder)) {
    if (step == newest) continue;
    const bool keep = step < newest && !has_second && is_intact(folder, step);
    has_second = has_second || keep;
    std::error_code ignored;  // a file that cannot be removed does no harm
    if (!keep) fs::remove(path_of(folder, step), ignored);
  }
}

Checkpoint read_step(const std::string& folder, std::uint64_t step) {
  Checkpoint checkpoint(path_of(folder, step));
  require_step(checkpoint.path(), step, checkpoint.step());
  return checkpoint;
}

}  // namespace

std::string write_checkpoint(const std::string& folder, std::uint64_t step,
                             const CheckpointSections& sections) {
  remove_stale_temporaries(folder,
                           [](std::string_view name) { return step_from_name(name).has_value(); });
  std::string path = path_of(folder, step);
  write_checkpoint_file(path, step, sections);
  remove_all_but_two(folder, step);
  return path;
}

NewestCheckpoint read_newest_checkpoint(const std::string& folder) {
  std::string problem;  // of the newest checkpoint
  for (const std::uint64_t step : steps_newest_first(folder)) try {
      Checkpoint checkpoint = read_step(folder, step);
      if (!problem.empty()) problem += message("; continuing from step ", step);
      return {std::move(checkpoint), std::move(problem)};
    } catch (const Error& error) {
      if (problem.empty()) problem = error.what();
    }
  if (problem.empty()) problem = message("there is no ", name_prefix, "…", name_suffix);
  throw Error(message("no usable checkpoint in ", folder, ": ", problem,
                      "; run the case from its beginning"),
              ErrorCode::invalid_input, {.file = folder});
}

}  // namespace abut
