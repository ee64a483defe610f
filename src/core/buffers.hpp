#pragma once

#include <sys/mman.h>

#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

// Arrays for large data, and buffers that collect and sort the pairs of a search.

namespace abut {

// ---- large arrays

/// Allocates zeroed memory. The operating system provides zeroed pages on first access, so the
/// unused part of a huge array costs nothing.
struct ZeroedMemory {
  static void* allocate(std::size_t bytes) { return std::calloc(bytes, 1); }
};

/// Allocates uninitialized memory, aligned to 64 bytes, on huge pages (2 MiB) where the operating
/// system provides them. Intended for arrays accessed in random order, where small pages would
/// cause TLB misses.
struct HugePages {
  static void* allocate(std::size_t bytes) {
    constexpr std::size_t page = 1UL << 21U;
    const std::size_t alignment = bytes < page ? 64 : page;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, rounded);
    if (memory != nullptr && alignment == page) madvise(memory, rounded, MADV_HUGEPAGE);  // a hint
    return memory;
  }
};

/// Owning array of trivially copyable values that grows on request and never shrinks. `Memory` is
/// `ZeroedMemory` or `HugePages`.
template <class T, class Memory>
class GrowOnlyArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Makes the array at least `size` elements long. Growing discards the old contents and is
  /// O(size) at most. Throws `std::bad_alloc`.
  void ensure_size(std::size_t size) {
    if (size <= size_) return;
    data_.reset();  // before the allocation, so that old and new array never coexist
    size_ = 0;
    data_ = {static_cast<T*>(Memory::allocate(size * sizeof(T))), Free{}};
    if (!data_) throw std::bad_alloc();
    size_ = size;
  }

  /// Uses memory of the caller instead, until `return_borrowed` or until it has to grow.
  void borrow(std::span<T> memory) {
    data_ = {memory.data(), Free{.is_borrowed = true}};
    size_ = memory.size();
  }
  void return_borrowed() {
    if (!data_.get_deleter().is_borrowed) return;
    data_ = {nullptr, Free{}};
    size_ = 0;
  }

  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] const T* data() const { return data_.get(); }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  struct Free {
    bool is_borrowed = false;
    void operator()(T* data) const {
      if (!is_borrowed) std::free(data);
    }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

template <class T>
using ZeroedArray = GrowOnlyArray<T, ZeroedMemory>;
template <class T>
using HugePageArray = GrowOnlyArray<T, HugePages>;

/// Standard allocator on huge pages, for vectors that are read in random order.
template <class T>
struct HugePageAllocator {
  using value_type = T;  // NOLINT(readability-identifier-naming): required by the standard

  HugePageAllocator() = default;
  template <class Other>
  HugePageAllocator(  // NOLINT(*-explicit-*): allocators convert implicitly
      const HugePageAllocator<Other>& /*other*/) {}

  [[nodiscard]] T* allocate(std::size_t count) {
    static_assert(alignof(T) <= 64);
    if (count > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T)) throw std::bad_alloc();
    void* const memory = HugePages::allocate(count * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t /*count*/) { std::free(memory); }  // NOLINT(*-no-malloc)

  template <class Other>
  bool operator==(const HugePageAllocator<Other>& /*other*/) const {
    return true;
  }
};

template <class T>
using HugePageVector = std::vector<T, HugePageAllocator<T>>;

/// Reserves capacity for `size` values with 3 % to spare, so that slow growth does not reallocate
/// every time; the doubling of std::vector would waste memory.
template <class T>
void reserve_with_slack(std::vector<T>& values, std::size_t size) {
  if (values.capacity() < size) values.reserve(size + size / 32);
}

// ---- pairs of a search

/// Pair callback that appends to `vector`, a std::vector<Pair>.
inline void append_to_vector(void* vector, std::span<const Pair> pairs) {
  auto& list = *static_cast<std::vector<Pair>*>(vector);
  list.insert(list.end(), pairs.begin(), pairs.end());
}

/// Destination of the pairs of a search. Pairs collect in a small buffer, which is passed to the
/// callback when full, so that there is no indirect call per pair.
class PairSink {
 public:
  PairSink(PairCallback callback, void* context) : callback_(callback), context_(context) {}
  explicit PairSink(std::vector<Pair>& list) : PairSink(append_to_vector, &list) {}

  /// Adds the pair if `keep` is true; without a branch, which would be unpredictable.
  [[gnu::always_inline]] void add_if(Pair pair, bool keep) {
    buffer_[count_] = pair;
    count_ += static_cast<std::size_t>(keep);
    if (count_ == buffer_.size()) flush();
  }

  /// Passes the buffered pairs to the callback; to be called after the last pair.
  void flush() {
    const std::size_t count = count_;
    count_ = 0;
    if (count > 0) callback_(context_, {buffer_.data(), count});
  }

  /// Passes a batch to the callback, after the buffered pairs.
  void append(std::span<const Pair> pairs) {
    flush();
    if (!pairs.empty()) callback_(context_, pairs);
  }

 private:
  PairCallback callback_;
  void* context_;
  std::size_t count_ = 0;
  std::array<Pair, 1024> buffer_;
};

/// Unsorted pairs in blocks of fixed size. Growing never copies pairs; clearing keeps the memory.
class PairBuffer {
 public:
  void append(std::span<const Pair> pairs) {
    while (!pairs.empty()) {
      if (size_ == blocks_.size() * block_size)
        blocks_.push_back(std::make_unique_for_overwrite<Block>());
      const std::size_t at = size_ % block_size;
      const std::size_t count = std::min(pairs.size(), block_size - at);
      std::copy_n(pairs.begin(), count, blocks_[size_ / block_size]->begin() + at);
      size_ += count;
      pairs = pairs.subspan(count);
    }
  }

  void clear() { size_ = 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  template <class Use>
  void for_each(const Use& use) const {
    for (std::size_t first = 0; first < size_; first += block_size) {
      const Block& block = *blocks_[first / block_size];
      std::for_each_n(block.begin(), std::min(block_size, size_ - first), use);
    }
  }

  /// Pair callback that appends to `buffer`, a PairBuffer.
  static void append_to(void* buffer, std::span<const Pair> pairs) {
    static_cast<PairBuffer*>(buffer)->append(pairs);
  }

 private:
  static constexpr std::size_t block_size = 1U << 16U;
  using Block = std::array<Pair, block_size>;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::size_t size_ = 0;
};

/// Sorts the neighbors of one particle, ascending. They are few, so insertion sort is fastest.
template <class T>
void sort_neighbors(std::span<T> neighbors) {
  constexpr std::size_t insertion_sort_limit = 32;
  if (neighbors.size() > insertion_sort_limit) {
    std::ranges::sort(neighbors);
    return;
  }
  for (std::size_t i = 1; i < neighbors.size(); ++i) {
    const T value = neighbors[i];
    std::size_t hole = i;
    for (; hole > 0 && neighbors[hole - 1] > value; --hole) neighbors[hole] = neighbors[hole - 1];
    neighbors[hole] = value;
  }
}

/// Sorts pairs by counting sort, in time linear in the number of pairs and particles. Keeps its
/// memory between calls.
class PairSorter {
 public:
  /// Writes the pairs, ordered by a, then by b, to `sorted`.
  void sort(const PairBuffer& pairs, std::size_t particles, std::vector<Pair>& sorted);

  /// Writes the pairs as compressed sparse rows: the neighbors b > a of particle a are
  /// neighbors[offsets[a]] … neighbors[offsets[a + 1] − 1], ascending.
  static void sort(const PairBuffer& pairs, std::size_t particles,
                   std::vector<std::uint64_t>& offsets, std::vector<Index>& neighbors);

 private:
  std::vector<std::uint64_t> offsets_;
};

/// Reverse neighbor list of sorted pairs (a, b): for each particle b, its neighbors a < b.
class ReverseNeighbors {
 public:
  ReverseNeighbors(std::span<const Pair> sorted, std::size_t particles);

  /// The neighbors a < b, in ascending order.
  [[nodiscard]] std::span<const Index> neighbors_of(std::size_t b) const {
    return std::span(neighbors_).subspan(offsets_[b], offsets_[b + 1] - offsets_[b]);
  }

 private:
  std::vector<std::uint64_t> offsets_;
  std::vector<Index> neighbors_;
};

/// Gathers strided particles into contiguous arrays, which all searches require. Reuses its memory
/// from one call to the next.
template <std::size_t D>
class ContiguousSpheres {
 public:
  /// The particles themselves if they are contiguous, else a copy that is valid until the next
  /// call. Cost: nothing, or one pass over the particles.
  [[nodiscard]] Spheres<D> view(const Spheres<D>& particles) {
    if (particles.is_contiguous()) return particles;
    copy_.clear();
    copy_.append(particles);
    return copy_.view();
  }

 private:
  SphereArrays<D> copy_;
};

// Turns the lengths of rows, with that of row i stored at i + 1, into the offsets of the rows.
inline void prefix_sum(std::vector<std::uint64_t>& counts) {
  for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
}

inline void PairSorter::sort(const PairBuffer& pairs, std::size_t particles,
                             std::vector<Pair>& sorted) {
  sorted.resize(pairs.size());
  if (pairs.size() < particles / 32) {  // cheaper than a pass over all particles
    std::size_t at = 0;
    pairs.for_each([&](Pair pair) { sorted[at++] = pair; });
    std::ranges::sort(sorted);
    return;
  }
  offsets_.assign(particles + 1, 0);
  pairs.for_each([&](Pair pair) { ++offsets_[pair.a + 1]; });
  prefix_sum(offsets_);
  pairs.for_each([&](Pair pair) { sorted[offsets_[pair.a]++] = pair; });
  std::size_t first = 0;
  for (std::size_t a = 0; a < particles; ++a) {  // offsets_[a] is now the end of a's pairs
    sort_neighbors(std::span(sorted).subspan(first, offsets_[a] - first));
    first = offsets_[a];
  }
}

inline void PairSorter::sort(const PairBuffer& pairs, std::size_t particles,
                             std::vector<std::uint64_t>& offsets, std::vector<Index>& neighbors) {
  // Counts are stored at a + 2, so that after filling offsets[a] is the start of row a.
  offsets.assign(particles + 2, 0);
  neighbors.resize(pairs.size());
  pairs.for_each([&](Pair pair) { ++offsets[pair.a + 2]; });
  prefix_sum(offsets);
  pairs.for_each([&](Pair pair) { neighbors[offsets[pair.a + 1]++] = pair.b; });
  offsets.pop_back();
  for (std::size_t a = 0; a < particles; ++a)
    sort_neighbors(std::span(neighbors).subspan(offsets[a], offsets[a + 1] - offsets[a]));
}

inline ReverseNeighbors::ReverseNeighbors(std::span<const Pair> sorted, std::size_t particles)
    : offsets_(particles + 2, 0), neighbors_(sorted.size()) {
  // Counts are stored at b + 2, so that after filling offsets_[b] is the start of row b.
  for (const Pair pair : sorted) ++offsets_[pair.b + 2];
  prefix_sum(offsets_);
  for (const Pair pair : sorted) neighbors_[offsets_[pair.b + 1]++] = pair.a;
}

}  // namespace abut
