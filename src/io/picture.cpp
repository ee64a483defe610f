#include "io/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace abut {
namespace {

constexpr double width = 1000;  // of the picture, in its own units

// From the particles' box to the picture, y upwards.
class View {
 public:
  explicit View(const Spheres<2>& particles) {
    double right = 1;
    double low = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
      const double r = particles.radius()[i];
      const double x = particles.axis(0)[i];
      const double y = particles.axis(1)[i];
      left_ = i == 0 ? x - r : std::min(left_, x - r);
      right = i == 0 ? x + r : std::max(right, x + r);
      low = i == 0 ? y - r : std::min(low, y - r);
      top_ = i == 0 ? y + r : std::max(top_, y + r);
    }
    scale_ = width / std::max(right - left_, 1e-300);
    height_ = (top_ - low) * scale_;
  }
  [[nodiscard]] double x(double value) const { return rounded((value - left_) * scale_); }
  [[nodiscard]] double y(double value) const { return rounded((top_ - value) * scale_); }
  [[nodiscard]] double length(double value) const { return rounded(value * scale_); }
  [[nodiscard]] double height() const { return rounded(height_); }

 private:
  static double rounded(double value) { return std::round(value * 100) / 100; }
  double left_ = 0;
  double top_ = 1;
  double scale_ = 1;
  double height_ = 1;
};

}  // namespace

void draw_contacts(OutputFile& out, const Spheres<2>& particles, std::span<const Pair> pairs) {
  // Colour by the number of contacts, from none to six and more.
  constexpr std::array fills{"#e8ebef", "#c9dcee", "#a3c7e6", "#7bb0db",
                             "#5596cc", "#357bb7", "#1f5f99"};
  std::vector<std::size_t> contacts(particles.size(), 0);
  for (const auto [a, b] : pairs) {
    ++contacts[a];
    ++contacts[b];
  }
  const View view(particles);
  out << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" << width << ' ' << view.height()
      << "\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  out << "<g stroke=\"#ffffff\">\n";
  for (std::size_t i = 0; i < particles.size(); ++i)
    out << "<circle cx=\"" << view.x(particles.axis(0)[i]) << "\" cy=\""
        << view.y(particles.axis(1)[i]) << "\" r=\"" << view.length(particles.radius()[i])
        << "\" fill=\"" << fills[std::min(contacts[i], fills.size() - 1)] << "\"/>\n";
  out << "</g>\n<g stroke=\"#d1495b\" stroke-width=\"2\" stroke-linecap=\"round\">\n";
  for (const auto [a, b] : pairs)
    out << "<line x1=\"" << view.x(particles.axis(0)[a]) << "\" y1=\""
        << view.y(particles.axis(1)[a]) << "\" x2=\"" << view.x(particles.axis(0)[b]) << "\" y2=\""
        << view.y(particles.axis(1)[b]) << "\"/>\n";
  out << "</g>\n</svg>\n";
}

}  // namespace abut
