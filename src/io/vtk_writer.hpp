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

/// A view of scalars or of vectors of three components. Each component is a column with a stride,
/// so that separate arrays and arrays of tuples are treated alike; a missing column is 0. Does not
/// own the values.
class VtkValues {
 public:
  VtkValues() = default;

  /// Scalars, or vectors given as `std::array` of two or three components.
  template <BorrowedArray R>
  VtkValues(R&& values)  // NOLINT(*-explicit-*, *-forwarding-reference-overload)
      : count_(std::ranges::size(values)) {
    set_columns(std::ranges::data(values));
  }

  /// Vectors from one array per component; z may be empty (2D).
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
      throw Error(message("components x, y and z of a vector field have ", count_, ", ",
                          std::ranges::size(y), " and ", std::ranges::size(z),
                          " values; the numbers must be equal"));
  }

  [[nodiscard]] ElementType type() const { return type_; }
  [[nodiscard]] std::size_t components() const { return components_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t bytes() const { return count_ * components_ * traits_of(type_).size; }
  /// Distance from one row to the next, in elements.
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] const void* column(std::size_t component) const { return columns_[component]; }

  /// Whether the values in memory are in the same order as in the file, without gaps.
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

/// A named value per point or per cell.
struct VtkField {
  std::string name;
  VtkValues values;
};

/// Contents of a .vtp file: the state at one time. Consists of views; nothing is copied.
struct VtkFrame {
  double time = 0;  ///< s
  std::int64_t step = 0;
  VtkValues points{};         ///< positions
  bool has_vertices = false;  ///< each point is also a cell, so that ParaView shows it
  std::span<const std::array<Index, 2>> lines{};
  std::span<const std::array<Index, 3>> triangles{};
  std::vector<VtkField> point_fields{};
  std::vector<VtkField> cell_fields{};  ///< values of vertices, then lines, then triangles
};

/// Writes VTK XML PolyData (.vtp) with raw appended arrays. Throws `Error` if the number of
/// values of a field is not that of the points or cells, a cell refers to a point that does not
/// exist, a name is invalid, or the file cannot be written.
void write_vtk(const std::string& path, const VtkFrame& frame);

/// A ParaView collection (.pvd): the files of a run by part and time.
class VtkSeries {
 public:
  struct Entry {
    double time = 0;
    std::string part;  ///< particles, walls, …
    std::string file;  ///< relative to the folder of the collection
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  /// A new collection. Nothing is written before `write`.
  explicit VtkSeries(std::string path) : path_(std::move(path)) {}

  /// Continues an existing collection without the entries later than `time`; a new one if there is
  /// none. Throws `Error` with file and line if the file was not written by `write`.
  [[nodiscard]] static VtkSeries resume(const std::string& path, double time);

  /// Appends an entry, or replaces that of the same part and time. Throws `Error` if the time is
  /// less than that of the last entry.
  void add(Entry entry);

  /// Replaces the file atomically: a reader sees either the old or the new collection.
  void write() const;

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  [[nodiscard]] std::string xml_line(const Entry& entry) const;
  void read(double last_time);

  std::string path_;
  std::vector<Entry> entries_;           // by time
  std::vector<std::string> part_names_;  // in order of appearance; the index is the part number
};

}  // namespace abut
