#include "io/svg_scene.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/vec.hpp"

namespace abut {
namespace {

SvgView view_of(const Spheres<2>& particles, const DrawnWalls& walls) {
  SvgView view;
  for (std::size_t i = 0; i < particles.size(); ++i)
    view.include({particles.coordinates(0)[i], particles.coordinates(1)[i]}, particles.radii()[i]);
  for (const Mesh<2>* mesh : walls.meshes)
    for (const Point<2>& vertex : mesh->vertices) view.include(vertex);
  return view;
}

struct Line {
  Point<2> from;
  Point<2> to;
};

Point<2> center_of(const Spheres<2>& particles, Index i) {
  return {particles.coordinates(0)[i], particles.coordinates(1)[i]};
}

void draw_walls(OutputFile& out, const SvgView& view, const DrawnWalls& walls) {
  if (walls.meshes.empty()) return;
  out << "<g stroke=\"#30343b\" stroke-width=\"4\" stroke-linecap=\"round\">\n";
  for (const Mesh<2>* mesh : walls.meshes)
    for (const auto& [from, to] : mesh->facets)
      view.line(out, mesh->vertices[from], mesh->vertices[to]);
  out << "</g>\n";
}

void draw_scene(OutputFile& out, const Spheres<2>& particles, std::vector<std::size_t>& contacts,
                std::vector<Line>& lines, const DrawnWalls& walls) {
  for (const WallContact<2>& contact : walls.contacts) {
    ++contacts[contact.particle];
    lines.push_back({center_of(particles, contact.particle), contact.point});
  }
  const SvgView view = view_of(particles, walls);
  view.write_header(out);
  out << "<g stroke=\"#ffffff\">\n";
  for (std::size_t i = 0; i < particles.size(); ++i)
    out << "<circle cx=\"" << view.x(particles.coordinates(0)[i]) << "\" cy=\""
        << view.y(particles.coordinates(1)[i]) << "\" r=\"" << view.scaled(particles.radii()[i])
        << "\" fill=\"" << SvgView::contact_color(contacts[i]) << "\"/>\n";
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
    lines.push_back({center_of(particles, a), center_of(particles, b)});
  }
  draw_scene(out, particles, contacts, lines, walls);
}

void draw_contacts(OutputFile& out, const Spheres<2>& particles,
                   std::span<const PeriodicPair<2>> pairs, const std::array<double, 2>& periods,
                   const DrawnWalls& walls) {
  std::vector<std::size_t> contacts(particles.size(), 0);
  std::vector<Line> lines;
  for (const auto& [a, b, image] : pairs) {
    ++contacts[a];
    ++contacts[b];
    Line there{center_of(particles, a), center_of(particles, b)};
    Line back{there.to, there.from};
    for (std::size_t k = 0; k < 2; ++k) {
      there.to[k] += image[k] * periods[k];
      back.to[k] -= image[k] * periods[k];
    }
    lines.push_back(there);
    if (image != std::array<std::int32_t, 2>{}) lines.push_back(back);
  }
  draw_scene(out, particles, contacts, lines, walls);
}

namespace {

void draw_part(OutputFile& out, const SvgView& view, const DrawnPart& part, std::size_t contacts) {
  out << "<polygon points=\"";
  for (const Point<2>& vertex : part.vertices)
    out << view.x(vertex[0]) << ',' << view.y(vertex[1]) << ' ';
  out << "\" fill=\"" << SvgView::contact_color(contacts) << "\"/>\n";
}

void draw_contact(OutputFile& out, const SvgView& view, const BlockContact<2>& contact) {
  constexpr double min_length = 12;  // image units
  const double half = std::max(contact.area, view.world_length(min_length)) / 2;
  const Point<2> tangent = perpendicular(contact.plane.normal);
  view.line(out, add_scaled(contact.point, -half, tangent),
            add_scaled(contact.point, half, tangent));
  view.line(out, contact.point,
            add_scaled(contact.point, view.world_length(min_length), contact.plane.normal));
}

}  // namespace

void draw_blocks(OutputFile& out, std::span<const DrawnPart> parts,
                 std::span<const BlockContact<2>> contacts) {
  SvgView view;
  std::size_t particle_count = 0;
  for (const DrawnPart& part : parts) {
    for (const Point<2>& vertex : part.vertices) view.include(vertex);
    particle_count = std::max<std::size_t>(particle_count, part.particle + 1);
  }
  std::vector<std::size_t> contact_counts(particle_count, 0);
  for (const BlockContact<2>& contact : contacts) {
    ++contact_counts[contact.a];
    ++contact_counts[contact.b];
  }
  view.write_header(out);
  out << "<g stroke=\"#30343b\" stroke-width=\"1.5\" stroke-linejoin=\"round\">\n";
  for (const DrawnPart& part : parts) draw_part(out, view, part, contact_counts[part.particle]);
  for (const ContactStatus status : {ContactStatus::potential, ContactStatus::active}) {
    out << "</g>\n<g stroke=\"" << (status == ContactStatus::active ? "#d1495b" : "#8a8f98")
        << "\" stroke-width=\"3\" stroke-linecap=\"round\">\n";
    for (const BlockContact<2>& contact : contacts)
      if (contact.status() == status) draw_contact(out, view, contact);
  }
  out << "</g>\n</svg>\n";
}

}  // namespace abut
