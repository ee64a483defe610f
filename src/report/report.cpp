#include "report/report.hpp"

#include <algorithm>
#include <array>

#include "core/message.hpp"
#include "io/text_format.hpp"

namespace abut {
namespace {

constexpr std::string_view style = R"(
:root { --ink: #23272b; --soft: #5f6871; --line: #dfe3e7; --paper: #ffffff; --wash: #f6f7f9; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  -webkit-text-size-adjust: 100%; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 3rem 0 .5rem; padding-top: 1rem;
  border-top: 1px solid var(--line); }
p { margin: .6rem 0; }
pre { background: var(--wash); padding: .6rem .8rem; border-radius: 6px; white-space: pre-wrap;
  overflow-wrap: anywhere; font-size: .9rem; margin: .8rem 0; }
.soft { color: var(--soft); font-size: .9rem; }
figure { margin: 1.2rem 0; max-width: 38rem; }
figure svg { display: block; width: 100%; height: auto; }
figure svg text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .8rem .25rem 0; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
th { color: var(--soft); font-weight: 600; }
summary { cursor: pointer; color: var(--soft); font-size: .9rem; margin: .8rem 0 .4rem; }
.findings { list-style: none; margin: 1rem 0; padding: 0; }
.findings li { display: grid; grid-template-columns: 8.5rem 1fr; gap: 0 .8rem; padding: .7rem 0;
  border-top: 1px solid var(--line); }
.findings li:last-child { border-bottom: 1px solid var(--line); }
.claim { font-weight: 600; }
.measured, .explanation { grid-column: 2; }
.explanation { color: var(--soft); font-size: .9rem; }
.verdict { justify-self: start; align-self: start; padding: .05rem .55rem; border-radius: 1rem;
  font-size: .8rem; font-weight: 600; white-space: nowrap; }
.holds { background: #e3f2ea; color: #14603a; }
.partly-holds { background: #fdf1d6; color: #7a5200; }
.does-not-hold { background: #fbe5e1; color: #9a2a17; }
.summary a { color: inherit; text-decoration: none; }
.summary a:hover { text-decoration: underline; }
@media (max-width: 30rem) {
  .findings:not(.summary) li { grid-template-columns: 1fr; }
  .measured, .explanation { grid-column: 1; }
  .verdict { margin-bottom: .2rem; }
}
@media print { h2 { break-after: avoid; } figure, .findings li { break-inside: avoid; } }
)";

constexpr std::array claim_words{"holds", "partly holds", "does not hold"};
constexpr std::array check_words{"pass", "fail", "fail"};
constexpr std::array classes{"holds", "partly-holds", "does-not-hold"};
constexpr std::array signs{"✓", "≈", "✗"};

std::size_t index_of(Verdict verdict) { return static_cast<std::size_t>(verdict); }

std::string badge(Verdict verdict, VerdictWords words) {
  const std::size_t i = index_of(verdict);
  return message("<span class=\"verdict ", classes[i], "\">", signs[i], " ", text(verdict, words),
                 "</span>");
}

std::string element(std::string_view tag, std::string_view kind, std::string_view content) {
  if (content.empty()) return "";
  return message("<", tag, kind.empty() ? "" : message(" class=\"", kind, "\""), ">",
                 xml_escaped(content), "</", tag, ">\n");
}

std::string list_of(const std::vector<Finding>& findings, VerdictWords words) {
  if (findings.empty()) return "";
  std::string list = "<ul class=\"findings\">\n";
  for (const Finding& finding : findings)
    list += message("<li>", badge(finding.verdict, words), element("div", "claim", finding.claim),
                    element("div", "measured", finding.measured),
                    element("div", "explanation", finding.explanation), "</li>\n");
  return list + "</ul>\n";
}

std::string table_of(const Report::Section& section) {
  constexpr std::size_t max_rows_shown = 16;
  if (!section.table) return "";
  return message("<details", section.table->row_count() <= max_rows_shown ? " open" : "",
                 "><summary>", xml_escaped(section.table_title), "</summary><div class=\"wide\">\n",
                 section.table->html(), "</div></details>\n");
}

std::string section_of(const Report::Section& section, std::size_t index, VerdictWords words) {
  return message("<section id=\"s", index, "\">\n", element("h2", "", section.title),
                 element("p", "", section.text), list_of(section.findings, words),
                 section.svg.empty() ? "" : message("<figure>", section.svg, "</figure>\n"),
                 table_of(section), "</section>\n");
}

// A list of all claims or checks, each linked to its section.
std::string summary(const Report& report) {
  std::array<std::size_t, classes.size()> count{};
  std::string list;
  for (std::size_t i = 0; i < report.sections.size(); ++i)
    for (const Finding& finding : report.sections[i].findings) {
      ++count[index_of(finding.verdict)];
      list += message("<li>", badge(finding.verdict, report.verdict_words), "<a href=\"#s", i,
                      "\">", xml_escaped(finding.claim), "</a></li>\n");
    }
  const std::size_t all = count[0] + count[1] + count[2];
  if (all == 0) return "";
  if (report.verdict_words == VerdictWords::check)
    return message("<p>", count[0], " of ", all, all == 1 ? " check" : " checks", " passed.</p>\n",
                   "<ul class=\"findings summary\">\n", list, "</ul>\n");
  return message("<p>", count[0], " of ", all, all == 1 ? " claim" : " claims",
                 all == 1 || count[0] == 1 ? " holds" : " hold",
                 count[1] == 0
                     ? ""
                     : message(", ", count[1], count[1] == 1 ? " partly holds" : " partly hold"),
                 count[2] == 0   ? ""
                 : count[2] == 1 ? ", 1 does not hold"
                                 : message(", ", count[2], " do not hold"),
                 ".</p>\n<ul class=\"findings summary\">\n", list, "</ul>\n");
}

}  // namespace

std::string_view text(Verdict verdict, VerdictWords words) {
  return (words == VerdictWords::claim ? claim_words : check_words)[index_of(verdict)];
}

std::string html(const Report& report) {
  std::string page = message(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
      xml_escaped(report.title), "</title>\n<style>", style, "</style>\n</head>\n<body>\n<main>\n",
      element("h1", "", report.title));
  for (const std::string& paragraph : report.introduction) page += element("p", "", paragraph);
  page += message(element("pre", "", report.command), element("p", "soft", report.machine),
                  summary(report));
  for (std::size_t i = 0; i < report.sections.size(); ++i)
    page += section_of(report.sections[i], i, report.verdict_words);
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace abut
