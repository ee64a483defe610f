#include "io/gzip.hpp"

#include <zlib.h>

#include <abut/error.hpp>
#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/message.hpp"

namespace abut {
namespace {

class Inflater {
 public:
  Inflater(const InputFile& file, const ReadLimit& limit)
      : file_(file),
        max_bytes_(limit.bytes > 0 ? limit.bytes : ReadLimit::default_bytes()),
        explanation_(limit.bytes > 0 ? limit.explanation : ReadLimit::default_explanation),
        remaining_(file.bytes()),
        input_(block_size) {
    constexpr int gzip_only = 16;  // added to the number of window bits
    if (inflateInit2(&stream_, MAX_WBITS + gzip_only) != Z_OK)
      throw Error("zlib cannot be initialized", ErrorCode::memory_limit);
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  ByteBuffer read() {
    int status = Z_OK;
    while (status == Z_OK) {
      provide_input();
      const std::span<char> free = output_.free_bytes(block_size, max_bytes_ + 1);
      const std::size_t size = std::min(free.size(), max_uint);
      stream_.next_out = static_cast<Bytef*>(static_cast<void*>(free.data()));
      stream_.avail_out = static_cast<uInt>(size);
      status = inflate(&stream_, Z_NO_FLUSH);
      output_.append(size - stream_.avail_out);
      check_file_size(file_.name(), output_.size(), max_bytes_, explanation_);
      if (status == Z_STREAM_END && !at_end()) status = inflateReset(&stream_);
    }
    if (status == Z_BUF_ERROR) fail("incomplete");
    if (status != Z_STREAM_END) fail("damaged");
    return std::move(output_);
  }

 private:
  static constexpr std::size_t block_size = std::size_t{1} << 16;
  static constexpr std::size_t max_uint = std::numeric_limits<uInt>::max();

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

  const InputFile& file_;
  std::size_t max_bytes_;
  std::string_view explanation_;
  std::string_view remaining_;
  std::vector<Bytef> input_;
  ByteBuffer output_;
  z_stream stream_{};
};

}  // namespace

ByteBuffer decompressed(const InputFile& file, const ReadLimit& limit) {
  return Inflater(file, limit).read();
}

}  // namespace abut
