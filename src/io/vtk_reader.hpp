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

/// An array of a .vtp file; a view of the bytes of the file.
struct VtkArray {
  std::string name;
  ElementType type = ElementType::float64;
  std::size_t components = 1;
  std::string_view bytes;

  [[nodiscard]] std::size_t count() const {
    return bytes.size() / (components * traits_of(type).size);
  }

  /// All values, row by row, converted to T.
  template <class T>
  [[nodiscard]] std::vector<T> as() const;
};

/// A .vtp file written by `write_vtk`. Its arrays are views of the bytes of the file.
class VtkContent {
 public:
  /// Throws `Error` with file and line if the file was not written by `write_vtk`, and with file
  /// and key for arrays that are truncated, have a wrong length, or refer to points that do not
  /// exist.
  explicit VtkContent(const std::string& path);

  /// The same for bytes that are in memory and outlive this object. `name` is the file in messages.
  VtkContent(const std::string& name, std::string_view bytes);

  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] std::int64_t step() const { return step_; }
  [[nodiscard]] const VtkArray& points() const { return points_; }
  [[nodiscard]] bool has_vertices() const { return vertex_count_ > 0; }
  [[nodiscard]] const std::vector<std::array<Index, 2>>& lines() const { return lines_; }
  [[nodiscard]] const std::vector<std::array<Index, 3>>& triangles() const { return triangles_; }
  [[nodiscard]] const std::vector<VtkArray>& point_fields() const { return point_fields_; }
  [[nodiscard]] const std::vector<VtkArray>& cell_fields() const { return cell_fields_; }

  /// The field of this name, or null.
  [[nodiscard]] const VtkArray* point_field(std::string_view name) const;
  [[nodiscard]] const VtkArray* cell_field(std::string_view name) const;

 private:
  class Parser;

  std::optional<InputFile> file_;
  std::string_view bytes_;
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
