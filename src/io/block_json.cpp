// Shapes and particles as JSON. Every complaint names the field as a path: particles[3].shape.
#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "io/block_file.hpp"
#include "io/mesh_file.hpp"
#include "io/progress.hpp"

namespace abut {
namespace {

using Json = nlohmann::json;

// A value, and how messages call it.
class JsonValue {
 public:
  JsonValue(const Json& value, std::string file, std::string path)
      : value_(value), file_(std::move(file)), path_(std::move(path)) {}

  [[noreturn]] void fail(std::string_view problem) const {
    throw Error(message(file_, ": ", path_.empty() ? "the whole" : path_, ": ", problem));
  }

  [[nodiscard]] bool has(const std::string& key) const { return value_.contains(key); }

  [[nodiscard]] JsonValue at(const std::string& key) const {
    if (!has(key)) fail(message("has no \"", key, "\""));
    return {value_.at(key), file_, path_.empty() ? key : path_ + "." + key};
  }

  [[nodiscard]] JsonValue at(std::size_t i) const {
    return {value_.at(i), file_, message(path_, "[", i, "]")};
  }

  void require_object(std::initializer_list<std::string_view> known) const {
    if (!value_.is_object()) fail(message("is ", value_.type_name(), ", not an object"));
    for (const auto& [key, value] : value_.items())
      if (std::ranges::find(known, key) == known.end()) {
        std::string names;
        for (const std::string_view name : known) names += message(names.empty() ? "" : ", ", name);
        fail(message("has \"", key, "\", which is not known; known are ", names));
      }
  }

  [[nodiscard]] std::size_t list_size() const {
    if (!value_.is_array()) fail(message("is ", value_.type_name(), ", not a list"));
    return value_.size();
  }

  [[nodiscard]] std::string text() const {
    if (!value_.is_string()) fail(message("is ", value_.type_name(), ", not a text"));
    return value_.get<std::string>();
  }

  [[nodiscard]] double number() const {
    if (!value_.is_number()) fail(message("is ", value_.type_name(), ", not a number"));
    const double number = value_.get<double>();
    if (!(std::abs(number) <= max_length))
      fail(message("= ", number, ": must be a number within 1e150"));
    return number;
  }

  [[nodiscard]] std::int64_t integer() const {
    if (!value_.is_number_integer()) fail(message("is ", value_.dump(), ", not a whole number"));
    return value_.get<std::int64_t>();
  }

  template <std::size_t D>
  [[nodiscard]] Point<D> point() const {
    if (list_size() != D) fail(message("has ", list_size(), " numbers; a point has ", D, " here"));
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

  [[nodiscard]] const Json& value() const { return value_; }
  [[nodiscard]] std::string location() const { return message(file_, ": ", path_); }

 private:
  const Json& value_;
  std::string file_;
  std::string path_;
};

Json parse_json(const std::string& file, std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const auto line = 1 + std::ranges::count(text.substr(0, error.byte), '\n');
    throw Error(message(
        file, ":", line, ": no JSON: ",
        error.byte >= text.size() ? "it ends too early" : "a comma, quote or bracket is wrong"));
  } catch (const Json::exception&) {
    throw Error(message(file, ": has a number that is larger than any double"));
  }
}

// Files are named as seen from the file that names them.
std::string resolve_path(const std::string& file, const std::string& other) {
  return (std::filesystem::path(file).parent_path() / other).string();
}

// One of: points (convex), outline or mesh (may be concave), parts (each convex).
template <std::size_t D>
BlockShape<D> read_shape(const JsonValue& node, const std::string& file,
                         std::vector<std::string>& meshes) {
  node.require_object({"points", "outline", "mesh", "parts"});
  if (node.value().size() != 1)
    node.fail("needs exactly one of points, parts, outline (2D), mesh (3D)");
  BlockShape<D> shape{.location = node.location()};
  if (node.has("points")) {
    shape.is_convex = true;
    shape.parts.push_back(node.at("points").template points<D>());
  } else if (node.has("parts")) {
    shape.is_convex = true;
    const JsonValue parts = node.at("parts");
    for (std::size_t i = 0; i < parts.list_size(); ++i)
      shape.parts.push_back(parts.at(i).template points<D>());
    if (shape.parts.empty()) parts.fail("is empty");
  } else if (node.has("outline")) {
    if (D != 2) node.fail("an outline is for 2D; give a mesh, points or parts");
    shape.parts.push_back(node.at("outline").template points<D>());
  } else {
    if (D != 3) node.fail("a mesh is for 3D; give an outline, points or parts");
    const std::string name = node.at("mesh").text();
    if (name.empty()) node.at("mesh").fail("names no file");
    meshes.push_back(resolve_path(file, name));
    shape.mesh = read_mesh(meshes.back(), 3).triangles;
  }
  return shape;
}

template <std::size_t D>
BlockInstance read_particle(const JsonValue& node, const std::map<std::string, std::size_t>& shapes,
                            std::size_t number) {
  node.require_object({"shape", "position", "angle", "axis", "id"});
  const JsonValue name = node.at("shape");
  const auto shape = shapes.find(name.text());
  if (shape == shapes.end()) name.fail(message("there is no shape \"", name.text(), "\""));
  BlockInstance place{shape->second,
                      node.has("id") ? node.at("id").integer() : static_cast<std::int64_t>(number)};
  if (node.has("position")) {
    const Point<D> position = node.at("position").template point<D>();
    std::ranges::copy(position, place.position.begin());
  }
  if (node.has("angle")) place.angle = node.at("angle").number();
  if (node.has("axis")) {
    if (D == 2) node.at("axis").fail("polygons turn in their plane; leave it out");
    place.axis = node.at("axis").template point<3>();
    if (place.axis == Point<3>{}) node.at("axis").fail("has length 0");
  }
  return place;
}

template <std::size_t D>
void read_document(const JsonValue& root, const std::string& file,
                   std::vector<BlockShape<D>>& shapes, BlockFile& blocks,
                   const Progress& progress) {
  std::vector<BlockInstance>& particles = blocks.particles;
  std::map<std::string, std::size_t> numbers;
  const JsonValue given = root.at("shapes");
  if (!given.value().is_object()) given.fail("must be an object: a shape by each name");
  for (const auto& [name, value] : given.value().items()) {
    numbers.emplace(name, shapes.size());
    shapes.push_back(read_shape<D>(given.at(name), file, blocks.mesh_files));
  }
  const JsonValue list = root.at("particles");
  ProgressThrottle steps(progress, list.list_size());
  std::unordered_map<std::int64_t, std::size_t> seen;  // which particle has an id
  for (std::size_t i = 0; i < list.list_size(); ++i) {
    particles.push_back(read_particle<D>(list.at(i), numbers, i));
    const auto [first, is_new] = seen.emplace(particles.back().id, i);
    if (!is_new)
      list.at(i).fail(message("has the id ", first->first, " of particles[", first->second, "]"));
    steps.advance([&] { return i; });
  }
  if (particles.empty()) list.fail("is empty");
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
