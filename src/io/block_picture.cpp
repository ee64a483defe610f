#include "io/block_picture.hpp"

#include <vector>

#include "core/vec.hpp"
#include "io/picture_frame.hpp"

namespace abut {
namespace {

void draw_part(OutputFile& out, const PictureFrame& frame, const DrawnPart& part,
               std::size_t contacts) {
  out << "<polygon points=\"";
  for (const Point<2>& corner : part.corners)
    out << frame.x(corner[0]) << ',' << frame.y(corner[1]) << ' ';
  out << "\" fill=\"" << PictureFrame::fill(contacts) << "\"/>\n";
}

void draw_contact(OutputFile& out, const PictureFrame& frame, const BlockContact<2>& contact) {
  constexpr double least = 12;  // units of the picture
  const double half = std::max(contact.measure, frame.drawn_as(least)) / 2;
  const Point<2> along_plane = across(contact.plane.normal);
  frame.line(out, along(contact.point, -half, along_plane),
             along(contact.point, half, along_plane));
  frame.line(out, contact.point, along(contact.point, frame.drawn_as(least), contact.plane.normal));
}

}  // namespace

void draw_blocks(OutputFile& out, std::span<const DrawnPart> parts,
                 std::span<const BlockContact<2>> contacts) {
  PictureFrame frame;
  std::size_t particles = 0;
  for (const DrawnPart& part : parts) {
    for (const Point<2>& corner : part.corners) frame.include(corner);
    particles = std::max<std::size_t>(particles, part.particle + 1);
  }
  std::vector<std::size_t> degree(particles, 0);
  for (const BlockContact<2>& contact : contacts) {
    ++degree[contact.a];
    ++degree[contact.b];
  }
  frame.begin(out);
  out << "<g stroke=\"#30343b\" stroke-width=\"1.5\" stroke-linejoin=\"round\">\n";
  for (const DrawnPart& part : parts) draw_part(out, frame, part, degree[part.particle]);
  for (const Standing standing : {Standing::potential, Standing::real}) {
    out << "</g>\n<g stroke=\"" << (standing == Standing::real ? "#d1495b" : "#8a8f98")
        << "\" stroke-width=\"3\" stroke-linecap=\"round\">\n";
    for (const BlockContact<2>& contact : contacts)
      if (contact.standing() == standing) draw_contact(out, frame, contact);
  }
  out << "</g>\n</svg>\n";
}

}  // namespace abut
