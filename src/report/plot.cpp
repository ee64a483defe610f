// Plots are drawn by gnuplot as a subprocess: the script is its input, the SVG its output. Ticks
// are chosen here, because gnuplot writes large numbers as 5e+06.
#include "report/plot.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "core/message.hpp"
#include "io/system.hpp"
#include "io/text_format.hpp"
#include "report/text_size.hpp"

namespace abut {
namespace {

constexpr int width = 560;
constexpr double height = 380;     // with a title of one line, without the legend
constexpr double legend_row = 24;  // height of a legend row
constexpr double title_row = 22;   // height of a line of the title
constexpr double top_margin = 63;  // with a title of one line
constexpr double bottom_margin = 66;
constexpr double max_left_margin = 105;  // gnuplot chooses it
constexpr double right_margin = 41;
constexpr double font_size = 16;
constexpr double title_size = 17;

// The palette of Okabe and Ito, distinguishable with color vision deficiency. Markers differ, too.
constexpr std::array colors{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                            "#e69f00", "#56b4e9", "#5c677d", "#8a6d00"};
constexpr std::array marks{7, 5, 9, 13, 11, 6, 4, 8};
constexpr const char* foreground = "#33383d";
constexpr const char* expected_color = "#8a929b";

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool empty() const { return low > high; }
};

bool is_drawable(const Plot& plot, const std::array<double, 2>& point) {
  return std::isfinite(point[0]) && std::isfinite(point[1]) &&
         (!plot.x.logarithmic || point[0] > 0) && (!plot.y.logarithmic || point[1] > 0);
}

bool is_bar(const Plot::Line& line) {
  return line.style == Plot::Style::bars || line.style == Plot::Style::expected_bars;
}

Range range_of(const Plot& plot, std::size_t coordinate) {
  Range range;
  for (const Plot::Line& line : plot.lines)
    for (const auto& point : line.points)
      if (is_drawable(plot, point)) range.include(point[coordinate]);
  return range.empty() ? Range{1, 10} : range;
}

// A string of a gnuplot script, without line breaks.
std::string quoted(std::string_view text) {
  std::string safe = "'";
  for (const char c : text) {
    if (c == '\'') safe += c;
    safe += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return safe + '\'';
}

// The font of a text; smaller than usual if the text would be wider than `available`.
std::string font(std::string_view text, double available) {
  const double size = fitting_font_size(text, font_size, available);
  return size < font_size ? message(" font ',", std::floor(size), "'") : "";
}

// Ticks of an axis, and the range that it covers.
struct Ticks {
  std::vector<double> values;
  double low = values.front();
  double high = values.back();
};

std::string axis(char letter, const Plot::Axis& axis, const Ticks& ticks) {
  const std::string_view name(&letter, 1);
  const bool horizontal = letter == 'x';
  const double slack =
      axis.logarithmic ? 1e-5 : 0;  // gnuplot omits some ticks at the end of the range
  // Titles are centered on the axis; the vertical one may extend to the upper edge.
  const double title_space = horizontal ? width - 120 : top_margin + height - bottom_margin - 16;
  std::string marked;
  for (const double tick : ticks.values)
    marked += message(marked.empty() ? "" : ", ", quoted(tick_label(tick)), " ", tick);
  return message(axis.logarithmic ? message("set logscale ", name, "\n") : "", "set ", name,
                 "range [", ticks.low * (1 - slack), ":", ticks.high * (1 + slack), "]\nset ", name,
                 "tics nomirror out scale 0.4 (", marked, ") offset ",
                 horizontal ? "0,0.3" : "0.4,0", " textcolor rgb '", foreground, "'\nset ", name,
                 "label ", quoted(axis.title), horizontal ? " offset 0,0.8" : "",
                 font(axis.title, title_space), " textcolor rgb '", foreground, "'\n");
}

// Every how many ticks one can be labeled without overlap.
std::size_t label_stride(char letter, const std::vector<double>& ticks) {
  constexpr double gap = 10;
  double extent = 0;  // of the largest label
  for (const double tick : ticks)
    extent = std::max(extent, letter == 'x' ? text_width(tick_label(tick), font_size) : font_size);
  const double available =
      letter == 'x' ? width - max_left_margin - right_margin : height - top_margin - bottom_margin;
  const double needed = static_cast<double>(ticks.size() - 1) * (extent + gap);
  return static_cast<std::size_t>(std::max(1.0, std::ceil(needed / available)));
}

Ticks ticks_of(char letter, const Plot::Axis& axis, const Range& range) {
  const std::vector<double> all =
      axis.logarithmic ? logarithmic_ticks(range.low, range.high) : linear_ticks(range.high);
  const std::size_t stride = label_stride(letter, all);
  Ticks ticks{{}, all.front(), all.back()};
  for (std::size_t k = 0; k < all.size(); k += stride) ticks.values.push_back(all[k]);
  return ticks;
}

// The smallest of 1, 2, 5, 10, 20, … that is at least `stride`.
double round_stride(std::size_t stride) {
  for (double power = 1;; power *= 10)
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor * power >= static_cast<double>(stride)) return factor * power;
}

// Bars are placed at integers, each with a tick if there is space for the labels; otherwise, there
// are ticks at multiples of a round number.
std::string whole_number_axis(const Plot& plot) {
  const Range range = range_of(plot, 0);
  std::vector<double> all;
  for (double tick = std::round(range.low); tick <= std::round(range.high); ++tick)
    all.push_back(tick);
  const double stride = round_stride(label_stride('x', all));
  Ticks ticks{{}, all.front() - 0.6, all.back() + 0.6};
  for (const double tick : all)
    if (std::fmod(tick, stride) == 0) ticks.values.push_back(tick);
  return axis('x', plot.x, ticks);
}

// The title in lines that fit above the axes.
std::vector<std::string> title_lines(const std::string& title) {
  const double available = width - max_left_margin - 8;
  std::vector<std::string> lines(1);
  std::istringstream words(title);
  for (std::string word; words >> word;) {
    std::string& line = lines.back();
    std::string longer = line;
    if (!line.empty()) longer += ' ';
    longer += word;
    if (!line.empty() && text_width(longer, title_size) > available)
      lines.push_back(word);
    else
      line = longer;
  }
  return lines;
}

struct Legend {
  int columns = 1;
  int rows = 0;
};

// A single line needs no legend: the title describes it.
Legend legend_of(const Plot& plot) {
  if (plot.lines.size() < 2) return {};
  constexpr std::size_t letter = 11;  // a generous width: gnuplot uses fewer columns than requested
  constexpr std::size_t sample = 50;
  std::size_t longest = 1;
  for (const Plot::Line& line : plot.lines) longest = std::max(longest, line.name.size());
  const auto count = static_cast<int>(plot.lines.size());
  Legend legend;
  legend.columns =
      std::clamp(static_cast<int>(440 / (longest * letter + sample)), 1, std::max(1, count));
  legend.rows = (count + legend.columns - 1) / legend.columns;
  legend.columns =
      std::max(1, (count + legend.rows - 1) / std::max(1, legend.rows));  // balance the rows
  return legend;
}

// The labels of the lines of the title.
std::string title_labels(const std::vector<std::string>& lines, double whole) {
  std::string labels;
  for (std::size_t k = 0; k < lines.size(); ++k)
    labels +=
        message("set label ", k + 1, " ", quoted(lines[k]), " at graph 0, screen ",
                1 - (18 + title_row * static_cast<double>(k)) / whole,
                " left font 'sans-serif:Bold,", title_size, "' textcolor rgb '", foreground, "'\n");
  return labels;
}

std::string preamble(const Plot& plot) {
  const Legend legend = legend_of(plot);
  const std::vector<std::string> title = title_lines(plot.title);
  const double title_extra = title_row * static_cast<double>(title.size() - 1);
  const double whole = height + title_extra + legend_row * legend.rows;
  return message(
      "set encoding utf8\nset terminal svg size ", width, ",", whole,
      " dynamic noenhanced font 'sans-serif,", font_size,
      "' background '#ffffff' name 'abut'\nset border 3 lc rgb '", expected_color,
      "'\nset tmargin at screen ", 1 - (top_margin + title_extra) / whole,
      "\nset rmargin 4\nset bmargin at screen ", (legend_row * legend.rows + bottom_margin) / whole,
      "\nset grid xtics ytics back lt 1 lc rgb '#e3e6ea' lw 1\n",
      legend.rows == 0 ? "unset key\n"
                       : message("set key at screen 0.5, screen ", 6 / whole,
                                 " center bottom horizontal Left reverse samplen 2 maxcols ",
                                 legend.columns, " textcolor rgb '", foreground, "'\n"),
      title_labels(title, whole));
}

std::string data(const Plot& plot, std::size_t number, double shift) {
  std::string text = message("$d", number, " << END\n");
  bool any = false;
  for (const auto& point : plot.lines[number].points) {
    if (!is_drawable(plot, point)) continue;
    text += message(point[0] + shift, " ", point[1], "\n");
    any = true;
  }
  return message(text, any ? "" : "NaN NaN\n", "END\n");
}

std::string line_style(Plot::Style style, std::size_t number) {
  const std::string color = message(" lc rgb '", colors[number % colors.size()], "'");
  switch (style) {
    case Plot::Style::curve:
      return message("lines lw 1.8 dt (8,5) lc rgb '", expected_color, "'");
    case Plot::Style::bars:
      return message("boxes fill solid 0.9 noborder", color);
    case Plot::Style::expected_bars:
      return "boxes fill solid 1 noborder lc rgb '#c3c9cf'";
    case Plot::Style::points:
      break;
  }
  return message("linespoints lw 2 ps 0.8 pt ",
                 marks[(number + number / colors.size()) % marks.size()], color);
}

std::string script_for(const Plot& plot) {
  std::string script = preamble(plot);
  const auto bars = static_cast<double>(std::ranges::count_if(plot.lines, is_bar));
  script += bars > 0 ? whole_number_axis(plot)
                     : axis('x', plot.x, ticks_of('x', plot.x, range_of(plot, 0)));
  script += axis('y', plot.y, ticks_of('y', plot.y, range_of(plot, 1)));

  const double bar = 0.8 / std::max(1.0, bars);
  script += message("set boxwidth ", bar * 0.92, "\n");
  double offset = (1 - bars) / 2;  // of a bar, in bar widths
  std::string list;
  std::size_t color = 0;
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    const Plot::Line& line = plot.lines[i];
    script += data(plot, i, is_bar(line) ? offset++ * bar : 0);
    list += message(i == 0 ? "" : ", ", "$d", i, " using 1:2 with ", line_style(line.style, color),
                    " title ", quoted(line.name));
    if (line.style == Plot::Style::points || line.style == Plot::Style::bars) ++color;
  }
  return message(script, "plot ", list.empty() ? "NaN notitle" : list, "\n");
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

void erase_between(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    const std::size_t end = text.find(to, at);
    text.erase(at, end == std::string::npos ? end : end + to.size() - at);
  }
}

// Prepares the SVG for embedding in a page with others: no prologue, unique ids, the title of the
// plot, and bold text by the SVG attribute.
std::string cleaned_svg(std::string svg, const Plot& plot, std::string_view name) {
  svg.erase(0, svg.find("<svg"));
  erase_between(svg, "<desc>", "</desc>\n");
  erase_between(svg, "<filter", "</filter>\n");
  erase_between(svg, "<title>abut_plot_", "</title>");
  replace_all(svg, "<title>abut</title>", message("<title>", xml_escaped(plot.title), "</title>"));
  replace_all(svg, "'gp", message("'", name, "-"));
  replace_all(svg, "#gp", message("#", name, "-"));
  replace_all(svg, "\"gnuplot_canvas", message("\"", name, "-canvas"));
  replace_all(svg, "\"abut_plot_", message("\"", name, "-line-"));
  replace_all(svg, "sans-serif:Bold\"", "sans-serif\" font-weight=\"bold\"");
  replace_all(svg, "<svg \n", "<svg role=\"img\"\n");
  return svg;
}

}  // namespace

void check_gnuplot() { (void)draw(Plot{.title = "test"}); }

std::string draw(const Plot& plot, std::string_view name) {
  unsetenv("GNUTERM");  // it would override the terminal that the script selects
  const std::optional<ProcessResult> outcome =
      run_process({"gnuplot", "--default-settings", "-"}, script_for(plot));
  if (!outcome) throw Error("gnuplot is not installed; on Debian: apt-get install gnuplot-nox");
  // gnuplot repeats the line, points into it, and gives the cause in the last line.
  if (outcome->status != 0 || outcome->output.find("<svg") > outcome->output.find("</svg>"))
    throw Error(
        message("gnuplot cannot draw '", plot.title, "': ", last_line(outcome->error_output)));
  return cleaned_svg(outcome->output, plot, name);
}

}  // namespace abut
