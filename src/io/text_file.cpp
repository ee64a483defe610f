#include "io/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <abut/error.hpp>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/message.hpp"

namespace abut {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ > STDIN_FILENO) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void cannot_read(const std::string& name, int error) {
  throw Error(message("cannot read ", name, ": ", std::generic_category().message(error)));
}

// Reads to the end, whatever the size said: pipes have none, and files may grow.
std::pair<std::unique_ptr<char[]>, std::size_t> read_all(const Descriptor& file, std::size_t guess,
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
    const ssize_t got = read(file.number(), bytes.get() + size, room - size);
    if (got == 0) return {std::move(bytes), size};
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(name, errno);
    size += static_cast<std::size_t>(got);
  }
}

}  // namespace

TextFile::TextFile(const std::string& path) : name_(path == "-" ? "standard input" : path) {
  const Descriptor file(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) cannot_read(name_, errno);
  struct stat status {};
  if (fstat(file.number(), &status) != 0) cannot_read(name_, errno);
  if (S_ISDIR(status.st_mode)) cannot_read(name_, EISDIR);
  const std::size_t guess = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;
  auto [bytes, size] = read_all(file, guess + 65535, name_);
  bytes_ = std::move(bytes);
  size_ = size;
  text_ = {bytes_.get(), size_};
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
}

std::string beginning_of(const std::string& path, std::size_t bytes) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text(bytes, '\0');
  const ssize_t got = read(file.number(), text.data(), text.size());
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  constexpr std::string_view mark = "\xEF\xBB\xBF";  // of byte order
  if (text.starts_with(mark)) text.erase(0, mark.size());
  return text;
}

}  // namespace abut
