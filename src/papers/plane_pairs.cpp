#include "papers/plane_pairs.hpp"

#include <fmt/core.h>

#include <abut/box.hpp>
#include <algorithm>
#include <span>

#include "core/vec.hpp"
#include "io/text_format.hpp"

namespace abut {
namespace {

using Vertices = std::vector<Point<2>>;

// Lengths in SVG units.
constexpr double cell = 240;     // width and height of the cell of a pair
constexpr double drawing = 200;  // extent of the pair in its cell

Vertices shifted(Vertices vertices, double x, double y) {
  for (Point<2>& vertex : vertices) vertex = {vertex[0] + x, vertex[1] + y};
  return vertices;
}

PlanePair pair_of(const char* name, const Vertices& a, const Vertices& b) {
  return {name, Polygon(a), Polygon(b)};
}

// Maps particle coordinates to SVG coordinates, whose y axis points down.
struct Frame {
  Point<2> middle{};
  double scale = 1;
  Point<2> center{};

  [[nodiscard]] Point<2> at(const Point<2>& point) const {
    return {center[0] + scale * (point[0] - middle[0]), center[1] - scale * (point[1] - middle[1])};
  }
};

Frame frame_of(const PlanePair& pair, const Point<2>& center) {
  Point<2> low = pair.a.vertices()[0];
  Point<2> high = low;
  for (const auto& vertices : {pair.a.vertices(), pair.b.vertices()})
    for (const Point<2>& vertex : vertices)
      for (std::size_t k = 0; k < 2; ++k) {
        low[k] = std::min(low[k], vertex[k]);
        high[k] = std::max(high[k], vertex[k]);
      }
  const double extent = std::max(high[0] - low[0], high[1] - low[1]);
  return {scaled(sum(low, high), 0.5), drawing / extent, center};
}

std::string polygon_svg(const Polygon& polygon, const Frame& frame, const char* color) {
  std::string points;
  for (const Point<2>& vertex : polygon.vertices()) {
    const Point<2> point = frame.at(vertex);
    points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", point[0], point[1]);
  }
  return fmt::format("<polygon points=\"{}\" fill=\"{}\"/>\n", points, color);
}

// The common plane as a line segment through the contact point that fits into the cell.
std::string plane_svg(const PlanePair& pair, const Frame& frame) {
  const Point<2> contact_point = plane_contact(pair.a.view(), pair.b.view(), pair.plane).point;
  const Point<2> direction = perpendicular(pair.plane.normal);
  const auto end = [&](double sign) {
    return frame.at(add_scaled(contact_point, 0.35 * sign * drawing / frame.scale, direction));
  };
  const Point<2> from = end(-1);
  const Point<2> to = end(1);
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", from[0],
                     from[1], to[0], to[1]);
}

}  // namespace

std::vector<PlanePair> plane_pairs() {
  const Vertices triangle{{0, 0}, {2, 0.4}, {0.7, 1.8}};
  const Vertices wedge{{0, 0}, {4, 0.3}, {3.8, 0.9}};
  const Vertices square{{0, 0}, {1.6, 0}, {1.6, 1.6}, {0, 1.6}};
  const Vertices plate{{0, 0}, {4, 0}, {4, 0.5}, {0, 0.5}};
  const Vertices kite{{1, 0}, {1.7, 0.9}, {1, 2.6}, {0.3, 0.9}};
  const Vertices trapezoid{{0, 0}, {2.2, 0.2}, {1.7, 1.4}, {0.2, 1.1}};
  const Vertices pentagon{{1, 0}, {1.95, 0.69}, {1.59, 1.81}, {0.41, 1.81}, {0.05, 0.69}};
  const Vertices slice{{0, 0}, {2.4, -0.2}, {3.6, 0.2}, {2.6, 0.7}, {0.6, 0.6}};
  return {
      pair_of("triangle above triangle", triangle,
              shifted({{0, 0}, {1.5, 0.9}, {-0.6, 1.3}}, 1.1, 2)),
      pair_of("triangle next to square", square, shifted(triangle, 1.9, -0.3)),
      pair_of("vertex to vertex", square, shifted(kite, 1.3, 1.8)),
      pair_of("pentagon above square", square, shifted(pentagon, 0.5, 1.9)),
      pair_of("plate above plate", plate,
              shifted({{0, 0}, {4, 0.6}, {3.9, 1.1}, {-0.1, 0.5}}, 2.6, 0.7)),
      pair_of("wedge over pentagon", pentagon, shifted(wedge, 0.4, 2.0)),
      pair_of("pentagon next to pentagon", pentagon, shifted(pentagon, 2.1, 0.5)),
      pair_of("slice under kite", slice, shifted(kite, 1.2, 0.9)),
      pair_of("triangle in triangle", triangle,
              shifted({{0, 0}, {1.5, 0.9}, {-0.6, 1.3}}, 1.1, 1.2)),
      pair_of("triangle in square", square, shifted(triangle, 1.4, -0.3)),
      pair_of("vertex in vertex", square, shifted(square, 1.5, 1.4)),
      pair_of("kite in trapezoid", trapezoid, shifted(kite, 0.1, 1.1)),
      pair_of("plate on plate", plate,
              shifted({{0, 0}, {4, 0.6}, {3.9, 1.1}, {-0.1, 0.5}}, 2.6, 0.45)),
      pair_of("wedge in pentagon", pentagon, shifted(wedge, 1.65, 0.95)),
      pair_of("pentagon in pentagon", pentagon, shifted(pentagon, 1.6, 0.5)),
      pair_of("slice in slice", slice, shifted(slice, 2.7, 0.5)),
  };
}

std::string draw(const std::vector<PlanePair>& pairs) {
  constexpr std::size_t columns = 4;
  const std::size_t rows = (pairs.size() + columns - 1) / columns;
  const double height = cell + 30;
  std::string polygons;
  std::string planes;
  std::string labels;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::size_t row = i / columns;
    const double left = cell * static_cast<double>(i % columns);
    const double top = height * static_cast<double>(row);
    const Frame frame = frame_of(pairs[i], {left + cell / 2, top + cell / 2});
    polygons +=
        polygon_svg(pairs[i].a, frame, "#1f5f99") + polygon_svg(pairs[i].b, frame, "#e08a1e");
    planes += plane_svg(pairs[i], frame);
    labels += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">{}. {}</text>\n", left + cell / 2,
                          top + cell + 14, i + 1, xml_escaped(pairs[i].label));
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
      "<g fill-opacity=\"0.75\">\n{}</g>\n"
      "<g stroke=\"#222222\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\">\n{}</g>\n"
      "<g font-family=\"sans-serif\" font-size=\"15\" text-anchor=\"middle\" fill=\"#222222\">\n{}"
      "</g>\n</svg>\n",
      cell * columns, height * static_cast<double>(rows), polygons, planes, labels);
}

}  // namespace abut
