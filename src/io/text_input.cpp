#include "io/text_input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <functional>
#include <system_error>
#include <utility>

#include "core/machine.hpp"
#include "core/message.hpp"

namespace abut {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// Owns a file descriptor, but never closes standard input.
class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ > STDIN_FILENO) close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void fail_reading(const std::string& name, int error) {
  const std::string path = error == ENAMETOOLONG ? shortened(name) : name;
  throw Error(message("cannot read ", path, ": ", std::generic_category().message(error)),
              ErrorCode::io, {.file = name});
}

}  // namespace

std::size_t ReadLimit::default_bytes() { return physical_memory() / 4 * 3; }

InputFile::InputFile(const std::string& path, const ReadLimit& limit)
    : name_(path == "-" ? "standard input" : path) {
  const Descriptor file(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail_reading(name_, errno);
  struct stat status {};
  if (fstat(file.get(), &status) != 0) fail_reading(name_, errno);
  if (S_ISDIR(status.st_mode)) fail_reading(name_, EISDIR);
  const bool is_regular = S_ISREG(status.st_mode);
  const bool is_limited = limit.bytes > 0 && (limit.for_regular_files || !is_regular);
  read_to_end(file.get(), is_regular ? static_cast<std::size_t>(status.st_size) : 0,
              is_limited ? limit.bytes : ReadLimit::default_bytes(),
              is_limited ? limit.explanation : ReadLimit::default_explanation);
}

std::string_view InputFile::text() const {
  for (const std::string_view utf_16_mark : {"\xFF\xFE", "\xFE\xFF"})
    if (bytes().starts_with(utf_16_mark))
      throw Error(ErrorCode::invalid_input, {.file = name_},
                  "the text is encoded in UTF-16; save it in UTF-8");
  return without_byte_order_mark(bytes());
}

// `expected` bytes are only a guess: pipes have no size, and files may grow.
void InputFile::read_to_end(int descriptor, std::size_t expected, std::size_t max_bytes,
                            std::string_view explanation) {
  check_file_size(name_, expected, max_bytes, explanation);
  for (ssize_t got = 1; got != 0;) {
    const std::span<char> free = buffer_.free_bytes(expected + 65536, max_bytes + 1);
    got = read(descriptor, free.data(), free.size());
    if (got < 0 && errno != EINTR) fail_reading(name_, errno);
    if (got > 0) buffer_.append(static_cast<std::size_t>(got));
    check_file_size(name_, buffer_.size(), max_bytes, explanation);
  }
}

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return text;
}

void check_file_size(const std::string& file, std::size_t bytes, std::size_t max_bytes,
                     std::string_view explanation) {
  if (bytes > max_bytes)
    throw Error(message("cannot read ", file, ": more than ",
                        format_bytes(static_cast<double>(max_bytes)), "; ", explanation),
                ErrorCode::io, {.file = file});
}

void require_regular_file(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    throw Error(message("cannot read ", path, ": not a regular file"), ErrorCode::io,
                {.file = path});
}

std::string read_file_prefix(const std::string& path, std::size_t bytes) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text(bytes, '\0');
  const ssize_t got = read(file.get(), text.data(), text.size());
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

ErrorDetails Scanner::current_line() const { return {.file = std::string(file_), .line = line_}; }

void Scanner::advance_to(std::size_t offset) {
  const char* const target = begin_ + offset;
  line_ += static_cast<std::size_t>(std::count(cursor_, target, '\n'));
  cursor_ = target;
}

void Scanner::fail(std::string_view problem) const {
  throw Error(ErrorCode::invalid_input, current_line(), problem);
}

void Scanner::fail(const Field& field, std::string_view problem) const {
  ErrorDetails details = current_line();
  details.key = field.description();
  throw Error(ErrorCode::invalid_input, details, problem);
}

void Scanner::fail(const Field& field, std::string_view value, std::string_view problem) const {
  ErrorDetails details = current_line();
  const std::less_equal<> ordered;
  if (ordered(begin_, value.data()) && ordered(value.data() + value.size(), end_)) {
    const std::string_view before(begin_, static_cast<std::size_t>(value.data() - begin_));
    details.column = before.size() - (before.find_last_of("\r\n") + 1) + 1;
  }
  details.key = field.description();
  details.value = printable(value);
  throw Error(ErrorCode::invalid_input, details, problem);
}

void Scanner::fail_to_parse(const Field& field, std::errc error, std::string_view kind) const {
  const std::string_view value = word();
  const auto has_any = [&](std::string_view characters) {
    return value.find_first_of(characters) != std::string_view::npos;
  };
  if (value.empty()) fail(field, "missing");
  if (error == std::errc::result_out_of_range) fail(field, value, "out of range");
  if (has_any(";")) fail(field, value, "must be a number; fields are not separated by ';' here");
  if (has_any(","))
    fail(field, value, "must be a number; write decimal points (1.5), and blanks between numbers");
  if (has_any("dD") && value.find_first_not_of("0123456789.+-dD") == std::string_view::npos)
    fail(field, value, "must be a number; write the exponent with e, as in 1.5e3");
  fail(field, value, message("must be ", kind));
}

std::string Scanner::printable(std::string_view value) {
  constexpr std::size_t max_characters = 40;
  constexpr std::string_view hex = "0123456789abcdef";
  std::string text;
  for (const char c : value.substr(0, max_characters)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f)
      text += c;
    else
      text += {'\\', 'x', hex[byte / 16], hex[byte % 16]};
  }
  return text + (value.size() > max_characters ? "…" : "");
}

namespace {

// Without surrounding quotes and blanks, in lower case.
std::string normalized_title(std::string_view title) {
  constexpr std::string_view trimmed = " \t\"";
  title.remove_prefix(std::min(title.find_first_not_of(trimmed), title.size()));
  title.remove_suffix(title.size() - 1 - title.find_last_not_of(trimmed));
  std::string name(title);
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

}  // namespace

bool looks_like_csv(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  text = text.substr(0, text.find_first_of("\r\n"));
  return text.find(',') != std::string_view::npos &&
         (text.front() == '"' || std::isalpha(static_cast<unsigned char>(text.front())) != 0);
}

std::vector<std::string> read_csv_header(Scanner& scan) {
  std::vector<std::string> titles;
  do {
    const std::string_view title = scan.field();
    if (title.find(';') != std::string_view::npos)
      scan.fail("columns must be separated by commas, not ';'; write numbers as 1.5");
    titles.push_back(normalized_title(title));
  } while (scan.skip(','));
  return titles;
}

std::vector<std::string> csv_titles(std::string_view text) {
  if (!looks_like_csv(text)) return {};
  text.remove_prefix(text.find_first_not_of(" \t\r\n"));
  text = text.substr(0, text.find_first_of("\r\n"));
  if (text.find(';') != std::string_view::npos) return {};
  Scanner scan("", text, ',');
  return read_csv_header(scan);
}

std::vector<std::size_t> match_csv_columns(const Scanner& scan,
                                           const std::vector<std::string>& titles,
                                           std::span<const std::string_view> names,
                                           std::string_view hint) {
  for (const std::string_view name : names) {
    const auto occurrences = std::ranges::count(titles, name);
    if (occurrences == 0) scan.fail({name}, message("missing column; ", hint));
    if (occurrences > 1) scan.fail({name}, "duplicate column");
  }
  std::vector<std::size_t> columns(titles.size());
  std::ranges::transform(titles, columns.begin(), [&](const std::string& title) {
    return static_cast<std::size_t>(std::ranges::find(names, title) - names.begin());
  });
  return columns;
}

}  // namespace abut
