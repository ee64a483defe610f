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

/// Maps the bounding box of a scene, y upward, to an image of 1000 units in width, y downward. The
/// box of an empty scene is the unit square.
class SvgView {
 public:
  /// Extends the bounding box by a disk.
  void include(const Point<2>& point, double radius = 0) {
    for (std::size_t k = 0; k < 2; ++k) {
      min_[k] = is_empty_ ? point[k] - radius : std::min(min_[k], point[k] - radius);
      max_[k] = is_empty_ ? point[k] + radius : std::max(max_[k], point[k] + radius);
    }
    is_empty_ = false;
  }

  // From scene coordinates and lengths to image units, rounded to 0.01.
  [[nodiscard]] double x(double value) const { return rounded((value - min_[0]) * scale()); }
  [[nodiscard]] double y(double value) const { return rounded((max_[1] - value) * scale()); }
  [[nodiscard]] double scaled(double value) const { return rounded(value * scale()); }
  [[nodiscard]] double height() const { return rounded((max_[1] - min_[1]) * scale()); }

  /// The length in the scene of a length in image units.
  [[nodiscard]] double world_length(double units) const { return units / scale(); }

  void line(OutputFile& out, const Point<2>& from, const Point<2>& to) const {
    out << "<line x1=\"" << x(from[0]) << "\" y1=\"" << y(from[1]) << "\" x2=\"" << x(to[0])
        << "\" y2=\"" << y(to[1]) << "\"/>\n";
  }

  /// Fill color of a particle by its number of contacts: the more, up to six, the darker.
  static const char* contact_color(std::size_t contacts) {
    constexpr std::array colors{"#e8ebef", "#c9dcee", "#a3c7e6", "#7bb0db",
                                "#5596cc", "#357bb7", "#1f5f99"};
    return colors[std::min(contacts, colors.size() - 1)];
  }

  /// Writes the opening tag and a white background.
  void write_header(OutputFile& out) const {
    out << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" << width << ' ' << height()
        << "\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  }

 private:
  static constexpr double width = 1000;  // image units
  static double rounded(double value) { return std::round(value * 100) / 100; }
  [[nodiscard]] double scale() const { return width / std::max(max_[0] - min_[0], 1e-300); }

  bool is_empty_ = true;
  Point<2> min_{0, 0};
  Point<2> max_{1, 1};
};

/// Walls of a scene and the contacts of particles with them. Views; nothing is copied.
struct DrawnWalls {
  std::span<const Mesh<2>* const> meshes{};
  std::span<const WallContact<2>> contacts{};
};

/// Draws disks, walls and a line per contact as SVG; the more contacts, the darker the disk.
void draw_contacts(OutputFile& out, const Spheres<2>& particles, std::span<const Pair> pairs,
                   const DrawnWalls& walls = {});

/// As above in a periodic domain; a line that crosses a boundary is drawn from both ends.
void draw_contacts(OutputFile& out, const Spheres<2>& particles,
                   std::span<const PeriodicPair<2>> pairs, const std::array<double, 2>& periods,
                   const DrawnWalls& walls = {});

/// A convex part of a particle, in scene coordinates.
struct DrawnPart {
  std::span<const Point<2>> vertices;
  Index particle;
};

/// Draws polygons and their contacts as SVG: per contact a line along the common plane, as long as
/// the contact, and a line along its normal. Overlaps are red, potential contacts gray; the more
/// contacts, the darker the particle.
void draw_blocks(OutputFile& out, std::span<const DrawnPart> parts,
                 std::span<const BlockContact<2>> contacts);

}  // namespace abut
