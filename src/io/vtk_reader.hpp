#pragma once

#include <abut/pair.hpp>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/binary_values.hpp"
#include "io/text_input.hpp"

namespace abut {

/// Numbers of a .vtp file where they lie in it.
struct VtkArray {
  std::string name;
  ElementType type = ElementType::float64;
  std::size_t components = 1;
  std::string_view bytes;

  [[nodiscard]] std::size_t count() const {
    return bytes.size() / (components * traits_of(type).size);
  }

  /// All of them, row by row, as another type of number.
  template <class T>
  [[nodiscard]] std::vector<T> as() const;
};

/// What `write_vtk` has written, read back. Views into the file, which lives as long as this.
class VtkContent {
 public:
  /// Throws `Error` with file and line for a text that `write_vtk` cannot have written, and for
  /// numbers that are cut off, of a wrong length, or name points that are not there.
  explicit VtkContent(const std::string& path);

  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] std::int64_t step() const { return step_; }
  [[nodiscard]] const VtkArray& points() const { return points_; }
  [[nodiscard]] bool has_vertices() const { return vertex_count_ > 0; }
  [[nodiscard]] const std::vector<std::array<Index, 2>>& lines() const { return lines_; }
  [[nodiscard]] const std::vector<std::array<Index, 3>>& triangles() const { return triangles_; }
  [[nodiscard]] const std::vector<VtkArray>& point_fields() const { return point_fields_; }
  [[nodiscard]] const std::vector<VtkArray>& cell_fields() const { return cell_fields_; }

  /// The field of this name, if there is one.
  [[nodiscard]] const VtkArray* point_field(std::string_view name) const;
  [[nodiscard]] const VtkArray* cell_field(std::string_view name) const;

 private:
  class Parser;

  InputFile file_;
  double time_ = 0;
  std::int64_t step_ = 0;
  std::size_t vertex_count_ = 0;
  VtkArray points_;
  std::vector<std::array<Index, 2>> lines_;
  std::vector<std::array<Index, 3>> triangles_;
  std::vector<VtkArray> point_fields_;
  std::vector<VtkArray> cell_fields_;
};

extern template std::vector<float> VtkArray::as() const;
extern template std::vector<double> VtkArray::as() const;
extern template std::vector<std::int32_t> VtkArray::as() const;
extern template std::vector<std::int64_t> VtkArray::as() const;

}  // namespace abut
