#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

// Temporary files: an output file has a temporary name until it is complete, and is removed if the
// program is interrupted.

/// Registers a file or folder that `remove_temporaries` removes if the program is interrupted.
/// Throws `Error` (code io) if there are too many (256) or the path is too long. Thread-safe.
void register_temporary(const std::string& path);
/// Does nothing for a path that is not registered.
void unregister_temporary(const std::string& path);

/// Removes all registered files, then all registered folders that are empty. May be called from a
/// signal handler.
void remove_temporaries() noexcept;

/// The final name of an `OutputFile` with this temporary name; none if it is not a temporary name.
std::optional<std::string_view> final_name(std::string_view name);

/// The names of the entries of a folder, unsorted. Throws `Error` (code io).
[[nodiscard]] std::vector<std::string> list_folder(const std::string& folder);

/// Removes temporary files that a killed process left in a folder, if `matches` is true for the
/// final name of the file. No other process may write to the folder meanwhile.
void remove_stale_temporaries(const std::string& folder,
                              const std::function<bool(std::string_view)>& matches);

/// Locks a folder against other abut processes for the lifetime of this object; the operating
/// system also releases the lock of a killed process. Throws `Error` (code io) if the folder is
/// locked. On file systems without locks, nothing is locked.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

/// A buffered output file that is either complete or absent: it is written under a temporary name
/// in the same folder, renamed by `commit`, and removed if this object is destroyed before that.
/// The path "-" is standard output; standard output, devices and pipes are written directly. Throws
/// `Error` (code io) with the message of the operating system if a write fails.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  OutputFile& operator<<(std::string_view text);
  OutputFile& operator<<(char c) {
    reserve(1);
    buffer_[used_++] = c;
    return *this;
  }
  /// Writes the shortest decimal number that reads back as the same value.
  template <class Number>
  requires std::integral<Number> || std::floating_point<Number> OutputFile& operator<<(
      Number value) {
    constexpr std::size_t max_digits = 32;
    reserve(max_digits);
    char* begin = buffer_.get() + used_;
    used_ += static_cast<std::size_t>(std::to_chars(begin, begin + max_digits, value).ptr - begin);
    return *this;
  }

  /// Passes the buffered bytes to the operating system. The file keeps its temporary name.
  void flush() { write_buffer(); }

  /// Writes the buffered bytes, closes the file and renames it to its path.
  void commit();

  /// As `commit`, but also waits until the file is on the disk and survives a power failure.
  void commit_to_disk();

 private:
  static constexpr std::size_t capacity = 1U << 16U;

  void reserve(std::size_t bytes) {
    if (capacity - used_ < bytes) write_buffer();
  }
  void write_buffer();
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::string temporary_path_;  // empty if written directly
  bool is_standard_output_ = false;
  int file_ = -1;
  std::size_t used_ = 0;
  std::unique_ptr<char[]> buffer_;
};

/// Whether a path is "-" or /dev/stdout.
bool is_standard_output(const std::string& path);

/// A folder for results. The constructor creates it and its parents as needed; the destructor
/// removes those it created that are still empty. Throws `Error` (code io) with the message of the
/// operating system.
class OutputFolder {
 public:
  explicit OutputFolder(std::string path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Path of a file in the folder.
  [[nodiscard]] std::string path_of(const std::string& name) const;

 private:
  void remove_created();

  std::string path_;
  std::vector<std::string> created_;  // outermost first
};

/// Callback that receives the fraction (0 … 1) of a file that has been read or written.
using Progress = std::function<void(double)>;

/// Calls `progress` once per 65536 calls of `advance`, so that a loop can call `advance` for every
/// line at no noticeable cost. Keeps a reference to `progress`, which may be empty.
class ProgressThrottle {
 public:
  ProgressThrottle(const Progress& progress, std::size_t total)
      : progress_(progress), total_(total) {}

  /// `done()` returns how much of `total` is done; it is called only when progress is reported.
  template <class Done>
  void advance(const Done& done) {
    constexpr std::size_t report_interval = 1U << 16U;
    if (++count_ % report_interval != 0 || !progress_) return;
    progress_(static_cast<double>(done()) / static_cast<double>(total_));
  }

 private:
  const Progress& progress_;
  std::size_t total_;
  std::size_t count_ = 0;
};

}  // namespace abut
