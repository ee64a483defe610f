#include "bench/bench_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/machine.hpp"
#include "io/text_format.hpp"
#include "report/plot.hpp"

namespace abut {
namespace {

using Json = nlohmann::ordered_json;

// A column of the results: its title in tables, its name in CSV and JSON, and its value, which is
// empty if it was not measured.
struct Column {
  const char* title;
  const char* field;
  std::function<std::optional<double>(const Measurement&)> value;
  enum class Kind { decimal, integer, bytes } kind = Kind::decimal;
  bool is_always_shown = true;  // otherwise only if some measurement has a value
};

template <class Number>
std::optional<double> per_particle(const Measurement& m, const std::optional<Number>& value,
                                   double scale = 1) {
  if (!value) return {};
  return m.per_particle(scale * static_cast<double>(*value));
}

const std::vector<Column>& columns() {
  using Kind = Column::Kind;
  static const std::vector<Column> all{
      {"ns/particle", "ns_per_particle", [](const Measurement& m) { return m.ns_per_particle(); }},
      {"build ns/particle", "build_ns_per_particle",
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
      {"pair sort ns/particle", "pair_sort_ns_per_particle",
       [](const Measurement& m) { return per_particle(m, m.sort_seconds, 1e9); }, Kind::decimal,
       false},
      {"instructions/particle", "instructions_per_particle",
       [](const Measurement& m) { return per_particle(m, m.instructions); }, Kind::decimal, false},
  };
  return all;
}

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
    object["skip_reason"] = m.skip_reason;
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

// The distinct values in order of first occurrence.
template <class Get>
auto distinct(std::span<const Measurement> all, const Get& get) {
  std::vector<std::decay_t<decltype(get(all[0]))>> values;
  for (const Measurement& m : all)
    if (std::ranges::find(values, get(m)) == values.end()) values.push_back(get(m));
  return values;
}

// Common to all cells of a Markdown table.
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
      const auto found = std::ranges::find_if(
          rows_, [&](const Measurement& m) { return m.scene == scene && m.sort_seconds; });
      return found == rows_.end() ? "" : rounded(found->per_particle(1e9 * *found->sort_seconds));
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

  // A row with one cell for each scene; empty if all cells are.
  template <class Cell>
  [[nodiscard]] std::string line(const std::string& title, const Cell& cell) const {
    std::string text = fmt::format("| {}", title);
    bool any = false;
    for (const std::string& scene : scenes_) {
      const std::string content = cell(scene);
      any = any || !content.empty();
      text += fmt::format(" | {}", content);
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
    const Measurement* reference = row("nanoflann", scene);
    if (reference == nullptr || own == reference) return rounded(own->ns_per_particle());
    const double speedup = reference->seconds / own->seconds;
    return fmt::format("{:.0f} ({:.{}f}×)", own->ns_per_particle(), speedup, speedup < 10 ? 1 : 0);
  }

  [[nodiscard]] std::string instructions() const {
    std::string lines;
    for (const std::string& method : methods_)
      lines += line(method, [&](const std::string& scene) -> std::string {
        const Measurement* own = row(method, scene);
        if (own == nullptr || !own->instructions) return "";
        return rounded(own->per_particle(static_cast<double>(*own->instructions)));
      });
    return lines.empty() ? "" : "\nInstructions per particle:\n\n" + header() + lines;
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

Plot time_plot(std::span<const Measurement> all, bool show_dimension) {
  Plot plot{.title = "Search time",
            .x = {.title = "particles", .logarithmic = true},
            .y = {.title = "ns per particle", .logarithmic = true},
            .lines = {}};
  const bool many_scenes = distinct(all, [](const Measurement& m) { return m.scene; }).size() > 1;
  const bool many_threads =
      distinct(all, [](const Measurement& m) { return m.threads; }).size() > 1;
  for (const Measurement& m : all) {
    if (!m.skip_reason.empty()) continue;
    std::string name = m.method;
    if (show_dimension) name += fmt::format(" {}D", m.dimension);
    if (many_scenes) name += " " + m.scene;
    if (many_threads) name += threads_text(m);
    auto line = std::ranges::find(plot.lines, name, &Plot::Line::name);
    if (line == plot.lines.end()) line = plot.lines.insert(line, {.name = name, .points = {}});
    line->points.push_back({static_cast<double>(m.count), m.ns_per_particle()});
  }
  return plot;
}

// For results with the same number of particles.
BarChart bar_chart(std::span<const Measurement> all) {
  BarChart chart{"Search time", "ns per particle", {}};
  const bool many_threads =
      distinct(all, [](const Measurement& m) { return m.threads; }).size() > 1;
  for (const Measurement& m : all)
    if (m.skip_reason.empty())
      chart.bars.push_back(
          {many_threads ? m.method + threads_text(m) : m.method, m.ns_per_particle()});
  return chart;
}

// For results of one scene in one dimension.
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
  titles.emplace_back("skip_reason");
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
  const auto key_of = [](const Measurement& m) { return std::pair{m.scene, m.dimension}; };
  for (const auto& key : distinct(all, key_of)) {
    std::vector<Measurement> rows;
    std::ranges::copy_if(all, std::back_inserter(rows),
                         [&](const Measurement& m) { return key_of(m) == key; });
    const bool many_counts =
        distinct(rows, [](const Measurement& m) { return m.count; }).size() > 1;
    sections.push_back(
        {.title = fmt::format("{}, {}D", key.first, key.second),
         .text = many_counts
                     ? "Search time per particle over the number of particles; constant if the "
                       "search time is linear."
                     : fmt::format("{} particles.", rows.front().count),
         .svg = many_counts ? draw(time_plot(rows, false), fmt::format("s{}", sections.size()))
                            : draw(bar_chart(rows)),
         .table = html_table(rows),
         .table_title = "Data"});
  }
  return sections;
}

}  // namespace abut
