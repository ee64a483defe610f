#include "serve/frame_message.hpp"

#include <string>
#include <vector>

#include "serve/message_bytes.hpp"

namespace abut {
namespace {

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
  message.add_rows("particles.place", frame.particles.place);
  message.add("particles.radius", frame.particles.radius);
  message.add("particles.id", frame.particles.id);
  add_fields(message, "field.", frame.particles.fields);
  message.add_rows("walls.corners", frame.walls.corners);
  message.add_rows("walls.triangles", frame.walls.triangles);
  message.add_rows("walls.segments", frame.walls.segments);
  message.add("walls.body", frame.walls.body);
  message.add_rows("blocks.corners", frame.blocks.corners);
  message.add("blocks.outlines", frame.blocks.outline_begins);
  message.add_rows("blocks.triangles", frame.blocks.triangles);
  message.add("blocks.id", frame.blocks.id);
  return message.bytes();
}

std::string contacts_message(const ShownFrame& frame) {
  MessageBytes message;
  message.add_rows("contacts.ends", frame.contacts.ends);
  message.add("contacts.a", frame.contacts.a);
  message.add("contacts.b", frame.contacts.b);
  add_fields(message, "field.", frame.contacts.fields);
  return message.bytes();
}

}  // namespace abut
