#include "io/picture.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "io/picture_frame.hpp"

namespace abut {
namespace {

// From the box of all that is drawn to the picture.
PictureFrame frame_of(const Spheres<2>& particles, const DrawnWalls& walls) {
  PictureFrame frame;
  for (std::size_t i = 0; i < particles.size(); ++i)
    frame.include({particles.axis(0)[i], particles.axis(1)[i]}, particles.radius()[i]);
  for (const Mesh<2>* mesh : walls.meshes)
    for (const Point<2>& corner : mesh->corners) frame.include(corner);
  return frame;
}

struct Line {
  Point<2> from;
  Point<2> to;
};

Point<2> centre(const Spheres<2>& particles, Index i) {
  return {particles.axis(0)[i], particles.axis(1)[i]};
}

void draw_walls(OutputFile& out, const PictureFrame& view, const DrawnWalls& walls) {
  if (walls.meshes.empty()) return;
  out << "<g stroke=\"#30343b\" stroke-width=\"4\" stroke-linecap=\"round\">\n";
  for (const Mesh<2>* mesh : walls.meshes)
    for (const auto& [from, to] : mesh->pieces)
      view.line(out, mesh->corners[from], mesh->corners[to]);
  out << "</g>\n";
}

void draw(OutputFile& out, const Spheres<2>& particles, std::vector<std::size_t>& contacts,
          std::vector<Line>& lines, const DrawnWalls& walls) {
  for (const WallContact<2>& contact : walls.contacts) {
    ++contacts[contact.particle];
    lines.push_back({centre(particles, contact.particle), contact.point});
  }
  const PictureFrame view = frame_of(particles, walls);
  view.begin(out);
  out << "<g stroke=\"#ffffff\">\n";
  for (std::size_t i = 0; i < particles.size(); ++i)
    out << "<circle cx=\"" << view.x(particles.axis(0)[i]) << "\" cy=\""
        << view.y(particles.axis(1)[i]) << "\" r=\"" << view.length(particles.radius()[i])
        << "\" fill=\"" << PictureFrame::fill(contacts[i]) << "\"/>\n";
  out << "</g>\n<g stroke=\"#d1495b\" stroke-width=\"2\" stroke-linecap=\"round\">\n";
  for (const Line& line : lines) view.line(out, line.from, line.to);
  out << "</g>\n";
  draw_walls(out, view, walls);
  out << "</svg>\n";
}

}  // namespace

void draw_contacts(OutputFile& out, const Spheres<2>& particles, std::span<const Pair> pairs,
                   const DrawnWalls& walls) {
  std::vector<std::size_t> contacts(particles.size(), 0);
  std::vector<Line> lines;
  for (const auto [a, b] : pairs) {
    ++contacts[a];
    ++contacts[b];
    lines.push_back({centre(particles, a), centre(particles, b)});
  }
  draw(out, particles, contacts, lines, walls);
}

void draw_contacts(OutputFile& out, const Spheres<2>& particles,
                   std::span<const PeriodicPair<2>> pairs, const std::array<double, 2>& periods,
                   const DrawnWalls& walls) {
  std::vector<std::size_t> contacts(particles.size(), 0);
  std::vector<Line> lines;
  for (const auto& [a, b, image] : pairs) {
    ++contacts[a];
    ++contacts[b];
    Line there{centre(particles, a), centre(particles, b)};
    Line back{there.to, there.from};
    for (std::size_t k = 0; k < 2; ++k) {
      there.to[k] += image[k] * periods[k];
      back.to[k] -= image[k] * periods[k];
    }
    lines.push_back(there);
    if (image != std::array<std::int32_t, 2>{}) lines.push_back(back);
  }
  draw(out, particles, contacts, lines, walls);
}

}  // namespace abut
