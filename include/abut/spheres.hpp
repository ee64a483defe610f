#pragma once

#include <abut/error.hpp>
#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace abut {

namespace detail {

// clang-format off
template <class Range>
concept DoubleRange = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                      std::is_same_v<std::ranges::range_value_t<Range>, double>;
// clang-format on

/// A range that owns its memory and is destroyed at the end of the statement.
template <class Range>
concept TemporaryDoubleRange =
    DoubleRange<Range> && !std::is_lvalue_reference_v<Range> && !std::ranges::borrowed_range<Range>;

}  // namespace detail

/// n numbers in the caller's memory, `stride` doubles apart: a view, never a copy. The memory must
/// outlive every use of the view. Converts from any contiguous range of doubles (vector, array,
/// span), but not from a temporary that owns its memory.
class StridedArray {
 public:
  constexpr StridedArray() = default;

  /// The numbers data[0], data[stride] … data[(size − 1)·stride]. The stride may be negative or 0.
  constexpr StridedArray(const double* data, std::size_t size, std::ptrdiff_t stride = 1)
      : data_(data), size_(size), stride_(stride) {}

  // The concepts exclude StridedArray, so copies and moves are not affected.
  // NOLINTBEGIN(bugprone-forwarding-reference-overload)
  template <detail::DoubleRange Range>
  constexpr StridedArray(Range&& values)
      : data_(std::ranges::data(values)), size_(std::ranges::size(values)) {}
  template <detail::TemporaryDoubleRange Range>
  StridedArray(Range&& values) = delete;
  // NOLINTEND(bugprone-forwarding-reference-overload)

  [[nodiscard]] constexpr const double* data() const { return data_; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr std::ptrdiff_t stride() const { return stride_; }

 private:
  const double* data_ = nullptr;
  std::size_t size_ = 0;
  std::ptrdiff_t stride_ = 1;
};

/// A view of the caller's particles; creating it copies nothing. One array of center coordinates
/// for each axis and one of radii, in any one unit of length. The arrays must outlive every use of
/// the view; the values may change between two uses.
///
///     abut::Spheres3(x, y, z, radii)                                       four arrays
///     abut::Spheres3({xyz, n, 3}, {xyz + 1, n, 3}, {xyz + 2, n, 3}, radii)  an (n, 3) array
///
/// With strides of 1 the arrays are read in place. Otherwise `Detector` and `Walls` copy the values
/// into contiguous memory of their own, one pass over the particles per call.
template <std::size_t D>
class Spheres {
  static_assert(D == 2 || D == 3, "the dimension must be 2 or 3");

 public:
  using Array = std::span<const double>;

  Spheres() = default;

  /// Throws `Error` if the arrays differ in length.
  Spheres(StridedArray x, StridedArray y, StridedArray radii) requires(D == 2)
      : Spheres(std::array<StridedArray, D>{x, y}, radii) {}
  Spheres(StridedArray x, StridedArray y, StridedArray z, StridedArray radii) requires(D == 3)
      : Spheres(std::array<StridedArray, D>{x, y, z}, radii) {}
  Spheres(const std::array<StridedArray, D>& coordinates, StridedArray radii)
      : radii_(radii.data()), size_(radii.size()), radius_stride_(radii.stride()) {
    for (std::size_t k = 0; k < D; ++k) {
      if (coordinates[k].size() != size_)
        throw Error("the arrays of coordinates and radii differ in length");
      coordinates_[k] = coordinates[k].data();
      strides_[k] = coordinates[k].stride();
    }
  }
  Spheres(const std::same_as<std::array<Array, D>> auto& coordinates, StridedArray radii)
      : Spheres(strided(coordinates), radii) {}

  [[nodiscard]] std::size_t size() const { return size_; }

  /// Whether every array has stride 1, as `coordinates` and `radii` require.
  [[nodiscard]] bool is_contiguous() const {
    bool contiguous = radius_stride_ == 1;
    for (const std::ptrdiff_t stride : strides_) contiguous = contiguous && stride == 1;
    return contiguous || size_ < 2;
  }

  /// All coordinates along axis k < D. Requires `is_contiguous()`.
  [[nodiscard]] Array coordinates(std::size_t k) const {
    assert(k < D && (strides_[k] == 1 || size_ < 2));
    return {coordinates_[k], size_};
  }

  /// All radii. Requires `is_contiguous()`.
  [[nodiscard]] Array radii() const {
    assert(radius_stride_ == 1 || size_ < 2);
    return {radii_, size_};
  }

  /// The coordinate along axis k and the radius of particle i, for any strides. Throws `Error`
  /// if there is no such axis or particle.
  [[nodiscard]] double coordinate(std::size_t k, std::size_t i) const {
    if (k >= D) throw Error("an axis is 0, 1 or, in 3D, 2");
    check_index(i);
    return coordinates_[k][static_cast<std::ptrdiff_t>(i) * strides_[k]];
  }
  [[nodiscard]] double radius(std::size_t i) const {
    check_index(i);
    return radii_[static_cast<std::ptrdiff_t>(i) * radius_stride_];
  }

 private:
  void check_index(std::size_t i) const {
    if (i >= size_)
      throw Error("particle " + std::to_string(i) + ": there are only " + std::to_string(size_));
  }

  static std::array<StridedArray, D> strided(const std::array<Array, D>& contiguous) {
    std::array<StridedArray, D> all;
    for (std::size_t k = 0; k < D; ++k) all[k] = contiguous[k];
    return all;
  }

  std::array<const double*, D> coordinates_{};
  const double* radii_ = nullptr;
  std::size_t size_ = 0;
  std::array<std::ptrdiff_t, D> strides_ = [] {
    std::array<std::ptrdiff_t, D> ones;
    ones.fill(1);
    return ones;
  }();
  std::ptrdiff_t radius_stride_ = 1;
};

using Spheres2 = Spheres<2>;
using Spheres3 = Spheres<3>;

/// Owns the centers and radii of particles, in any one unit of length. All arrays have the same
/// length unless the caller changes one alone.
template <std::size_t D>
struct SphereArrays {
  std::array<std::vector<double>, D> coordinates{};  ///< of the centers, by axis
  std::vector<double> radii{};

  [[nodiscard]] std::size_t size() const { return radii.size(); }

  /// Valid until an array is changed or destroyed. Throws `Error` if the arrays differ in length.
  [[nodiscard]] Spheres<D> view() const {
    std::array<StridedArray, D> arrays;
    for (std::size_t k = 0; k < D; ++k) arrays[k] = coordinates[k];
    return {arrays, radii};
  }

  /// The center of particle i < size().
  [[nodiscard]] std::array<double, D> center(std::size_t i) const {
    std::array<double, D> point;
    for (std::size_t k = 0; k < D; ++k) point[k] = coordinates[k][i];
    return point;
  }

  void reserve(std::size_t count) {
    for (auto& axis : coordinates) axis.reserve(count);
    radii.reserve(count);
  }

  /// New entries are 0.
  void resize(std::size_t count) {
    for (auto& axis : coordinates) axis.resize(count);
    radii.resize(count);
  }

  /// Keeps the memory.
  void clear() {
    for (auto& axis : coordinates) axis.clear();
    radii.clear();
  }

  void push_back(const std::array<double, D>& center, double radius) {
    for (std::size_t k = 0; k < D; ++k) coordinates[k].push_back(center[k]);
    radii.push_back(radius);
  }

  /// Copies particles to the end; they must not be a view of this object.
  void append(const Spheres<D>& added) {
    for (std::size_t k = 0; k <= D; ++k) {
      std::vector<double>& array = k < D ? coordinates[k] : radii;
      if (added.is_contiguous()) {
        const std::span<const double> values = k < D ? added.coordinates(k) : added.radii();
        array.insert(array.end(), values.begin(), values.end());
      } else {
        for (std::size_t i = 0; i < added.size(); ++i)
          array.push_back(k < D ? added.coordinate(k, i) : added.radius(i));
      }
    }
  }
};

}  // namespace abut
