#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace abut {

/// A growing array whose elements are zero when it has grown. The system hands out zeroed pages
/// on first touch, so a huge array of which little is used costs little.
template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Makes room for `size` elements. Old contents are not carried over: all are zero after growth.
  void at_least(std::size_t size) {
    if (size <= size_) return;
    data_.reset();  // first, so that the two never stand side by side
    size_ = 0;
    data_.reset(static_cast<T*>(std::calloc(size, sizeof(T))));
    if (!data_) throw std::bad_alloc();
    size_ = size;
  }

  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace abut
