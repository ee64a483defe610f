#pragma once

#include <abut/blocks.hpp>
#include <abut/mesh.hpp>
#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <abut/walls.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "io/output_file.hpp"

namespace abut {

/// The box of all that is drawn, and how it becomes a picture of a fixed width, y upwards. Nothing
/// drawn is a box of side one.
class SvgView {
 public:
  void include(const Point<2>& point, double radius = 0) {
    for (std::size_t k = 0; k < 2; ++k) {
      min_[k] = is_empty_ ? point[k] - radius : std::min(min_[k], point[k] - radius);
      max_[k] = is_empty_ ? point[k] + radius : std::max(max_[k], point[k] + radius);
    }
    is_empty_ = false;
  }

  [[nodiscard]] double x(double value) const { return rounded((value - min_[0]) * scale()); }
  [[nodiscard]] double y(double value) const { return rounded((max_[1] - value) * scale()); }
  [[nodiscard]] double scaled(double value) const { return rounded(value * scale()); }
  [[nodiscard]] double height() const { return rounded((max_[1] - min_[1]) * scale()); }

  /// How long something is that shall be so long in the picture.
  [[nodiscard]] double world_length(double units) const { return units / scale(); }

  void line(OutputFile& out, const Point<2>& from, const Point<2>& to) const {
    out << "<line x1=\"" << x(from[0]) << "\" y1=\"" << y(from[1]) << "\" x2=\"" << x(to[0])
        << "\" y2=\"" << y(to[1]) << "\"/>\n";
  }

  /// The colour of a particle by the number of its contacts, from none to six and more.
  static const char* contact_color(std::size_t contacts) {
    constexpr std::array fills{"#e8ebef", "#c9dcee", "#a3c7e6", "#7bb0db",
                               "#5596cc", "#357bb7", "#1f5f99"};
    return fills[std::min(contacts, fills.size() - 1)];
  }

  /// Writes the first lines of the picture: a white sheet.
  void write_header(OutputFile& out) const {
    out << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" << width << ' ' << height()
        << "\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  }

 private:
  static constexpr double width = 1000;  // in units of the picture
  static double rounded(double value) { return std::round(value * 100) / 100; }
  [[nodiscard]] double scale() const { return width / std::max(max_[0] - min_[0], 1e-300); }

  bool is_empty_ = true;
  Point<2> min_{0, 0};
  Point<2> max_{1, 1};
};

/// Walls in a picture, and where particles touch them.
struct DrawnWalls {
  std::span<const Mesh<2>* const> meshes{};
  std::span<const WallContact<2>> contacts{};
};

/// Draws discs, walls and a line for each contact as SVG; the more contacts, the darker the disc.
void draw_contacts(OutputFile& out, const Spheres<2>& particles, std::span<const Pair> pairs,
                   const DrawnWalls& walls = {});

/// In a periodic domain: a line across a face is drawn from both ends.
void draw_contacts(OutputFile& out, const Spheres<2>& particles,
                   std::span<const PeriodicPair<2>> pairs, const std::array<double, 2>& periods,
                   const DrawnWalls& walls = {});

/// A convex part of a particle in a picture.
struct DrawnPart {
  std::span<const Point<2>> vertices;
  Index particle;
};

/// Draws polygons as SVG, and their contacts: a line along each common plane, as long as the
/// contact, and one across it. Overlaps are red, potential contacts grey. The more contacts, the
/// darker the particle.
void draw_blocks(OutputFile& out, std::span<const DrawnPart> parts,
                 std::span<const BlockContact<2>> contacts);

}  // namespace abut
