#pragma once

#include <abut/error.hpp>
#include <abut/pair.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/message.hpp"
#include "io/binary_values.hpp"

namespace abut {

/// A view of scalars or of vectors of three: each component a column with a step from one row to
/// the next, so that separate arrays and arrays of tuples are one thing. A missing column is 0.
class VtkValues {
 public:
  VtkValues() = default;

  /// Scalars, or vectors that are `std::array`s of two or three.
  template <BorrowedArray R>
  VtkValues(R&& values)  // NOLINT(*-explicit-*, *-forwarding-reference-overload)
      : count_(std::ranges::size(values)) {
    set_columns(std::ranges::data(values));
  }

  /// Vectors of three arrays; z may be empty, as it is in 2D.
  template <BorrowedArray X, BorrowedArray Y, BorrowedArray Z>
  VtkValues(X&& x, Y&& y, Z&& z)
      : type_(element_type<std::ranges::range_value_t<X>>()),
        components_(3),
        count_(std::ranges::size(x)),
        columns_{std::ranges::data(x), std::ranges::data(y), nullptr} {
    static_assert(std::is_same_v<std::ranges::range_value_t<X>, std::ranges::range_value_t<Y>> &&
                  std::is_same_v<std::ranges::range_value_t<X>, std::ranges::range_value_t<Z>>);
    if (!std::ranges::empty(z)) columns_[2] = std::ranges::data(z);
    if (std::ranges::size(y) != count_ || (columns_[2] && std::ranges::size(z) != count_))
      throw Error(message("x, y and z of a vector have ", count_, ", ", std::ranges::size(y),
                          " and ", std::ranges::size(z), " values; they must be as many"));
  }

  [[nodiscard]] ElementType type() const { return type_; }
  [[nodiscard]] std::size_t components() const { return components_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t bytes() const { return count_ * components_ * traits_of(type_).size; }
  /// From one row to the next, in elements.
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] const void* column(std::size_t component) const { return columns_[component]; }

  /// Whether the rows lie in memory as they do in the file.
  [[nodiscard]] bool is_contiguous() const { return stride_ == components_; }

 private:
  template <Element T>
  void set_columns(const T* values) {
    type_ = element_type<T>();
    columns_ = {values};
  }

  template <Element T, std::size_t N>
  void set_columns(const std::array<T, N>* rows) {
    static_assert(N == 2 || N == 3, "a vector has two or three components");
    static_assert(sizeof(*rows) == N * sizeof(T));
    type_ = element_type<T>();
    components_ = 3;
    stride_ = N;
    if (count_ == 0) return;
    const T* const first = rows->data();
    columns_ = {first, first + 1, N == 3 ? first + 2 : nullptr};
  }

  ElementType type_ = ElementType::float64;
  std::size_t components_ = 1;
  std::size_t stride_ = 1;
  std::size_t count_ = 0;
  std::array<const void*, 3> columns_{};
};

/// What each point or each cell has, by name.
struct VtkField {
  std::string name;
  VtkValues values;
};

/// What ParaView shows at one time. All of it is views: nothing is copied.
struct VtkFrame {
  double time = 0;
  std::int64_t step = 0;
  VtkValues points{};         ///< vectors
  bool has_vertices = false;  ///< each point is a cell too, so that points alone can be seen
  std::span<const std::array<Index, 2>> lines{};
  std::span<const std::array<Index, 3>> triangles{};
  std::vector<VtkField> point_fields{};
  std::vector<VtkField> cell_fields{};  ///< of vertices, lines, triangles, in this order
};

/// Writes VTK XML PolyData (.vtp), the numbers raw and appended. Throws `Error` if a field is not
/// as long as what it belongs to, a cell names a point that is not there, or a name cannot be
/// written.
void write_vtk(const std::string& path, const VtkFrame& frame);

/// A ParaView collection (.pvd): which file shows which part at which time.
class VtkSeries {
 public:
  struct Entry {
    double time = 0;
    std::string part;  ///< particles, walls, …
    std::string file;  ///< as seen from the folder of the collection
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  /// A new collection; nothing is written before `write`.
  explicit VtkSeries(std::string path) : path_(std::move(path)) {}

  /// Goes on with the collection that is there, without what is later than this time; with none if
  /// there is none. Throws `Error` with file and line for what `write` cannot have written.
  [[nodiscard]] static VtkSeries resume(const std::string& path, double time);

  /// Takes the place of an entry of the same part and time. Times do not go back.
  void add(Entry entry);

  /// Writes all of it anew; whoever reads meanwhile sees the one before, whole.
  void write() const;

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  [[nodiscard]] std::string xml_line(const Entry& entry) const;
  void read(double last);

  std::string path_;
  std::vector<Entry> entries_;           // by time
  std::vector<std::string> part_names_;  // in the order in which they came: ParaView counts them
};

}  // namespace abut
