#include "serve/frame_message.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "serve/message_bytes.hpp"

namespace abut {
namespace {

/// Points, triangles, … as the numbers they consist of.
template <class Number, std::size_t N>
std::span<const Number> flat(const std::vector<std::array<Number, N>>& values) {
  static_assert(sizeof(std::array<Number, N>) == N * sizeof(Number));
  return {reinterpret_cast<const Number*>(values.data()), values.size() * N};
}

std::span<const float> flat(const std::vector<std::array<std::array<float, 3>, 2>>& lines) {
  static_assert(sizeof(std::array<std::array<float, 3>, 2>) == 6 * sizeof(float));
  return {reinterpret_cast<const float*>(lines.data()), lines.size() * 6};
}

void add_fields(MessageBytes& message, const std::string& of,
                const std::vector<ShownField>& fields) {
  for (const ShownField& field : fields)
    message.add(of + field.name, field.values, field.components);
}

}  // namespace

std::string frame_message(const ShownFrame& frame) {
  MessageBytes message;
  message.header()["time"] = frame.time;
  message.header()["dimension"] = frame.dimension;
  message.header()["contacts"] = frame.contacts.ends.size();
  message.add("particles.place", flat(frame.particles.place), 3);
  message.add("particles.radius", frame.particles.radius, 1);
  message.add("particles.id", frame.particles.id);
  add_fields(message, "field.", frame.particles.fields);
  message.add("walls.corners", flat(frame.walls.corners), 3);
  message.add("walls.triangles", flat(frame.walls.triangles), 3);
  message.add("walls.segments", flat(frame.walls.segments), 2);
  message.add("walls.body", frame.walls.body, 1);
  message.add("blocks.corners", flat(frame.blocks.corners), 3);
  message.add("blocks.outlines", frame.blocks.outline_begins, 1);
  message.add("blocks.triangles", flat(frame.blocks.triangles), 3);
  message.add("blocks.id", frame.blocks.id);
  return message.bytes();
}

std::string contacts_message(const ShownFrame& frame) {
  MessageBytes message;
  message.add("contacts.ends", flat(frame.contacts.ends), 6);
  message.add("contacts.a", frame.contacts.a);
  message.add("contacts.b", frame.contacts.b);
  add_fields(message, "field.", frame.contacts.fields);
  return message.bytes();
}

}  // namespace abut
