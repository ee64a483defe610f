#include "io/gzip.hpp"

#include <zlib.h>

#include <abut/error.hpp>
#include <algorithm>
#include <vector>

#include "core/machine.hpp"
#include "core/message.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

class Inflater {
 public:
  explicit Inflater(const InputFile& file)
      : file_(file), remaining_(file.bytes()), input_(block_size), output_(block_size) {
    constexpr int gzip_only = 16;  // added to the number of window bits
    if (inflateInit2(&stream_, MAX_WBITS + gzip_only) != Z_OK)
      throw Error("zlib cannot be initialized", ErrorCode::memory_limit);
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::string read() {
    int status = Z_OK;
    while (status == Z_OK) {
      provide_input();
      stream_.next_out = output_.data();
      stream_.avail_out = static_cast<uInt>(output_.size());
      status = inflate(&stream_, Z_NO_FLUSH);
      text_.append(output_.begin(), output_.end() - stream_.avail_out);
      check_size();
      if (status == Z_STREAM_END && !at_end()) status = inflateReset(&stream_);
    }
    if (status == Z_BUF_ERROR) fail("incomplete");
    if (status != Z_STREAM_END) fail("damaged");
    return std::move(text_);
  }

 private:
  static constexpr std::size_t block_size = std::size_t{1} << 16;

  [[noreturn]] void fail(std::string_view reason) const {
    throw Error(ErrorCode::invalid_input, {.file = file_.name()},
                message("the gzip data are ", reason, "; check the file with gzip -t"));
  }

  [[nodiscard]] bool at_end() const { return stream_.avail_in == 0 && remaining_.empty(); }

  void provide_input() {
    if (stream_.avail_in > 0) return;
    const std::size_t size = std::min(remaining_.size(), block_size);
    std::copy_n(remaining_.begin(), size, input_.begin());
    remaining_.remove_prefix(size);
    stream_.next_in = input_.data();
    stream_.avail_in = static_cast<uInt>(size);
  }

  void check_size() const {
    if (text_.size() > physical_memory() / 4 * 3)
      throw Error(message("cannot read ", file_.name(),
                          ": decompressed, it is larger than three quarters of the memory"),
                  ErrorCode::io, {.file = file_.name()});
  }

  const InputFile& file_;
  std::string_view remaining_;
  std::vector<Bytef> input_;
  std::vector<Bytef> output_;
  std::string text_;
  z_stream stream_{};
};

}  // namespace

std::string decompressed(const InputFile& file) { return Inflater(file).read(); }

}  // namespace abut
