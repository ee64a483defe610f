// Output files and folders, temporary files and folder locks.
#include "io/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "core/message.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

// Follows symbolic links, also those to files that do not exist yet, so that the target is replaced
// and not the link.
std::string resolve_links(const std::string& path) {
  fs::path target = path;
  std::error_code error;
  for (int links = 0; links < 40 && fs::is_symlink(target, error); ++links)
    target = target.parent_path() / fs::read_symlink(target, error);
  return target.string();
}

// Temporary names are NAME.unfinished-PID.
constexpr std::string_view temporary_mark = ".unfinished-";

// Reduced by the umask.
constexpr mode_t default_file_mode = 0666;
constexpr mode_t default_folder_mode = 0777;

// Writes the folder of a file to the disk: only then does a renamed file keep its name after a
// power failure. Returns errno or 0; file systems that do not support this report EINVAL.
int sync_folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  const int file = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return errno;
  const int error = fsync(file) == 0 ? 0 : errno;
  close(file);
  return error == EINVAL ? 0 : error;
}

// A registered path. A signal handler may use only static memory and atomic flags.
struct TemporaryPath {
  std::atomic<bool> is_reserved{false};
  std::atomic<bool> is_set{false};
  std::array<char, PATH_MAX> path{};
};
// More slots than any command has output files.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::array<TemporaryPath, 256> temporary_paths;

}  // namespace

void register_temporary(const std::string& path) {
  for (TemporaryPath& slot : temporary_paths) {
    if (path.size() >= slot.path.size() || slot.is_reserved.exchange(true)) continue;
    std::memcpy(slot.path.data(), path.c_str(), path.size() + 1);
    slot.is_set = true;
    return;
  }
  throw Error(
      message("cannot write ", path, ": the path is too long, or there are too many outputs"),
      ErrorCode::io, {.file = path});
}

void unregister_temporary(const std::string& path) {
  for (TemporaryPath& slot : temporary_paths) {
    if (!slot.is_set || path != slot.path.data()) continue;
    slot.is_set = false;
    slot.is_reserved = false;
  }
}

void remove_temporaries() noexcept {
  for (const TemporaryPath& slot : temporary_paths)
    if (slot.is_set) unlink(slot.path.data());
  // In reverse: a folder is registered before its subfolders.
  for (std::size_t i = temporary_paths.size(); i-- > 0;)
    if (temporary_paths[i].is_set) rmdir(temporary_paths[i].path.data());
}

std::optional<std::string_view> final_name(std::string_view name) {
  const std::size_t at = name.rfind(temporary_mark);
  if (at == 0 || at == std::string_view::npos) return {};
  const std::string_view process = name.substr(at + temporary_mark.size());
  const bool is_number = process.find_first_not_of("0123456789") == std::string_view::npos;
  return is_number && !process.empty() ? std::optional(name.substr(0, at)) : std::nullopt;
}

std::vector<std::string> list_folder(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename().string());
  if (error)
    throw Error(message("cannot read the folder ", folder, ": ", error.message()), ErrorCode::io,
                {.file = folder});
  return names;
}

void remove_stale_temporaries(const std::string& folder,
                              const std::function<bool(std::string_view)>& matches) {
  for (const std::string& name : list_folder(folder)) {
    const std::optional<std::string_view> final = final_name(name);
    if (!final || !matches(*final)) continue;
    std::error_code ignored;  // a file that cannot be removed does no harm
    fs::remove(fs::path(folder) / name, ignored);
  }
}

FolderLock::FolderLock(const std::string& folder)
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): signature of open
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0 || flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  throw Error(ErrorCode::io, {.file = folder},
              "folder is locked by another abut process; wait for it, or choose another --out");
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool is_standard_output(const std::string& path) { return path == "-" || path == "/dev/stdout"; }

OutputFile::OutputFile(const std::string& path)
    : path_(path),
      is_standard_output_(is_standard_output(path)),
      buffer_(std::make_unique_for_overwrite<char[]>(capacity)) {
  if (is_standard_output_) {
    path_ = "standard output";
    file_ = STDOUT_FILENO;
    return;
  }
  path_ = resolve_links(path);
  struct stat status {};
  const bool exists = stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(EISDIR);
  if (exists && access(path_.c_str(), W_OK) != 0) fail(errno);
  if (exists && !S_ISREG(status.st_mode)) {  // a device or pipe cannot be replaced
    file_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fail(errno);
    return;
  }
  temporary_path_ = message(path_, temporary_mark, getpid());
  register_temporary(temporary_path_);  // before it is created, so that a signal handler removes it
  unlink(temporary_path_.c_str());
  file_ = open(temporary_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
               exists ? status.st_mode & default_file_mode : default_file_mode);
  if (file_ < 0) {
    const int error = errno;
    unregister_temporary(temporary_path_);
    fail(error);
  }
}

OutputFile::~OutputFile() {
  if (!is_standard_output_ && file_ >= 0) close(file_);
  if (temporary_path_.empty()) return;
  unlink(temporary_path_.c_str());
  unregister_temporary(temporary_path_);
}

OutputFile& OutputFile::operator<<(std::string_view text) {
  while (!text.empty()) {
    if (used_ == capacity) write_buffer();
    const std::size_t part = std::min(text.size(), capacity - used_);
    std::memcpy(buffer_.get() + used_, text.data(), part);
    used_ += part;
    text.remove_prefix(part);
  }
  return *this;
}

void OutputFile::commit() {
  write_buffer();
  if (!is_standard_output_ && close(std::exchange(file_, -1)) != 0) fail(errno);
  if (temporary_path_.empty()) return;
  if (std::rename(temporary_path_.c_str(), path_.c_str()) != 0) fail(errno);
  unregister_temporary(temporary_path_);
  temporary_path_.clear();
}

void OutputFile::commit_to_disk() {
  write_buffer();
  if (temporary_path_.empty()) return commit();
  if (fsync(file_) != 0) fail(errno);
  commit();
  if (const int error = sync_folder_of(path_)) fail(error);
}

void OutputFile::write_buffer() {
  std::size_t done = 0;
  while (done < used_) {
    const ssize_t wrote = write(file_, buffer_.get() + done, used_ - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) fail(wrote < 0 ? errno : EIO);
    done += static_cast<std::size_t>(wrote);
  }
  used_ = 0;
}

void OutputFile::fail(int error) const {
  throw Error(message("cannot write ", path_, ": ", std::generic_category().message(error)),
              ErrorCode::io, {.file = path_});
}

OutputFolder::OutputFolder(std::string path) : path_(std::move(path)) {
  fs::path folder;
  for (const fs::path& part : fs::path(path_)) {
    folder /= part;
    std::error_code unknown;
    if (part.empty() || fs::is_directory(folder, unknown)) continue;
    register_temporary(folder.string());
    created_.push_back(folder.string());
    if (mkdir(folder.c_str(), default_folder_mode) == 0) continue;
    const int error = errno;
    remove_created();  // the destructor is not called after an exception
    throw Error(message("cannot create the folder ", folder.string(), ": ",
                        error == EEXIST ? "a file of that name exists"
                                        : std::generic_category().message(error)),
                ErrorCode::io, {.file = folder.string()});
  }
}

OutputFolder::~OutputFolder() { remove_created(); }

// rmdir fails, as intended, for a folder that is not empty.
void OutputFolder::remove_created() {
  for (; !created_.empty(); created_.pop_back()) {
    rmdir(created_.back().c_str());
    unregister_temporary(created_.back());
  }
}

std::string OutputFolder::path_of(const std::string& name) const {
  return (fs::path(path_) / name).string();
}

}  // namespace abut
