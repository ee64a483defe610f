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
#include <system_error>
#include <utility>

#include "core/message.hpp"

namespace abut {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : descriptor_(number) {}
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
  throw Error(message("cannot read ", name, ": ", std::generic_category().message(error)));
}

// Reads to the end, whatever the size said: pipes have none, and files may grow.
std::pair<std::unique_ptr<char[]>, std::size_t> read_to_end(const Descriptor& file,
                                                            std::size_t guess,
                                                            const std::string& name) {
  std::size_t room = guess + 1;
  auto bytes = std::make_unique_for_overwrite<char[]>(room);
  std::size_t size = 0;
  for (;;) {
    if (size == room) {
      auto larger = std::make_unique_for_overwrite<char[]>(2 * room);
      std::memcpy(larger.get(), bytes.get(), size);
      bytes = std::move(larger);
      room *= 2;
    }
    const ssize_t got = read(file.get(), bytes.get() + size, room - size);
    if (got == 0) return {std::move(bytes), size};
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_reading(name, errno);
    size += static_cast<std::size_t>(got);
  }
}

}  // namespace

InputFile::InputFile(const std::string& path) : name_(path == "-" ? "standard input" : path) {
  const Descriptor file(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail_reading(name_, errno);
  struct stat status {};
  if (fstat(file.get(), &status) != 0) fail_reading(name_, errno);
  if (S_ISDIR(status.st_mode)) fail_reading(name_, EISDIR);
  const std::size_t guess = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;
  auto [bytes, size] = read_to_end(file, guess + 65535, name_);
  bytes_ = std::move(bytes);
  size_ = size;
  text_ = {bytes_.get(), size_};
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
}

std::string read_file_prefix(const std::string& path, std::size_t bytes) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text(bytes, '\0');
  const ssize_t got = read(file.get(), text.data(), text.size());
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  constexpr std::string_view mark = "\xEF\xBB\xBF";  // of byte order
  if (text.starts_with(mark)) text.erase(0, mark.size());
  return text;
}

void Scanner::fail_to_parse(const Field& field, std::errc error, std::string_view kind) const {
  const std::string_view value = word();
  if (value.empty()) fail(message(field.description(), " is missing"));
  if (error == std::errc::result_out_of_range) fail(field, value, "out of range");
  if (value.find(';') != std::string_view::npos)
    fail(field, value, "not a number; fields are not separated by ';' here");
  if (value.find(',') != std::string_view::npos)
    fail(field, value, "not a number; write 1.5 with a point, and blanks between numbers");
  if (value.find_first_of("dD") != std::string_view::npos &&
      value.find_first_not_of("0123456789.+-dD") == std::string_view::npos)
    fail(field, value, "not a number; write the exponent with e, as in 1.5e3");
  fail(field, value, message("not ", kind));
}

std::string Scanner::printable(std::string_view value) {
  constexpr std::size_t longest = 40;
  constexpr std::string_view hex = "0123456789abcdef";
  std::string text = "'";
  for (const char c : value.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f)
      text += c;
    else
      text += {'\\', 'x', hex[byte / 16], hex[byte % 16]};
  }
  return text + (value.size() > longest ? "…'" : "'");
}

namespace {

std::string normalized_title(std::string_view title) {
  constexpr std::string_view around = " \t\"";
  title.remove_prefix(std::min(title.find_first_not_of(around), title.size()));
  title.remove_suffix(title.size() - 1 - title.find_last_not_of(around));
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
      scan.fail("columns are separated by ';' here; write commas, and numbers as 1.5");
    titles.push_back(normalized_title(title));
  } while (scan.skip(','));
  return titles;
}

}  // namespace abut
