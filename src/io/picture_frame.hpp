#pragma once

#include <abut/mesh.hpp>
#include <algorithm>
#include <array>
#include <cmath>

#include "io/output_file.hpp"

namespace abut {

/// The box of all that is drawn, and how it becomes a picture of a fixed width, y upwards. Nothing
/// drawn is a box of side one.
class PictureFrame {
 public:
  void include(const Point<2>& point, double radius = 0) {
    for (std::size_t k = 0; k < 2; ++k) {
      low_[k] = empty_ ? point[k] - radius : std::min(low_[k], point[k] - radius);
      high_[k] = empty_ ? point[k] + radius : std::max(high_[k], point[k] + radius);
    }
    empty_ = false;
  }

  [[nodiscard]] double x(double value) const { return rounded((value - low_[0]) * scale()); }
  [[nodiscard]] double y(double value) const { return rounded((high_[1] - value) * scale()); }
  [[nodiscard]] double length(double value) const { return rounded(value * scale()); }
  [[nodiscard]] double height() const { return rounded((high_[1] - low_[1]) * scale()); }

  /// How long something is that shall be so long in the picture.
  [[nodiscard]] double drawn_as(double units) const { return units / scale(); }

  void line(OutputFile& out, const Point<2>& from, const Point<2>& to) const {
    out << "<line x1=\"" << x(from[0]) << "\" y1=\"" << y(from[1]) << "\" x2=\"" << x(to[0])
        << "\" y2=\"" << y(to[1]) << "\"/>\n";
  }

  /// The colour of a particle by the number of its contacts, from none to six and more.
  static const char* fill(std::size_t contacts) {
    constexpr std::array fills{"#e8ebef", "#c9dcee", "#a3c7e6", "#7bb0db",
                               "#5596cc", "#357bb7", "#1f5f99"};
    return fills[std::min(contacts, fills.size() - 1)];
  }

  /// Writes the first lines of the picture: a white sheet.
  void begin(OutputFile& out) const {
    out << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" << width << ' ' << height()
        << "\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  }

 private:
  static constexpr double width = 1000;  // in units of the picture
  static double rounded(double value) { return std::round(value * 100) / 100; }
  [[nodiscard]] double scale() const { return width / std::max(high_[0] - low_[0], 1e-300); }

  bool empty_ = true;
  Point<2> low_{0, 0};
  Point<2> high_{1, 1};
};

}  // namespace abut
