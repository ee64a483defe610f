// The other direction of vtk_file.cpp: its text, literally, with the numbers taken out of it.
#include "io/vtk_reader.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/message.hpp"
#include "io/markup.hpp"

namespace abut {
namespace {

// How a number is called in a file decides what it is in memory.
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

std::optional<ElementType> type_named(std::string_view name) {
  for (std::uint32_t number = 1; number <= 10; ++number) {
    const auto type = static_cast<ElementType>(number);
    if (traits_of(type).name == name) return type;
  }
  return {};
}

const VtkArray* named(const std::vector<VtkArray>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &VtkArray::name);
  return found == fields.end() ? nullptr : &*found;
}

// A number outside what a type can hold would be undefined; it is damage, and becomes 0.
template <class T, class From>
T converted(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<T>) {
    constexpr double most = 4611686018427387904.0;  // 2⁶²: far beyond any id
    if (!(std::abs(static_cast<double>(value)) < most)) return 0;
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
      values[i] = converted<T>(one);
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
      : content_(content), path_(path), left_(content.file_.bytes()) {}

  void read() {
    read_moment();
    read_counts();
    read_fields("PointData", content_.point_fields_, points_);
    read_fields("CellData", content_.cell_fields_, content_.vertices_ + lines_ + triangles_);
    expect("      <Points>\n");
    content_.points_ = announced("Points", points_);
    if (content_.points_.components != 3) refuse();
    expect("      </Points>\n");
    const Cells vertices = read_cells("Verts", content_.vertices_, 1);
    const Cells lines = read_cells("Lines", lines_, 2);
    const Cells triangles = read_cells("Polys", triangles_, 3);
    expect("    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_");
    take_numbers();
    expect("\n  </AppendedData>\n</VTKFile>\n");
    if (!left_.empty()) refuse();
    check_cells<1>("vertex", vertices);
    content_.lines_ = check_cells<2>("line", lines);
    content_.triangles_ = check_cells<3>("triangle", triangles);
  }

 private:
  /// Corners of cells, and where in them each cell ends.
  struct Cells {
    std::size_t connectivity;  ///< numbers of arrays
    std::size_t ends;
  };
  /// An array that the text tells of; its numbers come later.
  struct Announced {
    VtkArray array;
    std::uint64_t bytes;
  };

  [[noreturn]] void refuse() const {
    const std::string_view all = content_.file_.bytes();
    const std::string_view before = all.substr(0, all.size() - left_.size());
    throw Error(message(path_, ":", 1 + std::ranges::count(before, '\n'),
                        ": not a frame as abut run writes it; it is damaged, or of another "
                        "program"));
  }

  [[noreturn]] void refuse_cut(std::string_view name) const {
    throw Error(message(path_, ": cut off after ", content_.file_.bytes().size(), " bytes, within ",
                        name, "; copy it again, or repeat the run"));
  }

  void expect(std::string_view text) {
    if (left_.starts_with(text)) return left_.remove_prefix(text.size());
    if (text.starts_with(left_)) refuse_cut("its text");
    refuse();
  }

  std::string_view until(char mark) {
    const std::size_t at = left_.find(mark);
    constexpr std::size_t longest = 4096;  // of a name
    if (at == std::string_view::npos && left_.size() < longest) refuse_cut("its text");
    if (at > longest) refuse();
    const std::string_view before = left_.substr(0, at);
    left_.remove_prefix(at + 1);
    return before;
  }

  template <class Number>
  Number number_until(char mark) {
    const std::string_view text = until(mark);
    Number value{};
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || stop != text.data() + text.size()) refuse();
    return value;
  }

  void read_moment() {
    const std::string_view order =
        std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
    const std::string_view rest = "\" NumberOfTuples=\"1\" format=\"ascii\">";
    expect(
        message("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
                "byte_order=\"",
                order, "\" header_type=\"UInt64\">\n  <PolyData>\n    <FieldData>\n"));
    expect(message("      <DataArray type=\"Float64\" Name=\"TimeValue", rest));
    content_.time_ = number_until<double>('<');
    if (!std::isfinite(content_.time_)) refuse();
    expect(message("/DataArray>\n      <DataArray type=\"Int64\" Name=\"step", rest));
    content_.step_ = number_until<std::int64_t>('<');
    expect("/DataArray>\n    </FieldData>\n");
  }

  // No array is longer than the file, so a count that is has no room to lie in.
  std::size_t count_until_quote() {
    const auto count = number_until<std::size_t>('"');
    if (count > content_.file_.bytes().size()) refuse();
    return count;
  }

  void read_counts() {
    expect("    <Piece NumberOfPoints=\"");
    points_ = count_until_quote();
    expect(" NumberOfVerts=\"");
    content_.vertices_ = count_until_quote();
    expect(" NumberOfLines=\"");
    lines_ = count_until_quote();
    expect(" NumberOfStrips=\"0\" NumberOfPolys=\"");
    triangles_ = count_until_quote();
    expect(">\n");
    if (content_.vertices_ != 0 && content_.vertices_ != points_) refuse();
  }

  VtkArray& announced(std::string_view name, std::size_t count) {
    expect("        <DataArray type=\"");
    const std::optional<ElementType> type = type_named(until('"'));
    expect(" Name=\"");
    std::optional<std::string> given = unescaped(until('"'));
    expect(" NumberOfComponents=\"");
    const auto components = number_until<std::size_t>('"');
    expect(" format=\"appended\" offset=\"");
    const auto offset = number_until<std::uint64_t>('"');
    expect("/>\n");
    if (!type || !given || (!name.empty() && *given != name)) refuse();
    if (offset != offset_ || (components != 1 && components != 3)) refuse();
    const std::uint64_t bytes = count * components * traits_of(*type).size;
    offset_ += sizeof(std::uint64_t) + bytes;
    arrays_.push_back({{std::move(*given), *type, components, {}}, bytes});
    return arrays_.back().array;
  }

  void read_fields(std::string_view kind, std::vector<VtkArray>& into, std::size_t count) {
    expect(message("      <", kind, ">\n"));
    const std::string end = message("      </", kind, ">\n");
    for (; !left_.starts_with(end); into.push_back(arrays_.back().array)) announced({}, count);
    expect(end);
  }

  Cells read_cells(std::string_view kind, std::size_t count, std::size_t corners) {
    expect(message("      <", kind, ">\n"));
    announced("connectivity", count * corners);
    announced("offsets", count);
    expect(message("      </", kind, ">\n"));
    return {arrays_.size() - 2, arrays_.size() - 1};
  }

  // In the order in which they were announced.
  void take_numbers() {
    for (Announced& one : arrays_) {
      std::uint64_t bytes = 0;
      if (left_.size() < sizeof bytes) refuse_cut(one.array.name);
      std::memcpy(&bytes, left_.data(), sizeof bytes);
      left_.remove_prefix(sizeof bytes);
      if (bytes != one.bytes)
        throw Error(message(path_, ": '", one.array.name, "' has ", bytes,
                            " bytes of numbers, not ", one.bytes,
                            "; it is damaged: copy it again, or repeat the run"));
      if (left_.size() < bytes) refuse_cut(one.array.name);
      one.array.bytes = left_.substr(0, bytes);
      left_.remove_prefix(bytes);
    }
    std::size_t next = 0;
    for (VtkArray& field : content_.point_fields_) field = arrays_[next++].array;
    for (VtkArray& field : content_.cell_fields_) field = arrays_[next++].array;
    content_.points_ = arrays_[next].array;
  }

  template <std::size_t N>
  std::vector<std::array<Index, N>> check_cells(std::string_view what, const Cells& cells) {
    const auto corner = arrays_[cells.connectivity].array.as<std::int64_t>();
    const auto end = arrays_[cells.ends].array.as<std::int64_t>();
    std::vector<std::array<Index, N>> read(end.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
      bool right = end[i] == static_cast<std::int64_t>(N * (i + 1));
      for (std::size_t k = 0; k < N; ++k) {
        const std::int64_t point = corner[N * i + k];
        right = right && point >= 0 && point < static_cast<std::int64_t>(points_);
        read[i][k] = static_cast<Index>(point);
      }
      if (!right)
        throw Error(message(path_, ": ", what, " ", i,
                            " names a point that is not there; it is "
                            "damaged: copy it again, or repeat the run"));
    }
    return read;
  }

  VtkContent& content_;
  const std::string& path_;
  std::string_view left_;
  std::size_t points_ = 0;
  std::size_t lines_ = 0;
  std::size_t triangles_ = 0;
  std::uint64_t offset_ = 0;
  std::vector<Announced> arrays_;
};

VtkContent::VtkContent(const std::string& path) : file_(path) { Parser(*this, path).read(); }

const VtkArray* VtkContent::point_field(std::string_view name) const {
  return named(point_fields_, name);
}

const VtkArray* VtkContent::cell_field(std::string_view name) const {
  return named(cell_fields_, name);
}

}  // namespace abut
