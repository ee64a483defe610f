// Inverse of vtk_writer.cpp: expects literally the text that `write_vtk` writes.
#include "io/vtk_reader.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/message.hpp"
#include "io/text_format.hpp"

namespace abut {
namespace {

// Calls `use` with a zero of the C++ type of an element type.
template <class Use>
void with_element(ElementType type, const Use& use) {
  switch (type) {
    case ElementType::float64:
      return use(double{});
    case ElementType::float32:
      return use(float{});
    case ElementType::int8:
      return use(std::int8_t{});
    case ElementType::int16:
      return use(std::int16_t{});
    case ElementType::int32:
      return use(std::int32_t{});
    case ElementType::int64:
      return use(std::int64_t{});
    case ElementType::uint8:
      return use(std::uint8_t{});
    case ElementType::uint16:
      return use(std::uint16_t{});
    case ElementType::uint32:
      return use(std::uint32_t{});
    case ElementType::uint64:
      return use(std::uint64_t{});
  }
}

std::optional<ElementType> parse_element_type(std::string_view name) {
  const auto* const found = std::ranges::find(element_types, name, &ElementTraits::name);
  return found == element_types.end() ? std::nullopt : std::optional(found->type);
}

const VtkArray* find_field(const std::vector<VtkArray>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &VtkArray::name);
  return found == fields.end() ? nullptr : &*found;
}

// Converts a number; floating-point numbers beyond the range of integers, whose conversion would be
// undefined, come from damaged files and become 0.
template <class T, class From>
T convert_or_zero(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<T>) {
    constexpr double limit = 4611686018427387904.0;  // 2⁶², far beyond any id
    if (!(std::abs(static_cast<double>(value)) < limit)) return 0;
    return static_cast<T>(static_cast<std::int64_t>(value));
  } else {
    return static_cast<T>(value);
  }
}

}  // namespace

template <class T>
std::vector<T> VtkArray::as() const {
  std::vector<T> values(count() * components);
  with_element(type, [&]<class From>(From one) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::memcpy(&one, bytes.data() + i * sizeof one, sizeof one);
      values[i] = convert_or_zero<T>(one);
    }
  });
  return values;
}

template std::vector<float> VtkArray::as() const;
template std::vector<double> VtkArray::as() const;
template std::vector<std::int32_t> VtkArray::as() const;
template std::vector<std::int64_t> VtkArray::as() const;

class VtkContent::Parser {
 public:
  Parser(VtkContent& content, const std::string& path)
      : content_(content), path_(path), remaining_(content.bytes_) {}

  void read() {
    read_time();
    read_counts();
    read_fields("PointData", content_.point_fields_, points_);
    read_fields("CellData", content_.cell_fields_, content_.vertex_count_ + lines_ + triangles_);
    expect("      <Points>\n");
    content_.points_ = read_declaration("Points", points_);
    if (content_.points_.components != 3) fail_unreadable();
    expect("      </Points>\n");
    const Cells vertices = read_cells("Verts", content_.vertex_count_, 1);
    const Cells lines = read_cells("Lines", lines_, 2);
    const Cells triangles = read_cells("Polys", triangles_, 3);
    expect("    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_");
    take_arrays();
    expect("\n  </AppendedData>\n</VTKFile>\n");
    if (!remaining_.empty()) fail_unreadable();
    check_cells<1>("vertex", vertices);
    content_.lines_ = check_cells<2>("line", lines);
    content_.triangles_ = check_cells<3>("triangle", triangles);
  }

 private:
  // Indices of the arrays with the points of cells and with the end of each cell in them.
  struct Cells {
    std::size_t connectivity;
    std::size_t offsets;
  };
  // An array that the XML part declares; its bytes follow later.
  struct DeclaredArray {
    VtkArray array;
    std::uint64_t bytes;
  };

  [[noreturn]] void fail_unreadable() const {
    const std::string_view all = content_.bytes_;
    const std::string_view before = all.substr(0, all.size() - remaining_.size());
    const auto line = static_cast<std::size_t>(1 + std::ranges::count(before, '\n'));
    throw Error(ErrorCode::invalid_input, {.file = path_, .line = line},
                "not a frame written by abut run; it is damaged or from another program");
  }

  [[noreturn]] void fail_damaged(const std::string& key, const std::string& problem) const {
    throw Error(ErrorCode::invalid_input, {.file = path_, .key = key},
                problem + "; the file is damaged: copy it again, or repeat the run");
  }

  [[noreturn]] void fail_truncated(const std::string& key) const {
    fail_damaged(key, message("truncated after ", content_.bytes_.size(), " bytes"));
  }

  void expect(std::string_view text) {
    if (remaining_.starts_with(text)) return remaining_.remove_prefix(text.size());
    if (text.starts_with(remaining_)) fail_truncated("header");
    fail_unreadable();
  }

  std::string_view take_until(char mark) {
    const std::size_t at = remaining_.find(mark);
    constexpr std::size_t max_characters = 4096;  // of a name
    if (at == std::string_view::npos && remaining_.size() < max_characters)
      fail_truncated("header");
    if (at > max_characters) fail_unreadable();
    const std::string_view before = remaining_.substr(0, at);
    remaining_.remove_prefix(at + 1);
    return before;
  }

  template <class Number>
  Number take_number_until(char mark) {
    const std::string_view text = take_until(mark);
    Number value{};
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || stop != text.data() + text.size()) fail_unreadable();
    return value;
  }

  void read_time() {
    const std::string_view order =
        std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
    const std::string_view rest = "\" NumberOfTuples=\"1\" format=\"ascii\">";
    expect(
        message("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
                "byte_order=\"",
                order, "\" header_type=\"UInt64\">\n  <PolyData>\n    <FieldData>\n"));
    expect(message("      <DataArray type=\"Float64\" Name=\"TimeValue", rest));
    content_.time_ = take_number_until<double>('<');
    if (!std::isfinite(content_.time_)) fail_unreadable();
    expect(message("/DataArray>\n      <DataArray type=\"Int64\" Name=\"step", rest));
    content_.step_ = take_number_until<std::int64_t>('<');
    expect("/DataArray>\n    </FieldData>\n");
  }

  // A count larger than the file is damage; checked before anything is allocated.
  std::size_t take_count() {
    const auto count = take_number_until<std::size_t>('"');
    if (count > content_.bytes_.size()) fail_unreadable();
    return count;
  }

  void read_counts() {
    expect("    <Piece NumberOfPoints=\"");
    points_ = take_count();
    expect(" NumberOfVerts=\"");
    content_.vertex_count_ = take_count();
    expect(" NumberOfLines=\"");
    lines_ = take_count();
    expect(" NumberOfStrips=\"0\" NumberOfPolys=\"");
    triangles_ = take_count();
    expect(">\n");
    if (content_.vertex_count_ != 0 && content_.vertex_count_ != points_) fail_unreadable();
  }

  VtkArray& read_declaration(std::string_view name, std::size_t count) {
    expect("        <DataArray type=\"");
    const std::optional<ElementType> type = parse_element_type(take_until('"'));
    expect(" Name=\"");
    std::optional<std::string> actual_name = xml_unescaped(take_until('"'));
    expect(" NumberOfComponents=\"");
    const auto components = take_number_until<std::size_t>('"');
    expect(" format=\"appended\" offset=\"");
    const auto offset = take_number_until<std::uint64_t>('"');
    expect("/>\n");
    if (!type || !actual_name || (!name.empty() && *actual_name != name)) fail_unreadable();
    if (offset != offset_ || (components != 1 && components != 3)) fail_unreadable();
    const std::uint64_t bytes = count * components * traits_of(*type).size;
    offset_ += sizeof(std::uint64_t) + bytes;
    arrays_.push_back({{std::move(*actual_name), *type, components, {}}, bytes});
    return arrays_.back().array;
  }

  void read_fields(std::string_view kind, std::vector<VtkArray>& fields, std::size_t count) {
    expect(message("      <", kind, ">\n"));
    const std::string end = message("      </", kind, ">\n");
    for (; !remaining_.starts_with(end); fields.push_back(arrays_.back().array))
      read_declaration({}, count);
    expect(end);
  }

  Cells read_cells(std::string_view kind, std::size_t count, std::size_t points_per_cell) {
    expect(message("      <", kind, ">\n"));
    read_declaration("connectivity", count * points_per_cell);
    read_declaration("offsets", count);
    expect(message("      </", kind, ">\n"));
    return {arrays_.size() - 2, arrays_.size() - 1};
  }

  // Assigns the bytes to the arrays, in the order of declaration.
  void take_arrays() {
    for (DeclaredArray& declared : arrays_) {
      std::uint64_t bytes = 0;
      if (remaining_.size() < sizeof bytes) fail_truncated(declared.array.name);
      std::memcpy(&bytes, remaining_.data(), sizeof bytes);
      remaining_.remove_prefix(sizeof bytes);
      if (bytes != declared.bytes)
        fail_damaged(declared.array.name,
                     message("has ", bytes, " bytes instead of ", declared.bytes));
      if (remaining_.size() < bytes) fail_truncated(declared.array.name);
      declared.array.bytes = remaining_.substr(0, bytes);
      remaining_.remove_prefix(bytes);
    }
    std::size_t next = 0;
    for (VtkArray& field : content_.point_fields_) field = arrays_[next++].array;
    for (VtkArray& field : content_.cell_fields_) field = arrays_[next++].array;
    content_.points_ = arrays_[next].array;
  }

  template <std::size_t N>
  std::vector<std::array<Index, N>> check_cells(std::string_view kind, const Cells& cells) {
    const auto connectivity = arrays_[cells.connectivity].array.as<std::int64_t>();
    const auto offsets = arrays_[cells.offsets].array.as<std::int64_t>();
    std::vector<std::array<Index, N>> result(offsets.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      bool is_valid = offsets[i] == static_cast<std::int64_t>(N * (i + 1));
      for (std::size_t k = 0; k < N; ++k) {
        const std::int64_t point = connectivity[N * i + k];
        is_valid = is_valid && point >= 0 && point < static_cast<std::int64_t>(points_);
        result[i][k] = static_cast<Index>(point);
      }
      if (!is_valid) fail_damaged(message(kind, " ", i), "refers to a point that does not exist");
    }
    return result;
  }

  VtkContent& content_;
  const std::string& path_;
  std::string_view remaining_;
  std::size_t points_ = 0;
  std::size_t lines_ = 0;
  std::size_t triangles_ = 0;
  std::uint64_t offset_ = 0;
  std::vector<DeclaredArray> arrays_;
};

VtkContent::VtkContent(const std::string& path) : file_(path), bytes_(file_->bytes()) {
  Parser(*this, path).read();
}

VtkContent::VtkContent(const std::string& name, std::string_view bytes) : bytes_(bytes) {
  Parser(*this, name).read();
}

const VtkArray* VtkContent::point_field(std::string_view name) const {
  return find_field(point_fields_, name);
}

const VtkArray* VtkContent::cell_field(std::string_view name) const {
  return find_field(cell_fields_, name);
}

}  // namespace abut
