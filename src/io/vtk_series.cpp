#include "io/vtk_series.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "core/message.hpp"
#include "io/markup.hpp"
#include "io/output_file.hpp"
#include "io/scanner.hpp"
#include "io/text_file.hpp"

namespace abut {
namespace {

constexpr std::string_view opening =
    "<?xml version=\"1.0\"?>\n"
    "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
    "  <Collection>\n";
constexpr std::string_view closing =
    "  </Collection>\n"
    "</VTKFile>\n";

// The text up to a mark, which is stepped over too; nothing if the mark is not there.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(at + mark.size());
  return before;
}

// The value of `name="…"`, which must come next but for what is before the name.
std::optional<std::string> take_attribute(std::string_view& line, std::string_view name) {
  if (!take_until(line, message(" ", name, "=\""))) return {};
  const std::optional<std::string_view> value = take_until(line, "\"");
  return value ? unescaped(*value) : std::nullopt;
}

std::optional<VtkSeries::Entry> entry_of(std::string_view line) {
  const auto time = take_attribute(line, "timestep");
  auto part = take_attribute(line, "name");
  auto file = take_attribute(line, "file");
  if (!time || !part || !file) return {};
  double value = 0;
  std::from_chars(time->data(), time->data() + time->size(), value);
  return VtkSeries::Entry{value, std::move(*part), std::move(*file)};
}

void require_markup(const std::string& path, std::string_view what, const std::string& text) {
  if (!text.empty() && fits_markup(text)) return;
  throw Error(message(path, ": the ", what, " ", Scanner::printable(text),
                      " must be UTF-8 without control characters, and not empty"));
}

}  // namespace

VtkSeries VtkSeries::continued(const std::string& path, double time) {
  VtkSeries series(path);
  std::error_code unknown;
  if (std::filesystem::exists(std::filesystem::status(path, unknown))) series.read(time);
  return series;
}

void VtkSeries::add(Entry entry) {
  require_markup(path_, "part", entry.part);
  require_markup(path_, "file", entry.file);
  if (!std::isfinite(entry.time) || (!entries_.empty() && entry.time < entries_.back().time))
    throw Error(message(path_, ": the time ", entry.time, " of ", entry.file, " comes after ",
                        entries_.empty() ? 0 : entries_.back().time, "; times must not go back"));
  if (std::ranges::find(parts_, entry.part) == parts_.end()) parts_.push_back(entry.part);
  const auto same = std::ranges::find_if(entries_.rbegin(), entries_.rend(), [&](const Entry& old) {
    return old.time < entry.time || old.part == entry.part;
  });
  if (same != entries_.rend() && same->time == entry.time)
    *same = std::move(entry);
  else
    entries_.push_back(std::move(entry));
}

void VtkSeries::write() const {
  OutputFile file(path_);
  file << opening;
  for (const Entry& entry : entries_) file << line_of(entry);
  file << closing;
  file.commit();
}

std::string VtkSeries::line_of(const Entry& entry) const {
  return message("    <DataSet timestep=\"", entry.time, "\" part=\"",
                 std::ranges::find(parts_, entry.part) - parts_.begin(), "\" name=\"",
                 escaped(entry.part), "\" file=\"", escaped(entry.file), "\"/>\n");
}

// Whatever would be written otherwise than it was read is not ours: that is all the strictness
// there needs to be.
void VtkSeries::read(double last) {
  const TextFile file(path_);
  std::string_view text = file.text();
  std::size_t number = 1;
  const auto refuse = [&] {
    throw Error(message(path_, ":", number,
                        ": not as abut writes it; move this file away to begin a new one"));
  };
  if (!text.starts_with(opening)) refuse();
  text.remove_prefix(opening.size());
  for (number += 3; text != closing; ++number) {
    const std::optional<std::string_view> line = take_until(text, "\n");
    std::optional<Entry> entry = line ? entry_of(*line) : std::nullopt;
    if (!entry) refuse();
    const std::size_t before = entries_.size();
    add(*entry);
    if (entries_.size() == before || line_of(*entry) != message(*line, "\n")) refuse();
  }
  std::vector<Entry> all = std::exchange(entries_, {});
  parts_.clear();  // those that only come later are to be numbered anew
  for (Entry& entry : all)
    if (entry.time <= last) add(std::move(entry));
}

}  // namespace abut
