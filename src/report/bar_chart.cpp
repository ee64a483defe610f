#include <algorithm>
#include <cmath>
#include <limits>

#include "core/message.hpp"
#include "io/text_format.hpp"
#include "report/plot.hpp"
#include "report/text_size.hpp"

namespace abut {
namespace {

// Lengths in SVG units, as in plots.
constexpr double chart_width = 560;
constexpr double row_height = 28;
constexpr double bar_height = 16;
constexpr double letter_size = 16;
constexpr double label_width = 48;
constexpr double value_width = 64;  // space for the number after the longest bar
constexpr double top = 8;

/// Maps the value of a bar to a coordinate on the axis.
class Scale {
 public:
  Scale(const std::vector<BarChart::Bar>& bars, double left) : origin_(left) {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = 0;
    for (const BarChart::Bar& bar : bars) {
      largest = std::max(largest, bar.value);
      if (bar.value > 0) smallest = std::min(smallest, bar.value);
    }
    constexpr double visible_fraction = 1.0 / 30;
    logarithmic_ = smallest < largest * visible_fraction;
    ticks_ = logarithmic_ ? logarithmic_ticks(smallest, largest) : linear_ticks(largest);
  }

  [[nodiscard]] bool is_logarithmic() const { return logarithmic_; }
  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }

  [[nodiscard]] double position_of(double value) const {
    const auto transform = [&](double v) { return logarithmic_ ? std::log(v) : v; };
    const double first = transform(ticks_.front());
    const double fraction =
        (transform(std::max(value, ticks_.front())) - first) / (transform(ticks_.back()) - first);
    return origin_ + fraction * (chart_width - value_width - origin_);
  }

 private:
  double origin_;
  bool logarithmic_ = false;
  std::vector<double> ticks_;
};

double rounded(double value) { return std::round(value * 100) / 100; }

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return message("<text x=\"", rounded(x), "\" y=\"", rounded(y), "\" text-anchor=\"", anchor,
                 "\">", xml_escaped(text), "</text>\n");
}

std::string axis_of(const Scale& scale, double bottom, const std::string& title) {
  std::string lines;
  double free_from = 0;
  for (const double tick : scale.ticks()) {
    const double x = rounded(scale.position_of(tick));
    lines += message("<line x1=\"", x, "\" y1=\"", top, "\" x2=\"", x, "\" y2=\"", bottom,
                     "\" stroke=\"#e3e6ea\"/>\n");
    if (x < free_from) continue;  // omit labels that would overlap
    lines += text_at(x, bottom + 20, "middle", tick_label(tick));
    free_from = x + label_width;
  }
  const double middle =
      (scale.position_of(scale.ticks().front()) + scale.position_of(scale.ticks().back())) / 2;
  return lines + text_at(middle, bottom + 44, "middle",
                         title + (scale.is_logarithmic() ? ", logarithmic" : ""));
}

/// Three significant digits.
std::string number_text(double value) {
  if (value >= 100) return message(std::round(value));
  const double unit = value >= 10 ? 10 : value >= 1 ? 100 : 1000;
  return message(static_cast<float>(std::round(value * unit) / unit));
}

}  // namespace

std::string draw(const BarChart& chart) {
  std::size_t longest = 0;
  for (const BarChart::Bar& bar : chart.bars) longest = std::max(longest, letters_of(bar.name));
  // Names take at most half of the width; longer ones get a smaller font.
  const double letters = letter_width * static_cast<double>(longest);
  const double left = std::min(chart_width / 2, letters * letter_size + 10);
  const double name_size = std::min(letter_size, (left - 10) / std::max(letters, 1.0));
  const Scale scale(chart.bars, left);
  const double bottom = top + row_height * static_cast<double>(chart.bars.size());
  std::string svg = message(
      R"(<svg role="img" viewBox="0 0 )", chart_width, " ", bottom + 56,
      R"(" xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="16" fill="#33383d">)",
      "\n<title>", xml_escaped(chart.title), "</title>\n<rect width=\"100%\" height=\"100%\" ",
      "fill=\"#ffffff\"/>\n", axis_of(scale, bottom, chart.axis));
  double y = top;
  for (const BarChart::Bar& bar : chart.bars) {
    const double end = scale.position_of(bar.value);
    svg += message("<g font-size=\"", rounded(name_size), "\">",
                   text_at(left - 8, y + row_height / 2 + 5, "end", bar.name), "</g>", "<rect x=\"",
                   rounded(left), "\" y=\"", y + (row_height - bar_height) / 2, "\" width=\"",
                   rounded(end - left), "\" height=\"", bar_height, "\" fill=\"#0072b2\"/>\n",
                   text_at(end + 6, y + row_height / 2 + 5, "start", number_text(bar.value)));
    y += row_height;
  }
  return svg + "</svg>\n";
}

}  // namespace abut
