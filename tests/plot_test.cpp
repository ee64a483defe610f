// Plots and reports: contents, and that any text is escaped.
#include "report/plot.hpp"

#include <gmock/gmock.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "io/text_format.hpp"
#include "report/report.hpp"
#include "report/text_size.hpp"
#include "report/verdicts.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(Ticks, AreRoundAndCoverTheValues) {
  EXPECT_THAT(linear_ticks(10), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(linear_ticks(0.0036), ElementsAre(0, 0.001, 0.002, 0.003, 0.004));
  EXPECT_THAT(linear_ticks(0), ElementsAre(0, 0.2, 0.4, 0.6, 0.8, 1));
  EXPECT_THAT(logarithmic_ticks(30, 2000), ElementsAre(20, 50, 100, 200, 500, 1000, 2000));
  EXPECT_THAT(logarithmic_ticks(2, 30000), ElementsAre(1, 10, 100, 1000, 10000, 100000));
  EXPECT_THAT(logarithmic_ticks(5, 5), ElementsAre(5, 50));
  for (const double high : {1e-9, 0.37, 9.99, 123456.0, 5000211.0}) {
    EXPECT_GE(linear_ticks(high).back(), 0.9999 * high);
    EXPECT_LE(linear_ticks(high).size(), 7U);
  }
}

TEST(Ticks, WriteLargeAndSmallNumbersAsPowersOfTen) {
  EXPECT_EQ(tick_label(0), "0");
  EXPECT_EQ(tick_label(0.5), "0.5");
  EXPECT_EQ(tick_label(2000), "2000");
  EXPECT_EQ(tick_label(1e5), "10⁵");
  EXPECT_EQ(tick_label(2.5e6), "2.5·10⁶");
  EXPECT_EQ(tick_label(1e-12), "10⁻¹²");
}

Plot example_plot() {
  return {.title = "Time <of> a \"search\" & 'more'",
          .x = {.title = "particles", .logarithmic = true},
          .y = {.title = "time (s)"},
          .lines = {{"it's $x{1} \\ `ls` <b>", {{1000, 0.5}, {10000, 2}}},
                    {"expected", {{1000, 0.5}, {10000, 5}}, Plot::Style::curve}}};
}

TEST(Plots, AreBitwiseReproducible) {
  EXPECT_EQ(draw(example_plot(), "a"), draw(example_plot(), "a"));
}

TEST(Plots, EscapeText) {
  const std::string svg = draw(example_plot());
  EXPECT_THAT(svg, AllOf(StartsWith("<svg"), EndsWith("</svg>\n\n")));
  EXPECT_THAT(svg, HasSubstr("<title>Time &lt;of&gt; a &quot;search&quot; &amp;"));
  EXPECT_THAT(svg, HasSubstr("it's $x{1} \\ `ls` &lt;b"));
  EXPECT_THAT(svg, AllOf(HasSubstr("particles"), HasSubstr("time (s)"), HasSubstr("10⁴")));
  EXPECT_THAT(svg, AllOf(Not(HasSubstr("<of>")), Not(HasSubstr("<b>"))));
  Plot with_line_breaks = example_plot();
  with_line_breaks.title = "two\nlines\nset output '/dev/null'";
  EXPECT_THAT(draw(with_line_breaks), HasSubstr("two lines set output"));
}

TEST(Plots, HaveUniqueElementIdsOnOnePage) {
  const std::string first = draw(example_plot(), "figure-1");
  const std::string second = draw(example_plot(), "figure-2");
  for (const char* quote : {"id='", "id=\""})
    for (std::size_t at = first.find(quote); at != std::string::npos;
         at = first.find(quote, at + 1)) {
      const std::string name = first.substr(at, first.find_first_of("'\"", at + 4) - at);
      EXPECT_THAT(name, HasSubstr("figure-1"));
      EXPECT_THAT(second, Not(HasSubstr(name + first[at + 3])));
    }
}

TEST(Plots, OmitPointsThatCannotBeDrawn) {
  Plot plot = example_plot();
  const std::string expected = draw(plot);
  plot.lines[0].points.insert(plot.lines[0].points.begin(), {0, 1});
  plot.lines[0].points.push_back({1e5, std::numeric_limits<double>::quiet_NaN()});
  plot.lines[0].points.push_back({std::numeric_limits<double>::infinity(), 1});
  EXPECT_EQ(draw(plot), expected);
}

TEST(Plots, WithoutDataAreEmptyAxes) {
  EXPECT_THAT(draw(Plot{.title = "nothing"}), HasSubstr("</svg>"));
  EXPECT_THAT(draw(Plot{.title = "no points", .lines = {{"a", {}}}}), HasSubstr("</svg>"));
}

TEST(Plots, DrawABarForEachValue) {
  const std::string svg =
      draw(Plot{.title = "bars",
                .x = {.title = "number"},
                .y = {.title = "share, %"},
                .lines = {{"measured", {{6, 4}, {7, 96}}, Plot::Style::bars},
                          {"expected", {{6, 5}, {7, 95}}, Plot::Style::expected_bars}}});
  EXPECT_THAT(svg, AllOf(HasSubstr(">6<"), HasSubstr(">7<"), HasSubstr("share, %")));
  EXPECT_EQ(occurrences(svg, "<polygon"), 6U);  // four bars, and two in the legend
}

/// A text of an SVG drawn by gnuplot, with its position in px.
struct SvgText {
  std::string text;
  double x;
  double y;
  double font_size;
};

std::vector<SvgText> texts_of(const std::string& svg) {
  const auto number_after = [](const std::string& text, const std::string& mark, std::size_t from) {
    const std::size_t at = text.find(mark, from);
    return at == std::string::npos ? 0 : std::strtod(text.c_str() + at + mark.size(), nullptr);
  };
  std::vector<SvgText> texts;
  for (std::size_t at = svg.find("<text>"); at != std::string::npos;
       at = svg.find("<text>", at + 1)) {
    const std::size_t group = svg.rfind("<g transform=\"", at);
    const std::string transform = svg.substr(group, svg.find('"', group + 14) - group);
    const std::string body = svg.substr(at, svg.find("</text>", at) - at);
    const std::size_t end = body.find("</tspan>");
    const std::size_t begin = body.rfind('>', end) + 1;
    texts.push_back({body.substr(begin, end - begin), number_after(transform, "(", 0),
                     number_after(transform, ",", 0), number_after(svg, "font-size=\"", group)});
  }
  return texts;
}

double width_of(const SvgText& text) { return text_width(text.text, text.font_size); }

/// Bars at 1 … count.
Plot bar_plot(int count) {
  Plot plot{.title = "bars", .x = {.title = "row"}, .lines = {{"a", {}, Plot::Style::bars}}};
  for (int k = 1; k <= count; ++k) plot.lines[0].points.push_back({1.0 * k, 1});
  return plot;
}

TEST(Plots, LabelsOfManyBarsDoNotOverlap) {
  for (const int count : {3, 12, 25, 32, 150, 1100}) {
    std::vector<SvgText> labels;
    for (const SvgText& text : texts_of(draw(bar_plot(count))))
      if (text.y > 325 && std::isdigit(static_cast<unsigned char>(text.text.front())) != 0)
        labels.push_back(text);
    EXPECT_GE(labels.size(), 3U) << count;
    EXPECT_LE(labels.size(), static_cast<std::size_t>(count));
    for (std::size_t k = 1; k < labels.size(); ++k)
      EXPECT_GE(labels[k].x - labels[k - 1].x, (width_of(labels[k]) + width_of(labels[k - 1])) / 2)
          << count << " bars: " << labels[k].text;
  }
}

TEST(Plots, LabelsOfManyDecadesDoNotOverlap) {
  const std::string svg = draw(Plot{.title = "decades",
                                    .x = {.title = "x", .logarithmic = true},
                                    .y = {.title = "y", .logarithmic = true},
                                    .lines = {{"a", {{1e-12, 1e-12}, {1e12, 1e12}}}}});
  std::vector<SvgText> labels;
  for (const SvgText& text : texts_of(svg))
    if (text.text.starts_with("10")) labels.push_back(text);
  EXPECT_GE(labels.size(), 8U);
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_TRUE(std::abs(labels[i].y - labels[k].y) >= labels[i].font_size ||
                  std::abs(labels[i].x - labels[k].x) >= width_of(labels[i]))
          << labels[i].text << " and " << labels[k].text;
}

TEST(Plots, LongTitlesAreNotCutOff) {
  const std::string words =
      "a long title of a plot that has many words in each of its lines and "
      "does not fit above the axes in a single one";
  const std::string svg = draw(Plot{.title = words,
                                    .x = {.title = words},
                                    .y = {.title = words},
                                    .lines = {{"a", {{1, 2000}, {2, 3000}}}}});
  std::string title;
  double previous_y = 0;
  for (const SvgText& text : texts_of(svg)) {
    if (text.text == words) {  // an axis title, centered on its position
      const bool is_vertical = text.x < 60;
      const double center = is_vertical ? text.y : text.x;
      EXPECT_GE(center - width_of(text) / 2, 0);
      EXPECT_TRUE(is_vertical || center + width_of(text) / 2 <= 560);
    } else if (words.find(text.text) != std::string::npos && text.font_size == 17) {
      EXPECT_LE(text.x + width_of(text), 560) << text.text;
      EXPECT_GE(text.y - previous_y, 17);
      previous_y = text.y;
      title += (title.empty() ? "" : " ") + text.text;
    }
  }
  EXPECT_EQ(title, words);
}

Report example_report() {
  Table table({"n", "<time>"});
  table.add({"1", "2 & 3"});
  return {.title = "A <report>",
          .introduction = {"First & foremost"},
          .command = "abut reproduce <x>",
          .machine = "a \"machine\"",
          .sections = {{.title = "One <b>",
                        .text = "Text & more",
                        .svg = "<svg>plot</svg>",
                        .table = table,
                        .table_title = "Data",
                        .findings = {{"a < b", "1 < 2", Verdict::holds, "so & so"},
                                     {"b < a", "2 > 1", Verdict::does_not_hold},
                                     {"a ~ b", "more or less", Verdict::partly_holds}}}}};
}

TEST(Reports, EscapeAllTextButSvg) {
  const std::string page = html(example_report());
  EXPECT_THAT(page, AllOf(HasSubstr("A &lt;report&gt;"), HasSubstr("First &amp; foremost"),
                          HasSubstr("abut reproduce &lt;x&gt;"), HasSubstr("a &quot;machine&quot;"),
                          HasSubstr("One &lt;b&gt;"), HasSubstr("<td>2 &amp; 3</td>"),
                          HasSubstr("<th>&lt;time&gt;</th>"), HasSubstr("so &amp; so")));
  EXPECT_THAT(page, HasSubstr("<svg>plot</svg>"));
  EXPECT_EQ(xml_escaped("<a href=\"x\" b='y'>&"),
            "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;");
}

TEST(Verdicts, OfRatiosDependOnAllAndOnTheMedian) {
  EXPECT_EQ(above_one({1.1, 2, 3}), Verdict::holds);
  EXPECT_EQ(above_one({0.9, 2, 3}), Verdict::partly_holds);
  EXPECT_EQ(above_one({0.8, 0.9, 3}), Verdict::does_not_hold);
}

TEST(Reports, BeginWithASummaryOfVerdicts) {
  const std::string page = html(example_report());
  EXPECT_THAT(page, HasSubstr("1 of 3 claims holds, 1 partly holds, 1 does not hold."));
  EXPECT_EQ(occurrences(page, "✓ holds"), 2U);
  EXPECT_EQ(occurrences(page, "✗ does not hold"), 2U);
  EXPECT_EQ(occurrences(page, "≈ partly holds"), 2U);
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

TEST(Reports, OfChecksUsePassAndFail) {
  Report report = example_report();
  report.verdict_words = VerdictWords::check;
  const std::string page = html(report);
  EXPECT_THAT(page, HasSubstr("1 of 3 checks passed."));
  EXPECT_EQ(occurrences(page, "✓ pass"), 2U);
  EXPECT_EQ(occurrences(page, "✗ fail"), 2U);
  EXPECT_EQ(occurrences(page, "≈ fail"), 2U);
  EXPECT_THAT(page, Not(HasSubstr("✓ holds")));
}

}  // namespace
}  // namespace abut::testing
