// Polygons and polyhedra from JSON. Errors have the path of a value as key: particles[3].shape.
#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "io/block_file.hpp"
#include "io/mesh_file.hpp"
#include "io/output_file.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

using Json = nlohmann::json;

// A JSON value together with its path, for messages. Does not own the value.
class JsonValue {
 public:
  JsonValue(const Json& value, std::string file, std::string path)
      : value_(value), file_(std::move(file)), path_(std::move(path)) {}

  // The value is part of the message unless it is an object or a list.
  [[noreturn]] void fail(std::string_view problem) const {
    ErrorDetails details{.file = file_, .key = path_.empty() ? "document" : path_};
    if (value_.is_primitive()) details.value = Scanner::printable(value_.dump());
    throw Error(ErrorCode::invalid_input, details, problem);
  }

  [[nodiscard]] bool has(const std::string& key) const { return value_.contains(key); }

  [[nodiscard]] JsonValue at(const std::string& key) const {
    if (!has(key))
      throw Error(ErrorCode::invalid_input, {.file = file_, .key = path_of(key)}, "missing");
    return {value_.at(key), file_, path_of(key)};
  }

  [[nodiscard]] JsonValue at(std::size_t i) const {
    return {value_.at(i), file_, message(path_, "[", i, "]")};
  }

  // Fails unless the value is an object without other keys than these.
  void require_object(std::initializer_list<std::string_view> known_keys) const {
    if (!value_.is_object()) fail("must be an object");
    for (const auto& [key, value] : value_.items())
      if (std::ranges::find(known_keys, key) == known_keys.end()) {
        std::string names;
        for (const std::string_view name : known_keys)
          names += message(names.empty() ? "" : ", ", name);
        throw Error(ErrorCode::unknown_key, {.file = file_, .key = path_of(key)},
                    message("unknown key; known keys are ", names));
      }
  }

  [[nodiscard]] std::size_t list_size() const {
    if (!value_.is_array()) fail("must be a list");
    return value_.size();
  }

  [[nodiscard]] std::string text() const {
    if (!value_.is_string()) fail("must be a string");
    return value_.get<std::string>();
  }

  [[nodiscard]] double number() const {
    if (!value_.is_number()) fail("must be a number");
    const double number = value_.get<double>();
    if (!(std::abs(number) <= max_length)) fail("must lie within -1e150 and 1e150");
    return number;
  }

  [[nodiscard]] std::int64_t integer() const {
    if (!value_.is_number_integer()) fail("must be an integer");
    constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
    if (value_.is_number_unsigned() && value_.get<std::uint64_t>() > std::uint64_t{max})
      fail(message("must be an integer of at most ", max));
    return value_.get<std::int64_t>();
  }

  template <std::size_t D>
  [[nodiscard]] Point<D> point() const {
    if (list_size() != D) fail(message("has ", list_size(), " numbers; a point has ", D));
    Point<D> point;
    for (std::size_t k = 0; k < D; ++k) point[k] = at(k).number();
    return point;
  }

  template <std::size_t D>
  [[nodiscard]] std::vector<Point<D>> points() const {
    std::vector<Point<D>> points(list_size());
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = at(i).template point<D>();
    return points;
  }

  [[nodiscard]] const Json& json() const { return value_; }
  [[nodiscard]] std::string location() const { return message(file_, ": ", path_); }

 private:
  [[nodiscard]] std::string path_of(const std::string& key) const {
    const bool has_control_characters =
        std::ranges::any_of(key, [](unsigned char c) { return c < ' '; });
    const std::string name = has_control_characters ? Scanner::printable(key) : shortened(key);
    return path_.empty() ? name : path_ + "." + name;
  }

  const Json& value_;
  std::string file_;
  std::string path_;
};

// Throws if lists and objects are nested too deeply: a document has at most six levels, and the
// recursive functions of the JSON library would exhaust the stack.
void check_depth(const std::string& file, std::string_view text) {
  constexpr int max_depth = 64;
  int depth = 0;
  std::size_t line = 1;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (in_string && c == '\\')
      ++i;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string && (c == '[' || c == '{'))
      ++depth;
    else if (!in_string && (c == ']' || c == '}'))
      --depth;
    if (depth > max_depth)
      throw Error(ErrorCode::invalid_input, {.file = file, .line = line},
                  message("lists and objects are nested deeper than ", max_depth, " levels"));
  }
}

Json parse_json(const std::string& file, std::string_view text) {
  check_depth(file, text);
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const std::string_view before = text.substr(0, error.byte);
    const auto line = static_cast<std::size_t>(1 + std::ranges::count(before, '\n'));
    throw Error(ErrorCode::invalid_input, {.file = file, .line = line},
                error.byte >= text.size() ? "invalid JSON; it ends too early"
                                          : "invalid JSON; check commas, quotes and brackets");
  } catch (const Json::exception&) {
    throw Error(ErrorCode::invalid_input, {.file = file},
                "has a number beyond the range of double");
  }
}

// Paths in a file are relative to the folder of that file.
std::string resolve_path(const std::string& file, const std::string& other) {
  return (std::filesystem::path(file).parent_path() / other).string();
}

// A shape is given by one of points (convex), parts (each convex), outline (2D) or mesh (3D); the
// last two may be concave.
template <std::size_t D>
BlockShape<D> read_shape(const JsonValue& value, const std::string& file,
                         std::vector<std::string>& meshes) {
  value.require_object({"points", "outline", "mesh", "parts"});
  if (value.json().size() != 1)
    value.fail("needs exactly one of points, parts, outline (2D), mesh (3D)");
  BlockShape<D> shape{.location = value.location()};
  if (value.has("points")) {
    shape.is_convex = true;
    shape.parts.push_back(value.at("points").template points<D>());
  } else if (value.has("parts")) {
    shape.is_convex = true;
    const JsonValue parts = value.at("parts");
    for (std::size_t i = 0; i < parts.list_size(); ++i)
      shape.parts.push_back(parts.at(i).template points<D>());
    if (shape.parts.empty()) parts.fail("must not be empty");
  } else if (value.has("outline")) {
    if (D != 2) value.at("outline").fail("only for 2D; give a mesh, points or parts");
    shape.parts.push_back(value.at("outline").template points<D>());
  } else {
    if (D != 3) value.at("mesh").fail("only for 3D; give an outline, points or parts");
    const std::string name = value.at("mesh").text();
    if (name.empty()) value.at("mesh").fail("must be a file name");
    meshes.push_back(resolve_path(file, name));
    shape.mesh = read_mesh(meshes.back(), 3).triangles;
  }
  return shape;
}

template <std::size_t D>
BlockInstance read_particle(const JsonValue& value,
                            const std::map<std::string, std::size_t>& shapes, std::size_t number) {
  value.require_object({"shape", "position", "angle", "axis", "id"});
  const JsonValue name = value.at("shape");
  const auto shape = shapes.find(name.text());
  if (shape == shapes.end()) name.fail("unknown shape; `shapes` has none of this name");
  BlockInstance instance{shape->second, value.has("id") ? value.at("id").integer()
                                                        : static_cast<std::int64_t>(number)};
  if (value.has("position")) {
    const Point<D> position = value.at("position").template point<D>();
    std::ranges::copy(position, instance.position.begin());
  }
  if (value.has("angle")) instance.angle = value.at("angle").number();
  if (value.has("axis")) {
    if (D == 2) value.at("axis").fail("only for 3D; omit it");
    instance.axis = value.at("axis").template point<3>();
    if (instance.axis == Point<3>{}) value.at("axis").fail("must not have length 0");
  }
  return instance;
}

template <std::size_t D>
void read_document(const JsonValue& root, const std::string& file,
                   std::vector<BlockShape<D>>& shapes, BlockFile& blocks,
                   const Progress& progress) {
  std::vector<BlockInstance>& particles = blocks.particles;
  std::map<std::string, std::size_t> shape_indices;
  const JsonValue shape_list = root.at("shapes");
  if (!shape_list.json().is_object()) shape_list.fail("must be an object: names and their shapes");
  for (const auto& [name, value] : shape_list.json().items()) {
    shape_indices.emplace(name, shapes.size());
    shapes.push_back(read_shape<D>(shape_list.at(name), file, blocks.mesh_files));
  }
  const JsonValue list = root.at("particles");
  ProgressThrottle throttle(progress, list.list_size());
  std::unordered_map<std::int64_t, std::size_t> particle_of_id;
  for (std::size_t i = 0; i < list.list_size(); ++i) {
    particles.push_back(read_particle<D>(list.at(i), shape_indices, i));
    const auto [first, is_new] = particle_of_id.emplace(particles.back().id, i);
    if (!is_new)
      list.at(i).fail(
          message("id ", first->first, " is also that of particles[", first->second, "]"));
    throttle.advance([&] { return i; });
  }
  if (particles.empty()) list.fail("must not be empty");
}

}  // namespace

BlockFile read_block_json(const std::string& path, std::string_view text,
                          const Progress& progress) {
  const Json json = parse_json(path, text);
  const JsonValue root(json, path, "");
  root.require_object({"dimension", "shapes", "particles"});
  BlockFile blocks{.format = "JSON"};
  const std::int64_t dimension = root.at("dimension").integer();
  if (dimension != 2 && dimension != 3) root.at("dimension").fail("must be 2 or 3");
  blocks.dimension = static_cast<int>(dimension);
  if (dimension == 2)
    read_document<2>(root, path, blocks.shapes_2d, blocks, progress);
  else
    read_document<3>(root, path, blocks.shapes_3d, blocks, progress);
  return blocks;
}

}  // namespace abut
