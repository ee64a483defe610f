#include "bench/bench_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/system_info.hpp"
#include "io/text_format.hpp"
#include "report/plot.hpp"

namespace abut {
namespace {

using Json = nlohmann::ordered_json;

// A figure under its three names: in the table, in files, and how to get it. None: not measured.
struct Column {
  const char* title;
  const char* field;
  std::function<std::optional<double>(const Measurement&)> value;
  enum class Kind { decimal, integer, bytes } kind = Kind::decimal;
  bool is_always_shown = true;  // or only where somebody has it
};

template <class Number>
std::optional<double> per_particle(const Measurement& m, const std::optional<Number>& value,
                                   double unit = 1) {
  if (!value) return {};
  return m.per_particle(unit * static_cast<double>(*value));
}

const std::vector<Column>& columns() {
  using Kind = Column::Kind;
  static const std::vector<Column> all{
      {"ns/particle", "ns_per_particle", [](const Measurement& m) { return m.ns_per_particle(); }},
      {"of it sorting", "sorting_ns_per_particle",
       [](const Measurement& m) { return per_particle(m, m.build_seconds, 1e9); }},
      {"ns/pair", "ns_per_pair", [](const Measurement& m) { return m.ns_per_pair(); }},
      {"pairs", "pairs", [](const Measurement& m) { return static_cast<double>(m.pairs); },
       Kind::integer},
      {"candidates/particle", "candidates_per_particle",
       [](const Measurement& m) { return per_particle(m, m.candidates); }},
      {"bytes/particle", "bytes_per_particle",
       [](const Measurement& m) { return per_particle(m, m.structure_bytes); }},
      {"peak memory", "peak_bytes",
       [](const Measurement& m) { return static_cast<double>(m.peak_bytes); }, Kind::bytes},
      {"sorted +ns/particle", "sort_ns_per_particle",
       [](const Measurement& m) { return per_particle(m, m.sort_seconds, 1e9); }, Kind::decimal,
       false},
      {"instructions/particle", "instructions_per_particle",
       [](const Measurement& m) { return per_particle(m, m.instructions); }, Kind::decimal, false},
  };
  return all;
}

// Those with something in them.
std::vector<Column> shown_columns(std::span<const Measurement> all) {
  std::vector<Column> shown;
  std::ranges::copy_if(columns(), std::back_inserter(shown), [&](const Column& column) {
    return column.is_always_shown || std::ranges::any_of(all, [&](const Measurement& m) {
             return column.value(m).has_value();
           });
  });
  return shown;
}

std::string formatted(const Column& column, const Measurement& m) {
  const auto value = column.value(m);
  if (!value || (column.kind == Column::Kind::bytes && *value == 0)) return "-";
  switch (column.kind) {
    case Column::Kind::bytes:
      return format_bytes(*value);
    case Column::Kind::integer:
      return fmt::format("{:.0f}", *value);
    default:
      return fmt::format("{:.1f}", *value);
  }
}

std::string raw_value(const Column& column, const Measurement& m) {
  const auto value = column.value(m);
  if (!value) return "";
  return column.kind == Column::Kind::decimal ? fmt::format("{}", *value)
                                              : fmt::format("{:.0f}", *value);
}

std::vector<std::string> key_cells(const Measurement& m) {
  return {m.scene, std::to_string(m.count), std::to_string(m.dimension), m.method,
          std::to_string(m.threads)};
}

std::vector<std::string> titles_of(const std::vector<Column>& shown, const char* Column::*name) {
  std::vector<std::string> titles{"scene", "n", "dim", "method", "threads"};
  for (const Column& column : shown) titles.emplace_back(column.*name);
  return titles;
}

Json json_of(const Measurement& m, const std::vector<Column>& shown) {
  Json object{{"scene", m.scene},
              {"n", m.count},
              {"dim", m.dimension},
              {"method", m.method},
              {"threads", m.threads}};
  if (!m.skip_reason.empty()) {
    object["refused"] = m.skip_reason;
    return object;
  }
  for (const Column& column : shown) {
    const auto value = column.value(m);
    if (value && column.kind == Column::Kind::decimal) object[column.field] = *value;
    if (value && column.kind != Column::Kind::decimal)
      object[column.field] = static_cast<std::uint64_t>(*value);
  }
  return object;
}

// Each value once, in the order of appearance.
template <class Get>
auto distinct(std::span<const Measurement> all, const Get& get) {
  std::vector<std::decay_t<decltype(get(all[0]))>> values;
  for (const Measurement& m : all)
    if (std::ranges::find(values, get(m)) == values.end()) values.push_back(get(m));
  return values;
}

// What a Markdown table is for: the same for all of its cells.
struct Setting {
  std::size_t count;
  int dimension;
  unsigned threads;
  friend bool operator==(const Setting&, const Setting&) = default;
};

Setting setting_of(const Measurement& m) { return {m.count, m.dimension, m.threads}; }

class Markdown {
 public:
  Markdown(std::span<const Measurement> all, const Setting& setting) {
    std::ranges::copy_if(all, std::back_inserter(rows_),
                         [&](const Measurement& m) { return setting_of(m) == setting; });
    scenes_ = distinct(rows_, [](const Measurement& m) { return m.scene; });
    methods_ = distinct(rows_, [](const Measurement& m) { return m.method; });
  }

  [[nodiscard]] std::string text() const {
    const Measurement& any = rows_.front();
    std::string text = fmt::format("{} particles in {}D, {} thread{}:\n\n", any.count,
                                   any.dimension, any.threads, any.threads == 1 ? "" : "s");
    text += header();
    for (const std::string& method : methods_)
      text += line(method, [&](const std::string& scene) { return time(method, scene); });
    text += line("*sorting the pairs adds*", [&](const std::string& scene) {
      const auto known = std::ranges::find_if(
          rows_, [&](const Measurement& m) { return m.scene == scene && m.sort_seconds; });
      return known == rows_.end() ? "" : rounded(known->per_particle(1e9 * *known->sort_seconds));
    });
    return text + instructions();
  }

 private:
  static std::string rounded(double value) { return fmt::format("{:.0f}", value); }

  [[nodiscard]] std::string header() const {
    std::string names = "|";
    std::string rule = "|---";
    for (const std::string& scene : scenes_) {
      names += fmt::format(" | {}", scene);
      rule += "|---";
    }
    return names + " |\n" + rule + "|\n";
  }

  // Nothing at all where there is nothing to say.
  template <class Cell>
  [[nodiscard]] std::string line(const std::string& title, const Cell& cell) const {
    std::string text = fmt::format("| {}", title);
    bool any = false;
    for (const std::string& scene : scenes_) {
      const std::string said = cell(scene);
      any = any || !said.empty();
      text += fmt::format(" | {}", said);
    }
    return any ? text + " |\n" : "";
  }

  [[nodiscard]] const Measurement* row(std::string_view method, std::string_view scene) const {
    const auto found = std::ranges::find_if(rows_, [&](const Measurement& m) {
      return m.method == method && m.scene == scene && m.skip_reason.empty();
    });
    return found == rows_.end() ? nullptr : &*found;
  }

  [[nodiscard]] std::string time(std::string_view method, std::string_view scene) const {
    const Measurement* own = row(method, scene);
    if (own == nullptr) return "";
    const Measurement* yardstick = row("nanoflann", scene);
    if (yardstick == nullptr || own == yardstick) return rounded(own->ns_per_particle());
    const double times = yardstick->seconds / own->seconds;
    return fmt::format("{:.0f} ({:.{}f}×)", own->ns_per_particle(), times, times < 10 ? 1 : 0);
  }

  [[nodiscard]] std::string instructions() const {
    std::string lines;
    for (const std::string& method : methods_)
      lines += line(method, [&](const std::string& scene) -> std::string {
        const Measurement* own = row(method, scene);
        if (own == nullptr || !own->instructions) return "";
        return rounded(own->per_particle(static_cast<double>(*own->instructions)));
      });
    return lines.empty() ? "" : "\nInstructions per particle of the same:\n\n" + header() + lines;
  }

  std::vector<Measurement> rows_;
  std::vector<std::string> scenes_;
  std::vector<std::string> methods_;
};

Table table_of(std::span<const Measurement> all) {
  const std::vector<Column> shown = shown_columns(all);
  Table table(titles_of(shown, &Column::title));
  for (const Measurement& m : all) {
    std::vector<std::string> row = key_cells(m);
    if (!m.skip_reason.empty())
      row.push_back(m.skip_reason);
    else
      for (const Column& column : shown) row.push_back(formatted(column, m));
    table.add(row);
  }
  return table;
}

std::string threads_text(const Measurement& m) {
  return fmt::format(", {} thread{}", m.threads, m.threads == 1 ? "" : "s");
}

Plot time_plot(std::span<const Measurement> all, bool names_dimension) {
  Plot times{.title = "Time of a search",
             .x = {.title = "particles", .logarithmic = true},
             .y = {.title = "ns per particle", .logarithmic = true},
             .lines = {}};
  const bool many_scenes = distinct(all, [](const Measurement& m) { return m.scene; }).size() > 1;
  const bool many_threads =
      distinct(all, [](const Measurement& m) { return m.threads; }).size() > 1;
  for (const Measurement& m : all) {
    if (!m.skip_reason.empty()) continue;
    std::string name = m.method;
    if (names_dimension) name += fmt::format(" {}D", m.dimension);
    if (many_scenes) name += " " + m.scene;
    if (many_threads) name += threads_text(m);
    auto line = std::ranges::find(times.lines, name, &Plot::Line::name);
    if (line == times.lines.end()) line = times.lines.insert(line, {.name = name, .points = {}});
    line->points.push_back({static_cast<double>(m.count), m.ns_per_particle()});
  }
  return times;
}

// For one number of particles.
BarChart bar_chart(std::span<const Measurement> all) {
  BarChart chart{"Time of a search", "ns per particle", {}};
  const bool many_threads =
      distinct(all, [](const Measurement& m) { return m.threads; }).size() > 1;
  for (const Measurement& m : all)
    if (m.skip_reason.empty())
      chart.bars.push_back(
          {many_threads ? m.method + threads_text(m) : m.method, m.ns_per_particle()});
  return chart;
}

// Of one scene in one dimension: the method comes first.
Table html_table(std::span<const Measurement> all) {
  const std::vector<Column> shown = shown_columns(all);
  std::vector<std::string> titles{"method", "particles", "threads"};
  for (const Column& column : shown) titles.emplace_back(column.title);
  Table table(titles);
  for (const Measurement& m : all) {
    std::vector<std::string> row{m.method, std::to_string(m.count), std::to_string(m.threads)};
    if (!m.skip_reason.empty())
      row.push_back(m.skip_reason);
    else
      for (const Column& column : shown) row.push_back(formatted(column, m));
    table.add(row);
  }
  return table;
}

}  // namespace

std::string bench_table(std::span<const Measurement> all) { return table_of(all).text(); }

std::string bench_csv(std::span<const Measurement> all) {
  const std::vector<Column> shown = shown_columns(all);
  std::vector<std::string> titles = titles_of(shown, &Column::field);
  titles.emplace_back("refused");
  Table table(titles);
  for (const Measurement& m : all) {
    std::vector<std::string> row = key_cells(m);
    for (const Column& column : shown) row.push_back(raw_value(column, m));
    row.push_back(m.skip_reason);
    table.add(row);
  }
  return table.csv();
}

std::string bench_json(std::span<const Measurement> all) {
  const std::vector<Column> shown = shown_columns(all);
  Json list = Json::array();
  for (const Measurement& m : all) list.push_back(json_of(m, shown));
  return list.dump(2) + '\n';
}

std::string bench_markdown(std::span<const Measurement> all) {
  std::string text;
  for (const Setting& setting : distinct(all, setting_of))
    text += fmt::format("{}{}", text.empty() ? "" : "\n", Markdown(all, setting).text());
  return text;
}

std::string bench_plot(std::span<const Measurement> all) { return draw(time_plot(all, true)); }

std::vector<Report::Section> bench_sections(std::span<const Measurement> all) {
  std::vector<Report::Section> sections;
  const auto place_of = [](const Measurement& m) { return std::pair{m.scene, m.dimension}; };
  for (const auto& place : distinct(all, place_of)) {
    std::vector<Measurement> here;
    std::ranges::copy_if(all, std::back_inserter(here),
                         [&](const Measurement& m) { return place_of(m) == place; });
    const bool many = distinct(here, [](const Measurement& m) { return m.count; }).size() > 1;
    sections.push_back(
        {.title = fmt::format("{}, {}D", place.first, place.second),
         .text = many ? "Time of a search over the number of particles; flat where it is linear."
                      : fmt::format("{} particles.", here.front().count),
         .svg = many ? draw(time_plot(here, false), fmt::format("s{}", sections.size()))
                         : draw(bar_chart(here)),
         .table = html_table(here),
         .table_title = "The numbers"});
  }
  return sections;
}

}  // namespace abut
