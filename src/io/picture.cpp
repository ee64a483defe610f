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

using Place = std::array<double, 2>;
struct Line {
  Place from;
  Place to;
};

Place centre(const Spheres<2>& particles, Index i) {
  return {particles.axis(0)[i], particles.axis(1)[i]};
}

void draw(OutputFile& out, const Spheres<2>& particles, const std::vector<std::size_t>& contacts,
          const std::vector<Line>& lines) {
  // Colour by the number of contacts, from none to six and more.
  constexpr std::array fills{"#e8ebef", "#c9dcee", "#a3c7e6", "#7bb0db",
                             "#5596cc", "#357bb7", "#1f5f99"};
  const View view(particles);
  out << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" << width << ' ' << view.height()
      << "\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  out << "<g stroke=\"#ffffff\">\n";
  for (std::size_t i = 0; i < particles.size(); ++i)
    out << "<circle cx=\"" << view.x(particles.axis(0)[i]) << "\" cy=\""
        << view.y(particles.axis(1)[i]) << "\" r=\"" << view.length(particles.radius()[i])
        << "\" fill=\"" << fills[std::min(contacts[i], fills.size() - 1)] << "\"/>\n";
  out << "</g>\n<g stroke=\"#d1495b\" stroke-width=\"2\" stroke-linecap=\"round\">\n";
  for (const auto& [from, to] : lines)
    out << "<line x1=\"" << view.x(from[0]) << "\" y1=\"" << view.y(from[1]) << "\" x2=\""
        << view.x(to[0]) << "\" y2=\"" << view.y(to[1]) << "\"/>\n";
  out << "</g>\n</svg>\n";
}

}  // namespace

void draw_contacts(OutputFile& out, const Spheres<2>& particles, std::span<const Pair> pairs) {
  std::vector<std::size_t> contacts(particles.size(), 0);
  std::vector<Line> lines;
  for (const auto [a, b] : pairs) {
    ++contacts[a];
    ++contacts[b];
    lines.push_back({centre(particles, a), centre(particles, b)});
  }
  draw(out, particles, contacts, lines);
}

void draw_contacts(OutputFile& out, const Spheres<2>& particles,
                   std::span<const PeriodicPair<2>> pairs, const std::array<double, 2>& periods) {
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
  draw(out, particles, contacts, lines);
}

}  // namespace abut
