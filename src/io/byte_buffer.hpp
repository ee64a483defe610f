#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <string_view>

namespace abut {

/// Bytes that are appended at the end. Grows by realloc, which moves large arrays without a copy,
/// so that no more memory is used than the bytes need.
class ByteBuffer {
 public:
  /// The free bytes at the end, at least one. If there are none, the capacity becomes `expected` if
  /// it is zero, or else twice what it is, but at most `max_capacity`, which must exceed `size()`.
  [[nodiscard]] std::span<char> free_bytes(std::size_t expected, std::size_t max_capacity) {
    if (size_ == capacity_) {
      capacity_ = capacity_ == 0 ? expected : std::min(2 * capacity_, max_capacity);
      char* const larger = static_cast<char*>(std::realloc(bytes_.get(), capacity_));
      if (larger == nullptr) throw std::bad_alloc();
      (void)bytes_.release();  // realloc has freed it
      bytes_.reset(larger);
    }
    return {bytes_.get() + size_, capacity_ - size_};
  }

  /// Call after `count` of the free bytes have been written.
  void append(std::size_t count) { size_ += count; }

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Valid until bytes are appended, or the buffer is moved from.
  [[nodiscard]] std::string_view bytes() const { return {bytes_.get(), size_}; }

 private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<char, Free> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace abut
