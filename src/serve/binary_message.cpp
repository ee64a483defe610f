#include "serve/binary_message.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace abut {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are sent in native byte order");

void pad_to_8_bytes(std::string& text, char padding) {
  while (text.size() % 8 != 0) text += padding;
}

bool fits_32_bits(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

void add_fields(BinaryMessage& message, const std::vector<FrameField>& fields) {
  for (const FrameField& field : fields)
    message.add("field." + field.name, field.values, field.components);
}

}  // namespace

void BinaryMessage::add_bytes(std::string_view name, std::string_view type, std::size_t count,
                              std::size_t components, std::span<const std::byte> values) {
  arrays_.push_back({{"name", name},
                     {"type", type},
                     {"count", count},
                     {"components", components},
                     {"begin", data_.size()}});
  const std::size_t begin = data_.size();
  data_.resize(begin + values.size());
  if (!values.empty()) std::memcpy(data_.data() + begin, values.data(), values.size());
  pad_to_8_bytes(data_, '\0');
}

void BinaryMessage::add(std::string_view name, std::span<const std::int64_t> values) {
  if (std::ranges::all_of(values, fits_32_bits)) {
    std::vector<std::int32_t> narrow(values.size());
    std::ranges::transform(values, narrow.begin(),
                           [](std::int64_t v) { return static_cast<std::int32_t>(v); });
    return add(name, narrow);
  }
  std::vector<double> wide(values.size());
  std::ranges::transform(values, wide.begin(),
                         [](std::int64_t v) { return static_cast<double>(v); });
  add_bytes(name, "float64", wide.size(), 1, std::as_bytes(std::span(wide)));
}

std::string BinaryMessage::encode() const {
  nlohmann::ordered_json json = header_;
  json["arrays"] = arrays_;
  std::string header = to_json_text(json);
  pad_to_8_bytes(header, ' ');
  const auto length = static_cast<std::uint32_t>(header.size());
  std::string text(8, '\0');
  std::memcpy(text.data(), "ABUT", 4);
  std::memcpy(text.data() + 4, &length, sizeof length);
  text.reserve(text.size() + header.size() + data_.size());
  return text += header, text += data_;
}

std::string to_json_text(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string encode_frame(const FrameData& frame) {
  BinaryMessage message;
  message.header()["time"] = frame.time;
  message.header()["dimension"] = frame.dimension;
  message.header()["contact_count"] = frame.contacts.ends.size();
  message.add_rows("particles.position", frame.particles.position);
  message.add("particles.radius", frame.particles.radius);
  message.add("particles.id", frame.particles.id);
  add_fields(message, frame.particles.fields);
  message.add_rows("walls.vertices", frame.walls.vertices);
  message.add_rows("walls.triangles", frame.walls.triangles);
  message.add_rows("walls.segments", frame.walls.segments);
  message.add("walls.wall_id", frame.walls.wall_id);
  message.add_rows("blocks.vertices", frame.blocks.vertices);
  message.add("blocks.outline_offsets", frame.blocks.outline_offsets);
  message.add_rows("blocks.triangles", frame.blocks.triangles);
  message.add("blocks.id", frame.blocks.id);
  return message.encode();
}

std::string encode_contacts(const FrameData& frame) {
  BinaryMessage message;
  message.add_rows("contacts.ends", frame.contacts.ends);
  message.add("contacts.a", frame.contacts.a);
  message.add("contacts.b", frame.contacts.b);
  add_fields(message, frame.contacts.fields);
  return message.encode();
}

}  // namespace abut
