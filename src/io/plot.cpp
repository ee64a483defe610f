#include "io/plot.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/message.hpp"

namespace abut {
namespace {

// The area of the axes within the picture.
constexpr double width = 720;
constexpr double height = 420;
constexpr double left = 70;
constexpr double right = 540;  // the legend stands beyond
constexpr double top = 50;
constexpr double bottom = 360;

constexpr std::array colours{"#1f5f99", "#d1495b", "#3a7d44", "#edae49",
                             "#7d5ba6", "#00798c", "#8a5a44", "#5c677d"};

double rounded(double value) { return std::round(value * 10) / 10; }

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '&')
      safe += "&amp;";
    else
      safe += c;
  }
  return safe;
}

// 200, 0.5, but 10⁵ and 2·10⁶ where zeros would have to be counted.
std::string tick_text(double value) {
  constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  if (value >= 1e-3 && value < 1e5) return message(value);
  const double power = std::floor(std::log10(value) + 1e-9);
  const double factor = std::round(value / std::pow(10, power));
  std::string exponent;
  for (const char c : message(std::abs(power)))
    exponent += digits[static_cast<std::size_t>(c - '0')];
  return message(factor == 1 ? "" : message(factor, "·"), "10", power < 0 ? "⁻" : "", exponent);
}

// Whole decades, or 1–2–5 steps where a decade or two must do.
class LogAxis {
 public:
  LogAxis(double low, double high, double from, double to) : from_(from), to_(to) {
    const double decades = std::log10(high / low);
    for (double power = std::floor(std::log10(low)); power <= std::ceil(std::log10(high)); ++power)
      for (const double step : {1.0, 2.0, 5.0})
        if (step == 1 || decades < 2) ticks_.push_back(step * std::pow(10, power));
    const auto first = std::ranges::upper_bound(ticks_, low * 1.0001);
    if (first != ticks_.begin()) ticks_.erase(ticks_.begin(), first - 1);
    const auto last = std::ranges::lower_bound(ticks_, high * 0.9999);
    if (last != ticks_.end()) ticks_.erase(last + 1, ticks_.end());
    if (ticks_.size() < 2) ticks_.push_back(ticks_.back() * 10);
  }

  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }
  [[nodiscard]] double place(double value) const {
    const double part = std::log(value / ticks_.front()) / std::log(ticks_.back() / ticks_.front());
    return rounded(from_ + (to_ - from_) * part);
  }

 private:
  double from_;
  double to_;
  std::vector<double> ticks_;
};

void text(OutputFile& out, double x, double y, std::string_view anchor, std::string_view words,
          std::string_view extra = "") {
  out << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\" " << extra
      << '>' << escaped(words) << "</text>\n";
}

LogAxis axis_over(const Plot& plot, std::size_t coordinate, double from, double to) {
  double low = 1e300;
  double high = 0;
  for (const Plot::Line& line : plot.lines)
    for (const auto& point : line.points) {
      if (!(point[0] > 0 && point[1] > 0)) continue;
      low = std::min(low, point[coordinate]);
      high = std::max(high, point[coordinate]);
    }
  return high > 0 ? LogAxis(low, high, from, to) : LogAxis(1, 10, from, to);
}

void draw_axes(OutputFile& out, const Plot& plot, const LogAxis& x_axis, const LogAxis& y_axis) {
  for (const double tick : x_axis.ticks()) {
    const double x = x_axis.place(tick);
    out << "<line x1=\"" << x << "\" y1=\"" << top << "\" x2=\"" << x << "\" y2=\"" << bottom
        << "\" stroke=\"#dde1e6\"/>\n";
    text(out, x, bottom + 18, "middle", tick_text(tick));
  }
  for (const double tick : y_axis.ticks()) {
    const double y = y_axis.place(tick);
    out << "<line x1=\"" << left << "\" y1=\"" << y << "\" x2=\"" << right << "\" y2=\"" << y
        << "\" stroke=\"#dde1e6\"/>\n";
    text(out, left - 8, y + 4, "end", tick_text(tick));
  }
  text(out, left, top - 20, "start", plot.title, "font-weight=\"bold\"");
  text(out, (left + right) / 2, bottom + 42, "middle", plot.x_title);
  text(out, 0, 0, "middle", plot.y_title,
       message("transform=\"translate(18 ", (top + bottom) / 2, ") rotate(-90)\""));
}

void draw_line(OutputFile& out, const Plot::Line& line, std::string_view colour,
               const LogAxis& x_axis, const LogAxis& y_axis) {
  std::string path;
  std::string marks;
  for (const auto& [x, y] : line.points) {
    if (!(x > 0 && y > 0)) continue;
    const std::string px = message(x_axis.place(x));
    const std::string py = message(y_axis.place(y));
    path += message(path.empty() ? "M" : " L", px, " ", py);
    marks += message("<circle cx=\"", px, "\" cy=\"", py, "\" r=\"3.5\" fill=\"", colour, "\"/>\n");
  }
  out << "<path d=\"" << path << "\" fill=\"none\" stroke-width=\"2\" stroke=\"" << colour
      << "\"/>\n"
      << marks;
}

}  // namespace

void draw_log_log(OutputFile& out, const Plot& plot) {
  const LogAxis x_axis = axis_over(plot, 0, left, right);
  const LogAxis y_axis = axis_over(plot, 1, bottom, top);
  out << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" << width << ' ' << height
      << "\" font-family=\"sans-serif\" font-size=\"13\">\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  draw_axes(out, plot, x_axis, y_axis);
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    const std::string_view colour = colours[i % colours.size()];
    draw_line(out, plot.lines[i], colour, x_axis, y_axis);
    const double y = top + 10 + 20 * static_cast<double>(i);
    out << "<circle cx=\"" << right + 18 << "\" cy=\"" << y << "\" r=\"4\" fill=\"" << colour
        << "\"/>\n";
    text(out, right + 28, y + 4, "start", plot.lines[i].name);
  }
  out << "</svg>\n";
}

}  // namespace abut
